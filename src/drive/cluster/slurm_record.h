/* Records in an exchange which job array runs its members, so that a coordinator that
 * resumes the run finds them ("123 8 cluster" in the file `array`). */
#ifndef CLUSTER_SLURM_RECORD_H
#define CLUSTER_SLURM_RECORD_H

#include "cluster/slurm_array.h"

int ba_slurm_record_write(const char *exchange, const ba_slurm_array *a, ba_error *err);
/* All tasks count as pending. False: the exchange has no array, or belongs to another
 * user. */
bool ba_slurm_record_read(ba_slurm_array *out, const char *exchange);

#endif
