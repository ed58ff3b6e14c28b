/*
 * Writes JSON as a stream into a buffer or a file.
 *
 *     ba_json_writer w = ba_json_writer_to_buf(&text, 0);
 *     ba_json_open_object(&w, NULL);
 *     ba_json_write_string(&w, "name", "launch/args=2");
 *     ba_json_open_row(&w, "ns");             -- an array on one line
 *     ba_json_write_u64(&w, NULL, 2601);
 *     ba_json_close(&w);
 *     ba_json_close(&w);
 *
 *  - `key` is the member's name inside an object, and NULL inside an array or at the
 *    top. A wrong one breaks a requirement (base/error.h).
 *  - Strings are escaped; U+FFFD replaces invalid UTF-8; a NULL string is null.
 *  - NaN and infinity are null. Doubles have the fewest digits that read back the same.
 *  - Whole numbers beyond 2^53 become strings (json.h).
 */
#pragma once

#include "json/digest.h"

#define BA_JSON_WRITER_DEPTH 64

typedef struct ba_json_level {
	char close; /* '}' or ']' */
	bool flat;  /* on one line */
	bool filled;
} ba_json_level;

typedef struct ba_json_writer {
	ba_buf *out;
	ba_buf pending; /* not yet written to file */
	FILE *file;
	unsigned indent, depth;
	int error;	 /* errno of the first write that failed */
	bool digests;	 /* the text goes into a digest, too */
	size_t digested; /* bytes of *out that are in the digest */
	ba_json_digest digest;
	ba_json_level levels[BA_JSON_WRITER_DEPTH];
} ba_json_writer;

/* indent: spaces for each level; 0: everything on one line. Appends to *out. */
ba_json_writer ba_json_writer_to_buf(ba_buf *out, unsigned indent);
void ba_json_writer_to_file(ba_json_writer *w, FILE *file, unsigned indent);
/* Of a file alone: call it once, when all is closed. Hands the content to the system (without
 * a sync), returns the error of the first write that failed, and frees. Writes no newline at
 * the end. A buffer takes everything. */
int ba_json_writer_finish(ba_json_writer *w, ba_error *err);

/* For a document with a digest (json/digest.h): call the first before you open the
 * root, the second for the last member of the root. */
void ba_json_begin_digest(ba_json_writer *w);
void ba_json_write_digest(ba_json_writer *w);

/*
 * Writes what a template shows: JSON with bare keys and 'strings'. It may leave arrays and
 * objects open, and close those that are.
 *
 *     ba_json_put(w, "{name: %s, stats: {rounds: %zu, mean: %g, exact: %d}, group: null,"
 *                    " runs: [", id, rounds, mean, exact);
 *     ...
 *     ba_json_put(w, "]}");
 *
 * %s is a string, %d a bool, %u and %zu are whole numbers, %g is a double.
 */
void ba_json_put(ba_json_writer *w, const char *shape, ...) __attribute__((format(printf, 2, 3)));
void ba_json_open_object(ba_json_writer *w, const char *key);
void ba_json_open_array(ba_json_writer *w, const char *key);
void ba_json_open_row(ba_json_writer *w, const char *key); /* an array on one line */
void ba_json_close(ba_json_writer *w);

/* A string with its quotes. Control characters and marks that reorder text become
 * escapes, and so does the second '#' of "##[", a command in the logs of GitHub. */
void ba_json_put_text(ba_buf *out, const char *text);

void ba_json_write_string(ba_json_writer *w, const char *key, const char *text);
void ba_json_write_bool(ba_json_writer *w, const char *key, bool value);
void ba_json_write_null(ba_json_writer *w, const char *key);
void ba_json_write_u64(ba_json_writer *w, const char *key, uint64_t value);
void ba_json_write_i64(ba_json_writer *w, const char *key, int64_t value);
void ba_json_write_f64(ba_json_writer *w, const char *key, double value);
/* a whole array on one line */
void ba_json_write_u64s(ba_json_writer *w, const char *key, const uint64_t *values, size_t count);
void ba_json_write_f64s(ba_json_writer *w, const char *key, const double *values, size_t count);
