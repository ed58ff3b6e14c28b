/* Five benchmarks of one library, for the rule by benchmark (code.sh): with -DAFTER the kernel
 * `shift` differs, which two of them launch; one launches its kernel by a graph. */
#include <cuda_runtime.h>

#include "bench_against/suite.h"

__device__ int table[64];

__global__ void scale(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] = x[i] * 2.0f + table[i & 63];
}

__global__ void shift(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
#ifdef AFTER
	for (int k = 0; k < 100; k++)
		x[i] = sinf(x[i]) + k;
#endif
	x[i] += 1.0f;
}

struct ba_suite_case {
	float *x;
	cudaGraphExec_t graph;
};

static const ba_suite_host *host;
static ba_suite_case one;
enum { N = 1 << 20, THREADS = 256, BLOCKS = N / THREADS };

static int open(ba_suite_session **out, const ba_suite_host *h)
{
	static int session;
	host = h;
	*out = (ba_suite_session *)&session;
	return 0;
}

static void close(ba_suite_session *) {}

static const char *last_error(ba_suite_session *) { return cudaGetErrorString(cudaGetLastError()); }

static int setup(ba_suite_case **out, ba_suite_session *, const ba_suite_setup *)
{
	*out = &one;
	return host->alloc((uint64_t *)&one.x, N * sizeof(float), BA_SUITE_INPUT, "x");
}

static int setup_graph(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *setup_)
{
	cudaGraph_t graph;
	cudaStream_t stream;
	int rc = setup(out, s, setup_);
	if (rc || cudaStreamCreate(&stream) || cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal))
		return rc ? rc : 1;
	scale<<<BLOCKS, THREADS, 0, stream>>>(one.x, N);
	if (cudaStreamEndCapture(stream, &graph) || cudaGraphInstantiate(&one.graph, graph, 0))
		return 1;
	cudaGraphDestroy(graph);
	return cudaStreamDestroy(stream);
}

static int run_scale(ba_suite_case *c, const ba_suite_run *r)
{
	scale<<<BLOCKS, THREADS, 0, (cudaStream_t)r->stream>>>(c->x, N);
	return cudaGetLastError();
}

static int run_shift(ba_suite_case *c, const ba_suite_run *r)
{
	shift<<<BLOCKS, THREADS, 0, (cudaStream_t)r->stream>>>(c->x, N);
	return cudaGetLastError();
}

static int run_twice(ba_suite_case *c, const ba_suite_run *r)
{
	int rc = run_scale(c, r);
	return rc ? rc : run_scale(c, r);
}

static int run_both(ba_suite_case *c, const ba_suite_run *r)
{
	int rc = run_scale(c, r);
	return rc ? rc : run_shift(c, r);
}

static int run_graph(ba_suite_case *c, const ba_suite_run *r)
{
	return cudaGraphLaunch(c->graph, (cudaStream_t)r->stream);
}

static void teardown(ba_suite_case *) {}

static void teardown_graph(ba_suite_case *c) { cudaGraphExecDestroy(c->graph); }

static const ba_suite_benchmark benchmarks[] = {
	{"scale", NULL, NULL, 0, 0, NULL, setup, run_scale, NULL, teardown},
	{"shift", NULL, NULL, 0, 0, NULL, setup, run_shift, NULL, teardown},
	{"twice", NULL, NULL, 0, 0, NULL, setup, run_twice, NULL, teardown},
	{"both", NULL, NULL, 0, 0, NULL, setup, run_both, NULL, teardown},
	{"graph", NULL, NULL, 0, 0, NULL, setup_graph, run_graph, NULL, teardown_graph},
};

BA_SUITE_EXPORT const ba_suite *bench_against_suite(uint32_t)
{
	static const ba_suite suite = {BA_SUITE_ABI, sizeof(suite), "rule", benchmarks, 5,
		sizeof(benchmarks[0]), open, close, last_error};
	return &suite;
}
