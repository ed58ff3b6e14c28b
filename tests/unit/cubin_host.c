/* Host code that moved because device code has another size is equal, and nothing else is
 * (tests/suites/moved.cc). */
#include "test.h"

#include "base/elf.h"
#include "cubin/kernels.h"

#define LIBRARY(name) BA_BINARY_DIR "/tests/suites/moved" name ".so"

static void read_library(ba_buf *text, const char *path)
{
	if (!ba_fs_exists(path))
		skip();
	assert_int_equal(ba_fs_read(text, path, 1 << 24, NULL), 0);
}

static void digest(char out[65], const ba_buf *text)
{
	ba_host_digest(out, text->data, text->len);
	assert_int_equal(strlen(out), 64);
}

static void digest_of(char out[65], const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	read_library(&text, path);
	digest(out, &text);
}

TEST(moved_code_is_equal)
{
	static const char *const others[] = {LIBRARY("_1"), LIBRARY("_2"), LIBRARY("_3"),
		LIBRARY("_4"), LIBRARY("_5"), LIBRARY("_6"), LIBRARY("_7"), LIBRARY("_8"),
		LIBRARY("_9"), LIBRARY("_10"), LIBRARY("_11")};
	char base[65], moved[65], other[65];
	digest_of(base, LIBRARY("100"));
	digest_of(moved, LIBRARY("9100"));
	assert_string_equal(base, moved);
	for (size_t i = 0; i < BA_COUNT(others); i++) {
		digest_of(other, others[i]);
		if (strcmp(base, other) == 0)
			fail_msg("%s", others[i]);
	}
}

/* Does the loader write there? */
static bool is_written(const ba_elf *f, uint64_t address)
{
	Elf64_Rela r;
	for (size_t i = 0; i < f->section_count; i++) {
		const Elf64_Shdr *s = &f->sections[i];
		for (size_t at = 0; s->sh_type == SHT_RELA && at < s->sh_size; at += sizeof(r)) {
			memcpy(&r, f->data + s->sh_offset + at, sizeof(r));
			if (address - r.r_offset < sizeof(uint64_t))
				return true;
		}
	}
	return false;
}

/* A bit of every byte that a process maps, or of some of MANY. Not: what the loader overwrites, an index of functions, device
 * code, and what names the build. */
TEST(each_other_byte_counts)
{
	static const char *const left_out[] = {".note.gnu.build-id", ".eh_frame_hdr", ".nv_fatbin"};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_elf) ba_elf f = {0};
	ba_error err;
	char base[65], other[65];
	size_t tried = 0;
	enum { MANY = 150 };
	read_library(&text, LIBRARY("9100"));
	digest(base, &text);
	assert_int_equal(ba_elf_open(&f, text.data, text.len, &err), 0);
	for (size_t i = 0; i < f.section_count; i++) {
		const char *name = ba_elf_section_name(&f, i);
		const Elf64_Shdr *s = &f.sections[i];
		if (!(s->sh_flags & SHF_ALLOC) || !ba_elf_content(&f, i) ||
			BA_ANY(left_out, BA_COUNT(left_out), one, strcmp(*one, name) == 0))
			continue;
		for (size_t k = 0; k < s->sh_size; k += 1 + s->sh_size / MANY) {
			char *byte = text.data + s->sh_offset + k, was = *byte;
			if (is_written(&f, s->sh_addr + k))
				continue;
			*byte ^= (char)(1 << (tried++ % 8));
			digest(other, &text);
			*byte = was;
			if (strcmp(base, other) == 0)
				fail_msg("byte %zu of %s", k, name);
		}
	}
	assert_true(tried > 1000);
}
