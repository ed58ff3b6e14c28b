/*
 * Reads JSON. A document is parsed whole, and values are read in place. Every error
 * names the document, the line if it is known, and the path: "c.json: line 4:
 * $.suites.launch.repeats must be a whole number, is a string".
 *
 *     BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
 *     if (ba_json_read(&doc, path, &(ba_json_options){.comments = true}, err) < 0) ...
 *     if (ba_json_get_u64(&n, ba_json_root(doc), "count", 1, 100, err) < 0) ...
 *     for (ba_json_value v = ba_json_first(list); ba_json_is(v); v = ba_json_next(v))
 *             ...
 *
 * Strict:
 *  - The whole text must be one value.
 *  - Keys are case-sensitive.
 *  - Strings are valid UTF-8 without U+0000.
 *  - Whole numbers beyond 2^53 are decimal strings, not numbers, because many readers
 *    lose their last digits. The writer writes them this way.
 */
#pragma once

#include "base/base.h"

typedef struct ba_json ba_json;

/* A value of a document, valid as long as the document. An absent one (ba_json_find)
 * has no node; every function below accepts it. Pass it by value. */
typedef struct ba_json_value {
	const ba_json *doc;
	const struct cJSON *node;
} ba_json_value;

typedef enum ba_json_type {
	BA_JSON_ABSENT,
	BA_JSON_NULL,
	BA_JSON_BOOL,
	BA_JSON_NUMBER,
	BA_JSON_STRING,
	BA_JSON_ARRAY,
	BA_JSON_OBJECT
} ba_json_type;

typedef struct ba_json_options {
	const char *name; /* in messages; NULL: the path, or "JSON" */
	bool comments;	  /* allow slash-slash, slash-star, and a comma before ] or } */
	bool positions;	  /* remember lines, for messages and ba_json_line */
	bool unique_keys; /* a key that an object has twice is an error */
	size_t ceiling;	  /* bytes; 0: 1 GiB */
	unsigned depth;	  /* of nesting; 0: 64 */
	int error_code;	  /* of errors; 0: BA_EDATA; else e.g. BA_ECONFIG, BA_EPROTOCOL */
} ba_json_options;

/* options may be NULL. Text need not end with NUL. */
int ba_json_parse(ba_json **out, const char *text, size_t size, const ba_json_options *options,
	ba_error *err);
int ba_json_read(ba_json **out, const char *path, const ba_json_options *options, ba_error *err);
BA_DECLARE_FREE(ba_json)

ba_json_value ba_json_root(const ba_json *doc);
ba_json_type ba_json_type_of(ba_json_value v);
const char *ba_json_type_name(ba_json_type type); /* "a string" */
static inline bool ba_json_is(ba_json_value v)	  /* not absent */
{
	return v.node != NULL;
}
unsigned ba_json_line(ba_json_value v);	  /* from 1; 0: not known */
const char *ba_json_key(ba_json_value v); /* its key in its object, or NULL */
char *ba_json_path(ba_json_value v);	  /* "$.a[3]"; caller frees */
/* the value itself on one line, safe for a terminal; caller frees */
char *ba_json_text(ba_json_value v);

/* Fails with "NAME: line 4: $.a.b ", the sentence, and the document's error code. */
int ba_json_fail(ba_error *err, ba_json_value v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));
#ifdef __clang_analyzer__ /* base/error.h */
#define ba_json_fail(...) ba_never_0(ba_json_fail(__VA_ARGS__))
#endif

/* The elements of an array or the members of an object; each step takes constant
 * time. */
size_t ba_json_count(ba_json_value v);
ba_json_value ba_json_first(ba_json_value v);
/* BA_JSON_EACH(v, list) { ... }: v is one element or member after the other */
#define BA_JSON_EACH(v, of) \
	for (ba_json_value v = ba_json_first(of); ba_json_is(v); v = ba_json_next(v))
ba_json_value ba_json_next(ba_json_value v);
ba_json_value ba_json_at(ba_json_value array, size_t index); /* walks: O(index) */
/* absent if there is none, or if `object` is not an object */
ba_json_value ba_json_find(ba_json_value object, const char *key);

/* The value as that type, or an error. Strings are valid as long as the document. */
int ba_json_as_string(const char **out, ba_json_value v, ba_error *err);
int ba_json_as_bool(bool *out, ba_json_value v, ba_error *err);
int ba_json_as_u64(uint64_t *out, ba_json_value v, uint64_t min, uint64_t max, ba_error *err);
int ba_json_as_i64(int64_t *out, ba_json_value v, int64_t min, int64_t max, ba_error *err);
int ba_json_as_f64(double *out, ba_json_value v, ba_error *err); /* null is NaN */
int ba_json_as_array(ba_json_value *out, ba_json_value v, ba_error *err);
int ba_json_as_object(ba_json_value *out, ba_json_value v, ba_error *err);
/* whole arrays of numbers; caller frees *out, which is never NULL */
int ba_json_as_u64s(uint64_t **out, size_t *count, ba_json_value v, ba_error *err);
int ba_json_as_f64s(double **out, size_t *count, ba_json_value v, ba_error *err);

/* The member `key` of an object: absent is an error. */
int ba_json_get(ba_json_value *out, ba_json_value object, const char *key, ba_error *err);
int ba_json_get_string(const char **out, ba_json_value object, const char *key, ba_error *err);
int ba_json_get_u64(uint64_t *out, ba_json_value object, const char *key, uint64_t min,
	uint64_t max, ba_error *err);
int ba_json_get_i64(int64_t *out, ba_json_value object, const char *key, int64_t min, int64_t max,
	ba_error *err);
int ba_json_get_array(ba_json_value *out, ba_json_value object, const char *key, ba_error *err);
int ba_json_get_object(ba_json_value *out, ba_json_value object, const char *key, ba_error *err);
