/* What `bench-against code` found out: kernels whose machine code differs between two
 * builds, and what fails because of it. drive/codediff makes it, store/code_document.h
 * keeps it as JSON, report/machine/machine.h writes it for people. */
#pragma once

#include "model/code_metric.h"
#include "model/instructions.h"

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
