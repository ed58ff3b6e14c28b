/*
 * A struct as a JSON object: one row for each member. Writer and reader use the same
 * rows, so neither can forget a member that the other knows.
 *
 *     static const ba_json_field rows[] = {
 *             BA_FIELD(ba_variant, label, TEXT),
 *             BA_FIELD_WORD("kind", ba_variant, kind, kind_words, .required = true),
 *             BA_FIELD_LIST("artefacts", ba_variant, artefacts, artefact_count,
 *                     BA_FIELDS(artefact_rows)),
 *     };
 *     ba_fields_write(w, BA_FIELDS(rows), variant);
 */
#pragma once

#include "json/json.h"
#include "json/writer.h"

typedef enum ba_json_kind {
	BA_KIND_TEXT,	/* char *, never NULL once read: absent is "" */
	BA_KIND_MAYBE,	/* char *, NULL is null */
	BA_KIND_DIGEST, /* char[65] */
	BA_KIND_BOOL,
	BA_KIND_INT,
	BA_KIND_UNSIGNED,
	BA_KIND_U64, /* also a size_t */
	BA_KIND_I64,
	BA_KIND_F64,	 /* NaN and infinities are null, and null is NaN */
	BA_KIND_SIZE,	 /* as F64, but not negative */
	BA_KIND_PART,	 /* as F64, but between 0 and 1 */
	BA_KIND_LIST,	 /* ba_strv */
	BA_KIND_WORD,	 /* an enumeration, as one of ba_json_words */
	BA_KIND_OBJECT,	 /* a struct, as an object of `fields` */
	BA_KIND_POINTER, /* a pointer to such a struct, or NULL: not written */
	BA_KIND_OBJECTS, /* a pointer to an array of such structs; `count` of them */
	BA_KIND_F64S,	 /* double *, `count` of them; an empty array leaves NULL */
	BA_KIND_U64S,	 /* the same of uint64_t * or size_t * */
	BA_KIND_COUNTS,	 /* uint64_t or size_t [words->count], as an object: "WORD": count */
	BA_KIND_SCHEMA,	 /* no member: `schema`, and another text is an error */
} ba_json_kind;

/* The words of an enumeration: name(0) to name(count - 1). A name of NULL is null. */
typedef struct ba_json_words {
	const char *(*name)(int value);
	int count;
	const char *complaint; /* about another word: "is not a verdict that ..." */
} ba_json_words;

typedef struct ba_json_fields ba_json_fields;
typedef struct ba_json_field {
	const char *key;
	ba_json_kind kind;
	bool required; /* absent is an error; otherwise the member keeps its value */
	size_t offset, size;
	/* Written only if these bytes of the struct are not all 0; without a size always. */
	size_t if_offset, if_size;
	const ba_json_words *words;
	const ba_json_fields *fields;
	const char *schema;
	/* of OBJECTS, F64S and U64S: where the count is, and the highest one; 0: any number.
	 * Of COUNTS: the highest of them. */
	size_t count, most;
} ba_json_field;

struct ba_json_fields {
	const ba_json_field *rows;
	size_t count;
	/* For members that no row describes, and checks of the whole: written and read
	 * after the rows; or NULL. */
	void (*write)(ba_json_writer *w, const void *base);
	int (*read)(void *base, ba_json_value object, ba_error *err);
};

/* clang-format off */
/* `...`: more of the row, such as .required = true */
#define BA_FIELD(type, member, kind, ...) BA_FIELD_AS(#member, type, member, kind, __VA_ARGS__)
#define BA_FIELD_AS(name, type, member, kind_, ...)                                       \
	{.key = (name), .kind = BA_KIND_##kind_, .offset = offsetof(type, member),        \
	 .size = sizeof(((type *)0)->member), __VA_ARGS__}
/* a row for each of up to 12 members of one kind, whose keys are their names */
#define BA_FIELD_EACH(type, kind, ...)                                                    \
	BA_ROWS_OF(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)(type, kind, __VA_ARGS__)
#define BA_ROWS_OF(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) BA_ROWS_##n
#define BA_ROWS_1(t, k, m) BA_FIELD(t, m, k)
#define BA_ROWS_2(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_1(t, k, __VA_ARGS__)
#define BA_ROWS_3(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_2(t, k, __VA_ARGS__)
#define BA_ROWS_4(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_3(t, k, __VA_ARGS__)
#define BA_ROWS_5(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_4(t, k, __VA_ARGS__)
#define BA_ROWS_6(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_5(t, k, __VA_ARGS__)
#define BA_ROWS_7(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_6(t, k, __VA_ARGS__)
#define BA_ROWS_8(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_7(t, k, __VA_ARGS__)
#define BA_ROWS_9(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_8(t, k, __VA_ARGS__)
#define BA_ROWS_10(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_9(t, k, __VA_ARGS__)
#define BA_ROWS_11(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_10(t, k, __VA_ARGS__)
#define BA_ROWS_12(t, k, m, ...) BA_FIELD(t, m, k), BA_ROWS_11(t, k, __VA_ARGS__)
/* a member that is written only if `flag` is not 0; it may be the member itself */
#define BA_FIELD_IF(type, member, kind, flag) BA_FIELD(type, member, kind, BA_IF(type, flag))
#define BA_IF(type, flag)                                                                 \
	.if_offset = offsetof(type, flag), .if_size = sizeof(((type *)0)->flag)
