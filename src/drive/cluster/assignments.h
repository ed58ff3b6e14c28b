/* Assigns invocations to members: numbers in ascending order, each to the member with the
 * fewest open ones, so that all make about equally many up to each look. Numbers of a member
 * that leaves are reassigned. This module does not measure, wait or read a clock. */
#pragma once

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
	uint64_t next;	/* from this number on, none is assigned */
	uint64_t *back; /* given back, ascending */
	size_t back_count, back_capacity;
} ba_assignments;

void ba_assignments_dispose(ba_assignments *r);

/* Numbers below `first` are done, and none is assigned. */
void ba_assignments_begin(ba_assignments *r, uint64_t first);
/* Adds a member: numbers that others have not begun are distributed again. */
void ba_assignments_join(ba_assignments *r, const char *id);
void ba_assignments_leave(ba_assignments *r, const char *id);
/* The number is done, whichever member it was assigned to. */
void ba_assignments_done(ba_assignments *r, uint64_t number);
/* Assigns all numbers below `end`. True if any was assigned. */
bool ba_assignments_give(ba_assignments *r, uint64_t end);
size_t ba_assignments_here(const ba_assignments *r); /* how many members */
/* Fills o->members with copies. */
void ba_assignments_put(ba_orders *o, const ba_assignments *r);
