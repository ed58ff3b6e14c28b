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

/* Sets verdict, answer and exit_status of r->decided from the series, writes the policy into
 * the result (p->expected may be r's own), and returns the exit status. May be called
 * again. With a single variant the only question is whether it was measured: the
 * verdict is `reported`, `failed` or `skipped`. */
int ba_gate_set_status(ba_result *r, const ba_gate_policy *p);
