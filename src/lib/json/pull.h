/*
 * Reads JSON with a cursor: the document is read in pieces and never held whole.
 * The caller reads the values that it wants and skips the others, which are checked,
 * too.
 *
 *     BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
 *     rc = ba_pull_open(&p, path, err);
 *     rc = rc ? rc : ba_pull_object(p, err);
 *     while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
 *             rc = strcmp(key, "ns") == 0 ? ba_pull_f64(&ns, p, err)
 *                                         : ba_pull_skip(p, err);
 *     rc = rc ? rc : ba_pull_end(p, err);
 *
 * Rules
 *  - Take each value exactly once: enter it, read it or skip it.
 *  - As strict as json.h, with one exception: the bare words NaN, Infinity and
 *    -Infinity are numbers, because some tools write them.
 *  - Errors: a key twice in one object, a string longer than 1 MiB, nesting deeper than
 *    64, invalid UTF-8. Every error is BA_EDATA and names document, line and path.
 *  - After an error the cursor may only be freed.
 */
#pragma once

#include "json/json.h"

typedef struct ba_pull ba_pull;

int ba_pull_open(ba_pull **out, const char *path, ba_error *err);
/* text must outlive the cursor */
ba_pull *ba_pull_memory(const char *text, size_t size, const char *name);
BA_DECLARE_FREE(ba_pull)

/* The type of the next value; BA_JSON_ABSENT if no value comes next. The words above
 * are numbers. */
ba_json_type ba_pull_peek(ba_pull *p);

/* Enter an array or object, then ask for its next element or member until there is
 * none: 1 means there is one, 0 that it ended and was left, negative an error. The key
 * is valid until the next call. */
int ba_pull_object(ba_pull *p, ba_error *err);
int ba_pull_member(const char **key, ba_pull *p, ba_error *err);
int ba_pull_array(ba_pull *p, ba_error *err);
int ba_pull_element(ba_pull *p, ba_error *err);

/* The string is valid until the next call. */
int ba_pull_string(const char **out, ba_pull *p, ba_error *err);
int ba_pull_bool(bool *out, ba_pull *p, ba_error *err);
int ba_pull_f64(double *out, ba_pull *p, ba_error *err); /* null is NaN */
/* also strings such as "1.5", "inf", "NaN", "+INF", as some tools write numbers */
int ba_pull_f64_quoted(double *out, ba_pull *p, ba_error *err);
int ba_pull_skip(ba_pull *p, ba_error *err);
/* Nothing but space may follow. */
int ba_pull_end(ba_pull *p, ba_error *err);

/* Fails with "NAME: line 4: $.a[3]: " and the sentence. */
int ba_pull_fail(ba_error *err, const ba_pull *p, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));
