/* How origins affect decisions: each value's place, and the looks of merged runs. Pure. */
#pragma once

#include "model/result.h"

/* The place of each y of a comparison; NULL: all are at one. The caller frees it. */
unsigned *ba_origin_groups_of(const ba_result *r, const ba_comparison *c);
/* Sets the estimates of each place, from the decision. */
void ba_origin_groups_estimate(ba_comparison *c, const ba_decision *d);

/* If places differ, sets the reason: "slower only on GPU 1: +3.1 %; GPU 0: +0.1 %". */
void ba_origin_groups_explain(ba_comparison *c, const ba_result *r);

/* The single look of a merged result (ba_measured_is_combined): repeats the looks of
 * each run, then combines them. */
void ba_origin_groups_combine(
	ba_decision *d, const ba_result *r, const ba_comparison *c, const ba_policy *policy);
