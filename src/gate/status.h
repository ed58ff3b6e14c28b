/*
 * From verdicts to an answer: what a run as a whole says, and its exit status. Pure.
 *
 *     0     no regression
 *     1     a regression; under a strict policy also a benchmark that failed or
 * vanished in a candidate 125   could not be measured: a benchmark failed or has no
 * samples, an expected one is missing, nothing was measured at all, the run was
 * interrupted; under a strict policy also: not decided
 *
 * 1 goes before 125: a regression that was shown is not undone by what was not
 * measured. Byte-identical artefacts count as unchanged: that is proof without
 * measuring. A skipped benchmark (a reason was given) is no obstacle as long as others
 * were measured.
 */
#ifndef GATE_STATUS_H
#define GATE_STATUS_H

#include <stdbool.h>

#include "base/strv.h"
#include "model/result.h"

typedef struct ba_gate_policy {
	bool strict;
	bool undecided_fails;	 /* 125 for `inconclusive`, as strict does */
	const ba_strv *expected; /* names and globs (gate/account.h). NULL: none */
} ba_gate_policy;

/* Sets r->verdict, r->answer and r->exit_status from the series, writes the policy into
 * the result (p->expected may be r's own), and returns the exit status. May be called
 * again. For one variant the question is only whether it was measured; the verdict is
 * then `reported`, or `failed`, or `skipped`. */
int ba_gate_set_status(ba_result *r, const ba_gate_policy *p);

#endif
