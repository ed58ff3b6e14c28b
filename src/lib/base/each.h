/* The elements of an array: their number, and loops over them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Use it with arrays only, never with a pointer. */
#define BA_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* BA_EACH(const ba_series, s, r->series, r->series_count) { ... }: x points to one element
 * after the other. */
#define BA_EACH(type, x, items, count) \
	for (type *x = (items), *x##_end = x ? x + (count) : NULL; x != x##_end; x++)

/* The first element for which the condition on x holds, or NULL:
 * BA_FIND(c->noises, c->noise_count, x, x->metric == metric) */
#define BA_FIND(items, count, x, condition)                                     \
	__extension__({                                                         \
		__typeof__((items) + 0) x = (items), x##_found = NULL;          \
		for (size_t x##_n = (count); x##_n && !x##_found; x##_n--, x++) \
			if (condition)                                          \
				x##_found = x;                                  \
		x##_found;                                                      \
	})
/* For how many elements does it hold? */
#define BA_HOW_MANY(items, count, x, condition)          \
	__extension__({                                  \
		size_t x##_many = 0, x##_n = (count);    \
		__typeof__((items) + 0) x = (items);     \
		for (; x##_n; x##_n--, x++)              \
			x##_many += (condition) ? 1 : 0; \
		x##_many;                                \
	})
/* Does the condition hold for one element, or for all? */
#define BA_ANY(items, count, x, condition) (BA_FIND(items, count, x, condition) != NULL)
#define BA_ALL(items, count, x, condition) (!BA_ANY(items, count, x, !(condition)))
