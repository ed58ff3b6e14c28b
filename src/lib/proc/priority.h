/* How the system schedules this thread. */
#pragma once

typedef struct ba_priority {
	int nice;
	int policy;   /* SCHED_OTHER, ... */
	int realtime; /* its priority there */
} ba_priority;

ba_priority ba_priority_now(void);
/* -1: not allowed */
int ba_priority_set(ba_priority p);
