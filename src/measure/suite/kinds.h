/* The kinds of suite: each is a row of functions in a file of its own. */
#pragma once

#include "session/session.h"
#include "session/spec.h"

extern const ba_kind_ops ba_launcher_ops; /* launcher.c */
extern const ba_kind_ops ba_plugin_ops;	  /* plugin.c */
extern const ba_kind_ops ba_program_ops;  /* program.c */
extern const ba_kind_ops ba_command_ops;  /* command.c */
const ba_kind_ops *ba_kind_ops_of(ba_suite_kind kind);
/* plugin.c: the sizes of visits that the host times, on inputs that it chooses */
int ba_rehearse_fresh(ba_session *s, ba_task *t, ba_failure *f);

/* Surveys a suite's libraries or programs and, with the first suite, the machine: their
 * benchmarks, whether they can share a process, and thus which engine measures them.
 * Fills suite->survey and the result's environment, suites and artefacts.
 * Adds to suite->failures, which may already have sentences for variants that
 * were not built. */
int ba_suite_survey(ba_suite_spec *suite, ba_result *result, ba_error *err);

/* After BA_ELIBRARY, if other suites can still be measured: adds the suite to the
 * result, with every variant failed. */
void ba_suite_survey_failed(const ba_suite_spec *suite, ba_result *result);
