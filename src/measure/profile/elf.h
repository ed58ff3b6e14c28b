/*
 * An ELF file as a profile needs it: which function holds an address, and which source
 * line. The file may be of any origin: what cannot be read has no functions, and no
 * lines. Only for this module.
 *
 * An address here is one of the file ("virtual address"), not of a process.
 */
#pragma once

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
