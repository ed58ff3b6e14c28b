#include "cubin/elf.h"

#include <stdio.h>

#define BYTES_MOST ((size_t)1 << 30)

int ba_elf_damaged(ba_error *err)
{
	return ba_fail(err, BA_EINVAL, "its cubin is damaged or has an unknown format");
}

/* ---- size ---- */

/* Sections that take no room in the file; before linking, memory has types of its own:
 * global, local, shared, and reserved shared memory. */
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
	most = most < BYTES_MOST ? most : BYTES_MOST;
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

static int find_symbols(ba_elf *f, ba_error *err)
{
	for (size_t i = 0; i < f->section_count; i++) {
		const Elf64_Shdr *s = &f->sections[i];
		if (s->sh_type != SHT_SYMTAB)
			continue;
		if (s->sh_link >= f->section_count || f->sections[s->sh_link].sh_type != SHT_STRTAB)
			return ba_elf_damaged(err);
		const Elf64_Shdr *strings = &f->sections[s->sh_link];
		f->symbols = (Elf64_Sym *)ba_xmemdup0(f->data + s->sh_offset, s->sh_size);
		f->symbol_count = s->sh_size / sizeof(Elf64_Sym);
		f->strings = (const char *)f->data + strings->sh_offset;
		f->strings_bytes = strings->sh_size;
		return 0;
	}
	return ba_elf_damaged(err);
}

int ba_elf_open(ba_elf *out, const void *data, size_t bytes, ba_error *err)
{
	BA_AUTO(ba_elf) ba_elf f = {.bytes = bytes};
	Elf64_Ehdr *h = &f.header;
	size_t size = ba_elf_bytes(data, bytes);
	if (size)
		memcpy(h, data, sizeof(*h));
	if (!size || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
		h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_machine != BA_ELF_CUDA ||
		h->e_shstrndx >= h->e_shnum)
		return ba_elf_damaged(err);
	f.data = (unsigned char *)ba_xmemdup0(data, bytes);
	f.sections =
		(Elf64_Shdr *)ba_xmemdup0(f.data + h->e_shoff, h->e_shnum * sizeof(*f.sections));
	f.section_count = h->e_shnum;
	const Elf64_Shdr *names = &f.sections[h->e_shstrndx];
	if (names->sh_type != SHT_STRTAB)
		return ba_elf_damaged(err);
	f.names = (const char *)f.data + names->sh_offset;
	f.names_bytes = names->sh_size;
	BA_TRY(find_symbols(&f, err));
	*out = BA_MOVE(f);
	return 0;
}

void ba_elf_close(ba_elf *f)
{
	BA_FREE(f->data, f->sections, f->symbols);
	*f = (ba_elf){0};
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

bool ba_elf_is_kernel(const Elf64_Sym *s)
{
	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && (s->st_other & BA_ELF_ENTRY);
}

/* .nv.compat has records as .nv.info has them; 9 says for which GPUs the code is. */
static const char *suffix(const ba_elf *f)
{
	for (size_t i = 0; i < f->section_count; i++) {
		const unsigned char *p = ba_elf_content(f, i);
		if (p && f->sections[i].sh_size >= 4 && p[0] == 2 && p[1] == 9 &&
			strcmp(ba_elf_section_name(f, i), ".nv.compat") == 0)
			return p[2] ? "a" : "";
	}
	return "";
}

void ba_elf_target(char out[16], const ba_elf *f)
{
	bool is_new = f->header.e_ident[EI_ABIVERSION] >= 8;
	unsigned arch = (is_new ? f->header.e_flags >> 8 : f->header.e_flags) & 0xff;
	snprintf(out, 16, "sm_%u%s", arch, suffix(f));
}
