/* Prepares the samples of each benchmark for verdicts. Inside the module only. */
#pragma once

#include "compare/collect.h"
#include "stats/apart.h"

/* The values of an entry after all files were read, and their level. With several files, values
 * below the level of processes become one value for each process. */
typedef struct ba_standing {
	const ba_moments *values;
	ba_level level;
} ba_standing;
ba_standing ba_standing_of(const ba_collection *c, size_t row, size_t variant);

typedef struct ba_comparing {
	ba_result *r;
	ba_collection *c;
	size_t candidates;
	/* the family of the comparisons that values can decide */
	ba_apart_family family;
	ba_t_table table, floors; /* floors: without quantiles */
	/* an initialised decision with these thresholds, before any estimate */
	ba_decision open;
	double open_slower, open_faster;
	int *metrics; /* ba_metric_from_name of each metric of the ledger */
	/* the current row */
	const ba_row *row;
	ba_standing standings[BA_COMPARE_VARIANTS_MOST];
} ba_comparing;

static inline const ba_entry *ba_comparing_entry_of(const ba_comparing *j, size_t variant)
{
	return &j->row->entries[variant];
}
/* Are there values that have logarithms? */
bool ba_comparing_has_values(const ba_comparing *j, size_t variant);
/* A few zeros among other values are readings below the step of a clock. If there are
 * many, the meaning of the other values is uncertain. */
bool ba_comparing_many_zeros(const ba_entry *e);
/* Are all of its values 0? */
bool ba_comparing_is_zero(const ba_comparing *j, size_t variant);
ba_level ba_comparing_level_of(const ba_comparing *j, size_t candidate);
/* Hypotheses that these data cannot decide count in the family, but are not judged. */
bool ba_comparing_may_decide(const ba_comparing *j, size_t candidate);

/* Fills the current row's comparison. If values can decide it, the family has judged d and x. */
void ba_comparing_settle(
	ba_comparing *j, ba_series *s, size_t candidate, const ba_decision *d, const ba_apart *x);

/* ---- the ledger as a result with verdicts ---- */

/* Makes the benchmarks, series and comparisons of r, whose variants are set; if the comparison
 * was forced, the first note of r says why. Sets c->claim. BA_EINVAL: a metric that is not a
 * time has a threshold in time. */
int ba_compare_unpaired(ba_result *r, ba_collection *c, ba_error *err);

/* Adds notes that readers need beside the table: levels, claims, warnings. */
void ba_compare_notes(ba_result *r, const ba_collection *c);
