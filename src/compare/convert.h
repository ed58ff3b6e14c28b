/*
 * A result file of any kind that is read (import/), written as another. What a format
 * has no place for is left out and said; samples are never made up: a benchmark of
 * which there is a summary alone has none in the other format either.
 *
 * All values are held: memory is that of the samples.
 */
#ifndef COMPARE_CONVERT_H
#define COMPARE_CONVERT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strv.h"

typedef enum ba_convert_to {
	BA_CONVERT_SAMPLES, /* bench-against.samples/1: everything */
	BA_CONVERT_PYTEST,  /* pytest-benchmark, with its data: times of samples */
	BA_CONVERT_NVBENCH, /* NVBench's tags: summaries of times */
	BA_CONVERT_COUNT
} ba_convert_to;

/* "samples", "pytest-benchmark", "nvbench"; NULL-terminated: for a choice */
extern const char *const ba_convert_names[];

typedef struct ba_convert_spec {
	const char *path, *part, *metric; /* as of ba_import_read */
	ba_convert_to to;
} ba_convert_spec;

/* Appends the document, and to *remarks what was left out. */
int ba_convert(
	ba_buf *out, ba_strv *remarks, const ba_convert_spec *spec, ba_error *err);

#endif
