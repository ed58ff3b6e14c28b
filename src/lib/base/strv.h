/* A list that owns its strings, and an index of names. The list ends with NULL at all times, so
 * `items` is an argv. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/auto.h"

typedef struct ba_strv {
	char **items; /* NULL until the first push */
	size_t count;
	size_t capacity;
} ba_strv;

BA_DECLARE_DISPOSE(ba_strv)
void ba_strv_push(ba_strv *v, const char *text); /* copies */
void ba_strv_push_take(ba_strv *v, char *text);	 /* takes */
void ba_strv_printf(ba_strv *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* BA_STRV_PUSH(&argv, "tar", "--create", path): copies of each */
#define BA_STRV_PUSH(v, ...)                                       \
	ba_strv_push_each((v), (const char *const[]){__VA_ARGS__}, \
		BA_COUNT(((const char *const[]){__VA_ARGS__})))
void ba_strv_push_each(ba_strv *v, const char *const *texts, size_t count);
void ba_strv_copy(ba_strv *out, const ba_strv *from);	 /* appends */
size_t ba_strv_find(const ba_strv *v, const char *text); /* count: it is not there */
bool ba_strv_has(const ba_strv *v, const char *text);
char *ba_strv_join(const ba_strv *v, const char *separator);
void ba_strv_sort(ba_strv *v);					    /* in the order of strcmp() */
void ba_strv_split(ba_strv *out, const char *text, char separator); /* appends */

#define BA_NAMES_NONE SIZE_MAX

/* An index of names: it gives each name a number (0, 1, 2, ... in the order in which they
 * were added) and finds it in constant time. The names are borrowed; their memory must stay
 * valid and in place. Zeroed is empty. */
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
