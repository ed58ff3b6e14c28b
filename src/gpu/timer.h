/* What reading the clock costs and how fine it is; measured, and recorded with every
 * result. */
#ifndef GPU_TIMER_H
#define GPU_TIMER_H

#include <stdint.h>

/* A clock in nanoseconds that never goes backwards: ba_now_ns(), or the fake
 * driver's. */
typedef int64_t ba_now_fn(void);

typedef struct ba_timer {
	double read_ns; /* median cost of one read */
	double tick_ns; /* its step; 0 if the clock never moved */
} ba_timer;

/* Takes about a millisecond. */
ba_timer ba_timer_measure(ba_now_fn *now);

#endif
