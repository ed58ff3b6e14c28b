/*
 * Plugins for the end-to-end tests, all made from this file: one benchmark "work" whose
 * kernel takes COST ns of the fake driver's GPU, and which "computes" by copying what
 * should come out, since the fake driver executes nothing. Each behaves, or misbehaves
 * in one way.
 *
 *     COST=ns      what the kernel takes
 *     SLEEP_US=n   and a run as long by the real clock, from which sizes follow
 *     GRID=n       its grid
 *     SCALAR=n     its second parameter
 *     DATA=n       what its input begins with
 *     KERNEL=text  directives of its PTX, in one string
 *     OWN_DRIVER   it gets the driver as the CUDA runtime does, not from the tool
 *     TWO_MODULES  it loads another module after the one of its kernel
 *     SAME_CODE    the same device code, whatever the deed
 *     HOST=text    another string of the host's, so that the library is another one
 *     (the file that BA_TEST_SETUPS names in the environment gets a line, HOST, a
 * setup) EXTRA        a second benchmark "more", with two axes tied in points DEED=name
 * what it does wrong: one of enum deed
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_against/suite.h"

#ifndef COST
#define COST 20000
#endif
#ifndef SLEEP_US
#define SLEEP_US 0
#endif
#ifndef GRID
#define GRID 1
#endif
#ifndef SCALAR
#define SCALAR 1000
#endif
#ifndef DATA
#define DATA 7
#endif
#ifndef KERNEL
#define KERNEL ""
#endif
#ifndef HOST
#define HOST "test plugin"
#endif
#ifndef DEED
#define DEED NOTHING
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define ENTRY "ba_test_ns_" TEXT(COST)
#define COUNT 1000u
/* far beyond checks and warm-up: it happens while it is measured */
#define MEASURED_RUNS 60

enum deed {
	NOTHING,
	PCRASH_OPEN,
	PFAIL_OPEN,
	PCRASH_SETUP,
	PFAIL_SETUP,
	PHANG_SETUP,
	PSKIP,
	PCRASH_RUN,
	PABORT_RUN,
	PHANG_RUN,
	PFAIL_RUN,
	PLOSE_CONTEXT, /* the script fails cuMemGetInfo for good */
	PLEAK,	       /* memory in every run, until there is none */
	PCHANGE_CONTEXT,
	PLOUD,
	PWRONG,	   /* one element */
	PNAN,	   /* writes nothing: the poison stays */
	PUNSTEADY, /* other bits each time */
	PBEYOND,   /* writes beyond the end of its memory */
	PWAITS,	   /* for the GPU, in run() */
	PSTRAY,	   /* leaves work in a stream of its own */
	PCRASH_CHECK,
	PCRASH_TEARDOWN,
	PTWINS,	    /* two benchmarks of one name */
	PNO_VALUES, /* an axis without values */
	PBAD_POINT,
	PNEWER_ABI,
	PNULL_TABLE,
	PNO_SETUP,
	PCRASH_CAPTURE, /* when its stream is captured */
	PHANG_CAPTURE,
	PTURN,	  /* another grid each time */
	POPTION,  /* asks the driver for another cache */
	PADDRESS, /* its input holds an address */
};

struct ba_suite_session {
	int unused;
};
struct ba_suite_case {
	void *module, *other, *function, *stream;
	uint64_t out, in;
	float result[COUNT + 64];
	unsigned long runs;
};

static int (*cu_load)(void **module, const void *image);
static int (*cu_get)(void **function, void *module, const char *entry);
static int (*cu_unload)(void *module);
static int (*cu_write)(uint64_t to, const void *from, size_t bytes);
static int (*cu_alloc)(uint64_t *address, size_t bytes);
static int (*cu_stream)(void **stream, unsigned flags);
static int (*cu_wait)(void *stream);
static int (*cu_set_context)(void *context);
static int (*cu_is_capturing)(void *stream, int *status);
static int (*cu_cache)(void *function, int config);
static int (*cu_mem_info)(size_t *free_bytes, size_t *total_bytes);
static int (*cu_launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared_bytes, void *stream, void **args, void **extra);
static const ba_suite_host *host;
static const char *sentence = "";

#ifdef SAME_CODE
#define CODE "NOTHING"
#else
#define CODE TEXT(DEED)
#endif
#ifdef CUBIN
extern const char image[];
__asm__(".section .rodata\n"
	".balign 16\n"
	"image:\n"
	".incbin \"" CUBIN "\"\n"
	".text\n");
