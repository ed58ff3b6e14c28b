/* The smallest plugin: one benchmark, y = a x + x over n numbers, in PTX through the driver
 * API. Copy it, and put your own kernels where run() is. CUDA C++ works the same: run() is then
 * kernel<<<grid, block, 0, (cudaStream_t)run->stream>>>(...).
 * Build: cc -O2 -fPIC -shared -Iinclude -o libsuite.so suite.c */
#include <stdlib.h>
#include "bench_against/suite.h"

static const char image[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)\n"
	"{\n"
	"	.reg .u64 %x, %y, %at; .reg .f32 %a, %u, %v; .reg .u32 %i, %n, %b, %t; .reg .pred %p;\n"
	"	ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; ld.param.f32 %a, [a]; ld.param.u32 %n, [n];\n"
	"	mov.u32 %i, %ctaid.x; mov.u32 %b, %ntid.x; mov.u32 %t, %tid.x;\n"
	"	mad.lo.u32 %i, %i, %b, %t; setp.ge.u32 %p, %i, %n; @%p ret;\n"
	"	mul.wide.u32 %at, %i, 4; add.u64 %x, %x, %at; add.u64 %y, %y, %at;\n"
	"	ld.global.f32 %u, [%x]; ld.global.f32 %v, [%x]; fma.rn.f32 %v, %a, %u, %v;\n"
	"	st.global.f32 [%y], %v; ret;\n"
	"}\n";

static int (*cu_load)(void **module, const void *image);
static int (*cu_get)(void **function, void *module, const char *entry);
static int (*cu_unload)(void *module);
static int (*cu_upload)(uint64_t to, const void *from, size_t bytes);
static int (*cu_launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared_bytes, void *stream, void **args, void **extra);
static const ba_suite_host *host;

struct ba_suite_session { void *module, *function; };
struct ba_suite_case { void *function; uint64_t x, y; uint32_t n; float a, *input; };

static int my_open(ba_suite_session **out, const ba_suite_host *h)
{
	static ba_suite_session session;
	host = h;
	*(void **)&cu_load = h->driver_symbol("cuModuleLoadData");
	*(void **)&cu_get = h->driver_symbol("cuModuleGetFunction");
	*(void **)&cu_unload = h->driver_symbol("cuModuleUnload");
	*(void **)&cu_upload = h->driver_symbol("cuMemcpyHtoD");
	*(void **)&cu_launch = h->driver_symbol("cuLaunchKernel");
	*out = &session;
	int rc = cu_load(&session.module, image);
	return rc ? rc : cu_get(&session.function, session.module, "saxpy");
}

static int my_setup(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q)
{
	ba_suite_case *c = (ba_suite_case *)calloc(1, sizeof(*c));
	uint64_t random = q->seed;
	uint32_t i;
	*out = c;
	c->function = s->function;
	c->n = (uint32_t)q->values[0].integer;
	c->a = 1.5f;
	c->input = (float *)malloc(c->n * sizeof(float));
	for (i = 0; i < c->n; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		c->input[i] = (float)(random >> 40) / 16777216.0f;
	}
	int rc = host->alloc(&c->x, c->n * sizeof(float), BA_SUITE_INPUT, "x");
	rc = rc ? rc : host->alloc(&c->y, c->n * sizeof(float), BA_SUITE_OUTPUT, "y");
	host->count(BA_SUITE_FLOP, 2.0 * c->n);
	host->count(BA_SUITE_BYTES_READ, 4.0 * c->n);
	host->count(BA_SUITE_BYTES_WRITTEN, 4.0 * c->n);
	host->count(BA_SUITE_ITEMS, c->n);
	return rc ? rc : cu_upload(c->x, c->input, c->n * sizeof(float));
}

static int my_run(ba_suite_case *c, const ba_suite_run *run)
{
	void *args[] = {&c->x, &c->y, &c->a, &c->n};
	return cu_launch(c->function, (c->n + 255) / 256, 1, 1, 256, 1, 1, 0, run->stream, args,
		NULL);
}

static int my_check(ba_suite_case *c)
{
	double *expected = (double *)malloc(c->n * sizeof(double));
	for (uint32_t i = 0; i < c->n; i++)
		expected[i] = (double)c->a * c->input[i] + c->input[i];
	ba_suite_output y = {BA_SUITE_ABI, sizeof(y), "y", c->y, BA_SUITE_F32, expected, c->n,
		0, 1e-6, 0};
	int rc = host->compare(&y);
	free(expected);
	return rc;
}

static void my_teardown(ba_suite_case *c) { free(c->input); free(c); }
static void my_close(ba_suite_session *s) { cu_unload(s->module); }
static const char *my_error(ba_suite_session *s) { (void)s; return ""; }

static const char *const sizes[] = {"65536", "16777216", NULL};
static const ba_suite_axis axes[] = {{"n", BA_SUITE_INTEGER, sizes}};
static const ba_suite_benchmark benchmarks[] = {{"saxpy", "y = a x + x", axes, 1, 0, NULL, my_setup,
	my_run, my_check, my_teardown}};
static const ba_suite table = {BA_SUITE_ABI, sizeof(ba_suite), "example", benchmarks, 1,
	sizeof(ba_suite_benchmark), my_open, my_close, my_error};

const ba_suite *bench_against_suite(uint32_t host_abi)
{
	return host_abi == BA_SUITE_ABI ? &table : NULL;
}
