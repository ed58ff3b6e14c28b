/*
 * Names and their numbers: 0, 1, 2, ... in the order in which they were added, found in
 * constant time. The names are borrowed and must stay where they are.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"

#define BA_NAMES_NONE SIZE_MAX

/* zeroed is empty */
typedef struct ba_names {
	const char **items; /* [count] */
	size_t count, capacity;
	size_t *slots;	   /* [slot_count] number + 1; 0: free */
	size_t slot_count; /* a power of two, or 0 */
	uint64_t seed;	   /* names of strangers do not choose their slots */
	uint64_t compared; /* names that were compared with another, for tests */
} ba_names;

void ba_names_dispose(ba_names *n);
BA_DEFINE_AUTO(ba_names, ba_names_dispose)

/* its number; BA_NAMES_NONE: it is not there */
size_t ba_names_find(ba_names *n, const char *name);
/* A name that is not there. Returns its number. */
size_t ba_names_add(ba_names *n, const char *name);

#endif
