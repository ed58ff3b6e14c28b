/* What has to be equal for a run to be gone on with by another process
 * (store/journal.h): the variants, what was asked for, the machine. */
#ifndef CLI_TERMS_H
#define CLI_TERMS_H

#include "cli/measure.h"
#include "store/journal.h"

/* the tool and the trees: known before anything is built */
void ba_terms_of_trees(ba_terms *out, const ba_result *r);
/* and all the rest, once the machine has been looked at and benchmarks are chosen */
void ba_terms_of_run(ba_terms *out, const ba_measure_plan *p, const ba_result *r,
	const ba_context *c);

#endif
