/*
 * Converts a result file of any readable kind (import/) to another format. Data that
 * the format cannot hold is left out and reported. Samples are never invented: a
 * benchmark with only a summary has no samples in the other format either.
 *
 * All values are in memory: it needs as much as the samples do.
 */
#pragma once

#include "base/base.h"

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