#define BA_FIELD_WORD(key, type, member, list, ...)                                       \
	BA_FIELD_AS(key, type, member, WORD, .words = &(list), __VA_ARGS__)
#define BA_FIELD_OBJECT(key, type, member, table, ...)                                    \
	BA_FIELD_AS(key, type, member, OBJECT, .fields = (table), __VA_ARGS__)
/* an object of members of the same struct */
#define BA_FIELD_GROUP(name, table, ...)                                                  \
	{.key = (name), .kind = BA_KIND_OBJECT, .fields = (table), __VA_ARGS__}
#define BA_FIELD_POINTER(name, type, member, table, ...)                                  \
	{.key = (name), .kind = BA_KIND_POINTER, .offset = offsetof(type, member),        \
	 .size = sizeof(*((type *)0)->member), .fields = (table), BA_IF(type, member),    \
	 __VA_ARGS__}
#define BA_FIELD_LIST(name, type, member, number, table, ...)                             \
	{.key = (name), .kind = BA_KIND_OBJECTS, .offset = offsetof(type, member),        \
	 .size = sizeof(*((type *)0)->member), .count = offsetof(type, number),           \
	 .fields = (table), __VA_ARGS__}
#define BA_FIELD_F64S(type, member, number, ...)                                          \
	BA_FIELD(type, member, F64S, .count = offsetof(type, number), __VA_ARGS__)
#define BA_FIELD_U64S(type, member, number, ...)                                          \
	BA_FIELD(type, member, U64S, .count = offsetof(type, number), __VA_ARGS__)
/* Without `required`, absent words are 0, and zeros are not written. */
#define BA_FIELD_COUNTS(name, type, member, list, ...)                                    \
	BA_FIELD_AS(name, type, member, COUNTS, .words = &(list), __VA_ARGS__)
#define BA_FIELD_SCHEMA(name, text)                                                       \
	{.key = (name), .kind = BA_KIND_SCHEMA, .schema = (text), .required = true}
#define BA_FIELDS_INIT(array, ...) {.rows = (array), .count = BA_COUNT(array), __VA_ARGS__}
#define BA_FIELDS(array) (&(const ba_json_fields)BA_FIELDS_INIT(array))
/* Defines `words`; `naming` is the name of the enumerator `value`. linkage: static, or none */
#define BA_DEFINE_WORDS(linkage, words, number, naming, sentence)                         \
	static const char *words##_name(int value) { return naming; }                     \
	linkage const ba_json_words words = {words##_name, number, sentence}
/* clang-format on */

/* Writes the members into an open object. */
void ba_fields_write(ba_json_writer *w, const ba_json_fields *fields, const void *base);

/* Reads from an object. An absent member leaves the value in base, but absent texts
 * become "". Nothing in base is freed first: zero it before. After an error base
 * can be disposed of. */
int ba_fields_read(void *base, const ba_json_fields *fields, ba_json_value object, ba_error *err);

/* A member that is an object of these fields, or with `key` NULL an element of an array;
 * an absent one leaves what is in base. */
void ba_fields_write_object(
	ba_json_writer *w, const char *key, const ba_json_fields *fields, const void *base);
int ba_fields_read_object(void *base, const ba_json_fields *fields, ba_json_value object,
	const char *key, ba_error *err);

/* A document that is an object of these fields; its text ends with a newline. */
void ba_fields_format(ba_buf *out, unsigned indent, const ba_json_fields *fields, const void *base);
int ba_fields_parse(void *base, const ba_json_fields *fields, const char *text, size_t size,
	const ba_json_options *options, ba_error *err);
/* The same as a file, which is replaced as a whole. */
int ba_fields_save(const char *path, unsigned indent, const ba_json_fields *fields,
	const void *base, ba_error *err);
int ba_fields_load(void *base, const ba_json_fields *fields, const char *path,
	const ba_json_options *options, ba_error *err);

/* Appends a member that is an array of strings; an absent one appends nothing. */
int ba_fields_read_list(ba_strv *out, ba_json_value object, const char *key, ba_error *err);
void ba_fields_write_list(ba_json_writer *w, const char *key, const ba_strv *list);
