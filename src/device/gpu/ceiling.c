#include "gpu/stopwatch.h"

#define GATE_NS 50000
#define TRIES 8u
#define COPY_BYTES (UINT64_C(2) << 30)
#define COPY_LEAST (UINT64_C(64) << 20)
#define COPY_WORDS 4u /* words of 16 bytes that a thread copies at a time */
#define FLOP_OF_MMA (2.0 * 16 * 8 * 16)
#define FLOP_OF_WGMMA (2.0 * 64 * 256 * 16)

/* Grids for ba_copy. The fastest counts; which one that is depends on the GPU. */
static const struct copy_grid {
	unsigned threads, blocks_per_sm; /* 0: as many blocks as the work needs */
} copy_grids[] = {{512, 4}, {512, 0}, {128, 0}};

/* Loops of matrix instructions. Those for other GPUs are skipped. */
static const struct matrix_loop {
	const char *image, *entry;
	int cc_major, cc_minor; /* 0: compute capability 8.0 or newer */
	unsigned threads, blocks_per_sm;
	uint32_t rounds;
	double flop_of_round; /* of a block */
} matrix_loops[] = {
	{ba_kernel_ceiling, "ba_matrix", 0, 0, 256, 2, 16384, 8 * 8 * FLOP_OF_MMA},
	{ba_kernel_ceiling_hopper, "ba_matrix_group", 9, 0, 256, 1, 1024, 2 * 16 * FLOP_OF_WGMMA},
};

enum { COPY_GRIDS = BA_COUNT(copy_grids), MATRIX_LOOPS = BA_COUNT(matrix_loops) };

typedef struct bench {
	const ba_driver *drv;
	ba_stopwatch *watch;
	cu_stream stream;
	cu_function function;
	unsigned blocks, threads;
	void **params;
} bench;

/* The shortest duration of several launches, in ns. */
static cu_result best_of(double *out, const bench *b)
{
	*out = 0;
	for (unsigned i = 0; i < TRIES; i++) {
		double ns = 0, mhz;
		bool held;
		cu_result r = ba_stopwatch_begin(b->watch, b->stream, GATE_NS);
		r = r ? r
		      : b->drv->launch_kernel(b->function, b->blocks, 1, 1, b->threads, 1, 1, 0,
				b->stream, b->params, NULL);
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

/* The shortest duration over all grids, in ns. */
static cu_result best_copy(double *out, bench *b, uint64_t words, unsigned sms)
{
	*out = 0;
	BA_EACH (const struct copy_grid, grid, copy_grids, COPY_GRIDS) {
		double ns;
		b->threads = grid->threads;
		b->blocks = grid->blocks_per_sm
				    ? grid->blocks_per_sm * sms
				    : (unsigned)(words / ((uint64_t)COPY_WORDS * grid->threads));
		cu_result r = best_of(&ns, b);
		if (r)
			return r;
		if (ns > 0 && (*out == 0 || ns < *out))
			*out = ns;
	}
	return 0;
}

static cu_result measure_copy(ba_ceilings *out, bench *b, unsigned sms)
{
	uint64_t bytes = copy_bytes(b->drv), words = bytes / 16;
	cu_deviceptr to = 0, from = 0;
	double ns = 0;
	void *params[] = {&to, &from, &words};
	b->params = params;
	cu_result r = b->drv->mem_alloc(&to, bytes);
	r = r ? r : b->drv->mem_alloc(&from, bytes);
	r = r ? r : best_copy(&ns, b, words, sms);
	if (to)
		b->drv->mem_free(to);
	if (from)
		b->drv->mem_free(from);
	b->params = NULL;
	if (r == 0 && ns > 0)
		out->copy_gb_per_s = 2 * (double)bytes / ns;
	return r;
}

static cu_result measure_matrix(
	ba_ceilings *out, bench *b, const struct matrix_loop *loop, unsigned sms)
{
	uint32_t rounds = loop->rounds;
	cu_deviceptr memory = 0;
	double ns = 0;
	void *params[] = {&rounds, &memory};
	b->params = params;
	b->threads = loop->threads;
	b->blocks = loop->blocks_per_sm * sms;
	cu_result r = b->drv->mem_alloc(&memory, 256);
	r = r ? r : best_of(&ns, b);
	if (memory)
		b->drv->mem_free(memory);
	b->params = NULL;
	if (r || ns <= 0)
		return r;
	double rate = (double)b->blocks * rounds * loop->flop_of_round / ns;
	if (rate > out->matrix_gflop_per_s)
		out->matrix_gflop_per_s = rate;
	return 0;
}

static int run_copy(ba_ceilings *out, bench *b, unsigned sms, ba_error *err)
{
	BA_AUTO(ba_module) ba_module module = {0};
	BA_TRY(ba_module_load(&module, b->drv, ba_kernel_ceiling, err));
	BA_TRY(ba_module_function(&b->function, &module, "ba_copy", err));
	cu_result r = measure_copy(out, b, sms);
	return r ? ba_driver_fail(b->drv, err, r, "measuring the copy") : 0;
}

static int run_matrix(
	ba_ceilings *out, bench *b, const struct matrix_loop *loop, unsigned sms, ba_error *err)
{
	BA_AUTO(ba_module) ba_module module = {0};
	BA_TRY(ba_module_load(&module, b->drv, loop->image, err));
	BA_TRY(ba_module_function(&b->function, &module, loop->entry, err));
	cu_result r = measure_matrix(out, b, loop, sms);
	return r ? ba_driver_fail(b->drv, err, r, loop->entry) : 0;
}

int ba_ceilings_measure(
	ba_ceilings *out, const ba_device *device, ba_stopwatch *w, cu_stream stream, ba_error *err)
{
	unsigned sms = device->sm_count > 0 ? (unsigned)device->sm_count : 1;
	bench b = {.drv = device->drv, .watch = w, .stream = stream};
	ba_ceilings c = {0};
	if (device->cc_major < 8) {
		*out = c;
		return 0;
	}
	int rc = run_copy(&c, &b, sms, err);
	for (size_t i = 0; rc == 0 && i < MATRIX_LOOPS; i++) {
		const struct matrix_loop *loop = &matrix_loops[i];
		if (loop->cc_major &&
			(loop->cc_major != device->cc_major || loop->cc_minor != device->cc_minor))
			continue;
		rc = run_matrix(&c, &b, loop, sms, err);
	}
	if (rc)
		return ba_fail_context(err, "ceilings");
	*out = c;
	return 0;
}
