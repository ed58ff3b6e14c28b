#include "gpu/ceiling.h"

#include "gpu/kernels.h"
#include "gpu/module.h"

#define GATE_NS 50000
#define TRIES 8u
#define COPY_BYTES (UINT64_C(1) << 30)
#define COPY_LEAST (UINT64_C(64) << 20)
#define THREADS 512u
#define BLOCKS_PER_SM 4u
#define MATRIX_THREADS 256u
#define MATRIX_BLOCKS_PER_SM 2u
#define MATRIX_ROUNDS 16384u
#define MATRIX_SUMS 8.0 /* of ceiling.ptx */
#define FLOP_OF_MMA (2.0 * 16 * 8 * 16)

typedef struct bench {
	const ba_driver *drv;
	ba_stopwatch *watch;
	cu_stream stream;
	cu_function function;
	unsigned blocks, threads;
	void **params;
} bench;

/* The shortest of some launches, in ns. */
static cu_result best_of(double *out, const bench *b)
{
	*out = 0;
	for (unsigned i = 0; i < TRIES; i++) {
		double ns = 0, mhz;
		bool held;
		cu_result r = ba_stopwatch_begin(b->watch, b->stream, GATE_NS);
		r = r ? r
		      : b->drv->launch_kernel(b->function, b->blocks, 1, 1, b->threads,
				1, 1, 0, b->stream, b->params, NULL);
		r = r ? r : ba_stopwatch_end(b->watch, b->stream, &held);
		r = r ? r : b->drv->stream_synchronize(b->stream);
		r = r ? r : ba_stopwatch_read(&ns, &mhz, b->watch);
		if (r)
			return r;
		if (held && ns > 0 && (*out == 0 || ns < *out))
			*out = ns;
	}
	return 0;
}

static uint64_t copy_bytes(const ba_driver *drv)
{
	size_t free_bytes = 0, total = 0;
	uint64_t bytes = COPY_BYTES;
	if (drv->mem_get_info(&free_bytes, &total) == 0)
		while (bytes > COPY_LEAST && 4 * bytes > free_bytes)
			bytes /= 2;
	return bytes;
}

static cu_result measure_copy(ba_ceilings *out, bench *b)
{
	uint64_t bytes = copy_bytes(b->drv), words = bytes / 16;
	cu_deviceptr to = 0, from = 0;
	double ns = 0;
	void *params[] = {&to, &from, &words};
	b->params = params;
	cu_result r = b->drv->mem_alloc(&to, bytes);
	r = r ? r : b->drv->mem_alloc(&from, bytes);
	r = r ? r : best_of(&ns, b);
	if (to)
		b->drv->mem_free(to);
	if (from)
		b->drv->mem_free(from);
	if (r == 0 && ns > 0)
		out->copy_gb_per_s = 2 * (double)bytes / ns;
	return r;
}

static cu_result measure_matrix(ba_ceilings *out, bench *b)
{
	uint32_t rounds = MATRIX_ROUNDS;
	cu_deviceptr memory = 0;
	double ns = 0;
	void *params[] = {&rounds, &memory};
	b->params = params;
	cu_result r = b->drv->mem_alloc(&memory, 256);
	r = r ? r : best_of(&ns, b);
	if (memory)
		b->drv->mem_free(memory);
	double warps = (double)b->blocks * (b->threads / 32);
	if (r == 0 && ns > 0)
		out->matrix_gflop_per_s =
			warps * MATRIX_SUMS * rounds * FLOP_OF_MMA / ns;
	return r;
}

int ba_ceilings_measure(ba_ceilings *out, const ba_device *device, ba_stopwatch *w,
	cu_stream stream, ba_error *err)
{
	const ba_driver *drv = device->drv;
	unsigned sms = device->sm_count > 0 ? (unsigned)device->sm_count : 1;
	ba_ceilings c = {0};
	BA_AUTO(ba_module) ba_module module = {0};
	if (device->cc_major < 8) {
		*out = c;
		return 0;
	}
	bench copy = {drv, w, stream, NULL, BLOCKS_PER_SM * sms, THREADS, NULL};
	bench matrix = {
		drv, w, stream, NULL, MATRIX_BLOCKS_PER_SM * sms, MATRIX_THREADS, NULL};
	int rc = ba_module_load(&module, drv, ba_kernel_ceiling, err);
	rc = rc ? rc : ba_module_function(&copy.function, &module, "ba_copy", err);
	rc = rc ? rc : ba_module_function(&matrix.function, &module, "ba_matrix", err);
	if (rc)
		return ba_fail_context(err, "ceilings");
	cu_result r = measure_copy(&c, &copy);
	r = r ? r : measure_matrix(&c, &matrix);
	if (r)
		return ba_driver_fail(drv, err, r, "measuring the ceilings");
	*out = c;
	return 0;
}
