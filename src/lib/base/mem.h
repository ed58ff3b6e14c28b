/*
 * Allocations that cannot fail: out of memory ends the process with a sentence. They
 * are for sizes that we choose. Data that grows with foreign input needs a ceiling and
 * an error of its own.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "base/auto.h"

/* ends the process with that sentence */
void ba_out_of_memory(size_t size) __attribute__((noreturn, cold));
void *ba_xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *ba_xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *ba_xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
/* count * size, checked for overflow */
void *ba_xreallocarray(void *p, size_t count, size_t size);
char *ba_xstrdup(const char *text); /* NULL in, NULL out */
char *ba_xstrndup(const char *text, size_t n);
char *ba_xmemdup0(const void *data, size_t size); /* copy with a NUL appended */
char *ba_xprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *ba_xvprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* For a function that ends in `const char *fmt, ...`: declares `text`, which is what they say and
 * is freed at the end of the scope. */
#define BA_FORMATTED(text, fmt)                                \
	va_list text##_ap;                                     \
	va_start(text##_ap, fmt);                              \
	BA_AUTO_FREE char *text = ba_xvprintf(fmt, text##_ap); \
	va_end(text##_ap)

/* `array` (of `*capacity` elements), grown if needed so that `needed` elements fit. The
 * capacity at least doubles. Assign the result to the array. */
#define BA_GROW(array, capacity, needed)   \
	((needed) <= *(capacity) ? (array) \
				 : ba_grow_((array), (capacity), (needed), sizeof(*(array))))
/* The place of a new last element: *BA_PUSH(l->items, l->count, l->capacity) = item */
#define BA_PUSH(array, count, capacity) \
	((array) = BA_GROW((array), &(capacity), (count) + 1), &(array)[(count)++])
/* The same for an array without spare room: *BA_APPEND(l->items, l->count) = item */
#define BA_APPEND(array, count) \
	((array) = ba_xreallocarray((array), (count) + 1, sizeof(*(array))), &(array)[(count)++])
/* The type of a list: BA_LIST(ba_remarks, ba_remark). With BA_APPEND the capacity is of no use. */
#define BA_LIST(name, type)             \
	typedef struct name {           \
		type *items;            \
		size_t count, capacity; \
	} name
void *ba_grow_(void *array, size_t *capacity, size_t needed, size_t size);
