/* Shared by the text formats: questions about a result, and words for its parts. */
#pragma once

#include "model/result.h"
#include "report/table/table.h"

typedef enum ba_presence {
	BA_PRESENCE_MEASURED,
	BA_PRESENCE_FAILED,
	BA_PRESENCE_SKIPPED,
	BA_PRESENCE_ABSENT,    /* the variant does not have this benchmark */
	BA_PRESENCE_IDENTICAL, /* the same bytes as the baseline, not measured */
	/* the variant has the benchmark, but there are neither samples nor a reason */
	BA_PRESENCE_EMPTY,
} ba_presence;

ba_presence ba_presence_of(const ba_result *r, const ba_series *s, size_t variant);
/* Not counted on purpose? Explaining instructions are counted only for changed candidates. */
bool ba_is_left_uncounted(const ba_result *r, const ba_series *s, size_t variant);
/* Is it a count of the census that is 0 in all variants? Reports leave it out. */
bool ba_is_nothing(const ba_result *r, const ba_series *s);
const char *ba_presence_name(ba_presence p); /* "failed"; "" if measured */

/* The level of v, one of s->variants, in ns per launch. A candidate's is the baseline's times
 * the ratio, if there is one: candidate / baseline is the change that is printed. Earlier
 * documents have their own levels, over all readings. */
double ba_central_ns(const ba_series *s, const ba_summary *v);

/* The value after the +-: half the interquartile range of all readings, which a single
 * delayed launch does not affect. Without quartiles it is the standard deviation. */
double ba_spread_ns(const ba_summary *v);
/* Are the quartiles known? Otherwise the spread is the standard deviation. */
bool ba_has_quartiles(const ba_summary *v);

/* Explains levels and spreads for the legend, if something was measured. */
void ba_levels_text(ba_buf *out, const ba_result *r);

typedef struct ba_change {
	bool known;
	double delta_ns, ratio;
	double low, high; /* NaN if there is no interval, as for exact values */
} ba_change;

/* candidate >= 1 compared with the baseline, in the units of ba_central_ns */
ba_change ba_change_of(const ba_series *s, size_t candidate);

/* the value of the axis with that name, or NULL */
const char *ba_benchmark_axis(const ba_benchmark *b, const char *name);
/* Does its id match one of the globs, or are there none? NULL: none. */
bool ba_benchmark_matches(const ba_benchmark *b, const ba_strv *globs);

/* "95 % interval"; caller frees */
char *ba_interval_heading(const ba_result *r);

/* Appends a value with four digits; for values without a spread. */
void ba_number_put_4(ba_buf *out, double value);

/* "6 invocations", "4 to 12 invocations": the range over the measured series */
void ba_invocations_text(ba_buf *out, const ba_result *r);

/* "building 12 s, starting 3.1 s, measuring 2 s": the time of each phase of the run,
 * without phases below a hundredth; empty if unknown */
void ba_spent_text(ba_buf *out, const ba_result *r);

/* "NVIDIA H200, driver 580.1, CUDA 13.0"; safe for a terminal */
void ba_device_text(ba_buf *out, const ba_result *r);

/* "+ uncommitted changes", the subject, or the directory; safe for a terminal */
void ba_variant_about(ba_buf *out, const ba_variant *v);
/* A row for each variant: label, commit, description; with_roles: its role, too. */
void ba_variants_table(ba_table *t, const ba_result *r, bool with_roles);

/* Where the variants are a grid of codes and environments: a row for each effect in the shown
 * benchmarks (NULL: all). False: there is none. */
bool ba_factors_table(ba_table *t, const ba_result *r, const bool *shown);

/* ---- the GPUs or hosts of a run, one by one ---- */

/* Does the result have several places? */
bool ba_places_are_several(const ba_result *r);
/* Appends "GPU 0, GPU 1 agree (p = 0.31, the least of 4)", or a sentence for each
 * comparison in which they differ. every: a sentence for each other comparison, too. */
void ba_places_sentences(ba_strv *out, const ba_result *r, bool every);
/* "GPU 0 +0.1 %; GPU 1 +3.1 %"; nothing if no place was estimated */
void ba_places_put(ba_buf *out, const ba_result *r, const ba_comparison *c);

/* ---- the unit in which a time is shown, so that readers need not count digits ---- */

typedef struct ba_unit {
	const char *name; /* "ns", "us" or "µs", "ms", "s"; "" if it is not a time */
	double per_ns;	  /* shown value = value in ns * per_ns */
} ba_unit;

/* for a value of that metric */
ba_unit ba_unit_for(const ba_metric_info *info, double ns, bool unicode);

/* One unit for values from `least` to `most`: that of the smallest, unless the largest
 * would have more than five digits before the point. */
ba_unit ba_unit_of_range(const ba_metric_info *info, double least, double most, bool unicode);

/* One unit for all levels of the series: nanoseconds for launches, up to 100 us; else
 * the largest unit in which the smallest level is at least 1. */
ba_unit ba_unit_of_series(const ba_result *r, const ba_series *s, bool unicode);

/* One unit for several series, if it shows the largest level with at most five digits
 * before the point; else its name is NULL, and each series has its own. */
ba_unit ba_unit_of_all(const ba_result *r, const ba_series *const *s, size_t count, bool unicode);

/* "ns/launch", "ms": with "/launch" or "/run" if the metric has it; caller frees */
char *ba_unit_words(const ba_unit *unit, const ba_metric_info *info);

/* "submit, ns/launch" or "instructions": the caption of an axis; caller frees */
char *ba_unit_axis(const ba_metric_info *info, const char *unit);

/* the suffix of a metric's unit: "/launch", "/run" or "" */
const char *ba_unit_per(const ba_metric_info *info);
