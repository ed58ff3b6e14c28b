#include "gpu/flush.h"

#define THREADS 512u
#define BLOCKS_PER_SM 4u
#define TIMES 2u /* size of the flushed memory, in caches */
#define LEAST_BYTES (UINT64_C(16) << 20)
#define SLICES 16u   /* slices of memory at first touch, each a quarter of the cache */
#define FIRST_USED 4 /* the first slices may have been in the cache */
#define GATE_NS 40000
#define ROUNDS 5u

const char *const ba_flush_names[] = {[BA_FLUSH_READ] = "read", [BA_FLUSH_WRITE] = "write", NULL};

static cu_result submit_read(ba_flusher *f, cu_stream stream, cu_deviceptr from, uint64_t bytes)
{
	uint64_t words = bytes / 16;
	cu_deviceptr out = f->memory; /* an output that is practically never written */
	void *params[] = {&from, &words, &out};
	return f->drv->launch_kernel(
		f->read, f->blocks, 1, 1, THREADS, 1, 1, 0, stream, params, NULL);
}

int ba_flusher_open(ba_flusher *out, const ba_device *device, ba_flush_how how, ba_error *err)
{
	const ba_driver *drv = device->drv;
	uint64_t l2 = device->l2_bytes > 0 ? (uint64_t)device->l2_bytes : 0;
	BA_AUTO(ba_flusher)
	ba_flusher f = {.drv = drv,
		.how = how,
		.bytes = TIMES * l2 > LEAST_BYTES ? TIMES * l2 : LEAST_BYTES,
		.blocks = BLOCKS_PER_SM * (device->sm_count > 0 ? (unsigned)device->sm_count : 1)};
	int rc = ba_module_load(&f.module, drv, ba_kernel_read, err);
	rc = rc ? rc : ba_module_function(&f.read, &f.module, "ba_read", err);
	if (rc == 0) {
		cu_result r = drv->mem_alloc(&f.memory, f.bytes);
		rc = r ? ba_driver_fail(drv, err, r, "cuMemAlloc") : 0;
	}
	if (rc)
		return ba_fail_context(err, "flushing the L2 cache");
	*out = BA_MOVE(f);
	return 0;
}

void ba_flusher_close(ba_flusher *f)
{
	if (f->memory)
		f->drv->mem_free(f->memory);
	ba_module_dispose(&f->module);
	*f = (ba_flusher){0};
}

cu_result ba_flusher_submit(ba_flusher *f, cu_stream stream)
{
	if (f->drv->ctx_reset_persisting_l2)
		f->drv->ctx_reset_persisting_l2();
	if (f->how == BA_FLUSH_WRITE)
		return f->drv->memset_d32_async(f->memory, 0, f->bytes / 4, stream);
	return submit_read(f, stream, f->memory, f->bytes);
}

/* ---- the proof ---- */

static cu_result time_probe(double *ns, ba_flusher *f, ba_stopwatch *w, cu_stream stream,
	cu_deviceptr from, uint64_t bytes, bool flush)
{
	bool held;
	double mhz;
	cu_result r = flush ? ba_flusher_submit(f, stream) : 0;
	r = r ? r : ba_stopwatch_begin(w, stream, GATE_NS);
	r = r ? r : submit_read(f, stream, from, bytes);
	r = r ? r : ba_stopwatch_end(w, stream, &held);
	r = r ? r : f->drv->stream_synchronize(stream);
	return r ? r : ba_stopwatch_read(ns, &mhz, w);
}

static double median(double *x, size_t n)
{
	ba_sort_doubles(x, n);
	return x[n / 2];
}

static cu_result prove(ba_flush_proof *p, ba_flusher *f, ba_stopwatch *w, cu_stream stream,
	cu_deviceptr memory, uint64_t slice)
{
	double first[SLICES], hot[ROUNDS], flushed[ROUNDS], ignored;
	cu_result r = ba_flusher_submit(f, stream);
	for (unsigned i = 0; r == 0 && i < SLICES; i++)
		r = time_probe(&first[i], f, w, stream, memory + i * slice, slice, false);
	for (unsigned i = 0; r == 0 && i < ROUNDS; i++) {
		r = time_probe(&ignored, f, w, stream, memory, slice, false);
		r = r ? r : time_probe(&hot[i], f, w, stream, memory, slice, false);
		r = r ? r : time_probe(&flushed[i], f, w, stream, memory, slice, true);
	}
	if (r)
		return r;
	p->first_ns = median(first + FIRST_USED, SLICES - FIRST_USED);
	p->hot_ns = median(hot, ROUNDS);
	p->flushed_ns = median(flushed, ROUNDS);
	p->ratio = p->first_ns > 0 ? p->flushed_ns / p->first_ns : 0;
	return 0;
}

int ba_flush_prove(ba_flush_proof *out, ba_flusher *f, ba_stopwatch *w, const ba_device *device,
	cu_stream stream, ba_error *err)
{
	cu_deviceptr memory;
	uint64_t slice = (uint64_t)device->l2_bytes / 4 / 256 * 256;
	if (slice == 0)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the driver does not report the size of the L2 cache");
	BA_DRIVER_TRY(f->drv, err, "cuMemAlloc", mem_alloc(&memory, SLICES * slice));
	ba_flush_proof p = {0};
	cu_result r = prove(&p, f, w, stream, memory, slice);
	f->drv->mem_free(memory);
	if (r)
		return ba_driver_fail(f->drv, err, r, "proving the flush");
	*out = p;
	return 0;
}
