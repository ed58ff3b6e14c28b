/*
 * A plugin as a project could have written it against the first version of suite.h: every
 * field in its first meaning, the tables in their first order. Kept as it was at that
 * version, with the header beside it: never edit it, so that it stands for libraries that
 * nobody will build again. COST is what the kernel takes of the fake driver's GPU, in
 * nanoseconds; as that executes nothing, run() writes what the kernel would have left.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_against/suite.h"

#ifndef COST
#define COST 20000
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define ENTRY "ba_test_ns_" TEXT(COST)
#define COUNT 1000u

struct ba_suite_session {
	int opened;
};
struct ba_suite_case {
	void *module, *function;
	uint64_t out;
	float result[COUNT];
	unsigned runs, sets;
};

static int (*cu_load)(void **module, const void *image);
static int (*cu_get)(void **function, void *module, const char *entry);
static int (*cu_unload)(void *module);
static int (*cu_write)(uint64_t to, const void *from, size_t bytes);
static int (*cu_launch)(void *function, unsigned gx, unsigned gy, unsigned gz,
	unsigned bx, unsigned by, unsigned bz, unsigned shared_bytes, void *stream,
	void **args, void **extra);
static const ba_suite_host *host;
static const char *sentence = "";

static const char image[] =
	".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry " ENTRY
	"(.param .u64 out)\n{\n\tret;\n}\n";

static int my_open(ba_suite_session **out, const ba_suite_host *h)
{
	static ba_suite_session session = {1};
	sentence = "the host is not one of version 1";
	if (h->abi < BA_SUITE_ABI || h->struct_size < sizeof(*h) || !h->context ||
		h->sm_arch < 10)
		return 1;
	host = h;
	*(void **)&cu_load = h->driver_symbol("cuModuleLoadData");
	*(void **)&cu_get = h->driver_symbol("cuModuleGetFunction");
	*(void **)&cu_unload = h->driver_symbol("cuModuleUnload");
	*(void **)&cu_write = h->driver_symbol("cuMemcpyHtoD");
	*(void **)&cu_launch = h->driver_symbol("cuLaunchKernel");
	sentence = "the driver lacks a function";
	if (!cu_load || !cu_get || !cu_unload || !cu_write || !cu_launch)
		return 2;
	h->log("a library of version 1");
	sentence = "";
	*out = &session;
	return 0;
}

static int right_values(const ba_suite_setup *q)
{
	return q->value_count == 2 && q->values[0].integer == 100 &&
	       q->values[0].real == 100 && strcmp(q->values[0].text, "100") == 0 &&
	       strcmp(q->values[1].text, "f32") == 0;
}

static int my_setup(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q)
{
	sentence = "the case is not one of version 1";
	if (!s->opened || q->abi < BA_SUITE_ABI || q->struct_size < sizeof(*q) ||
		q->sets < 1 || (q->value_count != 0 && !right_values(q)))
		return 1;
	sentence = "";
	ba_suite_case *c = calloc(1, sizeof(*c));
	if (!c)
		return 2;
	*out = c;
	c->sets = q->sets;
	uint64_t random = q->seed + 1;
	for (unsigned i = 0; i < COUNT; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		c->result[i] = (float)(random >> 40);
	}
	int rc = host->alloc(&c->out, COUNT * sizeof(float), BA_SUITE_OUTPUT, "out");
	rc = rc ? rc : cu_load(&c->module, image);
	rc = rc ? rc : cu_get(&c->function, c->module, ENTRY);
	host->count(BA_SUITE_BYTES_WRITTEN, 4.0 * COUNT);
	host->count(BA_SUITE_ITEMS, COUNT);
	return rc;
}

static int my_run(ba_suite_case *c, const ba_suite_run *run)
{
	void *args[] = {&c->out};
	sentence = "the run is not one of version 1";
	if (run->abi < BA_SUITE_ABI || run->struct_size < sizeof(*run) ||
		run->set >= c->sets)
		return 1;
	sentence = "";
	int rc = cu_launch(c->function, 1, 1, 1, 1, 1, 1, 0, run->stream, args, NULL);
	/* a copy costs time that is not the kernel's: only while it is checked */
	if (rc == 0 && ++c->runs <= 16)
		rc = cu_write(c->out, c->result, sizeof(c->result));
	return rc;
}

static int my_check(ba_suite_case *c)
{
	static double expected[COUNT];
	for (unsigned i = 0; i < COUNT; i++)
		expected[i] = c->result[i];
	/* without names of fields: their order is part of the version */
	ba_suite_output out = {BA_SUITE_ABI, sizeof(out), "out", c->out, BA_SUITE_F32,
		expected, COUNT, 0, 1e-5, 1e-5};
	return host->compare(&out);
}

static void my_teardown(ba_suite_case *c)
{
	if (c->module)
		cu_unload(c->module);
	free(c);
}

static void my_close(ba_suite_session *s)
{
	s->opened = 0;
}

static const char *my_error(ba_suite_session *s)
{
	(void)s;
	return sentence;
}

static const char *const sizes[] = {"100", NULL};
static const char *const types[] = {"f16", "f32", NULL};
static const char *const points[] = {"n=100,dtype=f32", NULL};
static const ba_suite_axis axes[] = {
	{"n", BA_SUITE_INTEGER, sizes},
	{"dtype", BA_SUITE_TYPE, types},
};

static const ba_suite_benchmark benchmarks[] = {
	{"work", "what takes a known time", NULL, 0, 1, NULL, my_setup, my_run,
		my_check, my_teardown},
	{"more", NULL, axes, 2, 0, points, my_setup, my_run, NULL, my_teardown},
};

static const ba_suite table = {
	BA_SUITE_ABI,
	sizeof(ba_suite),
	"version 1",
	benchmarks,
	2,
	sizeof(ba_suite_benchmark),
	my_open,
	my_close,
	my_error,
};

const ba_suite *bench_against_suite(uint32_t host_abi)
{
	return host_abi >= BA_SUITE_ABI ? &table : NULL;
}
