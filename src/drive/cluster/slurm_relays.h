/* A process of this host beside each running task, where nodes share no directory with it. */
#ifndef CLUSTER_SLURM_RELAYS_H
#define CLUSTER_SLURM_RELAYS_H

#include "base/base.h"
#include "cluster/slurm_array.h"

typedef struct ba_relays ba_relays;

/* argv: what runs; the job of the task and the id of its member come last. Copied. */
ba_relays *ba_relays_new(const ba_strv *argv, size_t tasks);
/* Ends them. NULL is fine. */
void ba_relays_free(ba_relays *r);
BA_DEFINE_AUTO_PTR(ba_relays, ba_relays_free)

/* One for the task if it runs and has none since it last started. */
int ba_relays_see(ba_relays *r, size_t task, const ba_slurm_task *t, const char *id, ba_error *err);
/* Lets them run on; call it often. */
void ba_relays_pump(ba_relays *r);
/* Appends ": " and the last line that the task's relay wrote; nothing while it runs. */
void ba_relays_said(ba_buf *out, ba_relays *r, size_t task);

#endif
