/* The tables of a cubin, which is an ELF file of machine EM_CUDA, within their bounds.
 * Internal to this module. */
#ifndef CUBIN_ELF_H
#define CUBIN_ELF_H

#include <elf.h>

#include "base/base.h"

#define BA_ELF_CUDA 190
#define BA_ELF_ENTRY 0x10	/* st_other: a kernel, rather than a device function */
#define BA_ELF_INFO 0x70000000u /* sh_type of .nv.info and .nv.info.K */

/* Owns a copy of the file. */
typedef struct ba_elf {
	unsigned char *data;
	size_t bytes;
	Elf64_Ehdr header;
	/* copies: compilers do not align these tables */
	Elf64_Shdr *sections;
	size_t section_count;
	Elf64_Sym *symbols;
	size_t symbol_count;
	const char *names, *strings; /* of sections, of symbols */
	size_t names_bytes, strings_bytes;
} ba_elf;

/* *out was zeroed. BA_EINVAL: a table is not within the file. */
int ba_elf_open(ba_elf *out, const void *data, size_t bytes, ba_error *err);
void ba_elf_close(ba_elf *f);
BA_DEFINE_AUTO(ba_elf, ba_elf_close)

/* "" for what has no name, or a damaged one */
const char *ba_elf_section_name(const ba_elf *f, size_t section);
const char *ba_elf_symbol_name(const ba_elf *f, size_t symbol);
/* the section's bytes; NULL if it has none in the file */
const unsigned char *ba_elf_content(const ba_elf *f, size_t section);
bool ba_elf_is_kernel(const Elf64_Sym *s);
/* "sm_90a" */
void ba_elf_target(char out[16], const ba_elf *f);
int ba_elf_damaged(ba_error *err);

/* The size by its tables of an ELF file that begins at `elf`; 0: its tables are not
 * within `most` bytes, or its size is absurd. */
size_t ba_elf_bytes(const void *elf, size_t most);

#endif
