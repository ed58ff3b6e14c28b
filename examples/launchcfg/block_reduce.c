/*
 * Sums numbers on the GPU with a kernel that is generated for the block size it is
 * launched with, in the way of CUB's BlockReduce:
 *
 *   32 threads        one warp: shuffles, no shared memory, no barrier
 *   up to 256         a shuffle in each warp, and one more over their sums
 *   more              raking: every thread leaves its sum in shared memory, and one
 * warp adds the columns
 *
 * The generator reads the launch config. That alone marks the kernel launch-config
 * sensitive, so that a launch with another block size gets a kernel of its own.
 *
 *     cc -std=gnu17 block_reduce.c -llaunchcfg -ldl && ./a.out
 *
 * Exit status: 0 all sums right, 1 not, 77 no GPU or no NVRTC here.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <launchcfg/launchcfg.h>

#define ELEMENTS 1000003
#define GRID 64

static const char sum_warp[] = "__device__ unsigned sum_warp(unsigned x) {\n"
			       "  for (int step = 16; step; step >>= 1)\n"
			       "    x += __shfl_down_sync(0xffffffffu, x, step);\n"
			       "  return x;\n"
			       "}\n";

static const char one_warp[] =
	"__device__ unsigned sum_block(unsigned x) { return sum_warp(x); }\n";

static const char warps[] = "__device__ unsigned sum_block(unsigned x) {\n"
			    "  __shared__ unsigned part[BLOCK / 32];\n"
			    "  x = sum_warp(x);\n"
			    "  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;\n"
			    "  __syncthreads();\n"
			    "  x = threadIdx.x < BLOCK / 32 ? part[threadIdx.x] : 0;\n"
			    "  return threadIdx.x < 32 ? sum_warp(x) : 0;\n"
			    "}\n";

static const char raking[] = "__device__ unsigned sum_block(unsigned x) {\n"
			     "  __shared__ unsigned cell[BLOCK];\n"
			     "  cell[threadIdx.x] = x;\n"
			     "  __syncthreads();\n"
			     "  if (threadIdx.x >= 32) return 0;\n"
			     "  x = 0;\n"
			     "  for (int i = threadIdx.x; i < BLOCK; i += 32) x += cell[i];\n"
			     "  return sum_warp(x);\n"
			     "}\n";

static const char kernel[] = "extern \"C\" __global__ void __launch_bounds__(BLOCK)\n"
			     "sum(const unsigned *in, unsigned n, unsigned *out) {\n"
			     "  unsigned x = 0;\n"
			     "  for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i "
			     "< n; i += gridDim.x * BLOCK)\n"
			     "    x += in[i];\n"
			     "  x = sum_block(x);\n"
			     "  if (threadIdx.x == 0) atomicAdd(out, x);\n"
			     "}\n";

static const char *algorithm_name(unsigned block)
{
	return block == 32 ? "one warp" : block <= 256 ? "warps" : "raking";
}

static int generate(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	const lcfg_config *config = NULL;
	(void)what;
	int rc = lcfg_ensure_current_config(&config, err);
	if (rc)
		return rc;
	unsigned block = lcfg_config_shape(config)->block.x;
	if (block % 32)
		return lcfg_fail(
			err, LCFG_EINVAL, "a block of %u threads: use a multiple of 32", block);
	const char *algorithm = block == 32 ? one_warp : block <= 256 ? warps : raking;
	return lcfg_emit(out, "#define BLOCK %u\n%s%s%s", block, sum_warp, algorithm, kernel);
}

/* The few driver functions besides launches; a real program has them from cuda.h. */
typedef struct cuda {
	int (*init)(unsigned);
	int (*device_get)(int *, int);
	int (*context_retain)(void **, int);
	int (*context_set)(void *);
	int (*alloc)(uint64_t *, size_t);
	int (*to_device)(uint64_t, const void *, size_t);
	int (*to_host)(void *, uint64_t, size_t);
	int (*set32)(uint64_t, unsigned, size_t);
} cuda;

