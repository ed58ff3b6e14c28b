/*
 * Removes the measured code's data from the L2 cache: traffic to our own memory, twice
 * the size of the cache, displaces it.
 *
 *     read     a kernel reads our memory: the lines left in the cache are clean, and no
 *              later kernel spends time on writing them back
 *     write    the driver's memset writes it, as other tools do: the lines left are
 *              dirty, and the kernel that displaces them pays for writing them back
 *
 * ba_flush_prove() checks that this works. A probe reads a quarter of the cache's
 * size; after a flush it must take as long as over memory that was never touched.
 */
#pragma once

#include "gpu/device.h"
#include "gpu/stopwatch.h"

typedef enum ba_flush_how { BA_FLUSH_READ, BA_FLUSH_WRITE } ba_flush_how;
/* names by ba_flush_how: "read", "write"; ends with NULL */
extern const char *const ba_flush_names[];

typedef struct ba_flusher {
	const ba_driver *drv;
	ba_flush_how how;
	ba_module module;
	cu_function read;
	cu_deviceptr memory;
	uint64_t bytes;
	unsigned blocks;
} ba_flusher;

/* Allocates twice the size of the device's L2 cache. */
int ba_flusher_open(ba_flusher *out, const ba_device *device, ba_flush_how how, ba_error *err);
void ba_flusher_close(ba_flusher *f);
BA_DEFINE_AUTO(ba_flusher, ba_flusher_close)

/* Queues a flush; also resets lines that a kernel made persistent. */
cu_result ba_flusher_submit(ba_flusher *f, cu_stream stream);

typedef struct ba_flush_proof {
	double first_ns;   /* duration of the probe over memory at first touch */
	double hot_ns;	   /* over the same memory again, immediately */
	double flushed_ns; /* over the same memory after a flush */
	/* flushed / first. 1: the flush is complete; above 1: the probe also waits for
	 * dirty lines that the flush left */
	double ratio;
} ba_flush_proof;

int ba_flush_prove(ba_flush_proof *out, ba_flusher *f, ba_stopwatch *w, const ba_device *device,
	cu_stream stream, ba_error *err);
