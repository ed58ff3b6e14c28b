/*
 * Computes the answer of a run and its exit status from the verdicts. Pure.
 *
 *     0     no regression
 *     1     a regression; under a strict policy also: a benchmark failed or is missing
 *           in a candidate
 *     125   could not be measured: a benchmark failed or has no samples, an expected
 *           one is missing, nothing was measured at all, or the run was interrupted;
 *           under a strict policy also: inconclusive
 *
 * 1 takes precedence over 125: a regression counts even if other benchmarks could not
 * be measured. Byte-identical artefacts count as unchanged, because that needs no
 * measurement. A benchmark that was skipped with a reason does not affect the status
 * if others were measured.
 */
#pragma once

#include "gate/policy.h"
#include "model/result.h"

/* Sets verdict, answer and exit_status of r->decided, and the policy (p->expected may be r's
 * own); returns the exit status. May be called again. A single variant is `reported`, `failed`
 * or `skipped`. */
int ba_gate_set_status(ba_result *r, const ba_gate_policy *p);

/*
 * What a gate reports about benchmarks without a comparison. The verdicts and the
 * answer name those that failed, are missing, are new or have no samples. An account
 * says why, and what the user should do.
 *
 * Appends sentences about
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
