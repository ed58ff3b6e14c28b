/* bare_loop [LIBCUDA]: what does the witness of launches cost, and does the tool say what
 * a hand-written loop says? All in one process, on one stream, in turns:
 *
 *   by hand   the loop that anybody would write, of an empty kernel
 *   old       the worker's sampler on that kernel, arguments that never change, no witness
 *   new       the worker's sampler as it measures: the kernel (on the host target the
 *             driver) leaves its marks, arguments are drawn for each visit and the marks
 *             are read back after it
 *
 * Prints nanoseconds a launch and ratios for each metric. On a GPU it fails where `submit`
 * of new and by hand differ by more than half a per cent. Exit status 77 where there is no
 * GPU, 1 too where a launch was lost. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <dlfcn.h>

#include "base/clock.h"
#include "gpu/device.h"
#include "gpu/module.h"
#include "gpu/ptxgen.h"
#include "gpu/spin.h"
#include "worker/launches.h"

#define ROUNDS 5
#define VISITS 8000	     /* of `submit`, which is judged */
#define VISITS_OF_OTHERS 500 /* they wait for the GPU, which takes ten times as long */
#define BATCH 16
#define READINGS 4
#define TIMES ((size_t)VISITS * READINGS)
#define ARGS 4

enum { HAND, OLD, NEW, WAYS };

static const char *const modes[] = {[BA_MODE_SUBMIT] = "submit",
	[BA_MODE_SUSTAINED] = "sustained",
	[BA_MODE_ROUNDTRIP] = "roundtrip"};

/* what is launched in one way */
typedef struct way {
	ba_participant participant;
	ba_module module;
	ba_sampler sampler;
	double *ns; /* [TIMES] of a launch */
} way;

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double trimmed(double *x, size_t n)
{
	double sum = 0;
	size_t cut = n / 4;
	qsort(x, n, sizeof(*x), compare);
	for (size_t i = cut; i < n - cut; i++)
		sum += x[i];
	return sum / (double)(n - 2 * cut);
}

static __attribute__((noinline)) void launch_by_hand(
	const ba_driver *drv, cu_function f, cu_stream stream, void **args, int n)
{
	for (int i = 0; i < n; i++)
		drv->launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL);
}

/* what anybody would write */
static void by_hand(double *out, ba_worker *w, const way *it, ba_mode mode)
{
	for (int k = 0; k < READINGS; k++) {
		int64_t start = ba_now_ns();
		int steps = mode == BA_MODE_ROUNDTRIP ? BATCH : 1;
		for (int i = 0; i < steps; i++) {
			launch_by_hand(&w->driver, it->participant.function, w->stream, w->now.args,
				BATCH / steps);
			if (mode != BA_MODE_SUBMIT)
				w->driver.stream_synchronize(w->stream);
		}
		out[k] = (double)(ba_now_ns() - start) / BATCH;
	}
	w->driver.stream_synchronize(w->stream);
}

static int by_tool(double *out, ba_worker *w, const way *it, ba_mode mode, bool witnessed)
{
	uint64_t ns[READINGS];
	ba_fault fault;
	ba_launches l;
	ba_error err;
	static uint64_t seed;
	int rc = witnessed ? ba_launches_begin(&l, w, ++seed, 0, BATCH * READINGS, &err) : 0;
	if (rc == 0 && ba_sampler_visit(ns, &it->sampler, &it->participant, mode, BATCH, READINGS,
			       0, &fault))
		rc = ba_fail(
			&err, BA_EGPU, "a launch failed: %d, %d", fault.launch_rc, fault.driver_rc);
	if (witnessed && rc == 0) {
		ba_launches_expect(&l, w, BATCH * READINGS);
		rc = ba_launches_check(&l, w, &err);
	}
	if (rc)
		printf("failed: %s\n", err.text);
	for (int k = 0; k < READINGS; k++)
		out[k] = (double)ns[k] / BATCH;
	return rc;
}

/* the ways in turns, each first, second and third as often */
static int measure(ba_worker *w, way *ways, ba_mode mode, int visits)
{
	int rc = 0;
	for (int v = 0; rc == 0 && v < visits; v++)
		for (int k = 0; rc == 0 && k < WAYS; k++) {
			int i = (v + k) % WAYS;
			double *out = ways[i].ns + (size_t)v * READINGS;
			if (w->witness)
				w->witness(NULL, NULL);
			if (i == HAND)
				by_hand(out, w, &ways[i], mode);
			else
				rc = by_tool(out, w, &ways[i], mode, i == NEW);
			/* launches of the others are nobody's fault */
			w->witness_known = false;
		}
	return rc;
}

