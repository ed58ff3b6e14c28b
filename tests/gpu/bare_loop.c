/* Does the tool's `submit` say what a hand-written loop says? Both in one process, on
 * one kernel and one stream, in turns: the sampler that the worker uses, and the loop
 * that anybody would write. Prints both and their ratio; fails where they differ by
 * more than half a per cent. Exit status 77 where there is no GPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "gpu/device.h"
#include "gpu/module.h"
#include "gpu/ptxgen.h"
#include "gpu/spin.h"
#include "gpu/warmup.h"
#include "worker/sampler.h"

#define ROUNDS 20000
#define BURST 16
#define READINGS 4
#define ARGS 4

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

/* what anybody would write; times in ns per launch of bursts of BURST / READINGS */
static void by_hand(
	double *out, const ba_driver *drv, cu_function f, cu_stream stream, void **args)
{
	for (int k = 0; k < READINGS; k++) {
		int64_t start = ba_now_ns();
		for (int i = 0; i < BURST / READINGS; i++)
			drv->launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL);
		out[k] = (double)(ba_now_ns() - start) / (BURST / READINGS);
	}
	drv->stream_synchronize(stream);
}

static void by_tool(double *out, const ba_sampler *s, const ba_participant *p)
{
	uint64_t ns[READINGS];
	ba_fault fault;
	ba_sampler_visit(
		ns, s, p, BA_MODE_SUBMIT, BURST / READINGS, READINGS, 0, &fault);
	for (int k = 0; k < READINGS; k++)
		out[k] = (double)ns[k] / (BURST / READINGS);
}

static int compare_both(
	const ba_driver *drv, const ba_device *dev, cu_function f, cu_stream stream)
{
	uint64_t values[ARGS] = {0};
	void *args[ARGS];
	ba_beacon beacon = {0};
	for (int i = 0; i < ARGS; i++)
		args[i] = &values[i];
	const ba_participant p = {.variant = BA_BEACON_NOBODY, .function = f};
	const ba_sampler s = {.driver = drv,
		.context = dev->context,
		.config = {{1, 1, 1}, {1, 1, 1}, 0, stream},
		.args = args,
		.beacon = &beacon};
	double *hand = malloc(sizeof(double) * ROUNDS * READINGS);
	double *tool = malloc(sizeof(double) * ROUNDS * READINGS);
	for (int r = 0; r < ROUNDS; r++) {
		bool first = r & 1;
		if (first)
			by_hand(hand + (size_t)r * READINGS, drv, f, stream, args);
		by_tool(tool + (size_t)r * READINGS, &s, &p);
		if (!first)
			by_hand(hand + (size_t)r * READINGS, drv, f, stream, args);
	}
	double h = trimmed(hand, (size_t)ROUNDS * READINGS);
	double t = trimmed(tool, (size_t)ROUNDS * READINGS);
	printf("bare loop: %.1f ns by hand, %.1f ns by the tool, ratio %.5f\n", h, t,
		t / h);
	free(hand);
	free(tool);
	return fabs(t / h - 1) <= 0.005 ? 0 : 1;
}

int main(void)
{
	ba_driver drv;
	ba_device dev = {0};
	ba_error err;
	if (ba_driver_open(&drv, NULL, &err) || ba_driver_init(&drv, &err) ||
		ba_device_open(&dev, &drv, 0, &err) || ba_device_enter(&dev, &err)) {
		printf("skipped: %s\n", err.text);
		return 77;
	}
	ba_ptx_param params[ARGS];
	ba_module module = {0};
	ba_spinner spinner;
	ba_warmup warm;
	cu_function f;
	cu_stream stream;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (int i = 0; i < ARGS; i++)
		params[i] = (ba_ptx_param){.pointer = true, .bytes = 8};
	if (ba_ptx_generate(&text, params, ARGS, 0, &err) ||
		ba_module_load(&module, &drv, text.data, &err) ||
		ba_module_function(&f, &module, BA_PTX_ENTRY_NULL, &err) ||
		ba_spinner_open(&spinner, &drv, &err) ||
		drv.stream_create(&stream, 1) ||
		ba_warmup_run(&warm, &spinner, stream, ba_now_ns, &err)) {
		printf("failed: %s\n", err.text);
		return 1;
	}
	int rc = 0;
	for (int i = 0; i < 5; i++)
		rc |= compare_both(&drv, &dev, f, stream);
	return rc;
}
