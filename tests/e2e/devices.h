/* What the tests of several devices share: fake devices stand in for GPUs. */
#ifndef TESTS_E2E_DEVICES_H
#define TESTS_E2E_DEVICES_H

#include "e2e.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/base.h"

#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define SCRIPT "launch_ns=0;clock_ns=0;call_ns=10;devices=3"
#define NVML BA_BINARY_DIR "/tests/fakecuda/nvml/libnvidia-ml.so.1"

static inline e2e begin(const char *candidate)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", candidate);
	e2e_env("BA_FAKE_CUDA", SCRIPT);
	return t;
}

static inline e2e begin_plugin(void)
{
	e2e t = e2e_begin();
	put(t.repo, ".bench-against.json",
		"{ \"build\": { " E2E_BUILD " },\n  \"suites\": { \"p\": "
		"{ \"kind\": \"plugin\", \"library\": \"launcher.so\", "
		"\"warm_up\": 20, \"iterations\": 80 } } }\n");
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin22000");
	e2e_env("BA_FAKE_CUDA", "devices=3");
	return t;
}

static inline void end(e2e *t)
{
	static const char *const names[] = {"BA_FAKE_CUDA", "BA_FAKE_CUDA_0", "BA_FAKE_CUDA_1",
		"BA_FAKE_CUDA_2", "BA_FAKE_NVML", "BA_FAKE_NVML_1", "BA_FAKE_NVML_LIBRARY"};
	for (size_t i = 0; i < BA_COUNT(names); i++)
		e2e_env(names[i], NULL);
	e2e_end(t);
}

/* How many samples of the first series are of that origin; also checks that each
 * invocation is there once, in order. */
static inline size_t made_by(const e2e *t, unsigned origin)
{
	size_t n = e2e_count(t, "series.0.samples"), made = 0;
	for (size_t i = 0; i < n; i++) {
		char *number = ba_xprintf("series.0.samples.%zu.invocation", i);
		char *of = ba_xprintf("series.0.samples.%zu.origin", i);
		assert_int_equal(e2e_number(t, number), i);
		/* that of the first is not written */
		ba_json_value samples = ba_json_find(
			ba_json_at(
				ba_json_find(
					ba_json_at(ba_json_find(ba_json_root(t->doc), "series"), 0),
					"samples"),
				i),
			"origin");
		double by = ba_json_is(samples) ? e2e_number(t, of) : 0;
		made += by == origin;
		free(number);
		free(of);
	}
	return made;
}

/* Nothing of the run is left but what stays in the cache. */
static inline void assert_no_desk(const e2e *t)
{
	char *runs = ba_path_join(t->cache, "run");
	BA_AUTO(ba_strv) ba_strv left = {0};
	ba_fs_names(&left, runs, NULL);
	for (size_t i = 0; i < left.count; i++) {
		char *desk = ba_xprintf("%s/%s/desk", runs, left.items[i]);
		assert_false(ba_fs_exists(desk));
		free(desk);
	}
	free(runs);
}

#endif
