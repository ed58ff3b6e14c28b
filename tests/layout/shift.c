/* Libraries moved within a page do what they did, and a damaged file is no danger. */
#include "test.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "base/rng.h"
#include "movable.h"

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static bool has(const char *path)
{
	return access(path, R_OK) == 0;
}

/* Loads a library and lets it check itself. Where in its page is its function? */
static int check_here(uintptr_t *at, const char *path)
{
	int (*check)(void) = NULL;
	void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		return 99;
	}
	*(void **)&check = dlsym(handle, "moved_check");
	*at = (uintptr_t)check % page_size();
	return !check ? 98 : check() ? check() : 0;
}

/* in a process of its own: its threads' variables never go away */
static uintptr_t run(const char *path)
{
	uintptr_t at = 0;
	int ends[2], status = 0;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		int wrong = check_here(&at, path);
		_exit(write(ends[1], &at, sizeof(at)) == sizeof(at) ? wrong : 97);
	}
	close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status)
		fail_msg("%s: status %d, check %d", path, status, WEXITSTATUS(status));
	assert_int_equal(read(ends[0], &at, sizeof(at)), sizeof(at));
	close(ends[0]);
	return at;
}

static char *write_copy(const ba_movable *m, size_t offset)
{
	BA_AUTO(ba_buf) ba_buf copy = BA_BUF_INIT;
	char *path = ba_xprintf("%s/copy-%ld-%zu.so", BA_MOVED_DIR, (long)getpid(), offset);
	ba_movable_shift(&copy, m, offset);
	assert_int_equal(ba_fs_write(path, copy.data, copy.len, 0600, NULL), 0);
	return path;
}

static void move_by_all(const char *path, size_t stride)
{
	ba_error err;
	BA_AUTO(ba_movable) ba_movable m = {0};
	uintptr_t before = run(path);
	size_t moved = 0;
	if (movable_read(&m, path, page_size(), &err))
		fail_msg("%s: %s", path, err.text);
	assert_true(m.step >= BA_SHIFT_STEP && m.step <= 64);
	for (size_t offset = m.step; offset < m.page; offset += m.step * stride) {
		if (!ba_movable_fits(&m, offset))
			continue;
		BA_AUTO_FREE char *copy = write_copy(&m, offset);
		assert_int_equal(run(copy), (before + offset) % page_size());
		unlink(copy);
		moved++;
	}
	/* several fit, or nothing was tried */
	assert_true(moved * stride * m.step >= m.page / 4);
}

TEST(a_moved_library_does_what_it_did)
{
	static const char *const names[] = {"lazy", "now", "relr", "joined", "sysv", "initial_exec",
		"wide", "descriptors", "lld", "gold"};
	BA_AUTO_FREE char *plain = ba_path_join(BA_MOVED_DIR, "plain.so");
	if (!has(plain))
		skip();
	move_by_all(plain, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		BA_AUTO_FREE char *path = ba_xprintf("%s/%s.so", BA_MOVED_DIR, names[i]);
		if (has(path))
			move_by_all(path, 7);
	}
}

/* What compilers align to 32 bytes by habit may lie elsewhere; what an instruction needs
 * so may not. */
TEST(offsets_keep_the_alignment_that_instructions_need)
{
	static const struct {
		const char *name;
		size_t step;
	} rows[] = {{"plain.so", 16}, {"wide.so", 32}};
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO(ba_movable) ba_movable m = {0};
		BA_AUTO_FREE char *path = ba_path_join(BA_MOVED_DIR, rows[i].name);
		if (!has(path))
			skip();
		assert_int_equal(movable_read(&m, path, page_size(), NULL), 0);
		assert_int_equal(m.step, rows[i].step);
		assert_true(ba_movable_fits(&m, 32));
		assert_int_equal(ba_movable_fits(&m, 48), rows[i].step == 16);
		assert_false(ba_movable_fits(&m, 0) || ba_movable_fits(&m, page_size()));
	}
}

static void read_plain(ba_buf *out)
{
	BA_AUTO_FREE char *path = ba_path_join(BA_MOVED_DIR, "plain.so");
	if (!has(path))
		skip();
	assert_int_equal(ba_fs_read(out, path, 1 << 26, NULL), 0);
}

static size_t fitting(const ba_buf *file)
{
	BA_AUTO(ba_movable) ba_movable m = {0};
	size_t count = 0;
	assert_int_equal(ba_movable_of(&m, file->data, file->len, 4096, NULL), 0);
	for (size_t k = 0; k < m.page; k += BA_SHIFT_STEP)
		count += ba_movable_fits(&m, k);
	return count;
}

/* The constants behind the code come to share a page with it at some offsets. They may
 * not if they can be written to, or if they are not behind it in the file. */
