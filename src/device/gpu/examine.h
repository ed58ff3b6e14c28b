/* Fills ba_trust_inputs from this machine: from files, environment, driver, NVML and a
 * test of the GPU (probe.h, proof.h). */
#pragma once

#include "gpu/trust.h"

typedef struct ba_trust_sources {
	/* value of an environment variable, or NULL; must stay valid */
	const char *(*getenv)(const char *name);
	const char *root;	 /* prefix of /proc and /dev; "" outside tests */
	const char *driver_path; /* NULL: libcuda.so.1 */
	const char *nvml_path;	 /* NULL: libnvidia-ml.so.1 */
	int ordinal;
	bool probe; /* also test the GPU: takes about 150 ms of GPU time */
	uint64_t seed;
	ba_now_fn *now;
} ba_trust_sources;

/* Opens the driver and the device, queries and tests them, and closes them. Fills all
 * fields except allow_*, which keep their values. A missing driver or device is a
 * finding, not an error. */
void ba_trust_examine(ba_trust_inputs *out, const ba_trust_sources *src);

/* The same with an open driver and device. If src->probe is set, the device's context
 * must be current. */
void ba_trust_examine_open(ba_trust_inputs *out, const ba_trust_sources *src, const ba_driver *drv,
	const ba_device *dev);
