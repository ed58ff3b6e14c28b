/* Two samples of each benchmark, on their way to verdicts. Inside the module only. */
#ifndef COMPARE_COMPARING_H
#define COMPARE_COMPARING_H

#include "compare/collect.h"
#include "stats/apart.h"

/* The values of an entry once every file is read, and their level: if there are several
 * files, values below the level of processes become processes. */
typedef struct ba_standing {
	const ba_moments *values;
	ba_level level;
} ba_standing;
ba_standing ba_standing_of(const ba_collection *c, size_t row, size_t variant);

typedef struct ba_comparing {
	ba_result *r;
	ba_collection *c;
	size_t candidates;
	ba_apart_family family;	  /* of the comparisons which values can decide */
	ba_t_table table, floors; /* floors: without quantiles */
	ba_decision open;	  /* with these thresholds, before any estimate */
	double open_slower, open_faster;
	int *metrics; /* of the ledger: ba_metric_from_name */
	/* the row at hand */
	const ba_row *row;
	ba_standing standings[BA_COMPARE_VARIANTS_MOST];
} ba_comparing;

static inline const ba_entry *ba_comparing_entry_of(const ba_comparing *j, size_t variant)
{
	return &j->row->entries[variant];
}
/* Are there values with logarithms? */
bool ba_comparing_has_values(const ba_comparing *j, size_t variant);
/* A few zeros among others are readings below the step of a clock. Many leave open what
 * the rest stands for. */
bool ba_comparing_many_zeros(const ba_entry *e);
/* Are all of its values 0? */
bool ba_comparing_is_zero(const ba_comparing *j, size_t variant);
ba_level ba_comparing_level_of(const ba_comparing *j, size_t candidate);
/* Hypotheses that cannot be decided by these data stay out of the judgement, and count
 * in the family all the same. */
bool ba_comparing_may_decide(const ba_comparing *j, size_t candidate);

/* Fills the comparison of s, which is the row, with the candidate. d and x: judged by
 * the family if values can decide it. */
void ba_comparing_settle(
	ba_comparing *j, ba_series *s, size_t candidate, const ba_decision *d, const ba_apart *x);

#endif
