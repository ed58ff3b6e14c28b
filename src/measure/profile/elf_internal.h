/* Declarations shared by the files of the ELF reader. */
#pragma once

#include <gelf.h>
#include <libelf.h>

#include "base/base.h"

/* limit for symbols; the largest libraries have a tenth of it */
#define BA_ELF_SYMBOLS_MOST ((size_t)8 << 20)

typedef struct ba_elf_symbol {
	uint64_t low, high;
	uint64_t end; /* latest end of a symbol without a size */
	const char *name;
	/* of several names for the same address, the one with the lowest rank is shown */
	unsigned char rank;
} ba_elf_symbol;

typedef struct ba_elf_lines ba_elf_lines;

typedef struct ba_elf ba_elf;

struct ba_elf {
	Elf *elf; /* NULL: not an ELF file */
	int fd;	  /* -1: memory */
	char *path;
	const unsigned char *image;
	size_t size;
	ba_elf_symbol *symbols; /* [symbol_count] by low */
	size_t symbol_count, symbol_room;
	const unsigned char *unwind; /* .eh_frame_hdr's table: pairs of 32 bits */
	size_t unwind_count;
	uint64_t unwind_base;
	/* the debug file that the distribution stripped (/usr/lib/debug); searched once */
	Elf *separate;
	int separate_fd;
	bool separate_asked;
	ba_elf_lines *lines; /* NULL until it is needed */
};

/* NULL: there is none */
Elf *ba_elf_separate(ba_elf *e);

void ba_elf_read_symbols(ba_elf *e);
void ba_elf_lines_free(ba_elf_lines *l);
