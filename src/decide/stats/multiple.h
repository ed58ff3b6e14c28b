/*
 * Many hypotheses at once (docs/statistics.md section 3.6).
 *
 * A family has m hypotheses. n of them have a p-value here; the other m - n count with
 * p = 1, because a benchmark that failed was still a question. m >= n.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum ba_multiplicity {
	BA_MULTIPLICITY_BH,   /* Benjamini and Hochberg 1995: false discovery rate */
	BA_MULTIPLICITY_HOLM, /* Holm 1979: family-wise error rate */
	BA_MULTIPLICITY_BY,   /* Benjamini and Yekutieli 2001: FDR under any dependence */
	BA_MULTIPLICITY_NONE, /* each hypothesis at its own level */
} ba_multiplicity;

/* "bh", "holm", "by", "none" */
const char *ba_multiplicity_name(ba_multiplicity how);
bool ba_multiplicity_parse(ba_multiplicity *out, const char *name);

/* rejected[i]: is hypothesis i rejected at level q? Returns how many are. O(n log
 * n). */
size_t ba_multiple_reject(
	bool *rejected, const double *p, size_t n, size_t m, double q, ba_multiplicity how);

/* The level up to which the rule rejects p-values: p[i] is rejected if it is at most that;
 * below 0 if none is. p needs to have those up to q only. */
double ba_multiple_cut(const double *p, size_t n, size_t m, double q, ba_multiplicity how);

/* The p-value that one more hypothesis would need if `rejected` others, with smaller
 * ones, are already rejected. Planning uses it to ask whether a change would be
 * flagged. */
double ba_multiple_level(size_t rejected, size_t m, double q, ba_multiplicity how);
