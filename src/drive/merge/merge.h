/*
 * One result from several that were made apart (docs/merge.md): by hand, by the runners of
 * a CI matrix, on several machines.
 *
 * What belongs together is compared first: variants and what was built of them, the plan,
 * target, GPU model and driver, policy, thresholds. Each difference is named. Nothing may
 * be counted twice: neither a document, nor an invocation of a schedule.
 *
 * Runs that had one planned look each (--fixed) are pooled: their invocations are one look
 * at the sum. If one of them stopped at a look of its own, their p-values are combined
 * (stats/combine.h). ba_verify knows which by the merged runs that the result keeps.
 */
#pragma once

#include "model/result.h"

typedef struct ba_merge_input {
	const char *name; /* name of the file, for messages */
	ba_result r;
} ba_merge_input;

typedef struct ba_merge_rules {
	bool different_cpus; /* machines may differ in their processor */
} ba_merge_rules;

/* Fills an empty *out with verdicts, answer and status; command_line and time are the caller's.
 * Consumes the inputs, also after an error. BA_EDATA: they cannot be merged. */
int ba_merge(ba_result *out, ba_merge_input *inputs, size_t count, const ba_merge_rules *rules,
	ba_error *err);

/* Only the checks of ba_merge. They change the inputs, because they call ba_verify. */
int ba_merge_check(
	ba_merge_input *inputs, size_t count, const ba_merge_rules *rules, ba_error *err);
