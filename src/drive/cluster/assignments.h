/*
 * Who measures which invocation. Numbers are given out in ascending order, each to the
 * member that has the fewest to do, so that all members make about the same number of
 * them up to each look. Numbers of a member that leaves go to others. Nothing here
 * measures, waits or reads a clock.
 */
#ifndef CLUSTER_ASSIGNMENTS_H
#define CLUSTER_ASSIGNMENTS_H

#include "base/base.h"
#include "cluster/exchange.h"

typedef struct ba_assignments_member {
	char *id;
	bool here;	   /* has joined and has not left */
	uint64_t *numbers; /* to do, ascending */
	size_t count, capacity;
	size_t given; /* in all */
} ba_assignments_member;

/* zeroed is empty */
typedef struct ba_assignments {
	ba_assignments_member *members; /* in the order in which they joined */
	size_t count;
	uint64_t next;	/* from here on no number was given */
	uint64_t *back; /* given back, ascending */
	size_t back_count, back_capacity;
} ba_assignments;

void ba_assignments_dispose(ba_assignments *r);
BA_DEFINE_AUTO(ba_assignments, ba_assignments_dispose)

/* Nothing below `first` is to be done, and nothing was given. */
void ba_assignments_begin(ba_assignments *r, uint64_t first);
/* A new member: what others have not yet begun is shared out again. */
void ba_assignments_join(ba_assignments *r, const char *id);
void ba_assignments_leave(ba_assignments *r, const char *id);
/* It is done, whoever was to do it. */
void ba_assignments_done(ba_assignments *r, uint64_t number);
/* Gives out all numbers below `end`. True: something was given. */
bool ba_assignments_give(ba_assignments *r, uint64_t end);
size_t ba_assignments_here(const ba_assignments *r); /* how many members */
/* Fills o->members with copies. */
void ba_assignments_put(ba_orders *o, const ba_assignments *r);

#endif
