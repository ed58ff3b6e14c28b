/*
 * An index of names: it gives each name a number (0, 1, 2, ... in the order in which
 * they were added) and finds it in constant time. The names are borrowed; their memory
 * must stay valid and in place.
 */
#pragma once

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
	uint64_t seed;	   /* random, so that foreign names cannot choose their slots */
	uint64_t compared; /* for tests: how often two names were compared */
} ba_names;

BA_DECLARE_DISPOSE(ba_names)

/* the number of the name, or BA_NAMES_NONE */
size_t ba_names_find(ba_names *n, const char *name);
/* Adds a name that n does not have yet; returns its number. */
size_t ba_names_add(ba_names *n, const char *name);
