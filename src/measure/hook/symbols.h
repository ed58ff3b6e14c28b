/*
 * Functions of a library in the process that this code was loaded into, found by their names, and a
 * jump at the beginning of one of them.
 *
 * The names are read from the files of all objects that are loaded: from the symbol table of a program
 * that is linked statically, or from that of a shared library. A stripped program has none.
 */
#pragma once

#include "base/base.h"

/* A function or a table: its name, as the linker knows it, and whether it has room for a jump.
 * Called in the order in which the objects were loaded. */
typedef void ba_symbol_fn(void *data, const char *name, void *address, bool has_room);
void ba_symbols_each(ba_symbol_fn *fn, void *data);

/* Does the file of one of these objects contain the text? */
bool ba_symbols_text(const char *text);

#define BA_DETOUR_BYTES 16

/* Of functions that a detour leads to: a caller that knew the original may not align the stack. */
#ifdef __x86_64__
#define BA_DETOUR_TARGET __attribute__((force_align_arg_pointer))
#else
#define BA_DETOUR_TARGET
#endif

typedef struct ba_detour {
	void *from, *to;
	unsigned char code[BA_DETOUR_BYTES]; /* of the function, before */
} ba_detour;

/* From now on a call of d->from is one of d->to; the first time, the code is kept. No other thread may
 * be in the function. False: the system does not let code be written, or the processor is unknown. */
bool ba_detour_set(ba_detour *d);
void ba_detour_remove(const ba_detour *d);
