/*
 * The cases of plugin and worker suites, whose benchmarks are the user's own.
 *
 * Every variant declares benchmarks with axes (model/suite.h). Each combination of
 * the values that users choose is a case with an id: "kernels/saxpy/n=65536,dtype=f32".
 *
 * Axes that are listed in points take their values from one point after the other. A
 * choice for some of these axes selects points; a choice for all of them replaces the
 * points by all combinations.
 */
#pragma once

#include "model/benchmark.h"

#define BA_RUNS_MOST 10000u

/* Values for the axis of that name, in every benchmark that has it. */
typedef struct ba_axis_choice {
	char *name;
	ba_strv values;
} ba_axis_choice;

BA_LIST(ba_axis_choices, ba_axis_choice);

BA_DECLARE_DISPOSE(ba_axis_choices)

/* "n=1,2,4", "S=128:1024:*2" (128, 256, 512, 1024), "n=0:100:+25", and lists of both.
 * Replaces an earlier choice for the same axis. BA_EINVAL. */
int ba_axis_choices_add(ba_axis_choices *c, const char *text, ba_error *err);

/* The benchmarks that a variant declares. */
typedef struct ba_declarations {
	const ba_declared *items;
	size_t count;
} ba_declarations;

/* BA_EINVAL: no variant has the axis, or none accepts the value. */
int ba_axis_choices_check(const ba_axis_choices *c, const ba_declarations *variants,
	size_t variant_count, ba_error *err);

/* Does one of the globs match the id? All ids are chosen without globs. */
bool ba_runs_choose(const ba_strv *filters, const char *id);

/* Appends the cases of one variant whose id matches one of the filters (none: all) to
 * *out. The declarations must have been checked (ba_declared_check, or by the worker).
 * BA_EINVAL: too many. */
int ba_runs_expand(ba_benchmark **out, size_t *count, const char *suite, ba_suite_kind kind,
	const ba_declarations *variant, const ba_axis_choices *choices, const ba_strv *filters,
	ba_error *err);

/* A digest of what is measured: with equal digests, the same was measured. Labels,
 * seeds and numbers of invocations are not part of it. rules: versions of everything that
 * turns a benchmark into samples: the kernels' text and the lengths of readings */
void ba_plan_sha256(char out[65], const ba_benchmark *benchmarks, size_t count, const char *rules);
