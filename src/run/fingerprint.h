/* What has to be equal for another process to go on with a run (store/journal.h): the
 * variants, what was asked for, the machine. */
#ifndef RUN_FINGERPRINT_H
#define RUN_FINGERPRINT_H

#include "run/measure.h"
#include "store/journal.h"

/* the tool and the trees: known before anything is built */
void ba_fingerprint_of_trees(ba_fingerprint *out, const ba_result *r);
/* and all the rest, once the machine has been looked at and benchmarks are chosen */
void ba_fingerprint_of_run(
	ba_fingerprint *out, const ba_measure_plan *p, const ba_result *r);

#endif
