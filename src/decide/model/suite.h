/* A suite, a set of benchmarks of a kind; and benchmarks as libraries or programs declare them. */
#pragma once

#include "base/base.h"

typedef enum ba_suite_kind {
	BA_SUITE_LAUNCHER, /* launch overhead; the tool has kernels and loops */
	BA_SUITE_PLUGIN,   /* GPU benchmarks in a variant's library */
	BA_SUITE_WORKER,   /* GPU benchmarks in a program that supports the protocol */
	BA_SUITE_COMMAND,
	BA_SUITE_KIND_COUNT
} ba_suite_kind;

const char *ba_suite_kind_name(ba_suite_kind kind); /* "launcher" */
/* Kinds of configured suites that are worker suites: the tool's preload library speaks
 * the protocol within a program of that benchmark library (measure/hook). Ends with NULL. */
extern const char *const ba_suite_hooks[];

typedef enum ba_axis_kind {
	BA_AXIS_INTEGER, /* integers; users may ask for values that are not declared */
	BA_AXIS_REAL,	 /* here, too */
	BA_AXIS_TEXT,	 /* only declared values */
	BA_AXIS_TYPE,	 /* data types; only declared values */
	BA_AXIS_KIND_COUNT
} ba_axis_kind;

int ba_axis_kind_from_name(const char *name); /* ba_axis_kind, or -1 */

typedef struct ba_declared_axis {
	char *name;
	ba_axis_kind kind;
	ba_strv values;
} ba_declared_axis;

typedef struct ba_declared {
	char *name, *help;
	bool rotates; /* can work on several sets of inputs */
	bool checks;  /* has a reference result to compare with */
	bool gpu;     /* works on a GPU, even if its host time is measured */
	bool weighs;  /* says how much memory it takes when it is prepared */
	ba_declared_axis *axes;
	size_t axis_count;
	ba_strv points; /* "B=32,H=8": values to combine; none: all combinations */
	/* names of metrics, the main one first; none: all metrics of its kind */
	ba_strv modes;
} ba_declared;

BA_DECLARE_DISPOSE(ba_declared)

/* Checks the declarations of one variant: names are unique and can stand in ids, axes
 * have values, points use these names. BA_EINVAL with the first thing that is wrong. */
int ba_declared_check(const ba_declared *all, size_t count, ba_error *err);
/* How many combinations of values there are. */
size_t ba_declared_case_count(const ba_declared *d);
