/* Measures the cost of reading the clock and the clock's resolution. Every result
 * records them. */
#pragma once

#include <stdint.h>

/* A clock in nanoseconds that never goes backwards: ba_now_ns(), or the fake
 * driver's. */
typedef int64_t ba_now_fn(void);

typedef struct ba_timer {
	double read_ns; /* median cost of one read */
	double tick_ns; /* its smallest step; 0 if it never advanced */
} ba_timer;

/* Takes about a millisecond. */
ba_timer ba_timer_measure(ba_now_fn *now);
