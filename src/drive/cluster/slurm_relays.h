/* Relays: a process of this host for each running task, if nodes share no directory
 * with this host. */
#pragma once

#include "cluster/slurm_array.h"

typedef struct ba_relays ba_relays;

/* argv: the command, to which the task's job and its member's id are appended. Copied. */
ba_relays *ba_relays_new(const ba_strv *argv, size_t tasks);
/* Ends them. NULL is fine. */
void ba_relays_free(ba_relays *r);

/* Starts a relay for the task if it runs and has none since its last start. */
int ba_relays_see(ba_relays *r, size_t task, const ba_slurm_task *t, const char *id, ba_error *err);
/* Keeps the relays' output flowing; call it often. */
void ba_relays_pump(ba_relays *r);
/* Appends ": " and the last line of the output of the task's relay; nothing while it
 * runs. */
void ba_relays_said(ba_buf *out, ba_relays *r, size_t task);
