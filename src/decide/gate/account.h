/*
 * What a gate reports about benchmarks without a comparison. The verdicts and the
 * answer name those that failed, are missing, are new or have no samples. An account
 * says why, and what the user should do.
 */
#pragma once

#include "gate/policy.h"
#include "model/result.h"

/* Appends sentences about
 *
 *  - each expected benchmark that was not measured, with the reason;
 *  - benchmarks that were measured and are not in the list of expected ones;
 *  - new benchmarks that look like a new name for a missing one.
 *
 * A list that is cut short says how many it left out. Pure. */
void ba_gate_account(ba_strv *out, const ba_result *r, const ba_gate_policy *p);

/* The first expected benchmark that was not measured in all variants (in at least one
 * metric): a name, a benchmark that a glob matches, or a glob that matches nothing
 * measured. A glob stands for every benchmark that the baseline has and did not skip:
 * each of them must be measured. The string belongs to r or p; NULL: nothing is
 * missing. */
const char *ba_gate_first_missing(const ba_result *r, const ba_gate_policy *p);
