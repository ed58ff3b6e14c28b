/* Thresholds of the configuration that hold for no benchmark: a misspelt glob neither
 * loosens nor tightens anything, and nobody notices. */
#ifndef CLI_IDLE_RULES_H
#define CLI_IDLE_RULES_H

#include "cli/options.h"
#include "config/config.h"
#include "model/result.h"

typedef struct ba_idle_rules {
	const ba_config *config;
	const ba_options *options;
	/* benchmarks that count: the baseline's, and those of the variant whose rules
	 * these are; the candidate's alone must not make a rule of a slip. NULL: all
	 * count */
	const bool *has; /* [benchmark * r->variant_count + variant] */
	size_t rules;	 /* that variant; 0: the baseline */
	bool gate;	 /* it is an error */
	bool complete;	 /* every suite said what it has: else it is none */
} ba_idle_rules;

/* A note in r for each of them; in a gate BA_ECONFIG for the first. Nothing is said
 * where --threshold replaces them, or where options chose a part of the benchmarks. */
int ba_idle_rules_check(ba_result *r, const ba_idle_rules *q, ba_error *err);

#endif
