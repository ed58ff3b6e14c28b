/*
 * Accounts: what a gate says about benchmarks that were not simply compared. The
 * verdicts and the answer say what failed, is missing, is new or has no samples; an
 * account says what follows.
 */
#ifndef GATE_ACCOUNT_H
#define GATE_ACCOUNT_H

#include "gate/status.h"

/* Appends sentences about
 *
 *  - each expected benchmark that was not measured, and what became of it;
 *  - benchmarks that were measured and are in no expected set;
 *  - new benchmarks that look like a new name for a missing one.
 *
 * Long lists are cut and say by how much. Pure. */
void ba_gate_account(ba_strv *out, const ba_result *r, const ba_gate_policy *p);

/* The first expected benchmark that was not measured in all variants (in at least one
 * metric): a name, a benchmark that a glob matches, or a glob that matches nothing
 * measured. A glob stands for every benchmark that the baseline has and did not skip:
 * one measured benchmark does not cover for the others. The string belongs to r or p;
 * NULL: nothing is missing. */
const char *ba_gate_first_missing(const ba_result *r, const ba_gate_policy *p);

#endif
