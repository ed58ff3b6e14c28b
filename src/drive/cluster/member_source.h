/* Where members come from: processes of this host (local.c), or tasks of a cluster. The
 * module that starts them fills one of these for the coordinator. */
#pragma once

#include "base/base.h"

typedef struct ba_member_source {
	void *self;
	/* measuring begins when so many have joined or ended; 0: with any member */
	size_t expected;
	/* Waits at most that time. If another member has ended: its id, and how it ended, to
	 * free; else both stay NULL. BA_EINTERRUPTED; other errors: no more can join. */
	int (*wait)(void *self, int64_t timeout_ns, char **id, char **how, ba_error *err);
	/* Ends all members, and waits for that. */
	void (*end)(void *self);
} ba_member_source;

/* ---- processes of this host: one for each device ---- */

typedef struct ba_local_members ba_local_members;

/* No members yet; stop (may be NULL) must outlive them. */
ba_local_members *ba_local_members_new(const volatile sig_atomic_t *stop);
/* Ends those that still run, with SIGKILL. NULL is fine. */
BA_DECLARE_FREE(ba_local_members)

/* Starts a member with this process's environment; keeps its output to say how it ended. */
int ba_local_members_start(ba_local_members *c, const char *id, const ba_strv *argv, ba_error *err);
/* Borrows c. */
ba_member_source ba_local_members_source(ba_local_members *c);