#else
static const char image[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry " ENTRY
			    "(.param .u64 out, .param .u32 n, .param .u64 in)\n" KERNEL
			    "\n{\n\t.pragma \"" CODE "\";\n\tret;\n}\n";
#endif

static void crash(void)
{
	fprintf(stderr, "the plugin is about to crash\n");
	raise(SIGSEGV);
}

static void hang(void)
{
	for (;;)
		pause();
}

#ifdef OWN_DRIVER
/* the library by its name, its one function, and from that all others */
static void *symbol_of(const char *name)
{
	static int (*get)(const char *, void **, int, uint64_t, int *);
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *found = NULL;
	int status;
	if (library && !get)
		*(void **)&get = dlsym(library, "cuGetProcAddress_v2");
	return get && get(name, &found, 12040, 0, &status) == 0 ? found : NULL;
}
#else
static void *symbol_of(const char *name)
{
	return host->driver_symbol(name);
}
#endif

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
		{(void **)&cu_alloc, "cuMemAlloc"},
		{(void **)&cu_stream, "cuStreamCreate"},
		{(void **)&cu_wait, "cuStreamSynchronize"},
		{(void **)&cu_set_context, "cuCtxSetCurrent"},
		{(void **)&cu_is_capturing, "cuStreamIsCapturing"},
		{(void **)&cu_cache, "cuFuncSetCacheConfig"},
		{(void **)&cu_mem_info, "cuMemGetInfo"},
		{(void **)&cu_launch, "cuLaunchKernel"},
	};
	host = h;
	sentence = "no license for this \033[31mmachine";
	if (DEED == PCRASH_OPEN)
		crash();
	if (DEED == PFAIL_OPEN)
		return 7;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		*rows[i].function = symbol_of(rows[i].name);
		if (!*rows[i].function)
			return 1;
	}
	sentence = "";
	*out = &session;
	return 0;
}

static void tell_setup(void)
{
	const char *path = getenv("BA_TEST_SETUPS");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	fprintf(f, "%s\n", HOST);
	fclose(f);
}

static int my_setup(ba_suite_case **out, ba_suite_session *s, const ba_suite_setup *q)
{
	(void)s;
	tell_setup();
	sentence = "the inputs are not to our taste";
	if (DEED == PCRASH_SETUP)
		crash();
	if (DEED == PHANG_SETUP)
		hang();
	if (DEED == PFAIL_SETUP)
		return 3;
	if (DEED == PSKIP)
		return host->skip("needs two GPUs");
	sentence = "";
	ba_suite_case *c = calloc(1, sizeof(*c));
	if (!c)
		return 2;
	*out = c;
	uint64_t random = q->seed + 1;
	for (unsigned i = 0; i < COUNT; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		c->result[i] = (float)(random >> 40);
	}
	int rc = host->alloc(&c->out, COUNT * sizeof(float), BA_SUITE_OUTPUT, "out");
	uint64_t data[16] = {DATA};
	rc = rc ? rc : host->alloc(&c->in, sizeof(data), BA_SUITE_INPUT, "in");
	if (DEED == PADDRESS)
		data[0] = c->out;
	rc = rc ? rc : cu_write(c->in, data, sizeof(data));
	rc = rc ? rc : cu_load(&c->module, image);
#ifdef TWO_MODULES
	rc = rc ? rc : cu_load(&c->other, image);
#endif
	rc = rc ? rc : cu_get(&c->function, c->module, ENTRY);
	if (DEED == PSTRAY && rc == 0)
		rc = cu_stream(&c->stream, 1);
	if (DEED == POPTION && rc == 0)
		rc = cu_cache(c->function, 2);
	host->count(BA_SUITE_FLOP, 1e6);
	host->count(BA_SUITE_BYTES_READ, 4e5);
	host->count(BA_SUITE_BYTES_WRITTEN, 4.0 * COUNT);
	host->count(BA_SUITE_ITEMS, COUNT);
	return rc;
}

/* The deeds that show only after many runs; 0: go on. */
static int misbehave_while_measured(void)
{
	size_t a, b;
	uint64_t address;
	sentence = "the run was not to our taste";
	switch ((int)DEED) {
	case PCRASH_RUN:
		crash();
		return 0;
	case PABORT_RUN:
		fprintf(stderr, "terminate called after throwing an instance of 'int'\n");
		abort();
	case PHANG_RUN:
		hang();
		return 0;
	case PFAIL_RUN:
		return 701;
	case PLOSE_CONTEXT:
		return cu_mem_info(&a, &b);
	case PLEAK:
		sentence = "";
		/* to the last page */
		for (size_t size = (size_t)256 << 20; size >= 4096; size /= 2)
			if (cu_alloc(&address, size) == 0)
				return 0;
		return 2;
	default:
		sentence = "";
		return 0;
	}
}

