/*
 * Many hypotheses at once (docs/statistics.md section 3.6).
 *
 * A family has m hypotheses. n of them have a p-value here; the other m - n count with
 * p = 1, because a benchmark that failed was still a question. m >= n.
 */
#pragma once

#include "base/base.h"

typedef enum ba_multiplicity {
	BA_MULTIPLICITY_BH,   /* Benjamini and Hochberg 1995: false discovery rate */
	BA_MULTIPLICITY_HOLM, /* Holm 1979: family-wise error rate */
	BA_MULTIPLICITY_BY,   /* Benjamini and Yekutieli 2001: FDR under any dependence */
	BA_MULTIPLICITY_NONE, /* each hypothesis at its own level */
} ba_multiplicity;

/* "bh", "holm", "by", "none" */
const char *ba_multiplicity_name(ba_multiplicity how);
bool ba_multiplicity_parse(ba_multiplicity *out, const char *name);

/* rejected[i]: is hypothesis i rejected at level q? Returns how many are. O(n log n). */
size_t ba_multiple_reject(
	bool *rejected, const double *p, size_t n, size_t m, double q, ba_multiplicity how);

/* The level up to which the rule rejects p-values: p[i] is rejected if it is at most that;
 * below 0 if none is. p needs to have those up to q only. */
double ba_multiple_cut(const double *p, size_t n, size_t m, double q, ba_multiplicity how);

/* The p-value that one more hypothesis would need if `rejected` smaller ones are already
 * rejected. Planning asks it whether a change would be flagged. */
double ba_multiple_level(size_t rejected, size_t m, double q, ba_multiplicity how);

/*
 * An error rate over any number of tries, one after the other (docs/judge.md).
 *
 * Hypothesis t (from 1 on), "this candidate is not faster than the champion", has a p-value
 * from measurements of its own. It is rejected at this level after `accepted` rejections:
 *
 *  - LOND: alpha g_t (1 + accepted). The false discovery rate is at most alpha for independent
 *    and for positively dependent p-values (Javanmard and Montanari, Annals of Statistics 46,
 *    2018; Zrnic, Ramdas and Jordan, JMLR 22, 2021).
 *  - strict: alpha g_t. The probability that any of the accepted is false is at most alpha,
 *    under any dependence (Tian and Ramdas, arXiv 1910.04900).
 *
 * g_t is proportional to log(max(t, 2)) / (t exp(sqrt(log t))) and sums to 1.
 */
double ba_online_level(double alpha, bool strict, size_t t, size_t accepted);
/* How many invocations a test at this level takes: 16 to 32, so that the quantile of
 * Student's distribution which t must exceed stays below 6 if possible. */
size_t ba_online_invocations(double level);
