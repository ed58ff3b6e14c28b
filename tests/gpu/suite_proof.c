/*
 * The plugin of suites.sh: kernels whose time is known to be that of a loop (`loop`),
 * or of memory (`stream`), in PTX, so that nothing but a C compiler is needed.
 * suites.sh changes ROUNDS to plant a slowdown of two per cent, and defines MISDEED for
 * what goes wrong on purpose (suite_misdeeds.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_against/suite.h"

#define ROUNDS 10000

/* loop: out[i] = rounds times x = x * a + b. stream: out[i] = in[i] * a + b. */
static const char image[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry loop(.param .u64 in, .param .u64 out, .param .u32 n,\n"
	"	.param .u32 rounds)\n{\n"
	"	.reg .u64 %in, %out, %at; .reg .f32 %x; .reg .pred %p;\n"
	"	.reg .u32 %i, %n, %b, %t, %rounds, %r;\n"
	"	ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
	"	ld.param.u32 %n, [n]; ld.param.u32 %rounds, [rounds];\n"
	"	mov.u32 %i, %ctaid.x; mov.u32 %b, %ntid.x; mov.u32 %t, %tid.x;\n"
	"	mad.lo.u32 %i, %i, %b, %t; setp.ge.u32 %p, %i, %n; @%p ret;\n"
	"	mul.wide.u32 %at, %i, 4; add.u64 %in, %in, %at; add.u64 %out, %out, "
	"%at;\n"
	"	ld.global.f32 %x, [%in]; mov.u32 %r, 0;\n"
	"again:	setp.ge.u32 %p, %r, %rounds; @%p bra done;\n"
	"	fma.rn.f32 %x, %x, 0f3F000000, 0f3E800000;\n"
	"	add.u32 %r, %r, 1; bra again;\n"
	"done:	st.global.f32 [%out], %x; ret;\n}\n";

static int (*cu_load)(void **module, const void *image);
static int (*cu_get)(void **function, void *module, const char *entry);
static int (*cu_unload)(void *module);
static int (*cu_upload)(uint64_t to, const void *from, size_t bytes);
static int (*cu_launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared_bytes, void *stream, void **args, void **extra);
static const ba_suite_host *host;

struct ba_suite_session {
	void *module, *function;
};
struct ba_suite_case {
	void *function;
	uint64_t *in, *out; /* [sets] */
	uint32_t n, rounds, sets, runs;
	float *input;
};

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
	return rc ? rc : cu_get(&session.function, session.module, "loop");
}

static int make_set(ba_suite_case *c, uint32_t set)
{
	size_t bytes = c->n * sizeof(float);
	int rc = host->alloc(&c->in[set], bytes, BA_SUITE_INPUT, "in");
	rc = rc ? rc : host->alloc(&c->out[set], bytes, BA_SUITE_OUTPUT, "out");
	return rc ? rc : cu_upload(c->in[set], c->input, bytes);
}

static int set_up(
	ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q, uint32_t rounds)
{
	ba_suite_case *c = calloc(1, sizeof(*c));
	uint64_t random = q->seed | 1;
	if (!c)
		return 2;
	*out = c;
	c->function = s->function;
	c->n = (uint32_t)q->values[0].integer;
	c->rounds = rounds;
	c->sets = q->sets;
	c->input = malloc(c->n * sizeof(float));
	c->in = calloc(q->sets, sizeof(*c->in));
	c->out = calloc(q->sets, sizeof(*c->out));
	if (!c->input || !c->in || !c->out)
		return 2;
	for (uint32_t i = 0; i < c->n; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		c->input[i] = (float)(random >> 40) / 16777216.0f;
	}
	host->count(BA_SUITE_FLOP, 2.0 * rounds * c->n);
	host->count(BA_SUITE_BYTES_READ, 4.0 * c->n);
	host->count(BA_SUITE_BYTES_WRITTEN, 4.0 * c->n);
	host->count(BA_SUITE_ITEMS, c->n);
	int rc = 0;
	for (uint32_t i = 0; rc == 0 && i < q->sets; i++)
		rc = make_set(c, i);
	return rc;
}

static int setup_loop(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q)
{
	return set_up(out, s, q, ROUNDS);
}

static int setup_stream(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q)
{
	return set_up(out, s, q, 1);
}

#ifdef MISDEED
#include "suite_misdeeds.h"
#else
static int misbehave(ba_suite_case *c, const ba_suite_run *run)
{
	(void)c;
	(void)run;
	return 0;
}
#endif

static int my_run(ba_suite_case *c, const ba_suite_run *run)
{
	void *args[] = {&c->in[run->set], &c->out[run->set], &c->n, &c->rounds};
	int rc = cu_launch(
		c->function, (c->n + 255) / 256, 1, 1, 256, 1, 1, 0, run->stream, args, NULL);
	return rc ? rc : misbehave(c, run);
}

static int my_check(ba_suite_case *c)
{
	double *expected = malloc(c->n * sizeof(double));
	if (!expected)
		return 2;
	for (uint32_t i = 0; i < c->n; i++) {
		float x = c->input[i];
		for (uint32_t r = 0; r < c->rounds && r < 64; r++)
			x = fmaf(x, 0.5f, 0.25f); /* has come to rest by then */
		expected[i] = x;
	}
	ba_suite_output y = {BA_SUITE_ABI, sizeof(y), "out", c->out[0], BA_SUITE_F32, expected,
		c->n, 0, 1e-6, 0};
	int rc = host->compare(&y);
	free(expected);
	return rc;
}

static void my_teardown(ba_suite_case *c)
{
	free(c->input);
	free(c->in);
	free(c->out);
	free(c);
}

static void my_close(ba_suite_session *s)
{
	cu_unload(s->module);
}

static const char *my_error(ba_suite_session *s)
{
	(void)s;
	return "";
}

static const char *const few[] = {"1024", "67584", NULL};
static const char *const sizes[] = {
	"1024", "65536", "1048576", "4194304", "16777216", "67108864", NULL};
static const ba_suite_axis loop_axes[] = {{"n", BA_SUITE_INTEGER, few}};
static const ba_suite_axis stream_axes[] = {{"n", BA_SUITE_INTEGER, sizes}};
static const ba_suite_benchmark benchmarks[] = {
	{"loop", "a chain of ROUNDS multiplications in each thread", loop_axes, 1, 1, NULL,
		setup_loop, my_run, my_check, my_teardown},
	{"stream", "reads n numbers and writes n", stream_axes, 1, 1, NULL, setup_stream, my_run,
		my_check, my_teardown},
};
static const ba_suite table = {BA_SUITE_ABI, sizeof(ba_suite), "proof", benchmarks, 2,
	sizeof(ba_suite_benchmark), my_open, my_close, my_error};

const ba_suite *bench_against_suite(uint32_t host_abi)
{
	return host_abi == BA_SUITE_ABI ? &table : NULL;
}
