/* Reads JSON into a struct by a table of its members: a row names a key, and where its value
 * goes. The struct begins with the source, `const ba_source *s`, and is otherwise zeroed.
 *
 *     static const ba_member result[] = {
 *             BA_TEXT("command", entry, id), BA_VALUES("times", entry, times, 1e9), {0}};
 *     static const ba_member document[] = {BA_RECORDS("results", result, emit), {0}};
 *     entry e = {.s = s};
 *     return ba_document_pull(&e, document, err);
 *
 * Inside the module only. */
#pragma once

#include "json/pull.h"

/* in source.c */
typedef struct ba_source ba_source;
int ba_source_pull(ba_pull **out, const ba_source *s, ba_error *err);
void ba_source_field(const ba_source *s, const char *name, const char *value, bool must_match);

/* A growing array of values, kept from record to record. */
typedef struct ba_values {
	double *at;
	size_t count, capacity;
} ba_values;
BA_DECLARE_DISPOSE(ba_values)
void ba_values_add(ba_values *v, double value);

/* Appends numbers, each multiplied by `scale`; negative ones are an error. */
int ba_values_pull(ba_values *v, ba_pull *p, double scale, ba_error *err);
/* a number that must not be negative; null is NaN */
int ba_time_pull(double *out, ba_pull *p, ba_error *err);
/* a string, number or bool as text; anything else leaves *out empty */
int ba_text_pull(ba_buf *out, ba_pull *p, ba_error *err);

typedef int ba_member_read(void *data, ba_pull *p, ba_error *err);
typedef int ba_key_read(void *data, const char *key, ba_pull *p, ba_error *err);

typedef enum ba_member_kind {
	BA_MEMBER_TEXT,	      /* ba_buf, as ba_text_pull */
	BA_MEMBER_NUMBER,     /* double, not negative; NaN if it is absent */
	BA_MEMBER_FLAG,	      /* bool */
	BA_MEMBER_VALUES,     /* ba_values: a list, or one number */
	BA_MEMBER_PARAMETERS, /* ba_buf: "a=1,b=x" from an object, sorted by name */
	BA_MEMBER_WORD,	      /* ba_strv: "KEY=TEXT" is appended, except for an empty text */
	BA_MEMBER_FIELD,      /* is passed to the sink as `name` */
	BA_MEMBER_OBJECT,     /* more members of the same struct */
	BA_MEMBER_FIELDS,     /* the same; a value that is not an object is skipped */
	BA_MEMBER_RECORDS,    /* a list of objects: each is read alone, then `call` is called */
	BA_MEMBER_READ,	      /* `call` reads the value */
	BA_MEMBER_EACH,	      /* `call` reads each element of a list */
	BA_MEMBER_KEYS,	      /* `of_key` reads each member of an object */
} ba_member_kind;

typedef struct ba_member {
	const char *key;
	ba_member_kind kind;
	size_t at;    /* offset in the struct */
	double scale; /* of numbers */
	bool set;     /* a flag if it is absent */
	const char *name;
	bool must_match;
	const struct ba_member *rows; /* of READ: the members that `call` may read */
	ba_member_read *call;
	ba_key_read *of_key;
} ba_member;

/* clang-format off */
#define BA_MEMBER_AT(key_, kind_, type, member, ...)                                      \
	{.key = (key_), .kind = BA_MEMBER_##kind_, .at = offsetof(type, member), __VA_ARGS__}
#define BA_TEXT(key, type, member) BA_MEMBER_AT(key, TEXT, type, member, .scale = 1)
#define BA_NUMBER(key, type, member, by) BA_MEMBER_AT(key, NUMBER, type, member, .scale = (by))
#define BA_VALUES(key, type, member, by) BA_MEMBER_AT(key, VALUES, type, member, .scale = (by))
#define BA_SAID(key_, name_, match)                                                       \
	{.key = (key_), .kind = BA_MEMBER_FIELD, .name = (name_), .must_match = (match)}
#define BA_SAID_ALL(key_, rows_) {.key = (key_), .kind = BA_MEMBER_FIELDS, .rows = (rows_)}
#define BA_OBJECT(key_, rows_) {.key = (key_), .kind = BA_MEMBER_OBJECT, .rows = (rows_)}
#define BA_RECORDS(key_, rows_, then)                                                     \
	{.key = (key_), .kind = BA_MEMBER_RECORDS, .rows = (rows_), .call = (then)}
#define BA_READ(key_, read, ...)                                                          \
	{.key = (key_), .kind = BA_MEMBER_READ, .call = (read), __VA_ARGS__}
#define BA_ELEMENTS(key_, read) {.key = (key_), .kind = BA_MEMBER_EACH, .call = (read)}
#define BA_KEYS(key_, read) {.key = (key_), .kind = BA_MEMBER_KEYS, .of_key = (read)}
/* clang-format on */

/* The lists of rows end with one without a key: its `of_key` reads the other members, which
 * are skipped if it is not set. null instead of an object or a list has no members. */
int ba_members_pull(void *data, ba_pull *p, const ba_member *rows, ba_error *err);
int ba_each_pull(void *data, ba_pull *p, ba_member_read *each, ba_error *err);
/* A list of records. `rows` are emptied before each, and `then` is called after it. */
int ba_records_pull(
	void *data, ba_pull *p, const ba_member *rows, ba_member_read *then, ba_error *err);
/* Calls `read` for each member of an object. The key is valid during the call. */
int ba_keys_pull(void *data, ba_pull *p, ba_key_read *read, ba_error *err);
/* Empties, or frees, all members that the rows name. */
void ba_members_clear(void *data, const ba_member *rows);
void ba_members_dispose(void *data, const ba_member *rows);

/* Reads one object, calls `then` (NULL: nothing), and frees the members. */
int ba_record_pull(
	void *data, ba_pull *p, const ba_member *rows, ba_member_read *then, ba_error *err);
/* Reads the document of data's source, which must be an object. */
int ba_document_pull(void *data, const ba_member *rows, ba_error *err);

/* Appends the words "name=value" of a list, sorted and joined with commas. */
void ba_parameters_join(ba_buf *out, ba_strv *words);
