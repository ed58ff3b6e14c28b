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
#ifndef GATE_STATUS_H
#define GATE_STATUS_H

#include <stdbool.h>

#include "base/strv.h"
#include "gate/digest.h"
#include "model/result.h"

typedef struct ba_gate_policy {
	bool strict;
	bool undecided_fails;	 /* 125 for `inconclusive`, as under strict */
	bool likely_fails;	 /* 1 for "probably slower", as for a regression */
	const ba_strv *expected; /* names and globs (gate/account.h). NULL: none */
	/* the command that writes all names; NULL: `bench-against list --expected` */
	const char *list_command;
	/* NULL, or: what was counted of the comparison of which r has only the chosen
	 * series; then r->left_out is set, too */
	const ba_digest *digest;
} ba_gate_policy;

/* Sets r->verdict, r->answer and r->exit_status from the series, writes the policy into
 * the result (p->expected may be r's own), and returns the exit status. May be called
 * again. With a single variant the only question is whether it was measured: the
 * verdict is `reported`, `failed` or `skipped`. */
int ba_gate_set_status(ba_result *r, const ba_gate_policy *p);

#endif
