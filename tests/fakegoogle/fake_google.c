/*
 * A program with a stand-in for Google Benchmark: the functions that the hook needs, under the names
 * that a C++ compiler gives them, and a few benchmarks. Its times are made up from a number in the file
 * `cost`, so that no test depends on the machine; what a loop executes is real (and little, since
 * stepping through it takes long). A second number says how
 * many per cent of that time it takes, and a third one how often an iteration waits for the driver. If
 * there is a file `k.ptx`, each iteration launches its kernel `plain` or `pausing`.
 *
 *     fake_google [--benchmark_FLAG=VALUE...]
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* calls as to a function of another file, about which a compiler knows nothing */
#ifdef __clang__
#define APART __attribute__((noinline, optnone))
#else
#define APART __attribute__((noipa))
#endif
#define NAMED(name) __asm__("_ZN9benchmark" name) APART
#define LINE "      "

typedef struct state {
	long iterations;
	bool paused;
} state;

void start(state *s) NAMED("5State16StartKeepRunningEv");
void finish(state *s) NAMED("5State17FinishKeepRunningEv");
void pause_timing(state *s) NAMED("5State11PauseTimingEv");
void resume_timing(state *s) NAMED("5State12ResumeTimingEv");
void make_reporter(void **r) NAMED("17BenchmarkReporterC2Ev");
void initialize(int *argc, char **argv, void (*help)(void)) NAMED("10InitializeEPiPPcPFvvE");
size_t run_with(void *display, void *file)
	NAMED("22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterES1_");
size_t run_all(void) NAMED("22RunSpecifiedBenchmarksEv");
void *json_reporter[8] __asm__("_ZTVN9benchmark12JSONReporterE") = {NULL, NULL, json_reporter};

/* ---- the benchmarks ---- */

static volatile long sink;
static long cost, percent = 100, waits;
static int (*driver_wait)(void *);
static int (*driver_load)(void **, const char *), (*driver_find)(void **, void *, const char *);
static int (*driver_launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
	unsigned, void *, void **, void **);
static void *module;
static bool launches;

/* As the CUDA runtime does: the driver is found by its name. */
static bool open_driver(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int (*begin)(unsigned) = NULL;
	if (driver) {
		*(void **)&begin = dlsym(driver, "cuInit");
		*(void **)&driver_wait = dlsym(driver, "cuStreamSynchronize");
		*(void **)&driver_load = dlsym(driver, "cuModuleLoad");
		*(void **)&driver_find = dlsym(driver, "cuModuleGetFunction");
		*(void **)&driver_launch = dlsym(driver, "cuLaunchKernel");
	}
	return begin && begin(0) == 0;
}

static void launch(const char *name)
{
	void *function;
	if (!launches)
		return;
	if ((!module && driver_load(&module, "k.ptx")) || driver_find(&function, module, name) ||
		driver_launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL))
		exit(3);
}

APART static void wait_for_driver(void)
{
	driver_wait(NULL);
	sink = sink + 1;
}

static void work(long n)
{
	for (long i = 0; i < n; i += 10)
		sink = sink + i;
}

static void plain(state *s)
{
	start(s);
	for (long i = 0; i < s->iterations; i++) {
		work(cost);
		launch("plain");
		for (long k = 0; k < waits; k++)
			wait_for_driver();
	}
	finish(s);
}

static void pausing(state *s)
{
	start(s);
	for (long i = 0; i < s->iterations; i++) {
		pause_timing(s);
		work(1000);
		resume_timing(s);
		work(cost);
		launch("pausing");
	}
	finish(s);
}

/* Sets up for long, and adds a line to the file $SETUPS; its loop must find what set-up left. */
static void setting_up(state *s)
{
	static long left;
	const char *path = getenv("SETUPS");
	FILE *file = path ? fopen(path, "a") : NULL;
	if (file) {
		fputs("one\n", file);
		fclose(file);
	}
	usleep(60000);
	left = s->iterations;
	start(s);
	for (long i = 0; i < s->iterations; i++, left--)
		work(cost);
	finish(s);
	if (left)
		abort();
}

/* real and cpu: their times, in multiples of the cost */
static const struct {
	const char *name;
	void (*run)(state *s);
	long fixed;
	double real, cpu;
	const char *ends;
} all[] = {
	{"BM_plain/8", plain, 0, 1, 3, NULL},
	{"BM_pair<int, long>/real_time", plain, 0, 1, 3, NULL},
	{"BM_cpu/process_time", plain, 0, 3, 1, NULL},
	{"BM_pausing", pausing, 0, 1, 1, NULL},
	{"BM_threads/threads:2", plain, 0, 1, 2, NULL},
	{"BM_fixed/iterations:100", plain, 100, 1, 1, NULL},
	{"BM_setup", setting_up, 0, 1, 1, NULL},
	{"BM_error", plain, 0, 1, 1, "error"},
	{"BM_skip", plain, 0, 1, 1, "skip"},
};

