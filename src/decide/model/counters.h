/* The counters that are asked of Nsight Compute. */
#pragma once

#include "model/code.h"

typedef struct ba_counter_info {
	const char *name;  /* ncu's */
	const char *title; /* "DRAM bytes read" */
	const char *unit;  /* "B", "%", "ns", "" */
} ba_counter_info;

#define BA_COUNTERS 18
/* the first ones, which ncu has on every GPU */
#define BA_COUNTERS_EVERYWHERE 9
extern const ba_counter_info ba_counter_infos[BA_COUNTERS];

/* NaN: the kernel has no such counter */
double ba_kernel_counter(const ba_kernel *k, const char *name);
/* replaces an earlier value */
void ba_kernel_set_counter(ba_kernel *k, const char *name, double value);
