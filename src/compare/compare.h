/*
 * Files of results against each other: read (import/), lined up by benchmark, judged,
 * and put into the same result that a run ends in, so that every report and the gate
 * read it.
 *
 * Values are reduced to what is independent at the level of their source
 * (model/level.h): each process, each repetition, or ten groups of the batches of one
 * process. Logarithms of these are compared by ba_decision_unpaired. A variant of
 * several files has one value a file, but for values that are processes each already.
 * What that can and cannot tell is said in docs/compare.md, and in the result's notes.
 *
 * Memory is that of the answer: some 200 bytes for each benchmark and variant while
 * files are read, whatever is in them.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strv.h"
#include "model/level.h"
#include "model/result.h"
#include "stats/multiple.h"

/* One file. Those of one label are one variant. */
typedef struct ba_compare_source {
	const char *label, *path;
	const char *part; /* as of ba_import_read, or NULL */
} ba_compare_source;

typedef struct ba_compare_threshold {
	double slower, faster; /* ratios, 0.02 for 2 % */
	double absolute_ns;    /* both must be exceeded; 0: none */
} ba_compare_threshold;

typedef struct ba_compare_spec {
	const ba_compare_source *sources; /* the first one's label is the baseline */
	size_t source_count;
	const char *metric;	/* NULL: each format's own */
	const ba_strv *filters; /* globs; NULL or empty: everything */
	ba_level require;	/* what is below decides nothing */
	bool allow_summaries; /* summaries decide by their ratio, without an error rate
			       */
	bool force;	      /* what was measured elsewhere is compared all the same */
	double alpha;
	bool strict;
	ba_multiplicity multiplicity;
	ba_compare_threshold (*threshold)(
		void *data, const char *benchmark, ba_metric metric);
	void *threshold_data;
} ba_compare_spec;

enum { BA_COMPARE_VARIANTS_MOST = 32 };

/* Fills variants, benchmarks, series, environment, notes and the design; the gate is
 * the caller's. r is zeroed, and disposed of by the caller also after an error.
 * BA_EUNSUPPORTED: what was measured differs; the sentence says in what. */
int ba_compare(ba_result *r, const ba_compare_spec *spec, ba_error *err);

#endif
