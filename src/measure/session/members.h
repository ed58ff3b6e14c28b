/*
 * A run of several processes. The coordinator takes each invocation, in the order of
 * the numbers, from those that measured it, as a resumed run takes it from a journal;
 * looks, budget and verdicts are those of a run that measures itself. A member measures
 * the invocations of its orders, and decides nothing.
 *
 * How both talk is the caller's concern (cluster/coordinator.h); here are only the two questions.
 */
#pragma once

#include "model/resumed.h"

/* What the run, or a member of it, must measure next. */
typedef struct ba_member_order {
	bool end;	     /* for a member: there are no more orders */
	unsigned invocation; /* the next one */
	/* for the coordinator: invocations up to the next look, and up to the last one */
	size_t planned, most;
	unsigned epoch; /* how often the run began again */
	unsigned looks; /* that were made */
	/* [benchmarks] '1': to be measured, '0': has its verdicts */
	char *open;
	ba_strv split; /* suites whose engine has changed to `split` */
} ba_member_order;

BA_DECLARE_DISPOSE(ba_member_order)

typedef struct ba_members {
	void *data;
	/* For a coordinator, else NULL: waits for the invocation, and stores its
	 * samples and state in *out (zeroed). BA_EGPU: no member is left to measure it. */
	int (*fetch)(void *data, const ba_member_order *what, ba_resumed *out, ba_error *err);
	/* for a coordinator: no more invocations are needed */
	void (*dismiss)(void *data);
	/* For a member, else NULL: waits for the next order; *out is zeroed. */
	int (*next)(void *data, ba_member_order *out, ba_error *err);
} ba_members;
