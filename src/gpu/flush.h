/*
 * An L2 cache with nothing of the measured code in it: twice its size of memory of ours
 * goes through it.
 *
 *     read     a kernel reads it: the lines it leaves are clean, and nobody who comes
 *              after pays for writing them back
 *     write    the driver's memset writes it, as other tools do: what is left is dirty,
 *              and writing it back is a part of the time of what drives it out
 *
 * That it works is proved, not assumed: a probe over a quarter of the cache must take,
 * after a flush, as long as it takes over memory that was never touched.
 */
#ifndef GPU_FLUSH_H
#define GPU_FLUSH_H

#include "gpu/device.h"
#include "gpu/module.h"
#include "gpu/stopwatch.h"

#define BA_FLUSH_GOOD 0.95 /* of the time at first touch, at least */

typedef enum ba_flush_how { BA_FLUSH_READ, BA_FLUSH_WRITE } ba_flush_how;
/* "read", "write", NULL */
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

/* Memory for twice the L2 cache of the device. */
int ba_flusher_open(
	ba_flusher *out, const ba_device *device, ba_flush_how how, ba_error *err);
void ba_flusher_close(ba_flusher *f);
BA_DEFINE_AUTO(ba_flusher, ba_flusher_close)

/* Queue a flush; also forgets lines that a kernel made persistent. */
cu_result ba_flusher_submit(ba_flusher *f, cu_stream stream);

typedef struct ba_flush_proof {
	double first_ns;   /* the probe over memory at first touch */
	double hot_ns;	   /* the same memory again, at once */
	double flushed_ns; /* and after a flush */
	double ratio;	   /* flushed / first: 1 is a perfect flush; more than 1: the
			    * probe pays for what the flush left to be written back */
} ba_flush_proof;

int ba_flush_prove(ba_flush_proof *out, ba_flusher *f, ba_stopwatch *w,
	const ba_device *device, cu_stream stream, ba_error *err);

#endif
