/* Members that are processes of this host: one for each device. */
#ifndef CLUSTER_LOCAL_H
#define CLUSTER_LOCAL_H

#include <signal.h>

#include "base/auto.h"
#include "base/strv.h"
#include "cluster/members.h"

typedef struct ba_local_crew ba_local_crew;

/* An empty crew; stop (may be NULL) must outlive it. */
ba_local_crew *ba_local_crew_new(const volatile sig_atomic_t *stop);
/* Ends those that still run, with SIGKILL. NULL is fine. */
void ba_local_crew_free(ba_local_crew *c);
BA_DEFINE_AUTO_PTR(ba_local_crew, ba_local_crew_free)

/* Starts one with the environment of this process. Its output is kept for the sentence
 * how it ended, and mixes with nobody's. */
int ba_local_crew_start(ba_local_crew *c, const char *id, const ba_strv *argv, ba_error *err);
/* Borrows c. */
ba_muster ba_local_crew_muster(ba_local_crew *c);

#endif
