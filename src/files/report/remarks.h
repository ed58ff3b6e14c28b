/* Remarks explain the verdicts and values of benchmarks. Each explanation appears once: a
 * reason that holds for 47 benchmarks is one remark with 47 names. The terminal, the page
 * and the comment show them.
 *
 *     BA_AUTO(ba_remarks) ba_remarks all = {0};
 *     ba_remarks_of(&all, r, false);
 *     for (size_t i = 0; i < all.count; i++) {
 *             ba_remark_put(&text, r, &all.items[i]);
 *             ba_names_put(&text, r, all.items[i].benchmarks, all.items[i].count, 8);
 *     } */
#pragma once

#include "model/result.h"

/* in the order in which they are shown */
typedef enum ba_remark_kind {
	BA_REMARK_FAILED,
	BA_REMARK_EMPTY,       /* no samples, and no known reason */
	BA_REMARK_TAIL_SLOWER, /* or regressed, and the places differ */
	BA_REMARK_REMOVED,
	BA_REMARK_OPEN, /* inconclusive or provisional */
	BA_REMARK_TAIL_FASTER,
	BA_REMARK_ADDED,
	BA_REMARK_SKIPPED,
} ba_remark_kind;

/* Strings belong to the result. */
typedef struct ba_remark {
	ba_remark_kind kind;
	ba_verdict verdict;
	size_t variant;	 /* the variant that it is about */
	bool everywhere; /* skipped in all variants alike */
	ba_metric metric;
	bool with_metric;	   /* there are several metrics, so name the metric */
	const char *reason, *hint; /* NULL: none */
	/* of the remaining reasons, because there are too many: without reason and hint */
	bool rest;
	const char *output; /* the last lines of output of the first failure, or NULL */
	double worst;	    /* BA_REMARK_OPEN: the largest possible ratio, or NaN */
	size_t *benchmarks; /* each benchmark once, the most important first */
	size_t count, capacity;
} ba_remark;

BA_LIST(ba_remarks, ba_remark); /* by kind, then in the order of ba_ranking_of */

/* The most of each kind and variant, and one for the rest; with `all`, hundreds. */
enum { BA_REMARKS_MOST = 6 };
void ba_remarks_of(ba_remarks *out, const ba_result *r, bool all);
BA_DECLARE_DISPOSE(ba_remarks)

/* Appends the sentence: "launch/args=4 failed in v2: killed by signal 11", "47
 * benchmarks are inconclusive in v2 (up to 14 % slower): ...; about 4 more invocations
 * would be enough". If it is about several benchmarks, the caller appends their names. */
void ba_remark_put(ba_buf *out, const ba_result *r, const ba_remark *m);

/* Appends names: "copy/n=16, launch/args=2 and 3 more". A glob stands for three or more, if
 * it matches these benchmarks alone. At most `most` names or globs; 0: every name. */
void ba_names_put(
	ba_buf *out, const ba_result *r, const size_t *benchmarks, size_t count, size_t most);
