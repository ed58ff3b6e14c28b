/*
 * From samples to verdicts, over a result and nothing else: no clock, no worker, no
 * option. A run calls this while it measures, and ba_verify calls it on a file that was
 * read, so that what a file says can be found out again from what it holds.
 *
 *     ba_identity_settle(r);                   what needs no measuring (identity.h)
 *     ba_decisions_init(&d, r);                the family
 *     while (...) {
 *             ... until the undecided have r->looks[r->looks_done] values of y ...
 *             open = ba_decisions_look(&d, r);  counts r->looks_done
 *     }
 *     ba_decisions_finish(&d, r);              summaries, intervals, verdicts, reasons
 *
 * What must be in the result: alpha, multiplicity, strict, measure_identical, looks and
 * weights (at most BA_LOOKS_MAX), env.timer_tick_ns, the variants' artefacts and
 * digests, and for each series its role, samples, thresholds (> 0), y, and of each
 * variant whether it is present and whether it failed.
 */
#ifndef HOST_DECIDE_H
#define HOST_DECIDE_H

#include "model/result.h"
#include "stats/sequential.h"

typedef struct ba_decisions {
	ba_decision *items; /* [series * candidates]: the series' candidates together */
	size_t count, candidates;
} ba_decisions;

/* Counts the family (r->family_size): every verdict metric of every benchmark and
 * candidate that was asked about, whatever becomes of it, but for those that are
 * settled. May be called again to begin anew; *d is zeroed or initialised. */
void ba_decisions_init(ba_decisions *d, ba_result *r);
void ba_decisions_dispose(ba_decisions *d);
BA_DEFINE_AUTO(ba_decisions, ba_decisions_dispose)

/* candidate >= 1, as everywhere */
ba_decision *ba_decisions_at(ba_decisions *d, size_t series, size_t candidate);

/* The next look. What has too few values is left as it is, or has `failed` if one of
 * its variants did. Returns how many are still open. */
size_t ba_decisions_look(ba_decisions *d, ba_result *r);
bool ba_decisions_has(const ba_decisions *d, ba_verdict verdict);

/* Everything of the series that is computed. What is still open is inconclusive. */
void ba_decisions_finish(ba_decisions *d, ba_result *r);

ba_policy ba_policy_of(const ba_result *r, double s_floor);
ba_design ba_design_of(const ba_result *r);

#endif
