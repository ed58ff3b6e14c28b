/* Compares result files with each other: reads them (import/), matches their benchmarks,
 * decides the verdicts, and fills a result as a run does. So every report and the gate
 * can read it.
 *
 * Only independent values are compared. Which ones are independent depends on the level
 * of their source (model/level.h): each process, each repetition, or ten groups of the
 * batches of one process. ba_decision_unpaired compares their logarithms. A variant of
 * several files has one value for each file, unless its values are processes already.
 * docs/compare.md and the result's notes say what such a comparison can show.
 *
 * Memory does not depend on the size of the files: it takes 25 bytes for each benchmark,
 * beside what base/pile.h keeps. A row of the result takes 1.5 kB; see take_rows. */
#pragma once

#include "model/level.h"
#include "model/result.h"

/* One file. All files with the same label are one variant. */
typedef struct ba_compare_source {
	const char *label, *path;
	const char *part; /* as for ba_import_read, or NULL */
} ba_compare_source;

typedef struct ba_compare_threshold {
	/* ratios, 0.02 for 2 %; 0: only the time threshold applies */
	double slower, faster;
	double absolute_ns; /* both must be exceeded; 0: none */
} ba_compare_threshold;

typedef struct ba_compare_spec {
	const ba_compare_source *sources; /* the first one's label is the baseline */
	size_t source_count;
	const char *metric;	 /* NULL: each format's default */
	const char *csv_columns; /* as in ba_sink */
	const ba_strv *filters;	 /* globs; NULL or empty: everything */
	/* Globs of metrics or benchmarks that are not times, and of which more or less is
	 * better, whatever a file or a unit says; NULL: none */
	const ba_strv *higher, *lower;
	ba_level require; /* values of a lower level get no verdict */
	/* summaries get a verdict from their ratio, without an error rate */
	bool allow_summaries;
	bool force; /* compare results of different machines, too */
	double alpha;
	bool strict;
	ba_multiplicity multiplicity;
	ba_compare_threshold (*threshold)(void *data, const char *benchmark, ba_metric metric);
	void *threshold_data;
	/* NULL, or receives all benchmarks as series of r, a few at a time and in the files'
	 * order; `row`: number of the first, from 0. Then `choose` sets stays[row] for the rows
	 * to keep. */
	void (*take_rows)(void *data, const ba_result *r, size_t row);
	void (*choose)(void *data, bool *stays);
	void *take_data;
} ba_compare_spec;

enum {
	BA_COMPARE_VARIANTS_MOST = 32,
	BA_COMPARE_ROWS = 64 /* the most rows that take_rows gets in one call */
};

/* Fills variants, benchmarks, series, environment, notes and the design; the caller calls the
 * gate, and disposes of r, which was zeroed, also after an error. BA_EUNSUPPORTED: the files
 * were measured under different conditions; the sentence says which. */
int ba_compare(ba_result *r, const ba_compare_spec *spec, ba_error *err);

/* ---- a file in another format ---- */

/* Of any readable kind (import/). Data that the format cannot hold is left out and reported.
 * Samples are never invented: a benchmark with only a summary has no samples in the other format
 * either. All values are in memory: it needs as much as the samples do. */
typedef enum ba_convert_to {
	BA_CONVERT_SAMPLES, /* bench-against.samples/1: everything */
	BA_CONVERT_PYTEST,  /* pytest-benchmark with its data: sampled times */
	BA_CONVERT_NVBENCH, /* NVBench's tags: summaries of times */
	BA_CONVERT_GITHUB,  /* github-action-benchmark's list: means with one direction */
	BA_CONVERT_COUNT
} ba_convert_to;

/* "samples", "pytest-benchmark", "nvbench", "github-action-benchmark"; ends with NULL, for a choice */
extern const char *const ba_convert_names[];

typedef struct ba_convert_spec {
	const char *path, *part, *metric; /* as for ba_import_read */
	const char *csv_columns;	  /* as in ba_sink */
	ba_convert_to to;
} ba_convert_spec;

/* Appends the document to *out, and sentences about omitted data to *remarks. */
int ba_convert(ba_buf *out, ba_strv *remarks, const ba_convert_spec *spec, ba_error *err);