/* ---- the library ---- */

static char filter[256];
static bool lists;
static long iterations = 1, repetitions = 1;

/* Larger than the code that is written over its beginning. */
static void note(state *s, bool paused)
{
	s->paused = paused;
	sink = sink + s->iterations;
	sink = sink ^ s->iterations;
}

void start(state *s)
{
	note(s, false);
	sink = sink + 1;
}

void resume_timing(state *s)
{
	note(s, false);
	sink = sink + 2;
}

void pause_timing(state *s)
{
	note(s, true);
	sink = sink + 3;
}

void finish(state *s)
{
	note(s, true);
	sink = sink + 4;
}

void make_reporter(void **r)
{
	for (int i = 0; i < 3; i++)
		r[i] = json_reporter;
	sink = sink + 5;
}

void initialize(int *argc, char **argv, void (*help)(void))
{
	(void)help;
	for (int i = 1; i < *argc; i++) {
		const char *value = strchr(argv[i], '=');
		value = value ? value + 1 : "";
		if (strstr(argv[i], "_filter="))
			snprintf(filter, sizeof(filter), "%s", value);
		else if (strstr(argv[i], "_list_tests="))
			lists = strcmp(value, "true") == 0;
		else if (strstr(argv[i], "_min_time="))
			iterations = atol(value);
		else if (strstr(argv[i], "_repetitions="))
			repetitions = atol(value);
	}
	*argc = 1;
}

/* "^NAME$" with a backslash before what would mean something; "": everything */
static bool is_chosen(const char *name)
{
	const char *p = filter + (*filter == '^');
	for (; *p && *p != '$'; p++, name++) {
		p += *p == '\\';
		if (*p != *name)
			return false;
	}
	return !*filter || (*p == '$' && !*name);
}

static void report(size_t b, long done)
{
	static long reports;
	double us = (double)cost * (double)percent / 1e5;
	printf("    {\n" LINE "\"name\": \"%s\",\n" LINE "\"run_type\": \"iteration\",\n",
		all[b].name);
	if (all[b].ends && strcmp(all[b].ends, "error") == 0)
		printf(LINE "\"error_occurred\": true,\n" LINE
			    "\"error_message\": \"it cannot \\\"run\\\" here\",\n");
	else if (all[b].ends)
		printf(LINE "\"skipped\": true,\n" LINE "\"skip_message\": \"it needs more\",\n");
	printf(LINE "\"iterations\": %ld,\n" LINE "\"real_time\": %.16e,\n" LINE
		    "\"cpu_time\": %.16e,\n" LINE "\"time_unit\": \"us\",\n" LINE
		    "\"items_per_second\": %.16e,\n" LINE "\"real_time\": 7,\n" LINE
		    "\"rows\": %.16e,\n" LINE "\"sum\": %.16e,\n" LINE "\"wander\": %.16e,\n" LINE
		    "\"label\": \"5 rows\"\n    }\n",
		all[b].ends ? 0 : done, all[b].real * us, all[b].cpu * us, 5e6 / (all[b].cpu * us),
		(double)cost / 10, (double)(cost * done), (double)(++reports * cost));
}

static void run_one(size_t b)
{
	for (long r = 0; r < repetitions; r++) {
		state s = {all[b].fixed ? all[b].fixed : iterations, false};
		if (!all[b].ends)
			all[b].run(&s);
		report(b, s.iterations);
	}
}

size_t run_with(void *display, void *file)
{
	size_t n = 0;
	(void)file;
	if (!lists && display)
		printf("{\n  \"context\": {\n" LINE
		       "\"date\": \"today\"\n  },\n  \"benchmarks\": [\n");
	for (size_t b = 0; b < sizeof(all) / sizeof(*all); b++) {
		if (!is_chosen(all[b].name))
			continue;
		n++;
		if (lists)
			printf("%s\n", all[b].name);
		else
			run_one(b);
	}
	return n;
}

size_t run_all(void)
{
	size_t n = run_with(json_reporter, NULL);
	printf("  ]\n}\n");
	return n;
}

int main(int argc, char **argv)
{
	FILE *file = fopen("cost", "r");
	launches = access("k.ptx", R_OK) == 0;
	if (!file || fscanf(file, "%ld %ld %ld", &cost, &percent, &waits) < 1 ||
		((waits || launches) && !open_driver())) {
		fprintf(stderr, "fake_google: no file 'cost' with a number, or no driver\n");
		return 2;
	}
	fclose(file);
	initialize(&argc, argv, NULL);
	run_all();
	printf("the program goes on after its benchmarks\n");
	return 0;
}
