#include "cubin/elf.h"

#define BYTES_MOST ((size_t)1 << 30)

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
		/* NOBITS sections take no room in the file */
		if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL &&
			!cover(&end, s.sh_offset, s.sh_size, most))
			return 0;
	}
	return (size_t)end;
}
