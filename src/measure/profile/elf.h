/*
 * An ELF file as a profile needs it: which function holds an address, and which source
 * line. The file may be of any origin: what cannot be read has no functions, and no
 * lines. Only for this module.
 *
 * An address here is one of the file ("virtual address"), not of a process.
 */
#pragma once

#include <gelf.h>
#include <libelf.h>

#include "base/base.h"

typedef struct ba_elf ba_elf;

typedef enum ba_elf_kind {
	BA_ELF_UNKNOWN,	 /* no symbol, no unwind table: only the section is known */
	BA_ELF_UNNAMED,	 /* a function without a symbol, from the unwind table */
	BA_ELF_FUNCTION, /* a symbol */
	BA_ELF_JUMPS,	 /* the procedure linkage table: jumps to other objects */
} ba_elf_kind;

/* A function, or a piece of one that the compiler moved away ("x.cold"). */
typedef struct ba_elf_place {
	ba_elf_kind kind;
	/* for BA_ELF_FUNCTION: the name in the symbol table; owned by the file */
	const char *name;
	uint64_t low, high;
} ba_elf_place;

/* Never NULL: a file that is not ELF has no functions. */
ba_elf *ba_elf_load(const char *path);
/* the same for bytes in memory, which must stay valid; for fuzzing */
ba_elf *ba_elf_of_memory(void *data, size_t size);
BA_DECLARE_FREE(ba_elf) /* NULL is fine */

/* the address of the byte at an offset in the file; false: not in a segment */
bool ba_elf_address(const ba_elf *e, uint64_t offset, uint64_t *address);
/* the function that contains the address; [low, high) contains it, too */
ba_elf_place ba_elf_find(const ba_elf *e, uint64_t address);
/* The operation of the instruction at a file offset, without its operands; 0: unknown. */
unsigned ba_elf_opcode(const ba_elf *e, uint64_t offset);
/* Are they the same, byte for byte? */
bool ba_elf_is_same(const ba_elf *a, const ba_elf *b);
/* The source line of the instruction at an address; file is the debug information's
 * path, and lives as long as e. False: there is none. */
bool ba_elf_line(ba_elf *e, uint64_t address, const char **file, unsigned *line);
/* The same of a function that begins at that address: where it is defined. */
bool ba_elf_definition(ba_elf *e, uint64_t address, const char **file, unsigned *line);

/* ---- for the files of the ELF reader ---- */

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

void ba_elf_lines_free(ba_elf_lines *l);
