/* What `bench-against code` found out: kernels whose machine code differs between two
 * builds, and what fails because of it. drive/codediff makes it, store/code_document.h
 * keeps it as JSON, report/machine/machine.h writes it for people. */
#pragma once

#include "model/code.h"

/*
 * Metrics of compiled code, which need no measurement, and the limits for their increase:
 *
 *     ba_code_limit limits[BA_CODE_METRIC_COUNT];
 *     ba_code_limits_default(limits);
 *     ba_code_limit_parse(&limits[BA_CODE_REGISTERS], "+8", "--limit", err);
 *     ba_code_limit_exceeded(limits, BA_CODE_REGISTERS, 32, 48)       true
 */

typedef enum ba_code_metric {
	BA_CODE_REGISTERS,
	BA_CODE_OCCUPANCY,
	BA_CODE_LOCAL_STORES,
	BA_CODE_LOCAL_LOADS,
	BA_CODE_FRAME,
	BA_CODE_SHARED,
	BA_CODE_CONSTANT,
	BA_CODE_INSTRUCTIONS,
	BA_CODE_BYTES,
	BA_CODE_BARRIERS,
	BA_CODE_MAX_THREADS,
	BA_CODE_MAX_REGISTERS,
	/* not of kernels: */
	BA_CODE_FILE_BYTES,   /* of a file with device code */
	BA_CODE_DEVICE_BYTES, /* all machine code for one architecture */
	BA_CODE_METRIC_COUNT
} ba_code_metric;

typedef struct ba_code_metric_info {
	const char *name;  /* "local_stores": in the configuration and in JSON */
	const char *title; /* "local stores" */
	const char *unit;  /* "B", "%" or "" */
	bool less_is_worse;
} ba_code_metric_info;

const ba_code_metric_info *ba_code_metric_get(ba_code_metric m);
int ba_code_metric_from_name(const char *name); /* negative: unknown */

/* How much worse a candidate may be: by a number or a part, whichever is larger. */
typedef struct ba_code_limit {
	bool set;
	double by, part;
} ba_code_limit;

/* No metric has a limit, except that a kernel may not get more local stores. */
void ba_code_limits_default(ba_code_limit limits[BA_CODE_METRIC_COUNT]);
/* "+8" or "8": by 8; "0": not worse; "5%": by a twentieth; "any": no limit. BA_EINVAL. */
int ba_code_limit_parse(ba_code_limit *out, const char *text, const char *what, ba_error *err);
/* False if a value is unknown (NaN). */
bool ba_code_limit_exceeded(
	const ba_code_limit *limits, ba_code_metric m, double base, double mine);
void ba_code_limit_text(ba_buf *out, const ba_code_limit *l); /* "+8", "5%" */

/* ---- the document ---- */

typedef enum ba_code_verdict {
	BA_CODE_CHANGED,
	BA_CODE_OPEN, /* not known: the kernel has the reason */
	BA_CODE_OTHER_LIMITS,
	BA_CODE_OTHER_DATA,
	BA_CODE_RENAMED,
	BA_CODE_ADDED,
	BA_CODE_REMOVED,
	BA_CODE_SAME,
	BA_CODE_VERDICT_COUNT
} ba_code_verdict;

const char *ba_code_verdict_name(ba_code_verdict v); /* "same code, other data" */

/* A kernel of an architecture. All texts are owned, and foreign: writers make them safe. */
typedef struct ba_code_pair {
	size_t base, mine; /* kernels of the sides (codediff.h), not kept; SIZE_MAX: none */
	ba_code_verdict verdict;
	char *name, *whole_name; /* demangled, without and with parameters */
	char *symbol, *target;	 /* mangled; "sm_90" */
	bool is_ptx;
	char *files[2]; /* of baseline and candidate; NULL: it has no such kernel */
	char *why;	/* of BA_CODE_OPEN, or NULL */
	char *was;	/* of a renamed kernel: the old name; else NULL */
	size_t copies;	/* equal pairs in other files */
	double values[2][BA_CODE_METRIC_COUNT]; /* NaN: not known */
	char *breaches;				/* "local stores 0 -> 12 (limit +0)"; NULL: none */
	bool fails, allowed;
	ba_block_changes *blocks; /* by nvdisasm (--explain); or NULL */
} ba_code_pair;

/* Bytes of a file, or of all code for one architecture. */
typedef struct ba_code_size {
	char *name;
	ba_code_metric metric;
	double values[2];
	bool fails;
} ba_code_size;

/* What one variant built. */
typedef struct ba_code_built {
	char *label;
	size_t kernels;	  /* with copies */
	ba_strv toolkits; /* "cuda_13.0.r13.0/compiler.36424714_0", sorted */
} ba_code_built;

typedef struct ba_code_document {
	char *answer;		/* a sentence */
	unsigned exit_status;	/* 1: something fails */
	ba_code_built sides[2]; /* baseline, candidate */
	/* those that are not the same: the ones that fail come first, then by verdict and name */
	ba_code_pair *pairs;
	size_t pair_count, pair_capacity;
	ba_code_size *sizes;
	size_t size_count, size_capacity;
	size_t counts[BA_CODE_VERDICT_COUNT]; /* of all kernels */
	ba_strv notes;
} ba_code_document;

void ba_code_pair_dispose(ba_code_pair *p);
BA_DECLARE_DISPOSE(ba_code_document)
