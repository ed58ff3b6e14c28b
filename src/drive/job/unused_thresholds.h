/* Finds globs of the configuration that match no benchmark: thresholds, and outside of a
 * gate also what a gate expects. A misspelt one would otherwise go unnoticed. */
#ifndef JOB_UNUSED_THRESHOLDS_H
#define JOB_UNUSED_THRESHOLDS_H

#include "config/config.h"
#include "model/result.h"

typedef struct ba_unused_thresholds {
	const ba_config *config;
	/* The benchmarks that count: the baseline's, and those of the variant whose
	 * configuration applies. Others do not count, so that a candidate cannot make a
	 * misspelt rule match. NULL: all count. */
	const bool *has;  /* [benchmark * r->variant_count + variant] */
	size_t rules;	  /* that variant; 0: the baseline */
	const char *list; /* the command that lists the names; NULL: none does */
	bool partial;	  /* options chose a part of the benchmarks: no check */
	bool gate;	  /* an unused threshold is an error */
	bool complete;	  /* every suite has listed its benchmarks; if not, only notes */
} ba_unused_thresholds;

/* Adds a note to r for each of them; in a gate, BA_ECONFIG for the first. No check if
 * --threshold replaces them. */
int ba_unused_thresholds_check(ba_result *r, const ba_unused_thresholds *q, ba_error *err);

#endif
