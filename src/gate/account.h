/*
 * Accounts: what a gate says about benchmarks that were not simply compared. Verdicts
 * and the answer say what failed, vanished, is new or came without samples; this says
 * what follows from it.
 */
#ifndef GATE_ACCOUNT_H
#define GATE_ACCOUNT_H

#include "gate/status.h"

/* Appends sentences: each expected benchmark that was not measured, with what became of
 * it; benchmarks that were measured and are in no expected set; what looks
 * like a new name for one that is gone. Long lists are cut, and say by how much. Pure.
 */
void ba_gate_account(ba_strv *out, const ba_result *r, const ba_gate_policy *p);

/* What is expected and was not measured in all variants (in a metric at least): a name,
 * or a benchmark that a glob stands for, or a glob that nothing measured matches. The
 * first, which belongs to r or p; NULL: nothing is missing. A glob stands for every
 * benchmark that the baseline has and did not skip: one that is left does not cover for
 * the others. */
const char *ba_gate_first_missing(const ba_result *r, const ba_gate_policy *p);

#endif
