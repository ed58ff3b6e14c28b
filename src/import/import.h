/*
 * Result files of this and of other tools, read as a stream of records.
 *
 *     const ba_import_format *format;
 *     ba_sink sink = {.data = &mine, .field = my_field, .record = my_record};
 *     rc = ba_import_read(&format, path, NULL, &sink, err);
 *
 * The format is recognised by content, never by name. A record is what one file says
 * about one benchmark and metric, or a part of that: some tools write a row for each
 * repetition, and the rows of a benchmark need not be neighbours. Only the present
 * record is held in memory. Samples are never invented: data without samples is a
 * record of level `summary`.
 *
 * Files are untrusted. A file of no known format is BA_EDATA, with file, line and path.
 * Names are passed on unchanged: valid UTF-8, up to 1 MiB long, perhaps with control
 * characters. Make them safe before you show them.
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
	/* the record has all of the benchmark: another record of this
	 * id is another one */
	bool whole;
	ba_level level;
	const double *values; /* each finite and above 0 */
	size_t count;
	/* A sentence, and no values: the tool says that it failed or was skipped, or
	 * the file has something that is not a number. */
	const char *failure;
} ba_record;

/* Any function may be NULL. */
typedef struct ba_sink {
	void *data;
	/* Where and with what it was measured. `must_match`: results with different
	 * values are not compared unless forced. */
	void (*field)(void *data, const char *name, const char *value, bool must_match);
	int (*record)(void *data, const ba_record *r, ba_error *err);
	/* what the file lacks, and what follows: a sentence */
	void (*warn)(void *data, const char *text);
	/* The file has a digest of the tool that wrote it, and was changed since: a
	 * sentence without the file's name. It is read all the same. */
	void (*damaged)(void *data, const char *text);
	const char *metric; /* the one to read; NULL: the format's default */
	/* For text that is not JSON: it is a CSV with these columns, "name=a,value=b";
	 * docs/compare.md. NULL: text is recognised by its content. */
	const char *csv_columns;
} ba_sink;

typedef struct ba_import_format {
	const char *name;  /* "google-benchmark" */
	const char *title; /* "Google Benchmark" */
	const char *help;  /* how to make such files */
} ba_import_format;

/* Is it a list for csv_columns? 0 or BA_EINVAL with a sentence. */
int ba_import_check_columns(const char *text, ba_error *err);

/* `part` chooses one of several results in a source: the variant's label in a results
 * file of ours, the baseline's name in a Criterion directory ("new" if NULL). *format
 * is set as soon as it is known; format may be NULL. A pipe is read into memory. */
int ba_import_read(const ba_import_format **format, const char *path, const char *part,
	const ba_sink *sink, ba_error *err);
/* The same from memory; companion files are searched beside `name`. */
int ba_import_memory(const ba_import_format **format, const char *text, size_t size,
	const char *name, const char *part, const ba_sink *sink, ba_error *err);

#endif
