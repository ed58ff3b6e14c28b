/* The tables of a 64-bit ELF file in memory, within their bounds: sections, symbols, names. */
#pragma once

#include <elf.h>

#include "base/base.h"

typedef struct ba_elf {
	const unsigned char *data; /* borrowed */
	size_t bytes;
	Elf64_Ehdr header;
	/* copies: compilers do not align these tables */
	Elf64_Shdr *sections;
	size_t section_count;
	Elf64_Sym *symbols; /* of the last ba_elf_symbols() */
	size_t symbol_count;
	const char *names, *strings; /* of sections, of symbols */
	size_t names_bytes, strings_bytes;
} ba_elf;

/* *out was zeroed; data must outlive it. BA_EINVAL: it is another kind of file, or a table or
 * a section is not within it. */
int ba_elf_open(ba_elf *out, const void *data, size_t bytes, ba_error *err);
void ba_elf_close(ba_elf *f);
BA_DEFINE_AUTO(ba_elf, ba_elf_close)

/* Reads the symbols of that section, a SHT_SYMTAB or SHT_DYNSYM. False: it is another, or its
 * table of names is damaged. */
bool ba_elf_symbols(ba_elf *f, size_t section);

/* "" for what has no name, or a damaged one */
const char *ba_elf_section_name(const ba_elf *f, size_t section);
const char *ba_elf_symbol_name(const ba_elf *f, size_t symbol);
/* the section's bytes; NULL if it has none in the file */
const unsigned char *ba_elf_content(const ba_elf *f, size_t section);

/* The size by its tables of an ELF file that begins at `elf`; 0: its tables are not
 * within `most` bytes. */
size_t ba_elf_bytes(const void *elf, size_t most);
