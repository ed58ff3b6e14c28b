/*
 * Variants that are the same, or that have the GPU do the same, and the control that is
 * measured all the same.
 *
 *     one tree      both lie in one directory: nothing can differ, nor is it measured
 *     equal builds  equal libraries, and equal trees but for files that nothing opened
 *                   (host/openings.h); of a program, which may load anything at any
 *                   time, equal trees
 *     equal work    the GPU runs the same code with the same launches and data
 *
 * The last two are conclusions, and their premises can be incomplete: a file outside of
 * the tree, a question whether a file exists. So both variants are measured up to the
 * first look, as a control, for a part of the usual time. A control belongs to the
 * family of hypotheses like any comparison. If the estimates of time and mean are
 * within the threshold at a look, the control is done. If not, it is measured on like
 * any comparison: where the rule says `regressed` or `improved`, that is the verdict,
 * and where the run ends before, the verdict is `inconclusive`.
 *
 * Documents of earlier revisions have neither digests of trees nor controls: of these,
 * equal libraries are all there is.
 */
#ifndef HOST_IDENTITY_H
#define HOST_IDENTITY_H

#include "model/result.h"
#include "stats/sequential.h"

/* the first schema_revision that has digests of trees, and controls */
#define BA_IDENTITY_REVISION 3u

typedef enum ba_sameness {
	BA_SAME_NOT,
	BA_SAME_TREE, /* one directory */
	BA_SAME_BUILD /* two that are equal */
} ba_sameness;

/* What a benchmark of that kind runs in both. */
ba_sameness ba_identity_of(const ba_result *r, size_t candidate, ba_suite_kind kind);

/* Comparisons that are answered beforehand: added, removed, skipped, identical. */
void ba_identity_settle(ba_result *r);
/* Identical ones that are not any more, since something was opened. How many. */
size_t ba_identity_withdraw(ba_result *r);

/* Both are prepared and checked, if not measured: they do not lie in one directory. */
bool ba_identity_is_run(const ba_result *r, const ba_series *series, size_t candidate);
/* Is the comparison `identical`, decides, and is measured all the same? */
bool ba_identity_has_control(
	const ba_result *r, const ba_series *series, size_t candidate);
/* After a look that the family was judged at: a control that agrees is closed, and one
 * that contradicts gives up its identity. Returns 1 where the decision was open and is
 * not any more, else 0. */
size_t ba_identity_judge(ba_comparison *k, ba_decision *d);
/* held to be the same, and judged by its samples */
bool ba_identity_is_contradicted(
	const ba_result *r, const ba_series *series, size_t candidate);
/* Adds that to the reason of its verdict. */
void ba_identity_contradict(ba_comparison *k, const ba_result *r,
	const ba_series *series, size_t candidate);

/* takes the reason */
void ba_identity_replace(ba_comparison *c, ba_verdict verdict, char *reason);

#endif
