/* The rows of a result by importance. Every format lists benchmarks in this order:
 *
 *     1  failed
 *     2  regressed, tail-regressed     the largest change first
 *     3  removed
 *     4  inconclusive, provisional     the largest change first
 *     5  improved, tail-improved       the largest change first
 *     6  added
 *     7  unchanged, identical
 *     8  skipped
 *
 * Rows that are equal in this keep the order of the result. The points of a sweep (ids
 * that differ in values, as launch/args=0 and launch/args=1 or copy/64 and copy/128) stay
 * together, in the order of the result, if all of them have the same place above. The
 * largest change among them then decides the place of the sweep. */
#pragma once

#include "report/options.h"
#include "report/view.h"

/* What a row means for the answer, under the result's policy. */
typedef enum ba_concern {
	BA_CONCERN_FAILS, /* a reason for an exit status other than 0 */
	BA_CONCERN_DOUBT, /* the row was not shown to be fine */
	BA_CONCERN_NEWS,  /* improved, added */
	BA_CONCERN_NONE,
} ba_concern;

typedef struct ba_row {
	const ba_series *series;
	size_t candidate; /* 0: a run of one variant */
	ba_verdict verdict;
	ba_concern concern;
	/* |log ratio| of the change (of the mean if the verdict is of it); 0: unknown */
	double size;
} ba_row;

/* Verdict series come before reported ones. Rows point into the result. */
typedef struct ba_ranking {
	ba_row *rows;
	size_t count;
	size_t deciding; /* number of rows of verdict series, which come first */
	size_t concern[BA_CONCERN_NONE + 1]; /* how many of the deciding rows */
	size_t verdict[BA_VERDICT_COUNT];    /* how many of the deciding rows */
} ba_ranking;

void ba_ranking_of(ba_ranking *out, const ba_result *r);
BA_DECLARE_DISPOSE(ba_ranking)

/* The metric's series, by the first row of each; returns how many. out[r->series_count] */
size_t ba_ranking_series(
	const ba_series **out, const ba_ranking *k, const ba_result *r, ba_metric metric);

/* how a verdict looks in every format */
ba_ink ba_verdict_ink(ba_verdict v);
const char *ba_verdict_symbol(ba_verdict v, bool unicode);

/* "failed", "regressed", ...; of one variant "measured", or why it was not */
const char *ba_row_word(const ba_result *r, const ba_row *row);
/* In all reports' words: "slower, within 2 %" if `unchanged`, and the interval excludes zero. */
void ba_row_put_word(ba_buf *out, const ba_result *r, const ba_row *row);
/* A failure, a skip, or why it is inconclusive, in the result's words; or NULL. */
const char *ba_row_reason(const ba_row *row);

/* "+4.1 % (+3.6 .. +4.7 %), +99.7 ns/launch"; nothing if no change is known */
void ba_row_change_text(ba_buf *out, const ba_result *r, const ba_row *row, bool unicode);

/* A cell with the unit `common`, or followed by the series' own if that is NULL. Levels are
 * "10.7 ± 0.2", or a word such as "failed"; differences are "+0.4", or nothing if unknown. */
void ba_figure_text(
	ba_buf *out, const ba_result *r, const ba_series *s, size_t variant, const ba_unit *common);
void ba_difference_text(ba_buf *out, const ba_result *r, const ba_row *row, const ba_unit *common);

/* The metrics of series with the role; returns how many. metrics[BA_METRIC_COUNT] */
size_t ba_metrics_of(ba_metric *metrics, const ba_result *r, ba_metric_role role);