TEST(code_shares_a_page_only_with_what_lies_behind_it)
{
	BA_AUTO(ba_buf) ba_buf file = BA_BUF_INIT;
	size_t all;
	read_plain(&file);
	all = fitting(&file);
	Elf64_Ehdr *h = (Elf64_Ehdr *)file.data;
	Elf64_Phdr *p = (Elf64_Phdr *)(file.data + h->e_phoff);
	for (size_t i = 1; i < h->e_phnum; i++) {
		if (p[i].p_type != PT_LOAD || !(p[i - 1].p_flags & PF_X))
			continue;
		assert_int_equal(p[i].p_flags, PF_R);
		p[i].p_flags |= PF_W;
		assert_true(fitting(&file) < all);
		p[i].p_flags = PF_R;
		p[i].p_offset += 4096;
		assert_true(fitting(&file) < all);
		p[i].p_offset -= 4096;
		return;
	}
	print_message("this linker puts nothing behind code\n");
	skip();
}

/* its reason to reject the file */
static const char *reason(const void *file, size_t size)
{
	static ba_error err;
	BA_AUTO(ba_movable) ba_movable m = {0};
	assert_int_equal(ba_movable_of(&m, file, size, 4096, &err), BA_ELIBRARY);
	return err.text;
}

TEST(what_cannot_be_moved_is_rejected_with_a_reason)
{
	BA_AUTO(ba_buf) ba_buf file = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_path_join(BA_MOVED_DIR, "page.so");
	read_plain(&file);
	Elf64_Ehdr *h = (Elf64_Ehdr *)file.data, good = *h;
	assert_has(reason("text", 4), "not an ELF file");
	h->e_machine = EM_AARCH64;
	assert_has(reason(file.data, file.len), "AArch64");
	*h = good;
	h->e_type = ET_EXEC;
	assert_has(reason(file.data, file.len), "not a shared library");
	*h = good;
	h->e_shnum = 0;
	assert_has(reason(file.data, file.len), "table of sections");
	*h = good;
	Elf64_Phdr *p = (Elf64_Phdr *)(file.data + h->e_phoff);
	for (size_t i = 0; i < h->e_phnum; i++)
		if (p[i].p_type == PT_DYNAMIC) {
			Elf64_Dyn *d = (Elf64_Dyn *)(file.data + p[i].p_offset);
			Elf64_Dyn first = d[0];
			d[0].d_tag = DT_TEXTREL;
			assert_has(reason(file.data, file.len), "-fPIC");
			d[0].d_tag = 0x6ffffef0;
			assert_has(reason(file.data, file.len), "is unknown");
			d[0] = first;
			p[i].p_type = PT_NOTE;
			assert_has(reason(file.data, file.len), "no dynamic section");
		}
	assert_int_equal(ba_fs_read(&page, path, 1 << 26, NULL), 0);
	assert_has(reason(page.data, page.len), "aligned to 4096 bytes");
}

/* A word anywhere that says anything; most of them where headers and tables are. */
static void damage(unsigned char *file, size_t size, uint64_t *rng)
{
	size_t most = ba_rng_below(rng, 4) ? 8192 : size;
	size_t at = ba_rng_below(rng, most < size ? most : size);
	static const uint64_t words[] = {
		0, 1, UINT64_MAX, UINT64_MAX - 63, 1 << 20, UINT64_C(1) << 45, INT64_MAX};
	uint64_t word = ba_rng_below(rng, 2)
				? words[ba_rng_below(rng, sizeof(words) / sizeof(words[0]))]
				: ba_splitmix64(rng);
	size_t bytes = (size_t)1 << ba_rng_below(rng, 4);
	at -= at % bytes;
	memcpy(file + at, &word, bytes <= size - at ? bytes : size - at);
}

TEST(a_damaged_library_is_no_danger)
{
	BA_AUTO(ba_buf) ba_buf file = BA_BUF_INIT;
	uint64_t rng = 4711;
	size_t moved = 0, rejected = 0;
	read_plain(&file);
	for (int i = 0; i < 3000; i++) {
		BA_AUTO_FREE unsigned char *bad = ba_xmalloc(file.len);
		BA_AUTO(ba_movable) ba_movable m = {0};
		memcpy(bad, file.data, file.len);
		for (uint64_t k = 0; k <= ba_rng_below(&rng, 3); k++)
			damage(bad, file.len, &rng);
		size_t size = ba_rng_below(&rng, 8) ? file.len : ba_rng_below(&rng, file.len);
		if (ba_movable_of(&m, bad, size, 4096, NULL)) {
			rejected++;
			continue;
		}
		for (size_t k = 0; k < m.page; k += BA_SHIFT_STEP * 61)
			if (ba_movable_fits(&m, k)) {
				BA_AUTO(ba_buf) ba_buf copy = BA_BUF_INIT;
				ba_movable_shift(&copy, &m, k);
				moved++;
			}
	}
	assert_true(moved > 100 && rejected > 100);
}
