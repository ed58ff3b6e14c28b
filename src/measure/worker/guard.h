/*
 * Is the code that runs the code that was loaded? Variants share the process, so one can
 * write into what another one runs. The guard digests
 *
 *   code     executable segments of every loaded object
 *   tables   relocated constants of every object, jump slots of the objects of the
 *            variants' trees, and our copies of the variants' tables and of the driver's
 *
 * when they are loaded, and again after each call that a variant gets and each request
 * `measure`. Of the system's objects and large ones
 * only pages that are no longer the file's are digested, which /proc/self/pagemap knows. It notices; it does not defend: whoever shares a
 * process can undo what it does.
 */
#ifndef WORKER_GUARD_H
#define WORKER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/library.h"

/* Bytes that must not change. */
typedef struct ba_guarded {
	uintptr_t object; /* its address, or 0: a table of ours */
	char *name;	  /* of the object, without its folder */
	int owner;	  /* a variant, or BA_BEACON_NOBODY */
	const unsigned char *start;
	size_t bytes;
	bool pages; /* digested only where they were written */
	bool fixed; /* read-only, and may be sealed */
	bool met;   /* by the walk over loaded objects */
	uint64_t digest;
} ba_guarded;

typedef struct ba_guard {
	const ba_library *libs; /* by owner; NULL before they are loaded */
	ba_guarded *items;
	size_t count, capacity;
	/* of the walk: whose objects are met, if they are of its tree, and how they came */
	int learner;
	const char *tree; /* or NULL */
	int how;
	bool off; /* for a debugger, whose breakpoints change code */
} ba_guard;

typedef enum ba_guard_how {
	BA_GUARD_FOREIGN, /* nothing is known about them */
	BA_GUARD_BOUND,	  /* by dlopen(RTLD_NOW): their jump slots do not change any more */
	BA_GUARD_OURS,	  /* the tool, the C library, a driver of our own */
} ba_guard_how;

/* Digests what was loaded since the last call. What is of the tree of `owner` belongs to
 * it, other objects to nobody. */
void ba_guard_learn(ba_guard *g, int owner, ba_guard_how how);

/* What has changed since the last call, whoever's but `except`'s: "the code of base
 * ('liblauncher.so')"; NULL: nothing. Caller frees. *own: something of `except`'s has.
 * *owner (may be NULL): the first variant whose has. Also learns what is new, as
 * `except`'s. */
#define BA_GUARD_ALL (-2) /* no exception */
char *ba_guard_changed(ba_guard *g, int except, int *owner, bool *own);

/* A copy of a table that cannot be written and, where the kernel can, never again made
 * writable. It is watched, and lives until the process ends. */
const void *ba_guard_keep_table(ba_guard *g, int owner, const void *data, size_t bytes);
/* Where the kernel can, code and constants of the variants and of what is ours may not be
 * made writable or replaced from here on. */
void ba_guard_seal(const ba_guard *g);

#endif
