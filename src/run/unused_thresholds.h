/* Thresholds of the configuration that hold for no benchmark: a misspelt glob neither
 * loosens nor tightens anything, and nobody notices. */
#ifndef RUN_UNUSED_THRESHOLDS_H
#define RUN_UNUSED_THRESHOLDS_H

#include "config/config.h"
#include "model/result.h"

typedef struct ba_unused_thresholds {
	const ba_config *config;
	/* benchmarks that count: the baseline's, and those of the variant whose rules
	 * these are; the candidate's alone must not make a rule of a slip. NULL: all
	 * count */
	const bool *has; /* [benchmark * r->variant_count + variant] */
	size_t rules;	 /* that variant; 0: the baseline */
	bool partial;	 /* options chose a part of the benchmarks: nothing is said */
	bool gate;	 /* it is an error */
	bool complete;	 /* every suite said what it has: else it is none */
} ba_unused_thresholds;

/* A note in r for each of them; in a gate BA_ECONFIG for the first. Nothing is said
 * where --threshold replaces them. */
int ba_unused_thresholds_check(
	ba_result *r, const ba_unused_thresholds *q, ba_error *err);

#endif
