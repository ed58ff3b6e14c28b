/*
 * A GPU suite for --untrusted, honest or not: y[i] = A^ROUNDS x[i] + ..., ROUNDS steps of a
 * linear congruential generator for each number. On the fake driver, which executes nothing,
 * the processor does it, in time by its own clock. deed.h says what this copy is like:
 *
 *     #define DEED HONEST
 *     #define EXTRA 50         per cent of work that nobody needs
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench_against/suite.h"
#include "deed.h"

enum deed {
	HONEST,
	SKIPS,	   /* after some, every second run does nothing */
	STALE,	   /* no run does */
	REPLAYS,   /* what it computed once comes out again */
	AHEAD,	   /* it computes in setup(), from the inputs it was given there */
	PUTS_OFF,  /* a thread makes the launches a moment later */
	FORGES,	   /* it answers the host before it works */
	ELSEWHERE, /* its output is in memory of its own */
	ACCEPTS,   /* check() accepts everything */
	KNOWS,	   /* its inputs are not in memory from host->alloc() */
	UNCHECKED,
	REPLACES, /* its inputs, by others whose results it knows */
	OVERLAPS, /* the runs of a visit go on at the same time */
	HOGS,	  /* it keeps the GPU busy, also when it is not asked */
	DIES,	  /* after some runs, a thread ends the process */
	GARBLES,  /* it answers what is no message */
	DEAF,	  /* it takes no more inputs */
	BABBLES,  /* it sends news without end */
	OVERRUNS, /* it writes beyond its output */
	SHRINKS,  /* setup() skips, where no other variant does */
	MORE,	  /* it has a benchmark that the baseline has not */
};

#define COUNT 1024u
#ifndef ROUNDS
#define ROUNDS 100000u
#endif
#define A 1664525u
#define C 1013904223u
#define FAKE_NS_PER_ROUND 5

struct ba_suite_session {
	int unused;
};
struct ba_suite_case {
	void *module, *function, *hog;
	uint64_t x, y, own; /* own: results that it computed before */
	uint32_t input[COUNT];
	uint64_t runs;
};

static int (*cu_load)(void **, const void *);
static int (*cu_get)(void **, void *, const char *);
static int (*cu_unload)(void *);
static int (*cu_write)(uint64_t, const void *, size_t);
static int (*cu_read)(void *, uint64_t, size_t);
static int (*cu_copy)(uint64_t, uint64_t, size_t);
static int (*cu_alloc)(uint64_t *, size_t);
static int (*cu_free)(uint64_t);
static int (*cu_name)(char *, int, int);
static int (*cu_set_context)(void *);
static int (*cu_stream)(void **, unsigned);
static int (*cu_launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
	unsigned, void *, void **, void **);
static const ba_suite_host *host;
static int is_fake;

static const char image[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry steps(.param .u64 x, .param .u64 y, .param .u32 n, .param .u32 extra)\n"
	"{\n"
	".reg .u32 %i, %j, %v, %w, %n, %e;\n.reg .u64 %a, %b, %o;\n.reg .pred %p;\n"
	"mov.u32 %i, %tid.x; mov.u32 %j, %ctaid.x; mad.lo.u32 %i, %j, 128, %i;\n"
	"mul.wide.u32 %o, %i, 4;\n"
	"ld.param.u64 %a, [x]; ld.param.u64 %b, [y]; ld.param.u32 %n, [n]; ld.param.u32 %e, [extra];\n"
	"add.u64 %a, %a, %o; add.u64 %b, %b, %o;\n"
	"ld.global.u32 %v, [%a]; mov.u32 %w, %v;\n"
	"STEP: setp.eq.u32 %p, %n, 0; @%p bra MORE;\n"
	"mad.lo.u32 %v, %v, 1664525, 1013904223; sub.u32 %n, %n, 1; bra STEP;\n"
	"MORE: setp.eq.u32 %p, %e, 0; @%p bra DONE;\n"
	"mad.lo.u32 %w, %w, 1664525, 1013904223; sub.u32 %e, %e, 1; bra MORE;\n"
	/* what the extra work leaves is used, so that it cannot be left out */
	"DONE: setp.eq.u32 %p, %w, 12345; @%p add.u32 %v, %v, 0;\n"
	"st.global.u32 [%b], %v;\n@%p st.global.u32 [%b], %w;\nret;\n}\n";

/* x -> a x + c, ROUNDS times, by squaring */
static uint32_t result_of(uint32_t x)
{
	uint32_t a = 1, c = 0, pa = A, pc = C;
	for (uint32_t n = ROUNDS; n; n >>= 1) {
		if (n & 1) {
			c = pa * c + pc;
			a = pa * a;
		}
		pc = pa * pc + pc;
		pa = pa * pa;
	}
	return a * x + c;
}

static int my_open(ba_suite_session **out, const ba_suite_host *h)
{
	static ba_suite_session session;
	static const struct {
		void **function;
		const char *name;
	} rows[] = {
		{(void **)&cu_load, "cuModuleLoadData"},
		{(void **)&cu_get, "cuModuleGetFunction"},
		{(void **)&cu_unload, "cuModuleUnload"},
		{(void **)&cu_write, "cuMemcpyHtoD"},
		{(void **)&cu_read, "cuMemcpyDtoH"},
		{(void **)&cu_copy, "cuMemcpyDtoD"},
		{(void **)&cu_alloc, "cuMemAlloc"},
		{(void **)&cu_free, "cuMemFree"},
		{(void **)&cu_name, "cuDeviceGetName"},
		{(void **)&cu_set_context, "cuCtxSetCurrent"},
		{(void **)&cu_stream, "cuStreamCreate"},
		{(void **)&cu_launch, "cuLaunchKernel"},
	};
	char name[256] = "";
	host = h;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		*rows[i].function = h->driver_symbol(rows[i].name);
		if (!*rows[i].function)
			return 1;
	}
	cu_name(name, sizeof(name), h->device);
	is_fake = strstr(name, "FAKE") != NULL;
	*out = &session;
	return 0;
}

