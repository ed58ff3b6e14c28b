/*
 * What a launch costs with 1, 10 and 1000 configurations of a launch-config sensitive
 * kernel: nanoseconds a launch, median of several rounds.
 *
 *     LAUNCHCFG_DRIVER=/path/to/libcuda.so.1 launchcfg_scale
 *
 * "one config" launches the last of them again and again; "by shape" looks its LC key
 * up at every launch (lcfg_launch_shape); "in turn" goes through all of them, so that
 * it also shows what the caches of the processor do not hold.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "launchcfg/launchcfg.h"

enum { MOST = 1000, ROUNDS = 21, LAUNCHES = 20000, DRAIN = 500 };

static lcfg_error err;
static lcfg_dispatcher *dispatcher;
static lcfg_config *configs[MOST];
static int (*synchronise)(void);

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			  ".visible .entry k()\n{\n\tret;\n}\n";

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int launch_config(int count, int i)
{
	(void)i;
	return lcfg_launch(configs[count - 1], NULL, &err);
}

static int launch_shape(int count, int i)
{
	(void)i;
	return lcfg_launch_shape(
		dispatcher, lcfg_config_shape(configs[count - 1]), (lcfg_signature){0}, NULL, &err);
}

static int launch_in_turn(int count, int i)
{
	return lcfg_launch(configs[i % count], NULL, &err);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;
	return (x > y) - (x < y);
}

static double measure(int (*launch)(int, int), int count)
{
	double ns[ROUNDS];
	for (int r = 0; r < ROUNDS; r++) {
		ns[r] = 0;
		for (int done = 0; done < LAUNCHES; done += DRAIN) {
			if (synchronise)
				synchronise();
			double start = now_ns();
			for (int i = 0; i < DRAIN; i++) {
				if (launch(count, i))
					return -1;
			}
			ns[r] += now_ns() - start;
		}
	}
	qsort(ns, ROUNDS, sizeof(ns[0]), by_value);
	return ns[ROUNDS / 2] / LAUNCHES;
}

/* The primary context, where the driver is a real one. */
static void open_context(void)
{
	const char *path = getenv("LAUNCHCFG_DRIVER");
	void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
	if (!library)
		return;
	int (*init)(unsigned) = (int (*)(unsigned))dlsym(library, "cuInit");
	int (*retain)(void **, int) =
		(int (*)(void **, int))dlsym(library, "cuDevicePrimaryCtxRetain");
	int (*set)(void *) = (int (*)(void *))dlsym(library, "cuCtxSetCurrent");
	synchronise = (int (*)(void))dlsym(library, "cuCtxSynchronize");
	void *context = NULL;
	if (init && retain && set && !init(0) && !retain(&context, 0))
		set(context);
}

static int prepare(int from, int to)
{
	int rc = 0;
	for (int i = from; rc == 0 && i < to; i++) {
		lcfg_shape shape = {.grid = {1}, .block = {(uint32_t)i + 1}};
		rc = lcfg_configure(&configs[i], dispatcher, &shape, &err);
		if (rc == 0)
			rc = lcfg_prepare(configs[i], (lcfg_signature){0}, &err);
	}
	return rc;
}

int main(void)
{
	static const int counts[] = {1, 10, MOST};
	lcfg_driver *driver = NULL;
	open_context();
	int rc = lcfg_driver_open(&driver, NULL, &err);
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = driver,
		.name = "k",
		.image = ptx,
		.specialised = 1,
		.sensitive = 1};
	if (rc == 0)
		rc = lcfg_dispatcher_new(&dispatcher, &desc, &err);
	printf("%8s %12s %12s %12s   ns a launch\n", "configs", "one config", "by shape",
		"in turn");
	for (int i = 0; rc == 0 && i < 3; i++) {
		rc = prepare(i ? counts[i - 1] : 0, counts[i]);
		if (rc == 0)
			printf("%8d %12.2f %12.2f %12.2f\n", counts[i],
				measure(launch_config, counts[i]), measure(launch_shape, counts[i]),
				measure(launch_in_turn, counts[i]));
	}
	for (int i = 0; i < MOST; i++)
		lcfg_config_free(configs[i]);
	lcfg_dispatcher_free(dispatcher);
	lcfg_driver_free(driver);
	if (rc)
		fprintf(stderr, "%s\n", err.text);
	return rc != 0;
}
