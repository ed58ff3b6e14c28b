/*
 * A quick look at what the launch paths cost without a GPU: the driver returns at once.
 * For a verdict use `bench-against --target host`; this prints nanoseconds a launch,
 * the best of several rounds.
 *
 *     launchcfg_hotpath ADAPTER.so...
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_against/launcher.h"

#define LAUNCHES 200000
#define ROUNDS 15

static int calls;

static __attribute__((noinline)) int null_launch(void *f, unsigned gx, unsigned gy, unsigned gz,
	unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **args,
	void **extra)
{
	(void)f, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz;
	(void)shared, (void)stream, (void)args, (void)extra;
	__asm__ volatile("" ::: "memory");
	return 0;
}

static int null_load(void **module, const void *image)
{
	(void)image;
	*module = &calls;
	return 0;
}

static int null_function(void **function, void *module, const char *name)
{
	(void)module;
	(void)name;
	*function = &calls;
	return 0;
}

static void *symbol(const char *name)
{
	uintptr_t address = strcmp(name, "cuLaunchKernel") == 0	       ? (uintptr_t)null_launch
			    : strcmp(name, "cuModuleLoadData") == 0    ? (uintptr_t)null_load
			    : strcmp(name, "cuModuleGetFunction") == 0 ? (uintptr_t)null_function
								       : 0;
	return (void *)address;
}

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_floor(void **args)
{
	int (*volatile f)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
		unsigned, void *, void **, void **) = null_launch;
	double start = now_ns();
	for (int i = 0; i < LAUNCHES; i++)
		f(&calls, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
	return (now_ns() - start) / LAUNCHES;
}

static double time_path(const ba_launcher *l, ba_launcher_kernel *kernel, void **args)
{
	ba_launcher_config config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
	double start = now_ns();
	for (int i = 0; i < LAUNCHES; i++) {
		if (l->launch(kernel, &config, args))
			return -1;
	}
	return (now_ns() - start) / LAUNCHES;
}

static int run(const char *file)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	const ba_launcher *(*entry)(uint32_t) =
		(const ba_launcher *(*)(uint32_t))dlsym(library, BA_LAUNCHER_ENTRY);
	const ba_launcher *l = entry(BA_LAUNCHER_ABI);
	ba_launcher_host host = {.abi = BA_LAUNCHER_ABI,
		.struct_size = sizeof(host),
		.target = BA_LAUNCHER_TARGET_HOST,
		.driver_symbol = symbol};
	ba_launcher_session *session = NULL;
	if (l->open(&session, &host)) {
		fprintf(stderr, "%s\n", l->last_error(NULL));
		return 1;
	}
	ba_launcher_param params[4] = {{0, 8}, {0, 8}, {0, 8}, {0, 8}};
	uint64_t values[4] = {0};
	void *args[4] = {&values[0], &values[1], &values[2], &values[3]};
	printf("%s\n", l->name);
	for (uint32_t p = 0; p < l->path_count; p++) {
		ba_launcher_kernel_desc desc = {.abi = BA_LAUNCHER_ABI,
			.struct_size = sizeof(desc),
			.image = "image",
			.entry = "k",
			.path = l->paths[p].name,
			.params = params,
			.param_count = 4};
		ba_launcher_kernel *kernel = NULL;
		double best = 1e9;
		double floor = 1e9;
		int rc = l->prepare(&kernel, session, &desc);
		for (int i = 0; rc == 0 && i < ROUNDS; i++) {
			double f = time_floor(args);
			double t = time_path(l, kernel, args);
			floor = f < floor ? f : floor;
			best = t < best ? t : best;
		}
		if (rc || best < 0)
			fprintf(stderr, "%s: %s\n", desc.path, l->last_error(session));
		else
			printf("  %-20s %7.2f ns, %6.2f above a bare call\n", desc.path, best,
				best - floor);
		l->release(kernel);
	}
	l->close(session);
	return 0;
}

int main(int argc, char **argv)
{
	int rc = 0;
	for (int i = 1; i < argc; i++)
		rc |= run(argv[i]);
	return rc;
}
