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

#include "base/base.h"
#include "model/level.h"

/* Why is more better, or less? */
typedef enum ba_direction {
	BA_DIRECTION_OPEN, /* from a reader: as the unit says; else: less is assumed */
	BA_DIRECTION_OF_UNIT,
	BA_DIRECTION_SAID, /* by the file, or it is a time */
} ba_direction;

typedef struct ba_record {
	const char *id;	    /* the benchmark with its parameters */
	const char *metric; /* "time", "cpu_time", "B/op" */
	const char *unit;   /* "MB/s"; NULL: the metric's name says it, if anything */
	bool is_time;	    /* values are ns per operation */
	bool higher_is_better;
	ba_direction direction; /* a reader may leave it open */
	/* the record has all of the benchmark: another record of this
	 * id is another one */
	bool whole;
	/* all but the values is as in the record before */
	bool again;
	ba_level level;
	/* each finite, and above 0; with ba_sink.takes_zeros also 0 */
	const double *values;
	size_t count;
	double median; /* as the tool computed it; 0: the file does not say it */
	/* A sentence, and no values: the tool says that it was skipped on purpose. */
	const char *skipped;
	/* A sentence, and no values: the tool says that it failed, or the file has
	 * something that is not a number. */
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
	/* NULL, or: receives the name of each metric that could be read, perhaps more than
	 * once, and no records come */
	void (*offer)(void *data, const char *metric);
	const char *metric; /* the one to read; NULL: the format's default */
	/* For text that is not JSON: it is a CSV with these columns, "name=a,value=b";
	 * docs/compare.md. NULL: text is recognised by its content. */
	const char *csv_columns;
	bool takes_zeros; /* else a value of 0 is a failure */
	/* Behind a record of "time", take one of "cpu_time" if the file has both, and the
	 * processor time says how fast the benchmark is: it has one thread, and it does not
	 * choose another clock itself. */
	bool both_clocks;
} ba_sink;

typedef struct ba_import_format {
	const char *name;  /* "google-benchmark" */
	const char *title; /* "Google Benchmark" */
	const char *help;  /* how to make such files */
} ba_import_format;

/* What keeps the samples in files of this format, after "keep the samples with"; NULL: it
 * always has them, or never. */
const char *ba_import_samples_hint(const ba_import_format *format);

/* Is it a list for csv_columns? 0 or BA_EINVAL with a sentence. */
int ba_import_check_columns(const char *text, ba_error *err);

/* `part` chooses one of several results in a source: the variant's label in a results
 * file of ours, the baseline's name in a Criterion directory ("new" if NULL), elsewhere a
 * benchmark, or a glob: what its stars stand for is then the name. *format
 * is set as soon as it is known; format may be NULL. A pipe is read into memory. */
int ba_import_read(const ba_import_format **format, const char *path, const char *part,
	const ba_sink *sink, ba_error *err);
/* The same from memory; companion files are searched beside `name`. */
int ba_import_memory(const ba_import_format **format, const char *text, size_t size,
	const char *name, const char *part, const ba_sink *sink, ba_error *err);

#endif
