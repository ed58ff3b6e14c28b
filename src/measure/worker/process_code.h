/*
 * Checks that the code which runs is the code that was loaded. Variants share the process,
 * so one of them can write into the code of another. Digests are taken of
 *
 *   code     executable segments of every loaded object
 *   tables   relocated constants of every object, jump slots of the objects of the
 *            variants' trees, and our copies of the variants' tables and of the driver's
 *
 * when they are loaded, and again after each call of a variant's function and each request
 * `measure`. Of large objects and of the system's, only the pages that are no longer the
 * file's are digested; /proc/self/pagemap knows them. This detects changes and does not
 * prevent them: code in the same process can undo what this check does.
 */
#pragma once

#include "worker/library.h"

/* Bytes that must not change. */
typedef struct ba_process_code_range {
	uintptr_t object; /* its address; 0: a copy of a table */
	char *name;	  /* of the object, without its folder */
	int owner;	  /* a variant, or BA_BEACON_NOBODY */
	const unsigned char *start;
	size_t bytes;
	bool pages; /* only pages that were written are digested */
	bool fixed; /* read-only, and may be sealed */
	bool met;   /* the last walk over loaded objects found it */
	uint64_t digest;
} ba_process_code_range;

typedef enum ba_process_code_origin {
	BA_PROCESS_CODE_FOREIGN, /* nothing is known about it */
	BA_PROCESS_CODE_BOUND,	 /* dlopen(RTLD_NOW) loaded it: its jump slots do not change */
	BA_PROCESS_CODE_OURS,	 /* the tool, the C library, a driver of our own */
} ba_process_code_origin;

typedef struct ba_process_code {
	const ba_library *libs; /* by owner; NULL before they are loaded */
	ba_process_code_range *items;
	size_t count, capacity;
	/* of the walk over loaded objects: those of `tree` belong to `learner` */
	int learner;
	const char *tree; /* or NULL */
	ba_process_code_origin origin;
	bool off; /* for a debugger, whose breakpoints change code */
} ba_process_code;

/* Digests what was loaded since the last call. Objects of the tree of `owner` belong to
 * it, other objects to nobody. */
void ba_process_code_learn(ba_process_code *c, int owner, ba_process_code_origin origin);

/* What has changed since the last call, except what belongs to `except`: "the code of base
 * ('liblauncher.so')"; NULL: nothing. Caller frees. *own: something of `except` has
 * changed. *owner (may be NULL): the first other variant whose code has changed. Objects
 * that are new are learned as those of `except`. */
#define BA_PROCESS_CODE_ALL (-2) /* no exception */
char *ba_process_code_changed(ba_process_code *c, int except, int *owner, bool *own);

/* Returns a read-only copy of a table; where the kernel can, it can never be made writable
 * again. The copy is checked, and lives until the process ends. */
const void *ba_process_code_keep_table(
	ba_process_code *c, int owner, const void *data, size_t bytes);
/* Where the kernel can, prevents that code and constants of the variants and of the tool
 * are made writable or replaced from here on. */
void ba_process_code_seal(const ba_process_code *c);