static int open_cuda(cuda *c)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	if (!library)
		return -1;
	*(void **)&c->init = dlsym(library, "cuInit");
	*(void **)&c->device_get = dlsym(library, "cuDeviceGet");
	*(void **)&c->context_retain = dlsym(library, "cuDevicePrimaryCtxRetain");
	*(void **)&c->context_set = dlsym(library, "cuCtxSetCurrent");
	*(void **)&c->alloc = dlsym(library, "cuMemAlloc_v2");
	*(void **)&c->to_device = dlsym(library, "cuMemcpyHtoD_v2");
	*(void **)&c->to_host = dlsym(library, "cuMemcpyDtoH_v2");
	*(void **)&c->set32 = dlsym(library, "cuMemsetD32_v2");
	int device = 0;
	void *context = NULL;
	if (!c->set32 || c->init(0) || c->device_get(&device, 0))
		return -1;
	return c->context_retain(&context, device) || c->context_set(context) ? -1 : 0;
}

typedef struct job {
	cuda cuda;
	lcfg_dispatcher *dispatcher;
	uint64_t in, out; /* device addresses */
	unsigned wanted;
} job;

/* 0: right, 1: wrong, negative: an error of launchcfg */
static int sum_with(job *j, unsigned block, lcfg_error *err)
{
	unsigned n = ELEMENTS;
	unsigned sum = 0;
	void *args[] = {&j->in, &n, &j->out};
	lcfg_shape shape = {.grid = {GRID}, .block = {block}};
	lcfg_config *config = NULL;
	int rc = lcfg_configure(&config, j->dispatcher, &shape, err);
	if (rc)
		return rc;
	j->cuda.set32(j->out, 0, 1);
	rc = lcfg_launch(config, args, err);
	lcfg_kernel_info info = {0};
	lcfg_kernel_get(&info, config, (lcfg_signature){0});
	lcfg_config_free(config);
	if (rc)
		return rc;
	int cuda_rc = j->cuda.to_host(&sum, j->out, sizeof(sum));
	int right = cuda_rc == 0 && sum == j->wanted;
	printf("block %4u  %-8s  %-9s  sum %10u  %s\n", block, algorithm_name(block),
		info.from_disk ? "from disk" : "compiled", sum, right ? "right" : "WRONG");
	return !right;
}

static int make_input(job *j)
{
	unsigned *host = malloc(ELEMENTS * sizeof(*host));
	if (!host)
		return -1;
	for (unsigned i = 0; i < ELEMENTS; i++) {
		host[i] = (i * 2654435761u) >> 20;
		j->wanted += host[i];
	}
	int rc = j->cuda.alloc(&j->in, ELEMENTS * sizeof(*host)) ||
		 j->cuda.alloc(&j->out, sizeof(*host)) ||
		 j->cuda.to_device(j->in, host, ELEMENTS * sizeof(*host));
	free(host);
	return rc ? -1 : 0;
}

static int make_dispatcher(job *j, lcfg_error *err)
{
	static const lcfg_type types[] = {LCFG_PTR_U32, LCFG_U32, LCFG_PTR_U32};
	lcfg_driver *driver = NULL;
	lcfg_cache *cache = NULL;
	int rc = lcfg_driver_open(&driver, NULL, err);
	if (rc == 0)
		rc = lcfg_cache_open(&cache, NULL, err);
	lcfg_dispatcher_desc desc = {
		.struct_size = sizeof(desc),
		.driver = driver,
		.name = "sum",
		.generate = generate,
		.revision = "block_reduce 1",
		.specialised = 1,
		.signature = {types, 3},
		.cache = cache,
	};
	if (rc == 0)
		rc = lcfg_dispatcher_new(&j->dispatcher, &desc, err);
	/* the dispatcher keeps what it needs of both */
	lcfg_cache_free(cache);
	lcfg_driver_free(driver);
	return rc;
}

int main(void)
{
	static const unsigned blocks[] = {32, 64, 128, 256, 512, 1024, 64, 32};
	job j = {0};
	lcfg_error err = {0};
	if (open_cuda(&j.cuda) || make_input(&j)) {
		fprintf(stderr, "skipped: no CUDA driver or no GPU here\n");
		return 77;
	}
	int rc = make_dispatcher(&j, &err);
	int wrong = 0;
	for (size_t i = 0; rc == 0 && i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		int one = sum_with(&j, blocks[i], &err);
		wrong += one == 1;
		rc = one < 0 ? one : 0;
	}
	lcfg_dispatcher_free(j.dispatcher);
	if (rc) {
		fprintf(stderr, "%s\n", err.text);
		return rc == LCFG_ENVRTC ? 77 : 1;
	}
	printf("%d of %zu sums wrong\n", wrong, sizeof(blocks) / sizeof(blocks[0]));
	return wrong != 0;
}
