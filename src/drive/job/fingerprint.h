/* What must be equal for another process to resume a run (store/journal.h): the
 * variants, the request, the system. */
#ifndef JOB_FINGERPRINT_H
#define JOB_FINGERPRINT_H

#include "job/setup.h"
#include "store/journal.h"

/* the part that is known before anything is built: the tool and the trees */
void ba_fingerprint_of_trees(ba_fingerprint *out, const ba_result *r);
/* What members must have in common: the trees, what is measured and how; neither the
 * GPU's model nor what only the coordinator decides. */
void ba_fingerprint_of_crew(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r);
/* all the rest, once the system was surveyed and the benchmarks are chosen */
void ba_fingerprint_of_run(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r);

#endif