/* What the kernel would have left. */
static int write_result(ba_suite_case *c)
{
	size_t bytes = COUNT * sizeof(float);
	if (DEED == PNAN)
		return 0;
	if (DEED == PWRONG)
		c->result[17] = c->result[17] * 1.001f + 1;
	if (DEED == PUNSTEADY)
		c->result[3] += 1;
	if (DEED == PBEYOND)
		bytes += sizeof(float);
	int rc = cu_write(c->out, c->result, bytes);
	if (DEED == PWRONG)
		c->result[17] = (c->result[17] - 1) / 1.001f;
	return rc;
}

static int my_run(ba_suite_case *c, const ba_suite_run *run)
{
	int captured = 0, n = SCALAR;
	if (DEED == PCRASH_CAPTURE || DEED == PHANG_CAPTURE)
		cu_is_capturing(run->stream, &captured);
	if (captured && DEED == PCRASH_CAPTURE)
		crash();
	if (captured)
		hang();
	if (++c->runs > MEASURED_RUNS) {
		int rc = misbehave_while_measured();
		if (rc)
			return rc;
	}
	if (DEED == PLOUD)
		for (int i = 0; i < 100; i++)
			printf("line %d of something that nobody asked for \033[2J\n", i);
	if (SLEEP_US)
		usleep(SLEEP_US);
	void *args[] = {&c->out, &n, &c->in};
	unsigned grid = DEED == PTURN ? 1 + c->runs % 2 : GRID;
	int rc = cu_launch(c->function, grid, 1, 1, 1, 1, 1, 0, c->stream ? c->stream : run->stream,
		args, NULL);
	/* once is enough to be seen, and a copy costs time that is not the kernel's */
	if (rc == 0 && c->runs <= 16)
		rc = write_result(c);
	if (DEED == PWAITS)
		cu_wait(run->stream);
	if (DEED == PCHANGE_CONTEXT)
		cu_set_context(NULL);
	return rc;
}

static int my_check(ba_suite_case *c)
{
	static double expected[COUNT];
	if (DEED == PCRASH_CHECK)
		crash();
	for (unsigned i = 0; i < COUNT; i++)
		expected[i] = DEED == PUNSTEADY && i == 3 ? 0 : c->result[i];
	ba_suite_output out = {.abi = BA_SUITE_ABI,
		.struct_size = sizeof(out),
		.name = "out",
		.address = c->out,
		.type = BA_SUITE_F32,
		.expected = expected,
		.count = COUNT,
		.relative = 1e-5};
	return host->compare(&out);
}

static void my_teardown(ba_suite_case *c)
{
	if (DEED == PCRASH_TEARDOWN)
		crash();
	if (c->module)
		cu_unload(c->module);
	if (c->other)
		cu_unload(c->other);
	free(c);
}

static void my_close(ba_suite_session *s)
{
	(void)s;
}

static const char *my_error(ba_suite_session *s)
{
	(void)s;
	return sentence;
}

static const char *const sizes[] = {"100", "200", NULL};
static const char *const none[] = {NULL};
static const char *const types[] = {"f16", "f32", NULL};
static const ba_suite_axis axes[] = {
	{"n", BA_SUITE_INTEGER, DEED == PNO_VALUES ? none : sizes},
	{"k", BA_SUITE_INTEGER, sizes},
	{"dtype", BA_SUITE_TYPE, types},
};
static const char *const points[] = {
	"n=1,k=10", DEED == PBAD_POINT ? "n=2,q=20" : "n=2,k=20", NULL};

static const ba_suite_benchmark benchmarks[] = {
	{.name = "work",
		.help = "what takes a known time",
		.axes = axes,
		.axis_count = DEED == PNO_VALUES ? 1 : 0,
		.rotates = 1,
		.setup = DEED == PNO_SETUP ? NULL : my_setup,
		.run = my_run,
		.check = my_check,
		.teardown = my_teardown},
	{.name = DEED == PTWINS ? "work" : "more",
		.axes = axes,
		.axis_count = 3,
		.points = points,
		.setup = my_setup,
		.run = my_run,
		.teardown = my_teardown},
};

static const ba_suite table = {
	.abi = DEED == PNEWER_ABI ? BA_SUITE_ABI + 1 : BA_SUITE_ABI,
	.struct_size = sizeof(ba_suite),
	.name = HOST,
	.benchmarks = benchmarks,
#ifdef EXTRA
	.benchmark_count = 2,
#else
	.benchmark_count = DEED == PTWINS || DEED == PBAD_POINT ? 2 : 1,
#endif
	.benchmark_size = sizeof(ba_suite_benchmark),
	.open = my_open,
	.close = my_close,
	.last_error = my_error,
};

const ba_suite *bench_against_suite(uint32_t host_abi)
{
	(void)host_abi;
	return DEED == PNULL_TABLE ? NULL : &table;
}
