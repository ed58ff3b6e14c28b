/*
 * kernels_check LIBRARY [OPTIONS] [WORD...]: every case of a suite's library on this
 * GPU, or those whose name contains one of the words. Right within its tolerance, the
 * same bits twice, no output that is not written, nothing written beside an output? A
 * line for each:
 *
 *     right    attention/B=1,...  error 1.2e-04 of 3.1e-04  4.21 us  255.2 GFLOP/s  124
 * GB/s
 *
 *  --point P   instead of the library's own points: "B=1,H=1,S=128,d=64,kernel=3";
 * repeatable
 *  --sets N    sets of inputs (1)
 *  --time N    also the time of N runs behind one another, and of N runs alone
 *  --once      run each case once and check nothing: under a profiler
 *  --seed N    of the inputs (1)
 *
 * Exit status: 0 all right, 1 something is not, 77 there is no GPU. Needs no more than
 * the driver: cc -I include -I kernels kernels_check.c ../kernels/mini_host.c -ldl -lm
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mini_host.h"

enum { MOST_POINTS = 4096 };

static int (*find_symbol)(const char *name, void **out, int version, uint64_t flags, int *status);
static int driver_version;

static void *symbol(const char *name)
{
	void *found = NULL;
	int status = 0;

	return find_symbol(name, &found, driver_version, 0, &status) == 0 ? found : NULL;
}

/* the primary context of GPU 0, current; a sentence if there is none */
static const char *open_gpu(int *sm_arch)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL), *context = NULL;
	int (*version)(int *out), (*init)(unsigned), (*retain)(void **out, int device);
	int (*attribute)(int *out, int which, int device), (*current)(void *context);
	int major = 0, minor = 0;

	if (!driver)
		return "no CUDA driver";
	*(void **)&version = dlsym(driver, "cuDriverGetVersion");
	*(void **)&find_symbol = dlsym(driver, "cuGetProcAddress_v2");
	if (!version || !find_symbol || version(&driver_version) != 0)
		return "a CUDA driver older than 12.0";
	*(void **)&init = symbol("cuInit");
	*(void **)&retain = symbol("cuDevicePrimaryCtxRetain");
	*(void **)&current = symbol("cuCtxSetCurrent");
	*(void **)&attribute = symbol("cuDeviceGetAttribute");
	if (!init || !retain || !current || !attribute || init(0) != 0 ||
		retain(&context, 0) != 0 || current(context) != 0)
		return "no GPU that a context can be made on";
	/* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR */
	if (attribute(&major, 75, 0) != 0 || attribute(&minor, 76, 0) != 0)
		return "a GPU without compute capability";
	*sm_arch = major * 10 + minor;
	return NULL;
}

typedef struct tally {
	mini_options options;
	int right, wrong, skipped;
} tally;

static void try_case(const mini_case *c, void *context)
{
	static const char *const words[] = {"right", "WRONG", "skipped"};
	tally *t = context;
	mini_result r;

	mini_try(&r, c, &t->options, NULL);
	t->right += r.outcome == MINI_RIGHT;
	t->wrong += r.outcome == MINI_WRONG;
	t->skipped += r.outcome == MINI_SKIPPED;
	printf("%-8s %s", words[r.outcome], c->id);
	if (r.outcome != MINI_RIGHT)
		printf("  %s", r.sentence);
	else if (!t->options.once)
		printf("  error %.2g of %.2g", r.worst, r.limit);
	if (r.host_seconds > 0)
		printf("  host %.3f us", r.host_seconds * 1e6);
	if (r.seconds > 0)
		printf("  gpu %.3f us  %.1f GFLOP/s  %.1f GB/s", r.seconds * 1e6,
			r.counts[BA_SUITE_FLOP] / r.seconds / 1e9,
			(r.counts[BA_SUITE_BYTES_READ] + r.counts[BA_SUITE_BYTES_WRITTEN]) /
				r.seconds / 1e9);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const char *points[MOST_POINTS + 1];
	size_t point_count = 0;
	tally t = {.options = {.sets = 1, .seed = 1}};
	const ba_suite *(*table)(uint32_t) = NULL;
	const ba_suite *suite = NULL;
	const char *sentence;
	void *library;
	int at, sm_arch = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: kernels_check LIBRARY [OPTIONS] [WORD...]\n");
		return 2;
	}
	for (at = 2; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
		const char *value = at + 1 < argc ? argv[at + 1] : "";

		if (strcmp(argv[at], "--once") == 0) {
			t.options.once = true;
			continue;
		}
		if (strcmp(argv[at], "--point") == 0 && point_count < MOST_POINTS)
			points[point_count++] = value;
		else if (strcmp(argv[at], "--sets") == 0)
			t.options.sets = (unsigned)strtoul(value, NULL, 10);
		else if (strcmp(argv[at], "--time") == 0)
			t.options.time_runs = (unsigned)strtoul(value, NULL, 10);
		else if (strcmp(argv[at], "--seed") == 0)
			t.options.seed = strtoull(value, NULL, 10);
		else {
			fprintf(stderr, "kernels_check: unknown option '%s'\n", argv[at]);
			return 2;
		}
		at++;
	}
	sentence = open_gpu(&sm_arch);
	if (sentence) {
		printf("skipped: %s\n", sentence);
		return 77;
	}
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (library)
		*(void **)&table = dlsym(library, BA_SUITE_ENTRY);
	if (table)
		suite = table(BA_SUITE_ABI);
	if (!suite) {
		fprintf(stderr, "kernels_check: no suite in '%s': %s\n", argv[1],
			library ? "no table" : dlerror());
		return 1;
	}
	sentence = mini_open(suite, symbol, sm_arch, 0);
	if (sentence) {
		fprintf(stderr, "kernels_check: %s\n", sentence);
		return 1;
	}
	mini_each(suite, (const char *const *)argv + at, point_count ? points : NULL, try_case, &t);
	mini_close();
	printf("%d right, %d wrong, %d skipped\n", t.right, t.wrong, t.skipped);
	return t.wrong > 0 || t.right == 0;
}
