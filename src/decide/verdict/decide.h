/*
 * Decides the verdicts from the samples in a result. Needs no clock, no worker and no
 * option. A run calls this while it measures. ba_verify calls it on a file that was
 * read, to compute the file's claims again from its samples.
 *
 *     ba_identity_settle(r);                   what needs no measurement (identity.h)
 *     ba_decisions_init(&d, r);                the family
 *     while (...) {
 *             ... until the undecided have r->decided.design.at[looks_done] values of y ...
 *             open = ba_decisions_look(&d, r);  counts r->looks_done
 *     }
 *     ba_decisions_finish(&d, r);              summaries, intervals, verdicts, reasons
 *
 * The result must have: alpha, multiplicity, strict, measure_identical; looks and
 * weights (at most BA_LOOKS_MAX); env.timer_tick_ns; the variants' artefacts and
 * digests. Each series must have: role, samples, thresholds (> 0), y; and for each
 * variant whether it is present and whether it failed.
 */
#pragma once

#include "verdict/explain.h"

typedef struct ba_decisions {
	/* [series * candidates]: the candidates of a series are adjacent */
	ba_decision *items;
	/* the places of each item, if there are several places */
	ba_place_decision *places;
	size_t count, candidates;
	ba_prospect prospect; /* set by ba_decisions_finish */
} ba_decisions;

/* Counts the family (r->family_size): the verdict metrics of all benchmarks and
 * candidates in the run, whatever happens to them, except those that are settled. Call
 * it again to start over; *d is zeroed or initialised. */
void ba_decisions_init(ba_decisions *d, ba_result *r);
BA_DECLARE_DISPOSE(ba_decisions)

/* candidate >= 1, as in all functions */
ba_decision *ba_decisions_at(const ba_decisions *d, size_t series, size_t candidate);

/* The next look. A comparison with too few values stays unchanged, or becomes `failed`
 * if one of its variants failed. Returns how many are still open. */
size_t ba_decisions_look(ba_decisions *d, ba_result *r);
/* For each counted metric and n: how widely the first n counts of a comparison range, for
 * the comparison in which they range most widely. Valid until another sample is added. */
typedef struct ba_count_ranges {
	double *widest; /* [BA_METRIC_COUNT * (most + 1)], by metric and n */
	size_t most;
} ba_count_ranges;

ba_count_ranges ba_count_ranges_of(const ba_result *r);
BA_DECLARE_DISPOSE(ba_count_ranges)

/* For counts: do those of both variants repeat exactly (verdict/estimate.h)? If they differ
 * between the variants, no other count of that metric in the run may vary by as much
 * over the same number of values; otherwise this is false. If true, no test is
 * needed. */
bool ba_decision_is_exact(const ba_count_ranges *ranges, const ba_result *r,
	const ba_series *series, size_t candidate);
bool ba_decisions_has(const ba_decisions *d, ba_verdict verdict);

/* Computes everything else in the series. What is still open becomes inconclusive. */
void ba_decisions_finish(ba_decisions *d, ba_result *r);

/* champion.c: decides about a candidate against a champion that was measured beside it, while
 * another variant was the run's baseline: with --untrusted the baseline owns inputs and
 * checks, and a champion may not. All three were measured in the same blocks. Drops the
 * baseline and its visits, and decides again with the champion in its place. Does not set
 * the answer. */
void ba_champion_decide(ba_result *r);

/* factors.c: what code and environment contribute, where the variants are a grid of both
 * (model/effect.h, docs/statistics.md section 3.11). Call it when the comparisons are final:
 * it replaces the effects of all deciding series, and leaves everything else as it is. */
void ba_factors_estimate(ba_result *r);
