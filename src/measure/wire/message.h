/*
 * Messages between the host and its worker: JSON Lines, one flat object a line. Both
 * ends are here, and neither needs a JSON library. The worker links nothing but libc,
 * so that no symbol of ours can replace one of a variant's (see worker/worker.h).
 *
 * Values are strings, numbers, booleans, arrays of strings and arrays of numbers.
 * Unknown fields are ignored; docs/worker-protocol.md lists the known ones.
 *
 *     BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
 *     BA_MESSAGE(&line, "measure", BA_SAY_U64("blocks", 80));
 *     ba_message_end(&line);                  -- {"t":"measure","blocks":80}\n
 *
 *     BA_AUTO(ba_message) ba_message m = {0};
 *     if (ba_message_parse(&m, line, length, err)) ...
 *     ba_message_u64(&blocks, &m, "blocks", err)
 */
#pragma once

#include "base/base.h"

/* Each side's first message names it; a different number ends the conversation. */
#define BA_WIRE_VERSION 1u
/* The same for programs in any language (docs/workers.md). */
#define BA_WIRE_PROGRAMS "bench-against.worker"
#define BA_WIRE_PROGRAMS_VERSION 1u

/* A field to write. The macros make one; a field without a key is left out. */
typedef struct ba_say {
	const char *key;
	enum {
		BA_SAYS_TEXT, /* NULL: "" */
		BA_SAYS_U64,
		BA_SAYS_I64,
		BA_SAYS_F64,
		BA_SAYS_BOOL,
		BA_SAYS_TEXTS,
		BA_SAYS_U64S,
		BA_SAYS_BYTES, /* small numbers */
	} kind;
	union {
		const char *text;
		uint64_t u64;
		int64_t i64;
		double f64;
		char *const *texts;
		const uint64_t *u64s;
		const uint8_t *bytes;
	};
	size_t count; /* of a list */
} ba_say;

#define BA_SAY_TEXT(key, v) ((ba_say){(key), BA_SAYS_TEXT, {.text = (v)}, 0})
#define BA_SAY_U64(key, v) ((ba_say){(key), BA_SAYS_U64, {.u64 = (v)}, 0})
#define BA_SAY_I64(key, v) ((ba_say){(key), BA_SAYS_I64, {.i64 = (v)}, 0})
#define BA_SAY_F64(key, v) ((ba_say){(key), BA_SAYS_F64, {.f64 = (v)}, 0})
#define BA_SAY_BOOL(key, v) ((ba_say){(key), BA_SAYS_BOOL, {.u64 = (bool)(v)}, 0})
/* of a ba_strv */
#define BA_SAY_TEXTS(key, v) ((ba_say){(key), BA_SAYS_TEXTS, {.texts = (v).items}, (v).count})
#define BA_SAY_U64S(key, v, n) ((ba_say){(key), BA_SAYS_U64S, {.u64s = (v)}, (n)})
#define BA_SAY_BYTES(key, v, n) ((ba_say){(key), BA_SAYS_BYTES, {.bytes = (v)}, (n)})
#define BA_SAY_IF(condition, field) ((condition) ? (field) : (ba_say){0})

void ba_message_begin(ba_buf *out, const char *type);
void ba_message_add(ba_buf *out, const ba_say *fields, size_t count);
void ba_message_end(ba_buf *out);
/* the two arguments for fields that are written in place */
#define BA_SAYS(...) \
	(const ba_say[]){__VA_ARGS__}, sizeof((const ba_say[]){__VA_ARGS__}) / sizeof(ba_say)
#define BA_MESSAGE_ADD(out, ...) ba_message_add((out), BA_SAYS(__VA_ARGS__))
#define BA_MESSAGE(out, type, ...) \
	(ba_message_begin((out), (type)), BA_MESSAGE_ADD((out), __VA_ARGS__))

typedef enum ba_field_kind {
	BA_FIELD_TEXT,
	BA_FIELD_NUMBER,
	BA_FIELD_BOOL,
	BA_FIELD_NULL,
	BA_FIELD_ARRAY
} ba_field_kind;

typedef struct ba_field {
	const char *key;
	ba_field_kind kind;
	const char *text;    /* TEXT: unescaped; NUMBER and BOOL: as written */
	size_t first, count; /* ARRAY: a range of the message's items */
} ba_field;

typedef struct ba_message {
	char *storage; /* one copy of the line; everything points into it */
	const char *type;
	ba_field *fields;
	size_t field_count, field_capacity;
	ba_field *items; /* elements of all arrays; key is NULL */
	size_t item_count, item_capacity;
} ba_message;

BA_DECLARE_DISPOSE(ba_message)

/* Fails with BA_EPROTOCOL unless it is one flat object with a "t". */
int ba_message_parse(ba_message *out, const char *line, size_t length, ba_error *err);

bool ba_message_has(const ba_message *m, const char *key);
/* the text, or "" if it is missing */
const char *ba_message_text(const ba_message *m, const char *key);
/* If it is missing or of another kind: BA_EPROTOCOL; the sentence names message and
 * field. */
int ba_message_u64(uint64_t *out, const ba_message *m, const char *key, ba_error *err);
int ba_message_i64(int64_t *out, const ba_message *m, const char *key, ba_error *err);
int ba_message_f64(double *out, const ba_message *m, const char *key, ba_error *err);
bool ba_message_bool(const ba_message *m, const char *key);		   /* missing: false */
void ba_message_texts(ba_strv *out, const ba_message *m, const char *key); /* appends */
/* the elements of an array; 0: it is missing, or of another kind */
size_t ba_message_count(const ba_message *m, const char *key);
/* reads exactly n numbers into out */
int ba_message_u64s(uint64_t *out, size_t n, const ba_message *m, const char *key, ba_error *err);
