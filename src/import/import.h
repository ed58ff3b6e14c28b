/*
 * Result files of this and of other tools, read as a stream of records.
 *
 *     const ba_import_format *format;
 *     ba_sink sink = {.data = &mine, .field = my_field, .record = my_record};
 *     rc = ba_import_read(&format, path, NULL, &sink, err);
 *
 * The format is recognised by content, never by name. A record is what one file says
 * about one benchmark and metric, or a part of that: some tools write a row for each
 * repetition, and rows of one benchmark need not be neighbours. Nothing of a file is
 * held but the record at hand. Samples are never invented: what has none is a record of
 * level `summary`.
 *
 * Files are untrusted. What is no such file is BA_EDATA, with file, line and path;
 * names are passed on as they are (valid UTF-8, any length up to 1 MiB, control
 * characters and all) and must be made safe before they are shown.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/level.h"

typedef struct ba_record {
	const char *id;	    /* the benchmark with its parameters */
	const char *metric; /* "time", "cpu_time", "B/op" */
	bool is_time;	    /* values are ns per operation */
	bool higher_is_better;
	/* all that the file says about it: another of this id is another benchmark */
	bool whole;
	ba_level level;
	const double *values; /* each finite and above 0 */
	size_t count;
	const char *failure; /* the tool says that it failed or was skipped, or what it
				says is no figure: a sentence, and no values */
} ba_record;

/* Any function may be NULL. */
typedef struct ba_sink {
	void *data;
	/* Where and with what it was measured. `must_match`: results that differ in it
	 * are not compared unless forced. */
	void (*field)(void *data, const char *name, const char *value, bool must_match);
	int (*record)(void *data, const ba_record *r, ba_error *err);
	/* what the file lacks, and what that means: a sentence */
	void (*warn)(void *data, const char *text);
	/* The file is not as the tool wrote it that made it, whose digest it has: a
	 * sentence without the file's name. It is read all the same. */
	void (*damaged)(void *data, const char *text);
	const char *metric; /* the one that is wanted; NULL: the format's own */
} ba_sink;

typedef struct ba_import_format {
	const char *name;  /* "google-benchmark" */
	const char *title; /* "Google Benchmark" */
	const char *help;  /* how such files are made */
} ba_import_format;

/* ends with a NULL name */
extern const ba_import_format ba_import_formats[];

/* `part` chooses one of several results in a source: the variant's label in a result
 * file of ours, the baseline's name in a Criterion directory ("new" if NULL). *format
 * may be NULL, and is set as soon as it is known. A pipe is read into memory. */
int ba_import_read(const ba_import_format **format, const char *path, const char *part,
	const ba_sink *sink, ba_error *err);
/* The same from memory; files beside it are looked for beside `name`. */
int ba_import_memory(const ba_import_format **format, const char *text, size_t size,
	const char *name, const char *part, const ba_sink *sink, ba_error *err);

#endif
