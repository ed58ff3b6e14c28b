/*
 * Accounts: what a gate says about benchmarks that were not simply compared. Verdicts
 * and the answer say what failed, vanished, is new or came without samples; this says
 * what follows from it.
 */
#ifndef GATE_ACCOUNT_H
#define GATE_ACCOUNT_H

#include "gate/judge.h"

/* Appends sentences: each expected pattern that nothing measured matches, with what
 * became of it; benchmarks that were measured and are in no expected set; what looks
 * like a new name for one that is gone. Long lists are cut, and say by how much. Pure.
 */
void ba_gate_account(ba_strv *out, const ba_result *r, const ba_gate_policy *p);

/* missing[k] for each pattern of p->expected: does no benchmark that was measured, in
 * all variants and a metric at least, match it? Returns how many are. */
size_t ba_gate_missing(bool *missing, const ba_result *r, const ba_gate_policy *p);

#endif
