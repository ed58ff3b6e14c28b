/* Result files of this and of other tools, read as a stream of records.
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
 * Names are passed on unchanged: valid UTF-8, up to 1 MiB long, possibly with control
 * characters. Make them safe before you show them. */
#pragma once

#include "base/base.h"
#include "model/level.h"

/* What determines whether more or less is better? */
typedef enum ba_direction {
	/* from a reader: the unit decides; in a sink: nothing did, so less is better */
	BA_DIRECTION_OPEN,
	BA_DIRECTION_OF_UNIT,
	BA_DIRECTION_SAID, /* the file says it, or the metric is a time */
} ba_direction;

typedef struct ba_record {
	const char *id;	    /* the benchmark with its parameters */
	const char *metric; /* "time", "cpu_time", "B/op" */
	const char *unit;   /* "MB/s"; NULL: only the metric's name may contain it */
	bool is_time;	    /* values are ns per operation */
	bool higher_is_better;
	ba_direction direction; /* a reader may leave it BA_DIRECTION_OPEN */
	/* the record is complete: another record with this id is another benchmark */
	bool whole;
	/* everything except the values is as in the record before */
	bool again;
	ba_level level;
	/* each finite, and above 0; with ba_sink.takes_zeros also 0 */
	const double *values;
	size_t count;
	double median; /* as the tool computed it; 0: not in the file */
	/* A reason, without values: the benchmark was skipped on purpose. */
	const char *skipped;
	/* A reason, without values: it failed, or the file has something that is not a number. */
	const char *failure;
} ba_record;
/* the members of a record that has one value: BA_ONE_VALUE(&ns) */
#define BA_ONE_VALUE(at) .values = (at), .count = 1

/* Any function may be NULL. */
typedef struct ba_sink {
	void *data;
	/* Where and with what it was measured. `must_match`: others are compared only if forced. */
	void (*field)(void *data, const char *name, const char *value, bool must_match);
	int (*record)(void *data, const ba_record *r, ba_error *err);
	/* a sentence: which data the file lacks, and the consequence */
	void (*warn)(void *data, const char *text);
	/* A sentence without the file's name: its digest shows a change; it is read anyway. */
	void (*damaged)(void *data, const char *text);
	/* NULL, or a function that receives the name of each metric that could be read,
	 * possibly more than once; `record` is then not called */
	void (*offer)(void *data, const char *metric);
	const char *metric; /* the metric to read; NULL: the format's default */
	/* For text that is not JSON: it is a CSV with these columns, "name=a,value=b";
	 * docs/compare.md. NULL: text is recognised by its content. */
	const char *csv_columns;
	bool takes_zeros; /* values of 0 are accepted, not treated as failures */
	/* After a record of "time", send one of "cpu_time" if processor time measures the
	 * benchmark's speed, too: it has one thread and chooses no clock. */
	bool both_clocks;
} ba_sink;

typedef struct ba_import_format {
	const char *name;  /* "google-benchmark" */
	const char *title; /* "Google Benchmark" */
	const char *help;  /* how to make files of this format */
} ba_import_format;

/* The option that keeps samples in files of this format, to follow "keep the samples
 * with"; NULL: the format always has them, or never. */
const char *ba_import_samples_hint(const ba_import_format *format);

/* Is it a valid list for csv_columns? Returns 0, or BA_EINVAL with a sentence. */
int ba_import_check_columns(const char *text, ba_error *err);

/* `part` chooses one of several results in a source: the variant's label in a results
 * file of ours, the baseline's name in a Criterion directory ("new" if NULL), elsewhere
 * a benchmark or a glob. With a glob, the text that its stars match becomes the name.
 * *format is set as soon as it is known; format may be NULL. A pipe is read into
 * memory. */
int ba_import_read(const ba_import_format **format, const char *path, const char *part,
	const ba_sink *sink, ba_error *err);
/* The same for text in memory; companion files are searched next to `name`. */
int ba_import_memory(const ba_import_format **format, const char *text, size_t size,
	const char *name, const char *part, const ba_sink *sink, ba_error *err);
