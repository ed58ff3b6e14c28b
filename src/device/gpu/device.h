/* Opens a device: reads its properties, and makes its primary context current. */
#pragma once

#include "gpu/driver.h"

typedef struct ba_device {
	const ba_driver *drv;
	int ordinal;
	cu_device handle;
	cu_context context; /* NULL until ba_device_enter() */
	/* as the cuDeviceGet... calls report it */
	char name[256];
	char uuid[48]; /* "GPU-8-4-4-4-12" in hex; "" if the driver does not report it */
	unsigned char uuid_bytes[16];
	char pci_bus_id[32]; /* "0000:00:00.0" */
	uint64_t memory_bytes;
	int cc_major, cc_minor;
	int sm_count;
	int clock_khz, l2_bytes;
	/* exec_timeout: a display's watchdog kills long kernels */
	bool ecc, exec_timeout;
	int compute_mode; /* 0 default, 2 prohibited, 3 exclusive process */
	int mps;	  /* 1: contexts go through MPS; -1: not reported */
	/* flags of the primary context, after ba_device_enter() */
	unsigned context_flags;
} ba_device;

/* Queries the device; makes no context. BA_EGPU; BA_EINVAL: no device has this
 * ordinal (the sentence says how many there are). */
int ba_device_open(ba_device *out, const ba_driver *drv, int ordinal, ba_error *err);

/* Retains the primary context, spin-synchronised, and makes it current on this thread.
 * A context that already exists keeps its flags; context_flags has them. */
int ba_device_enter(ba_device *dev, ba_error *err);

/* Releases the context. */
void ba_device_leave(ba_device *dev);

/* How many devices the driver shows. */
int ba_device_count(int *out, const ba_driver *drv, ba_error *err);