static int64_t cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What the kernel does, where there is none. */
static int compute(const ba_suite_case *c, uint64_t from, uint64_t to)
{
	static const ba_suite_case *first; /* of a visit; the others begin with it */
	uint32_t v[COUNT];
	int64_t ns = (int64_t)ROUNDS * FAKE_NS_PER_ROUND;
	int64_t end = cpu_ns() + ns + ns * EXTRA / 100;
	int rc = cu_read(v, from, sizeof(v));
	for (unsigned i = 0; i < COUNT; i++)
		v[i] = result_of(v[i]);
	first = first ? first : c;
	while (cpu_ns() < end && (DEED != OVERLAPS || c == first))
		;
	return rc ? rc : cu_write(to, v, sizeof(v));
}

static int launch(ba_suite_case *c, uint64_t from, uint64_t to, void *stream)
{
	unsigned n = ROUNDS, extra = (unsigned)((uint64_t)ROUNDS * EXTRA / 100);
	void *args[] = {&from, &to, &n, &extra};
	int rc = cu_launch(c->function, COUNT / 128, 1, 1, 128, 1, 1, 0, stream, args, NULL);
	return rc == 0 && is_fake ? compute(c, from, to) : rc;
}

static int my_setup(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q)
{
	(void)s;
	ba_suite_case *c = calloc(1, sizeof(*c));
	if (!c)
		return 2;
	*out = c;
	uint64_t random = q->seed + 1;
	for (unsigned i = 0; i < COUNT; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		c->input[i] = (uint32_t)(random >> 32);
	}
	if (DEED == SHRINKS)
		return host->skip("not here");
	int rc = DEED == KNOWS ? cu_alloc(&c->x, sizeof(c->input))
			       : host->alloc(&c->x, sizeof(c->input), BA_SUITE_INPUT, "x");
	rc = rc			 ? rc
	     : DEED == ELSEWHERE ? cu_alloc(&c->y, sizeof(c->input))
				 : host->alloc(&c->y, sizeof(c->input), BA_SUITE_OUTPUT, "y");
	rc = rc ? rc : cu_write(c->x, c->input, sizeof(c->input));
	rc = rc ? rc : cu_load(&c->module, image);
	rc = rc ? rc : cu_get(&c->function, c->module, "steps");
	if (rc == 0 && (DEED == AHEAD || DEED == REPLAYS || DEED == HOGS))
		rc = cu_alloc(&c->own, sizeof(c->input));
	if (rc == 0 && DEED == AHEAD)
		rc = launch(c, c->x, c->own, q->stream);
	if (rc == 0 && (DEED == HOGS || DEED == OVERLAPS))
		rc = cu_stream(&c->hog, 1);
	if (rc == 0 && DEED == OVERLAPS)
		host->use_stream(c->hog);
	host->count(BA_SUITE_ITEMS, COUNT);
	return rc;
}

/* ---- deeds ---- */

