/* A library that is being moved; for the files of this module. */
#ifndef LAYOUT_MOVING_H
#define LAYOUT_MOVING_H

#include <elf.h>

#include "base/base.h"

#define BA_SEGMENTS_MOST 64u

typedef struct ba_moving {
	unsigned char *bytes; /* all bytes of the file, moved by `offset` */
	size_t size;	      /* of the file */
	uint64_t offset;
	size_t loaded; /* the end of what is loaded, in the file */
	/* the headers as in the original file */
	Elf64_Ehdr header;
	Elf64_Phdr segments[BA_SEGMENTS_MOST];
	Elf64_Phdr loads[BA_SEGMENTS_MOST]; /* the loaded segments, ascending */
	size_t load_count;
	uint64_t code_aligned, data_aligned; /* the largest of a section */
	uint64_t symbols, symbol_count;	     /* the section of dynamic symbols */
} ba_moving;

/* headers.c: reads the headers of a file that is not moved yet. */
int ba_moving_open(ba_moving *out, unsigned char *bytes, size_t size, ba_error *err);
/* Where the file has the `bytes` bytes that are loaded from that address on; NULL: it
 * does not have them. */
unsigned char *ba_moving_at(const ba_moving *e, uint64_t address, uint64_t bytes);
/* The step of possible offsets. A linker could place code and data at any multiple of
 * their alignments; they move together. Data aligned to 32 bytes may move by 16 if no
 * instruction needs more. */
uint64_t ba_moving_step(const ba_moving *e);
/* Does no page become both writable and executable if the segments move? */
bool ba_moving_fits(const ba_moving *e, uint64_t offset, uint64_t page);
/* Writes headers and segments. */
void ba_moving_set_headers(ba_moving *e, uint64_t page);

/* addresses.c: adds the offset to every address in what is loaded. */
int ba_moving_set_addresses(ba_moving *e, ba_error *err);

#endif
