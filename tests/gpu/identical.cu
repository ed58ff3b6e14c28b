/*
 * The plugin of suites.sh's part `identical` that uses the CUDA runtime: two kernels in
 * one file, a table in constant memory, memory of its own. suites.sh edits the lines
 * that say so, to change one thing at a time.
 */
#include <cuda_runtime.h>

#include <cstdlib>

#include "bench_against/suite.h"

#define HOST_TEXT "of the host" /* edited: host */
#define OTHER 1.0f		/* edited: other kernel */
#define ROUNDS 64		/* edited: code */
#define COUNT (1 << 20)		/* edited: launches */
#define TABLE 0.5f		/* edited: data */

__constant__ float table[4];

/* what is measured */
__global__ void scale(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = i < n ? in[i] : 0;
	for (int r = 0; r < ROUNDS; r++)
		x = x * table[r & 3] + 0.25f;
	if (i < n)
		out[i] = x;
}

/* what is not */
__global__ void other(float *out)
{
	out[threadIdx.x] += OTHER;
}

struct ba_suite_session {
	int unused;
};
struct ba_suite_case {
	float *in, *out;
};

static int my_open(ba_suite_session **out, const ba_suite_host *)
{
	static ba_suite_session session;
	*out = &session;
	return 0;
}

static int my_setup(ba_suite_case **out, ba_suite_session *, const ba_suite_setup *)
{
	const float values[4] = {TABLE, 0.25f, 0.125f, 0.75f};
	ba_suite_case *c = static_cast<ba_suite_case *>(calloc(1, sizeof(*c)));
	*out = c;
	cudaError_t e = cudaMalloc(&c->in, COUNT * sizeof(float));
	e = e ? e : cudaMalloc(&c->out, COUNT * sizeof(float));
	e = e ? e : cudaMemset(c->in, 1, COUNT * sizeof(float));
	e = e ? e : cudaMemset(c->out, 0, COUNT * sizeof(float));
	e = e ? e : cudaMemcpyToSymbol(table, values, sizeof(values));
	if (!e)
		other<<<1, 32>>>(c->out);
	return e ? e : cudaDeviceSynchronize();
}

static int my_run(ba_suite_case *c, const ba_suite_run *run)
{
	cudaStream_t stream = static_cast<cudaStream_t>(run->stream);
	scale<<<(COUNT + 255) / 256, 256, 0, stream>>>(c->out, c->in, COUNT);
	return cudaGetLastError();
}

static void my_teardown(ba_suite_case *c)
{
	cudaFree(c->in);
	cudaFree(c->out);
	free(c);
}

static void my_close(ba_suite_session *)
{
}

static const char *my_error(ba_suite_session *)
{
	return HOST_TEXT;
}

static const ba_suite_benchmark benchmarks[] = {
	{"scale", "a loop over constants", nullptr, 0, 0, nullptr, my_setup, my_run,
		nullptr, my_teardown}};

static const ba_suite suite = {BA_SUITE_ABI, sizeof(ba_suite), "runtime", benchmarks, 1,
	sizeof(ba_suite_benchmark), my_open, my_close, my_error};

extern "C" const ba_suite *bench_against_suite(uint32_t)
{
	return &suite;
}
