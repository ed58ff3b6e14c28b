/* A suite whose device memory is the host's: y[i] = factor * i, by a library as C
 * projects build them. Everything that is handed to it ends up in what it writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_against/suite.h"

struct ba_suite_session {
	const ba_suite_host *host;
	char error[64];
	int opened;
};

struct ba_suite_case {
	ba_suite_session *session;
	double *y, factor;
	int64_t n;
	uint64_t seed;
};

static ba_suite_session session;
BA_SUITE_EXPORT int small_torn_down; /* read by the test */

static int open_session(ba_suite_session **out, const ba_suite_host *host)
{
	*out = &session;
	session.host = host;
	snprintf(session.error, sizeof(session.error), "arch %d device %d context %p",
		host->sm_arch, host->device, host->context);
	session.opened = host->struct_size == sizeof(ba_suite_host) &&
			 host->driver_symbol("there") == (void *)16 &&
			 !host->driver_symbol("missing");
	return session.opened ? 0 : 1;
}

static void close_session(ba_suite_session *s)
{
	s->opened = 0;
}

static const char *last_error(ba_suite_session *s)
{
	return s->error;
}

static int setup(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *setup)
{
	const ba_suite_value *v = setup->values;
	uint64_t address = 0;
	ba_suite_case *c;

	if (strcmp(v[2].text, "never") == 0)
		return s->host->skip("never is never");
	if (strcmp(v[2].text, "stream") == 0)
		s->host->use_stream(setup->stream);
	c = calloc(1, sizeof(*c));
	*out = c;
	c->session = s;
	c->n = v[0].integer;
	c->factor = v[1].real;
	c->seed = setup->seed;
	if (setup->value_count != 3 || setup->sets != 1 || setup->stream != (void *)7 ||
		s->host->alloc(&address, (size_t)c->n * sizeof(*c->y), BA_SUITE_OUTPUT, "y"))
		return 2;
	c->y = (double *)(uintptr_t)address;
	s->host->count(BA_SUITE_FLOP, 2.0 * (double)c->n);
	s->host->count(BA_SUITE_ITEMS, (double)c->n);
	return 0;
}

static int run(ba_suite_case *c, const ba_suite_run *how)
{
	if (c->n == 13 || how->stream != (void *)7 || how->set != 0) {
		snprintf(c->session->error, sizeof(c->session->error), "no 13");
		return 700;
	}
	for (int64_t i = 0; i < c->n; i++)
		c->y[i] = c->factor * (double)i + (double)c->seed;
	return 0;
}

static void teardown(ba_suite_case *c)
{
	small_torn_down++;
	free(c);
}

static const char *const sizes[] = {"4", "13", NULL};
static const char *const factors[] = {"0.5", NULL};
static const char *const words[] = {"plain", "never", "stream", NULL};
static const ba_suite_axis axes[] = {{"n", BA_SUITE_INTEGER, sizes},
	{"factor", BA_SUITE_REAL, factors}, {"word", BA_SUITE_TEXT, words}};
static const ba_suite_benchmark benchmarks[] = {
	{"other", NULL, axes, 3, 0, NULL, setup, run, NULL, teardown},
	{"ramp", NULL, axes, 3, 0, NULL, setup, run, NULL, teardown},
};

const ba_suite *bench_against_suite(uint32_t host_abi)
{
	static const ba_suite table = {BA_SUITE_ABI, sizeof(table), "small", benchmarks, 2,
		sizeof(benchmarks[0]), open_session, close_session, last_error};

	return host_abi >= BA_SUITE_ABI ? &table : NULL;
}
