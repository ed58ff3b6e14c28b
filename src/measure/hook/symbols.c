#include "hook/symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include "base/elf.h"

typedef struct search {
	ba_symbol_fn *fn; /* NULL: only the text is looked for */
	void *data;
	const char *text;
	bool found;
	uintptr_t ours; /* where this library begins */
} search;

static void read_symbol(const ba_elf *f, size_t i, uintptr_t base, const search *s)
{
	const Elf64_Sym *it = &f->symbols[i];
	unsigned type = ELF64_ST_TYPE(it->st_info);
	const char *name = ba_elf_symbol_name(f, i);
	/* a compiler names parts of a function with a dot: f.cold */
	if ((type != STT_FUNC && type != STT_OBJECT) || it->st_shndx == SHN_UNDEF ||
		strchr(name, '.'))
		return;
	/* the alignment, too, adds room */
	bool has_room = it->st_size >= BA_DETOUR_BYTES || it->st_value % BA_DETOUR_BYTES == 0;
	s->fn(s->data, name, (void *)(base + it->st_value), has_room);
}

static void read_image(const void *bytes, size_t size, uintptr_t base, const search *s)
{
	BA_AUTO(ba_elf) ba_elf f = {0};
	if (ba_elf_open(&f, bytes, size, NULL))
		return;
	for (size_t i = 0; i < f.section_count; i++)
		if (ba_elf_symbols(&f, i))
			for (size_t k = 0; k < f.symbol_count; k++)
				read_symbol(&f, k, base, s);
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	search *s = data;
	struct stat st;
	/* this library names what it looks for */
	if (info->dlpi_addr == s->ours)
		return 0;
	const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || st.st_size <= 0)
		return 0;
	size_t bytes = (size_t)st.st_size;
	void *file = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return 0;
	if (s->fn)
		read_image(file, bytes, info->dlpi_addr, s);
	else
		s->found = s->found || memmem(file, bytes, s->text, strlen(s->text));
	munmap(file, bytes);
	return 0;
}

static bool look(search s)
{
	Dl_info us;
	if (dladdr((const void *)look, &us))
		s.ours = (uintptr_t)us.dli_fbase;
	dl_iterate_phdr(visit, &s);
	return s.found;
}

void ba_symbols_each(ba_symbol_fn *fn, void *data)
{
	look((search){.fn = fn, .data = data});
	/* what a stripped program says itself (share/bench-against/link) */
	const struct {
		const char *name;
		void *address;
	} *row = dlsym(RTLD_DEFAULT, "bench_against_functions");
	for (; row && row->name; row++)
		if (row->address)
			fn(data, row->name, row->address, true);
}

bool ba_symbols_text(const char *text)
{
	return look((search){.text = text});
}

/* ---- the jump ---- */

static bool write_code(void *to, const void *code, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)to & ~(page - 1);
	size_t length = (uintptr_t)to + size - first;
	if (mprotect((void *)first, length, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	memcpy(to, code, size);
	mprotect((void *)first, length, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(to, (char *)to + size);
	return true;
}

bool ba_detour_set(ba_detour *d)
{
	uint64_t to = (uintptr_t)d->to;
#if defined(__x86_64__)
	/* mov $to, %r11; jmp *%r11 */
	unsigned char code[BA_DETOUR_BYTES] = {
		0x49, 0xbb, [10] = 0x41, 0xff, 0xe3, 0xcc, 0xcc, 0xcc};
	memcpy(code + 2, &to, sizeof(to));
#elif defined(__aarch64__)
	/* ldr x16, .+8; br x16; to */
	unsigned char code[BA_DETOUR_BYTES] = {0x50, 0x00, 0x00, 0x58, 0x00, 0x02, 0x1f, 0xd6};
	memcpy(code + 8, &to, sizeof(to));
#else
	unsigned char code[BA_DETOUR_BYTES];
	(void)to;
	return false;
#endif
	memcpy(d->code, d->from, sizeof(d->code));
	return write_code(d->from, code, sizeof(code));
}

void ba_detour_remove(const ba_detour *d)
{
	write_code(d->from, d->code, sizeof(d->code));
}
