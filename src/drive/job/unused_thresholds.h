/* Finds globs of the configuration that match no benchmark: thresholds, and outside of
 * a gate also expected benchmarks. A misspelt glob would otherwise go unnoticed. */
#pragma once

#include "config/config.h"
#include "model/result.h"

typedef struct ba_unused_thresholds {
	const ba_config *config;
	/* those that count: the baseline's, and of the variant whose configuration applies,
	 * because a candidate could make a misspelt rule match; NULL: all */
	const bool *has;  /* [benchmark * r->variant_count + variant] */
	size_t rules;	  /* the variant whose configuration applies; 0: the baseline */
	const char *list; /* the command that lists the names; NULL: there is none */
	bool partial;	  /* options selected some of the benchmarks: skip the check */
	bool gate;	  /* an unused threshold is an error */
	/* every suite has listed its benchmarks; if not, only notes are added */
	bool complete;
} ba_unused_thresholds;

/* A note for each glob that matches nothing; in a gate BA_ECONFIG. None if --threshold is given. */
int ba_unused_thresholds_check(ba_result *r, const ba_unused_thresholds *q, ba_error *err);
