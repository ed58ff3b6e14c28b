/*
 * Where members come from: processes of this host (local.h), tasks of a cluster. Whoever
 * starts them fills one of these for the coordinator.
 */
#ifndef CLUSTER_MEMBER_SOURCE_H
#define CLUSTER_MEMBER_SOURCE_H

#include "base/base.h"

typedef struct ba_member_source {
	void *self;
	/* members that are about to join: nothing is measured before that many have joined
	 * or are gone. 0: whoever comes measures */
	size_t expected;
	/* Lets at most that time pass. If a member is gone that no earlier call
	 * reported: its id and a sentence how it ended, which the caller frees; else both
	 * stay NULL. BA_EINTERRUPTED. Another error: no member can come any more. */
	int (*wait)(void *self, int64_t timeout_ns, char **id, char **how, ba_error *err);
	/* Ends all members, and waits for that. */
	void (*end)(void *self);
} ba_member_source;

#endif
