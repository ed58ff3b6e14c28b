/* What must be equal for another process to resume a run (store/journal.h). */
#pragma once

#include "job/setup.h"
#include "store/journal.h"

/* the part that is known before anything is built: the tool and the trees */
void ba_fingerprint_of_trees(ba_fingerprint *out, const ba_result *r);
/* The values that members must share: the trees, what is measured and how; without the
 * GPU's model and settings that only the coordinator uses. */
void ba_fingerprint_of_crew(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r);
/* The remaining values, once the system was surveyed and the benchmarks are chosen. */
void ba_fingerprint_of_run(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r);