static int row(ba_worker *w, way *ways, ba_mode mode)
{
	int visits = mode == BA_MODE_SUBMIT ? VISITS : VISITS_OF_OTHERS;
	size_t times = (size_t)visits * READINGS;
	if (measure(w, ways, mode, visits))
		return 1;
	double hand = trimmed(ways[HAND].ns, times), old = trimmed(ways[OLD].ns, times),
	       now = trimmed(ways[NEW].ns, times);
	printf("%-10s %9.2f %9.2f %9.2f   %.5f  %.5f\n", modes[mode], hand, old, now, old / hand,
		now / hand);
	fflush(stdout);
	return mode == BA_MODE_SUBMIT && !w->witness && fabs(now / hand - 1) > 0.005;
}

static int load(way *out, ba_worker *w, cu_deviceptr report, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	out->participant.variant = BA_BEACON_NOBODY;
	out->ns = malloc(sizeof(double) * TIMES);
	int rc = ba_ptx_generate(&text, w->now.layout, ARGS, report, 0, err);
	rc = rc ? rc : ba_module_load(&out->module, &w->driver, text.data, err);
	return rc ? rc
		  : ba_module_function(
			    &out->participant.function, &out->module, BA_PTX_ENTRY_NULL, err);
}

static int open_ways(way *ways, ba_worker *w, ba_error *err)
{
	int rc = 0;
	for (int i = 0; rc == 0 && i < WAYS; i++) {
		rc = load(&ways[i], w, i == NEW ? w->report : 0, err);
		ways[i].sampler = (ba_sampler){.driver = &w->driver,
			.context = w->device.context,
			.config = {{1, 1, 1}, {1, 1, 1}, 0, w->stream},
			.ring = i == NEW ? w->now.ring : &w->now.args,
			.mask = i == NEW ? w->now.ring_count - 1 : 0,
			.beacon = w->beacon};
	}
	return rc;
}

static void make_case(ba_case *c)
{
	static uint64_t values[ARGS];
	static void *args[ARGS];
	static ba_ptx_param layout[ARGS];
	static ba_launcher_param params[ARGS];
	for (int i = 0; i < ARGS; i++) {
		args[i] = &values[i];
		layout[i] = (ba_ptx_param){.pointer = true, .bytes = 8};
		params[i] = (ba_launcher_param){BA_LAUNCHER_PARAM_POINTER, 8};
	}
	c->param_count = ARGS;
	c->args = args;
	c->values = (unsigned char *)values;
	c->layout = layout;
	c->params = params;
	ba_launches_make_ring(c);
}

static int open_device(ba_worker *w, const char *path, ba_error *err)
{
	int rc = ba_driver_open(&w->driver, path, err);
	rc = rc ? rc : ba_driver_init(&w->driver, err);
	rc = rc ? rc : ba_device_open(&w->device, &w->driver, 0, err);
	rc = rc ? rc : ba_device_enter(&w->device, err);
	if (rc)
		return rc;
	*(void **)&w->witness = dlsym(w->driver.library, BA_HOST_DRIVER_WITNESS);
	cu_result r = w->driver.stream_create(&w->stream, 1);
	r = r ? r : w->driver.mem_alloc(&w->report, 4096);
	return r ? ba_driver_fail(&w->driver, err, r, "cuMemAlloc") : 0;
}

int main(int argc, char **argv)
{
	static ba_worker w;
	static ba_beacon beacon;
	way ways[WAYS] = {{{0}}};
	ba_spinner spinner;
	ba_warmup warm;
	ba_error err;
	w.beacon = &beacon;
	if (open_device(&w, argc > 1 ? argv[1] : NULL, &err)) {
		printf("skipped: %s\n", err.text);
		return 77;
	}
	make_case(&w.now);
	int rc = open_ways(ways, &w, &err);
	if (rc == 0 && !w.witness) {
		rc = ba_spinner_open(&spinner, &w.driver, &err);
		rc = rc ? rc : ba_warmup_run(&warm, &spinner, w.stream, ba_now_ns, &err);
	}
	if (rc) {
		printf("failed: %s\n", err.text);
		return 1;
	}
	printf("ns/launch    by hand       old       new   old/hand new/hand\n");
	for (int i = 0; i < ROUNDS; i++)
		for (int mode = 0; mode < 3; mode++)
			rc |= row(&w, ways, (ba_mode)mode);
	for (int i = 0; i < WAYS; i++)
		free(ways[i].ns);
	free(w.now.ring_values);
	free(w.now.ring_args);
	return rc;
}
