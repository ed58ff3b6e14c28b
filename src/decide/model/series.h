/*
 * A series is one metric of one benchmark: the readings of all variants, their summaries,
 * and the comparison of each candidate with the baseline.
 */
#ifndef MODEL_SERIES_H
#define MODEL_SERIES_H

#include "model/comparison.h"
#include "model/measured.h"

/* The throughput that a time implies (model/throughput.h); 0: unknown. */
typedef struct ba_throughput {
	double gflop_per_s, gb_per_s, items_per_s;
	double of_copy, of_matrix; /* as shares of the measured ceilings */
} ba_throughput;

/* Sums over the invocations so far, in their order, for one variant or
 * for the floor. */
typedef struct ba_levels {
	double log_sum; /* sum of the levels: log of ns per launch */
	double log_least, log_most;
	size_t count;
	double layout_sum; /* sum of the variances between layouts, where known */
	size_t layout_count;
	double mhz_sum; /* sum of the visits' clocks, where known */
	size_t mhz_count;
} ba_levels;

/*
 * What was measured of one variant in one benchmark and metric. Times are in ns per
 * launch.
 *
 * `trimmed` is the level that reports show. It agrees with the comparison's ratio: the
 * baseline's is exp(mean of its level in each invocation), a candidate's is the
 * baseline's times the ratio. The other values describe all readings together.
 */
typedef struct ba_summary {
	bool present;  /* the variant has this benchmark */
	char *failure; /* sentence, NULL if none: "killed by signal 11 (SIGSEGV) ..." */
	char *output;  /* last lines of its output if it failed, else NULL */
	char *skipped; /* reason, NULL if it was measured */
	uint64_t launches;
	double mean, stdev, iqr, min, median, p95, p99, max, trimmed; /* iqr: q3 - q1 */
	ba_levels levels;
	double sm_mhz; /* mean multiprocessor clock in the readings; 0: unknown */
	/* Copies of its library at other addresses that were measured in each
	 * invocation, and the standard deviation of the log time between them, which
	 * shows the effect of layout. 0: only the unmodified library was measured. */
	unsigned layouts;
	double layout_sd;
	ba_throughput said; /* as stated in the document; only for verify */
} ba_summary;

typedef struct ba_series {
	size_t benchmark; /* index into ba_measured.benchmarks */
	ba_metric metric;
	const ba_metric_info *info; /* the metric, in the words of the benchmark */
	ba_metric_role role;
	ba_samples *samples; /* [sample_count] one for each invocation */
	bool stored;	     /* their arrays are NULL: see ba_series_whole */
	/* a rate: its comparisons use the ratios of 1/value, so that above 1 means
	 * slower, as for times */
	bool more_is_better;
	size_t sample_count, sample_capacity;
	ba_summary *variants; /* [variant_count] */
	ba_summary floor;     /* present if the bare driver was measured */
	double *net_ns;	      /* [variant_count] trimmed - floor; NULL without a floor */
	/* the shortest of the baseline's readings in the first invocation; 0: no
	 * readings */
	uint64_t shortest_ns;
	double s_floor;		    /* smallest plausible spread of y, from the timer */
	ba_comparison *comparisons; /* [variant_count - 1], candidate i + 1 */
} ba_series;

/* Makes room for the variants of m. `benchmark` is an index into m->benchmarks. */
void ba_series_init(ba_series *s, const ba_measured *m, size_t benchmark, ba_metric metric);
ba_samples *ba_series_add_samples(ba_series *s); /* zeroed; valid until the next add */
/* Why a verdict in favour of the candidate does not count, as a sentence; NULL if it
 * counts. */
const char *ba_series_unconfirmed(const ba_series *s, const ba_measured *m);

void ba_series_dispose(ba_series *s, size_t variant_count);
/* frees only its samples; a zeroed series is fine */
void ba_series_release(ba_series *own);
BA_DEFINE_AUTO(ba_series, ba_series_release)

#endif
