/* A list that owns its strings. It ends with NULL at all times, so `items` is an
 * argv. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
