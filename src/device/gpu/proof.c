#include "gpu/trust.h"

#include "gpu/module.h"

#define THREADS BA_PROOF_THREADS
#define WARP 32
#define ROUNDS 23

/* parameter `where` of the kernel, one for each block */
typedef struct place {
	uint64_t sm, start, end;
} place;

typedef struct buffers {
	const ba_driver *drv;
	cu_deviceptr in, out, where;
} buffers;

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t v)
{
	return v << 23 | v >> 41;
}

static uint32_t ballot(const uint64_t *warp)
{
	uint32_t bits = 0;
	for (unsigned lane = 0; lane < WARP; lane++)
		bits |= (uint32_t)(warp[lane] & 1) << lane;
	return bits;
}

static void one_round(uint64_t h[THREADS], unsigned round)
{
	uint64_t s[THREADS];
	memcpy(s, h, sizeof(s));
	for (unsigned t = 0; t < THREADS; t++) {
		uint64_t other = s[(t * 33 + 7 + round) % THREADS];
		uint64_t word = (uint32_t)s[t ^ (1u << (round % 5))];
		uint64_t votes = ballot(s + (size_t)t / WARP * WARP);
		h[t] = mix(s[t] + rotate(other) + (word << 32 | votes));
	}
}

void ba_proof_expect(uint64_t *out, const uint64_t *in, unsigned blocks, unsigned rounds)
{
	for (unsigned b = 0; b < blocks; b++) {
		uint64_t h[THREADS];
		size_t base = (size_t)b * THREADS;
		for (unsigned t = 0; t < THREADS; t++)
			h[t] = mix(in[base + t] + base + t);
		for (unsigned round = 0; round < rounds; round++)
			one_round(h, round);
		memcpy(out + base, h, sizeof(h));
	}
}

static void free_buffers(buffers *b)
{
	const cu_deviceptr all[] = {b->in, b->out, b->where};
	for (size_t i = 0; i < 3; i++)
		if (all[i])
			b->drv->mem_free(all[i]);
}

static int device_alloc(cu_deviceptr *out, const ba_driver *drv, size_t bytes, ba_error *err)
{
	BA_DRIVER_TRY(drv, err, "cuMemAlloc", mem_alloc(out, bytes));
	/* memory that the kernel does not write must not look right */
	BA_DRIVER_TRY(drv, err, "cuMemsetD8", memset_d8(*out, 0xa5, bytes));
	return 0;
}

static int launch_and_fetch(const buffers *b, cu_function function, unsigned blocks, uint64_t *in,
	uint64_t *got, place *where, ba_error *err)
{
	const ba_driver *drv = b->drv;
	size_t bytes = (size_t)blocks * THREADS * sizeof(*in);
	uint32_t rounds = ROUNDS;
	buffers copy = *b;
	void *params[] = {&copy.in, &copy.out, &copy.where, &rounds};
	BA_DRIVER_TRY(drv, err, "cuMemcpyHtoD", memcpy_htod(b->in, in, bytes));
	BA_DRIVER_TRY(drv, err, "cuLaunchKernel",
		launch_kernel(function, blocks, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL));
	BA_DRIVER_TRY(drv, err, "cuCtxSynchronize", ctx_synchronize());
	BA_DRIVER_TRY(drv, err, "cuMemcpyDtoH", memcpy_dtoh(got, b->out, bytes));
	BA_DRIVER_TRY(
		drv, err, "cuMemcpyDtoH", memcpy_dtoh(where, b->where, blocks * sizeof(*where)));
	return 0;
}

static int execute(const ba_driver *drv, unsigned blocks, uint64_t *in, uint64_t *got, place *where,
	ba_error *err)
{
	BA_AUTO(ba_module) ba_module module = {0};
	cu_function function = NULL;
	BA_TRY(ba_module_load(&module, drv, ba_kernel_proof, err));
	BA_TRY(ba_module_function(&function, &module, "ba_proof", err));
	buffers b = {.drv = drv};
	size_t bytes = (size_t)blocks * THREADS * sizeof(*in);
	int rc = device_alloc(&b.in, drv, bytes, err);
	rc = rc ? rc : device_alloc(&b.out, drv, bytes, err);
	rc = rc ? rc : device_alloc(&b.where, drv, blocks * sizeof(*where), err);
	rc = rc ? rc : launch_and_fetch(&b, function, blocks, in, got, where, err);
	free_buffers(&b);
	return rc;
}

static void judge(
	ba_proof *p, const uint64_t *want, const uint64_t *got, const place *where, unsigned blocks)
{
	for (size_t i = 0; i < p->threads; i++)
		if (got[i] != want[i] && p->wrong++ == 0)
			p->first_wrong = i;
	unsigned char seen[1024] = {0};
	bool rises = true, varies = false;
	for (unsigned b = 0; b < blocks; b++) {
		rises &= where[b].end > where[b].start;
		varies |= where[b].end - where[b].start != where[0].end - where[0].start;
		if (where[b].sm >= sizeof(seen))
			continue;
		p->multiprocessors += !seen[where[b].sm];
		seen[where[b].sm] = 1;
		if (where[b].sm > p->highest_sm)
			p->highest_sm = (unsigned)where[b].sm;
	}
	p->clocks_advance = rises && (varies || blocks == 1);
}

int ba_proof_run(ba_proof *out, const ba_driver *drv, unsigned blocks, uint64_t seed, ba_error *err)
{
	if (blocks == 0 || blocks > 4096)
		return ba_fail(err, BA_EINVAL, "a proof of %u blocks; take 1 to 4096", blocks);
	ba_proof p = {.threads = (size_t)blocks * THREADS};
	BA_AUTO_FREE uint64_t *in = ba_xcalloc(p.threads, sizeof(*in));
	BA_AUTO_FREE uint64_t *want = ba_xcalloc(p.threads, sizeof(*want));
	BA_AUTO_FREE uint64_t *got = ba_xcalloc(p.threads, sizeof(*got));
	BA_AUTO_FREE place *where = ba_xcalloc(blocks, sizeof(*where));
	for (size_t i = 0; i < p.threads; i++)
		in[i] = ba_splitmix64(&seed);
	ba_error why = {0};
	if (execute(drv, blocks, in, got, where, &why) < 0) {
		snprintf(
			p.failure, sizeof(p.failure), "%.*s", (int)sizeof(p.failure) - 1, why.text);
		*out = p;
		return 0;
	}
	p.ran = true;
	ba_proof_expect(want, in, blocks, ROUNDS);
	judge(&p, want, got, where, blocks);
	*out = p;
	return 0;
}
