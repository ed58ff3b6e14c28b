/* A suite: a set of benchmarks of one kind; and a benchmark as its author declares it,
 * whatever process tells of it. */
#ifndef MODEL_SUITE_H
#define MODEL_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/strv.h"

typedef enum ba_suite_kind {
	BA_SUITE_LAUNCHER, /* launch overhead: kernels and loops are the tool's */
	BA_SUITE_PLUGIN,   /* GPU benchmarks of a variant's library */
	BA_SUITE_WORKER,   /* the same of a program that speaks the protocol */
	BA_SUITE_COMMAND,
	BA_SUITE_KIND_COUNT
} ba_suite_kind;

const char *ba_suite_kind_name(ba_suite_kind kind); /* "launcher" */
int ba_suite_kind_from_name(const char *name);	    /* ba_suite_kind, or -1 */

typedef enum ba_axis_kind {
	BA_AXIS_INTEGER, /* may have other values than the declared ones */
	BA_AXIS_REAL,	 /* so may this */
	BA_AXIS_TEXT,	 /* one of the declared */
	BA_AXIS_TYPE,	 /* the same; a data type */
	BA_AXIS_KIND_COUNT
} ba_axis_kind;

const char *ba_axis_kind_name(ba_axis_kind kind); /* "integer" */
int ba_axis_kind_from_name(const char *name);	  /* ba_axis_kind, or -1 */

typedef struct ba_declared_axis {
	char *name;
	ba_axis_kind kind;
	ba_strv values;
} ba_declared_axis;

typedef struct ba_declared {
	char *name, *help;
	bool rotates; /* can work on several sets of inputs */
	bool checks;  /* has a reference to compare with */
	ba_declared_axis *axes;
	size_t axis_count;
	ba_strv points; /* "B=32,H=8": values that go together; none: all combinations
			 */
	ba_strv modes;	/* metrics by name, the first is the main one; none: all that
			   its kind of suite has */
} ba_declared;

void ba_declared_dispose(ba_declared *d);
BA_DEFINE_AUTO(ba_declared, ba_declared_dispose)

/* The declarations of one variant: names that can stand in ids and are there once, axes
 * that have values, points that name them. BA_EINVAL with the first thing that is
 * wrong. */
int ba_declared_check(const ba_declared *all, size_t count, ba_error *err);
/* In how many ways the values can be combined. */
size_t ba_declared_case_count(const ba_declared *d);

#endif
