#include "hook/symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

typedef struct search {
	const char *prefix;
	ba_symbol_fn *fn; /* NULL: only the text is looked for */
	void *data;
	bool found, for_detours;
	uintptr_t ours; /* where this library begins */
} search;

typedef struct image {
	const char *bytes;
	size_t size;
	uintptr_t base;
} image;

static const void *part(const image *f, uint64_t offset, uint64_t size)
{
	return offset <= f->size && size <= f->size - offset ? f->bytes + offset : NULL;
}

static void read_table(
	const image *f, const ElfW(Shdr) * table, const ElfW(Shdr) * names, const search *s)
{
	size_t n = table->sh_size / sizeof(ElfW(Sym));
	const ElfW(Sym) *symbols = part(f, table->sh_offset, n * sizeof(*symbols));
	const char *text = part(f, names->sh_offset, names->sh_size);
	size_t length = strlen(s->prefix);
	if (!symbols || !text || !names->sh_size || text[names->sh_size - 1])
		return;
	for (size_t i = 0; i < n; i++) {
		const ElfW(Sym) *it = &symbols[i];
		unsigned type = ELF64_ST_TYPE(it->st_info);
		if ((type != STT_FUNC && type != STT_OBJECT) || it->st_shndx == SHN_UNDEF ||
			it->st_name >= names->sh_size)
			continue;
		/* there is no room for a jump, not even in what the alignment adds */
		if (s->for_detours && it->st_size < BA_DETOUR_BYTES &&
			it->st_value % BA_DETOUR_BYTES != 0)
			continue;
		const char *name = text + it->st_name;
		/* a compiler names parts of a function with a dot: f.cold */
		if (strncmp(name, s->prefix, length) == 0 && !strchr(name, '.'))
			s->fn(s->data, name, (void *)(f->base + it->st_value));
	}
}

static void read_image(const image *f, const search *s)
{
	const ElfW(Ehdr) *head = part(f, 0, sizeof(*head));
	if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
		head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(ElfW(Shdr)))
		return;
	const ElfW(Shdr) *sections =
		part(f, head->e_shoff, (uint64_t)head->e_shnum * sizeof(*sections));
	for (size_t i = 0; sections && i < head->e_shnum; i++)
		if ((sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM) &&
			sections[i].sh_link < head->e_shnum)
			read_table(f, &sections[i], &sections[sections[i].sh_link], s);
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	search *s = data;
	(void)size;
	/* this library names what it looks for */
	if (info->dlpi_addr == s->ours)
		return 0;
	const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
		void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			const image f = {bytes, (size_t)st.st_size, info->dlpi_addr};
			if (s->fn)
				read_image(&f, s);
			else
				s->found = s->found ||
					   memmem(bytes, f.size, s->prefix, strlen(s->prefix));
			munmap(bytes, f.size);
		}
	}
	if (fd >= 0)
		close(fd);
	return 0;
}

/* What a stripped program says itself (share/bench-against/link). */
static void read_own_table(const search *s)
{
	const struct {
		const char *name;
		void *address;
	} *row = dlsym(RTLD_DEFAULT, "bench_against_functions");
	for (; row && row->name; row++)
		if (row->address && ba_text_starts(row->name, s->prefix))
			s->fn(s->data, row->name, row->address);
}

static bool look(const char *prefix, ba_symbol_fn *fn, void *data, bool for_detours)
{
	Dl_info us;
	search s = {.prefix = prefix, .fn = fn, .data = data, .for_detours = for_detours};
	if (dladdr((const void *)look, &us))
		s.ours = (uintptr_t)us.dli_fbase;
	dl_iterate_phdr(visit, &s);
	if (fn)
		read_own_table(&s);
	return s.found;
}

void ba_symbols_each(const char *prefix, ba_symbol_fn *fn, void *data)
{
	look(prefix, fn, data, true);
}

void ba_symbols_all(const char *prefix, ba_symbol_fn *fn, void *data)
{
	look(prefix, fn, data, false);
}

bool ba_symbols_text(const char *text)
{
	return look(text, NULL, NULL, false);
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