static struct {
	ba_suite_case *c;
	void *stream;
} later[256];
static unsigned later_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work_later(void *unused)
{
	cu_set_context(host->context);
	for (;;) {
		usleep(2000);
		pthread_mutex_lock(&lock);
		for (unsigned i = 0; i < later_count; i++)
			launch(later[i].c, later[i].c->x, later[i].c->y, later[i].stream);
		later_count = 0;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static int put_off(ba_suite_case *c, void *stream)
{
	static pthread_t thread;
	static int started;
	if (!started++ && pthread_create(&thread, NULL, work_later, NULL))
		return 3;
	pthread_mutex_lock(&lock);
	if (later_count < 256) {
		later[later_count].c = c;
		later[later_count++].stream = stream;
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

/* From another thread, on memory that nobody takes away. */
static void *work_always(void *data)
{
	ba_suite_case *c = data;
	cu_set_context(host->context);
	for (;;) {
		usleep(1000);
		launch(c, c->own, c->own, c->hog);
	}
	return NULL;
}

static int hog(ba_suite_case *c)
{
	static pthread_t thread;
	static int started;
	return !started++ && pthread_create(&thread, NULL, work_always, c) ? 3 : 0;
}

/* Says that the runs are done, as the worker would, before the first one begins. */
static void forge(void)
{
	static const char text[] = "{\"t\":\"fresh_ran\",\"ns\":1000000}\n";
	static uint64_t calls;
	if (calls++ % 16 == 0 && write(4, text, sizeof(text) - 1) < 0)
		calls = 0;
}

static void *end_all(void *unused)
{
	usleep(20000);
	_exit(3);
	return unused;
}

/* What must not end more than this variant. */
static void disturb(void)
{
	static const char note[] = "{\"t\":\"note\",\"text\":\"\"}\n";
	static uint64_t runs;
	pthread_t thread;
	/* more than the usual check makes */
	if (runs++ < 16)
		return;
	if (DEED == DIES && pthread_create(&thread, NULL, end_all, NULL))
		_exit(4);
	if (DEED == GARBLES && write(4, "{\"t\":\n", 6) < 0)
		_exit(4);
	if (DEED == DEAF)
		close(6);
	while (DEED == BABBLES)
		if (write(4, note, sizeof(note) - 1) < 0)
			_exit(4);
}

static int my_run(ba_suite_case *c, const ba_suite_run *run)
{
	static uint32_t zeros[COUNT], known[COUNT];
	static uint64_t runs;
	int rc;
	c->runs++;
	switch ((int)DEED) {
	case SKIPS:
		/* more than the usual check makes */
		return runs++ > 16 && runs % 2 ? 0 : launch(c, c->x, c->y, run->stream);
	case STALE:
		return 0;
	case REPLAYS:
		if (c->runs > 2)
			return cu_copy(c->y, c->own, sizeof(c->input));
		rc = launch(c, c->x, c->y, run->stream);
		return rc ? rc : cu_copy(c->own, c->y, sizeof(c->input));
	case AHEAD:
		return cu_copy(c->y, c->own, sizeof(c->input));
	case PUTS_OFF:
		/* the usual check before the first visit must not find out */
		return c->runs <= 2 ? launch(c, c->x, c->y, run->stream) : put_off(c, run->stream);
	case FORGES:
		forge();
		return launch(c, c->x, c->y, run->stream);
	case REPLACES:
		for (unsigned i = 0; i < COUNT; i++)
			known[i] = result_of(0);
		rc = cu_write(c->x, zeros, sizeof(zeros));
		return rc ? rc : cu_write(c->y, known, sizeof(known));
	case DIES:
	case GARBLES:
	case DEAF:
	case BABBLES:
		disturb();
		return launch(c, c->x, c->y, run->stream);
	case OVERRUNS:
		rc = launch(c, c->x, c->y, run->stream);
		if (rc == 0 && runs++ > 16)
			rc = cu_write(c->y + sizeof(zeros), zeros, 4);
		return rc;
	case HOGS:
		rc = hog(c);
		return rc ? rc : launch(c, c->x, c->y, run->stream);
	default:
		return launch(c, c->x, c->y, run->stream);
	}
}

static int my_check(ba_suite_case *c)
{
	static double expected[COUNT];
	if (DEED == ACCEPTS)
		return 0;
	/* from the device, as some suites do: there a candidate could have put others */
	int rc = cu_read(c->input, c->x, sizeof(c->input));
	for (unsigned i = 0; i < COUNT; i++)
		expected[i] = result_of(c->input[i]);
	const ba_suite_output out = {.abi = BA_SUITE_ABI,
		.struct_size = sizeof(out),
		.name = "y",
		.address = c->y,
		.type = BA_SUITE_U32,
		.expected = expected,
		.count = COUNT};
	return rc ? rc : host->compare(&out);
}

static void my_teardown(ba_suite_case *c)
{
	if (c->module)
		cu_unload(c->module);
	if (DEED == KNOWS && c->x)
		cu_free(c->x);
	if (DEED == ELSEWHERE && c->y)
		cu_free(c->y);
	if (c->own)
		cu_free(c->own);
	free(c);
}

static void my_close(ba_suite_session *s)
{
	(void)s;
}

static const char *my_error(ba_suite_session *s)
{
	(void)s;
	return "";
}

static const ba_suite_benchmark benchmarks[] = {
	{.name = "steps",
		.setup = my_setup,
		.run = my_run,
		.check = DEED == UNCHECKED ? NULL : my_check,
		.teardown = my_teardown},
	{.name = "more",
		.setup = my_setup,
		.run = my_run,
		.check = my_check,
		.teardown = my_teardown},
};

static const ba_suite suite = {.abi = BA_SUITE_ABI,
	.struct_size = sizeof(suite),
	.name = "fresh",
	.benchmarks = benchmarks,
	.benchmark_count = DEED == MORE ? 2 : 1,
	.benchmark_size = sizeof(ba_suite_benchmark),
	.open = my_open,
	.close = my_close,
	.last_error = my_error};

BA_SUITE_EXPORT const ba_suite *bench_against_suite(uint32_t host_abi)
{
	(void)host_abi;
	return &suite;
}
