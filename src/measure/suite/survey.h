/* Surveys a suite's libraries or programs and, with the first suite, the machine: their
 * benchmarks, whether they can share a process, and thus which engine measures them. */
#pragma once

#include "session/spec.h"

/* Fills suite->survey and the result's environment, suites and artefacts.
 * Adds to suite->failures, which may already have sentences for variants that
 * were not built. */
int ba_suite_survey(ba_suite_spec *suite, ba_result *result, ba_error *err);

/* After BA_ELIBRARY, if other suites can still be measured: adds the suite to the
 * result, with every variant failed. */
void ba_suite_survey_failed(const ba_suite_spec *suite, ba_result *result);
