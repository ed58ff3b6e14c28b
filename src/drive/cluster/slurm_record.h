/* What an exchange remembers of the job array whose tasks use it, so that a coordinator that
 * resumes the run finds them ("123 8 cluster" in the file `array`). */
#ifndef CLUSTER_SLURM_RECORD_H
#define CLUSTER_SLURM_RECORD_H

#include "cluster/slurm_array.h"

int ba_slurm_record_write(const char *exchange, const ba_slurm_array *a, ba_error *err);
/* All tasks count as pending. False: the exchange has no array, or is not this user's. */
bool ba_slurm_record_read(ba_slurm_array *out, const char *exchange);

#endif
