/*
 * One call of each variant as functions: each instruction belongs to a function, and
 * both variants number the same function alike. Only for this module.
 */
#pragma once

#include "profile/elf.h"
#include "profile/profile.h"

enum { BA_SIDE_BASELINE, BA_SIDE_CANDIDATE, BA_SIDES };

#define BA_FUNCTION_NONE UINT32_MAX /* for excluded instructions */

typedef struct ba_function {
	char *key;    /* key made of scope, object and name */
	char *name;   /* as in the symbol table, without compiler suffixes; or a phrase */
	char *object; /* path in the tree, or base name; "" without a file */
	ba_scope scope;
	ba_elf_kind kind;
	uint64_t counts[BA_SIDES];
	/* its address in each side's file; NULL: the side does not execute it */
	ba_elf *elf[BA_SIDES];
	uint64_t start[BA_SIDES];
	/* number of the same function under its other name; else its own number */
	uint32_t same;
	/* set by calls.c, for numbers that are their own `same` */
	bool is_new_name; /* the baseline has it under another name */
	int64_t change;	  /* of its instructions */
	/* functions of the tree: instructions of other code that they caused */
	uint64_t calls[BA_SIDES];
	/* the function of the tree that caused most of `change`, or NONE */
	uint32_t through;
} ba_function;

/* A function, or a piece of one, in the memory of a process: [low, high) */
typedef struct ba_place {
	uint64_t low, high;
	uint64_t start; /* its start; below low if the range is cut */
	uint32_t function;
} ba_place;

typedef struct ba_walk_object {
	ba_elf *elf;   /* NULL: not opened, or no file */
	bool borrowed; /* owned by the baseline */
	/* for a candidate's object: 1: addresses mean the same as in the baseline's
	 * object of that name; -1: they do not; 0: not examined */
	int shared;
	ba_place *places; /* [count] by low */
	size_t count, room;
} ba_walk_object;

typedef struct ba_walk {
	const ba_profile_side *side;
	const uint64_t *addresses;
	size_t count;
	uint32_t *functions;	 /* [count] the function of each instruction */
	uint32_t *offsets;	 /* [count] offset from the start of its function */
	ba_walk_object *objects; /* [object_count + 1]; the last: no object */
} ba_walk;

typedef struct ba_walks {
	ba_walk side[BA_SIDES];
	ba_function *functions; /* [count] */
	size_t count, room;
	size_t own; /* number of the baseline's functions, which come first */
	ba_names keys;
} ba_walks;

/* BA_EDATA: the trace has no addresses of the call */
int ba_profile_check(const ba_profile_side *side, ba_error *err);

/* Both sides must have passed ba_profile_check() and outlive the walk. */
void ba_walks_begin(ba_walks *out, const ba_profile_side *baseline);
/* Starts with the next candidate, and discards the last one. */
void ba_walks_compare(ba_walks *w, const ba_profile_side *candidate);
void ba_walks_dispose(ba_walks *w);

/* Sets `same` for functions that only one side executes, if the other side executes the
 * same sequence in a function with another name (rename.c). */
void ba_walks_find_renamed(ba_walks *w);

/* Sets `calls` and `through` of all functions, from the order of calls and returns. After
 * ba_walks_find_renamed (calls.c). */
void ba_walks_find_reasons(ba_walks *w);

/* The source line of an address of the process; false: unknown. The file is as the
 * debug information names it, and lives as long as the walk. */
bool ba_walk_line(ba_walk *w, uint64_t address, const char **file, unsigned *line);
/* A source file as reports name it: relative to the tree if it lies there, without "./".
 * Caller frees. */
char *ba_walk_source(const ba_walk *w, const char *file);
/* Sets f->lines to the lines of function `number` that differ most. `gone`: the number
 * of the baseline's function (lines.c). */
void ba_walks_put_lines(ba_walks *w, uint32_t gone, uint32_t number, ba_explained_function *f);

/* "after dispatch() (launch.c:214): ..."; NULL if both take the same path. Caller
 * frees. *same_path: the paths within functions are equal, too. */
char *ba_walks_parting(ba_walks *w, bool *same_path);

/* The name for reports; caller frees. */
char *ba_function_name(const ba_function *f);
