/*
 * A struct as a JSON object: one row for each member. Writer and reader use the same
 * rows, so neither can forget a member that the other knows.
 *
 *     static const ba_json_field rows[] = {
 *             BA_FIELD(ba_variant, label, TEXT),
 *             ...
 *     };
 */
#ifndef JSON_FIELDS_H
#define JSON_FIELDS_H

#include "base/base.h"
#include "json/json.h"
#include "json/writer.h"

typedef enum ba_json_kind {
	BA_KIND_TEXT,	/* char *, never NULL once read: absent is "" */
	BA_KIND_MAYBE,	/* char *, NULL is null */
	BA_KIND_DIGEST, /* char[65] */
	BA_KIND_BOOL,
	BA_KIND_INT,
	BA_KIND_UNSIGNED,
	BA_KIND_U64,
	BA_KIND_I64,
	BA_KIND_F64,	 /* NaN and infinities are null, and null is NaN */
	BA_KIND_SIZE,	 /* as F64, but not negative */
	BA_KIND_PART,	 /* as F64, but between 0 and 1 */
	BA_KIND_LIST,	 /* ba_strv */
	BA_KIND_OBJECTS, /* a ba_json_list */
} ba_json_kind;

typedef struct ba_json_field {
	const char *key;
	ba_json_kind kind;
	size_t offset;
	const struct ba_json_list *list; /* of objects: offset is 0 */
} ba_json_field;

/* A member that is a list of objects, and in C an array and its count. */
typedef struct ba_json_list {
	size_t items, count; /* where they are in the struct that has them */
	size_t size;	     /* of an item */
	bool required;	     /* else an absent list is empty */
	size_t most;	     /* 0: any number */
	const ba_json_field *fields;
	size_t field_count;
	/* for members that are not fields: written before these and read after; or NULL */
	void (*write)(ba_json_writer *w, const void *item);
	int (*read)(void *item, ba_json_value object, ba_error *err);
} ba_json_list;

/* clang-format off */
#define BA_FIELD(type, member, kind) BA_FIELD_AS(#member, type, member, kind)
#define BA_FIELD_AS(key, type, member, kind) {key, BA_KIND_##kind, offsetof(type, member), NULL}
#define BA_FIELD_LIST(key, list) {key, BA_KIND_OBJECTS, 0, &(list)}
#define BA_FIELDS(array) (array), BA_COUNT(array)
#define BA_ITEMS(type, member, number)                                                    \
	.items = offsetof(type, member), .count = offsetof(type, number),                 \
	.size = sizeof(*((type *)0)->member)
/* clang-format on */

/* Writes the members into an open object. */
void ba_fields_write(
	ba_json_writer *w, const ba_json_field *fields, size_t count, const void *base);

/* Reads from an object. An absent member leaves the value in base, but absent texts
 * become "". Nothing in base is freed first: zero it before. After an error base
 * can be disposed of. */
int ba_fields_read(
	void *base, const ba_json_field *fields, size_t count, ba_json_value object, ba_error *err);

/* A member that is an object of these fields; an absent one leaves what is in base. */
void ba_fields_write_object(ba_json_writer *w, const char *key, const ba_json_field *fields,
	size_t count, const void *base);
int ba_fields_read_object(void *base, const ba_json_field *fields, size_t count,
	ba_json_value object, const char *key, ba_error *err);

/* A list of objects, which *owner has. The items so far can be disposed of after an error. */
void ba_list_write(ba_json_writer *w, const char *key, const ba_json_list *list, const void *owner);
int ba_list_read(void *owner, const char *key, const ba_json_list *list, ba_json_value object,
	ba_error *err);

/* Appends a member that is an array of strings; an absent one appends nothing. */
int ba_fields_read_list(ba_strv *out, ba_json_value object, const char *key, ba_error *err);
void ba_fields_write_list(ba_json_writer *w, const char *key, const ba_strv *list);

#endif
