#include "base/elf.h"

/* ---- size ---- */

/* Sections that take no room in the file. In cubins, before linking, memory has types of its
 * own: global, local, shared, and reserved shared memory. */
static bool is_empty(uint32_t type)
{
	return type == SHT_NULL || type == SHT_NOBITS || type == 0x70000007 || type == 0x70000009 ||
	       type == 0x7000000a || type == 0x70000015;
}

/* *end is at least the end of that table; false: it is too far away */
static bool cover(uint64_t *end, uint64_t at, uint64_t bytes, size_t most)
{
	if (at > most || bytes > most - at)
		return false;
	if (at + bytes > *end)
		*end = at + bytes;
	return true;
}

size_t ba_elf_bytes(const void *elf, size_t most)
{
	Elf64_Ehdr h;
	uint64_t end = sizeof(h);
	if (most < sizeof(h))
		return 0;
	memcpy(&h, elf, sizeof(h));
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof(Elf64_Shdr) ||
		!cover(&end, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr), most) ||
		!cover(&end, h.e_phoff, (uint64_t)h.e_phnum * h.e_phentsize, most))
		return 0;
	for (size_t i = 0; i < h.e_shnum; i++) {
		Elf64_Shdr s;
		memcpy(&s, (const char *)elf + h.e_shoff + i * sizeof(s), sizeof(s));
		if (!is_empty(s.sh_type) && !cover(&end, s.sh_offset, s.sh_size, most))
			return 0;
	}
	return (size_t)end;
}

/* ---- tables ---- */

/* Strings of a section; false: it is another kind of section. */
static bool find_strings(const char **strings, size_t *bytes, const ba_elf *f, size_t section)
{
	if (section >= f->section_count || f->sections[section].sh_type != SHT_STRTAB)
		return false;
	*strings = (const char *)f->data + f->sections[section].sh_offset;
	*bytes = f->sections[section].sh_size;
	return true;
}

int ba_elf_open(ba_elf *out, const void *data, size_t bytes, ba_error *err)
{
	BA_AUTO(ba_elf) ba_elf f = {.data = data, .bytes = bytes};
	Elf64_Ehdr *h = &f.header;
	bool good = bytes >= sizeof(*h) && memcmp(data, ELFMAG, SELFMAG) == 0 &&
		    ba_elf_bytes(data, bytes);
	if (good) {
		memcpy(h, data, sizeof(*h));
		f.section_count = h->e_shnum;
		f.sections = (Elf64_Shdr *)ba_xmemdup0(
			f.data + h->e_shoff, f.section_count * sizeof(*f.sections));
	}
	if (!good || h->e_ident[EI_DATA] != ELFDATA2LSB ||
		!find_strings(&f.names, &f.names_bytes, &f, h->e_shstrndx))
		return ba_fail(err, BA_EINVAL, "it is not an ELF file of 64 bits, or is damaged");
	*out = BA_MOVE(f);
	return 0;
}

void ba_elf_close(ba_elf *f)
{
	BA_FREE(f->sections, f->symbols);
	*f = (ba_elf){0};
}

bool ba_elf_symbols(ba_elf *f, size_t section)
{
	const Elf64_Shdr *s = &f->sections[section];
	if ((s->sh_type != SHT_SYMTAB && s->sh_type != SHT_DYNSYM) ||
		!find_strings(&f->strings, &f->strings_bytes, f, s->sh_link))
		return false;
	free(f->symbols);
	f->symbols = (Elf64_Sym *)ba_xmemdup0(f->data + s->sh_offset, s->sh_size);
	f->symbol_count = s->sh_size / sizeof(Elf64_Sym);
	return true;
}

/* ---- what is in them ---- */

static const char *string_at(const char *strings, size_t bytes, uint32_t at)
{
	return at < bytes && memchr(strings + at, '\0', bytes - at) ? strings + at : "";
}

const char *ba_elf_section_name(const ba_elf *f, size_t section)
{
	return section < f->section_count
		       ? string_at(f->names, f->names_bytes, f->sections[section].sh_name)
		       : "";
}

const char *ba_elf_symbol_name(const ba_elf *f, size_t symbol)
{
	return symbol < f->symbol_count
		       ? string_at(f->strings, f->strings_bytes, f->symbols[symbol].st_name)
		       : "";
}

const unsigned char *ba_elf_content(const ba_elf *f, size_t section)
{
	const Elf64_Shdr *s = &f->sections[section];
	return is_empty(s->sh_type) ? NULL : f->data + s->sh_offset;
}
