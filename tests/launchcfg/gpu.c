/*
 * launchcfg on a real GPU with the real NVRTC. No cmocka: machines with GPUs may lack
 * it.
 *
 *     launchcfg_gpu cold|warm
 *
 * "warm" is a second process that expects what "cold" left in the cache directory
 * ($LAUNCHCFG_CACHE_DIR). Prints a line a check, and times; exits with 0 only if every
 * check held, 77 where there is no GPU.
 */
#include <dlfcn.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "launchcfg/launchcfg.h"

static int held, broken;
static lcfg_error err;
static lcfg_error said; /* the error at the last check */
static lcfg_driver *driver;
static lcfg_cache *cache;
static uint64_t memory; /* device address of a megabyte */

static int (*cu_init)(unsigned);
static int (*cu_device_get)(int *, int);
static int (*cu_device_attribute)(int *, int, int);
static int (*cu_retain)(void **, int);
static int (*cu_set_current)(void *);
static int (*cu_alloc)(uint64_t *, size_t);
static int (*cu_to_host)(void *, uint64_t, size_t);
static int (*cu_set32)(uint64_t, unsigned, size_t);
static int (*cu_sync)(void);

static void check(bool holds, const char *what)
{
	held += holds;
	broken += !holds;
	printf("%s  %s\n", holds ? "ok    " : "BROKEN", what);
	if (!holds && err.code)
		printf("        %s\n", err.text);
	said = err;
	err = (lcfg_error){0};
}

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool open_gpu(void)
{
	static const struct {
		void *function;
		const char *name;
	} symbols[] = {{&cu_init, "cuInit"}, {&cu_device_get, "cuDeviceGet"},
		{&cu_device_attribute, "cuDeviceGetAttribute"},
		{&cu_retain, "cuDevicePrimaryCtxRetain"}, {&cu_set_current, "cuCtxSetCurrent"},
		{&cu_alloc, "cuMemAlloc_v2"}, {&cu_to_host, "cuMemcpyDtoH_v2"},
		{&cu_set32, "cuMemsetD32_v2"}, {&cu_sync, "cuCtxSynchronize"}};
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *address = library ? dlsym(library, symbols[i].name) : NULL;
		if (!address)
			return false;
		memcpy(symbols[i].function, &address, sizeof(address));
	}
	int device = 0;
	void *context = NULL;
	return !cu_init(0) && !cu_device_get(&device, 0) && !cu_retain(&context, device) &&
	       !cu_set_current(context) && !cu_alloc(&memory, 1 << 20);
}

static unsigned read_word(size_t index)
{
	unsigned word = 0xdeadbeef;
	cu_to_host(&word, memory + index * sizeof(word), sizeof(word));
	return word;
}

static int generate_block(lcfg_source *out, const lcfg_generation *what, lcfg_error *e)
{
	const lcfg_config *config = NULL;
	(void)what;
	int rc = lcfg_ensure_current_config(&config, e);
	return rc ? rc
		  : lcfg_emit(out,
			    "extern \"C\" __global__ void k(unsigned *out) {\n"
			    "  if (threadIdx.x == 0) *out = %u;\n}\n",
			    lcfg_config_shape(config)->block.x);
}

static const lcfg_type one_pointer[] = {LCFG_PTR_U32};
static const lcfg_signature takes_pointer = {one_pointer, 1};

static lcfg_dispatcher_desc base_desc(const char *name)
{
	return (lcfg_dispatcher_desc){.struct_size = sizeof(lcfg_dispatcher_desc),
		.driver = driver,
		.name = name,
		.specialised = 1,
		.signature = takes_pointer,
		.cache = cache};
}

static lcfg_dispatcher *make(const lcfg_dispatcher_desc *desc)
{
	lcfg_dispatcher *d = NULL;
	lcfg_dispatcher_new(&d, desc, &err);
	return d;
}

static lcfg_dispatcher *from_source(const char *source)
{
	lcfg_dispatcher_desc desc = base_desc("k");
	desc.source = source;
	return make(&desc);
}

static lcfg_dispatcher *by_block(const char *revision)
{
	lcfg_dispatcher_desc desc = base_desc("k");
	desc.generate = generate_block;
	desc.revision = revision;
	return make(&desc);
}

static int launch(lcfg_dispatcher *d, const lcfg_shape *shape)
{
	void *args[] = {&memory};
	cu_set32(memory, 0xffffffff, 1024);
	int rc = lcfg_launch_shape(d, shape, takes_pointer, args, &err);
	return rc ? rc : cu_sync();
}

static int launch_block(lcfg_dispatcher *d, unsigned block)
{
	return launch(d, &(lcfg_shape){.grid = {1}, .block = {block}});
}

static uint64_t compiles_of(lcfg_dispatcher *d)
{
	lcfg_stats stats;
	lcfg_dispatcher_stats(&stats, d);
	return stats.compiles;
}

static void check_sensitive(bool warm)
{
	lcfg_dispatcher *d = by_block("sensitive 1");
	double start = now_ms();
	int rc = launch_block(d, 64);
	printf("the very first launch of this process, %s: %.2f ms\n",
		warm ? "from disk" : "compiled", now_ms() - start);
	check(!rc && read_word(0) == 64, "block 64 runs code for 64");
	check(!launch_block(d, 64) && read_word(0) == 64, "once more");
	check(!launch_block(d, 128) && read_word(0) == 128, "block 128 runs code for 128");
	check(!launch_block(d, 64) && read_word(0) == 64, "block 64 again");
	check(lcfg_dispatcher_is_sensitive(d), "reading the config marked the kernel");
	check(compiles_of(d) == (warm ? 0 : 2),
		warm ? "second process: nothing compiled" : "first process: two compiled");
	check(lcfg_compile(d, takes_pointer, &err) == LCFG_ENOCONFIG,
		"ahead of time it is refused");
	printf("        %s\n", said.text);
	lcfg_dispatcher_free(d);
}

static void check_overloads(void)
{
	static const lcfg_type types[2][2] = {{LCFG_PTR_F32, LCFG_F32}, {LCFG_PTR_F64, LCFG_F64}};
	lcfg_dispatcher_desc desc = base_desc("put<{1}>");
	desc.specialised = 0;
	desc.source = "template <class T> __global__ void put(T *x, T y) { *x = y + T(1); }";
	lcfg_dispatcher *d = make(&desc);
	float f = 1.5f;
	double g = 2.25;
	void *f_args[] = {&memory, &f};
	void *g_args[] = {&memory, &g};
	lcfg_shape shape = {.grid = {1}, .block = {1}};
	int rc = lcfg_launch_shape(d, &shape, (lcfg_signature){types[0], 2}, f_args, &err);
	float f_out = 0;
	cu_to_host(&f_out, memory, sizeof(f_out));
	check(!rc && f_out == 2.5f, "template overload for float");
	rc = lcfg_launch_shape(d, &shape, (lcfg_signature){types[1], 2}, g_args, &err);
	double g_out = 0;
	cu_to_host(&g_out, memory, sizeof(g_out));
	check(!rc && g_out == 3.25, "template overload for double");
	lcfg_dispatcher_free(d);
}

static void check_errors(void)
{
	lcfg_dispatcher *d = from_source("extern \"C\" __global__ void k(unsigned *x) { y; }");
	check(launch_block(d, 1) == LCFG_ECOMPILE && strstr(err.text, "identifier \"y\""),
		"a compile error brings the compiler's log");
	lcfg_dispatcher_free(d);
	d = from_source("extern \"C\" __global__ void k(unsigned *x, int more) {}");
	check(launch_block(d, 1) == LCFG_ESIGNATURE, "a wrong signature is refused");
	printf("        %s\n", said.text);
	lcfg_dispatcher_free(d);
	d = from_source("extern \"C\" __global__ void __launch_bounds__(32) k(unsigned *x) {}");
	check(launch_block(d, 1024) == LCFG_EDRIVER, "a block too large is the driver's error");
	printf("        %s\n", said.text);
	lcfg_dispatcher_free(d);
}

static void check_shared(void)
{
	lcfg_dispatcher *d = from_source("extern \"C\" __global__ void k(unsigned *out) {\n"
					 "  extern __shared__ unsigned cell[];\n"
					 "  cell[25599] = 7; *out = cell[25599];\n}\n");
	lcfg_shape shape = {.grid = {1}, .block = {1}, .shared_bytes = 25600 * 4};
	check(!launch(d, &shape) && read_word(0) == 7, "100 KiB of dynamic shared memory");
	shape.shared_bytes = 1 << 20;
	check(launch(d, &shape) == LCFG_EDRIVER, "1 MiB is refused");
	printf("        %s\n", said.text);
	lcfg_dispatcher_free(d);
}

static void check_attributes(void)
{
	int major = 0;
	cu_device_attribute(&major, 75, 0);
	lcfg_dispatcher *d = from_source("extern \"C\" __global__ void k(unsigned *out) {\n"
					 "  unsigned n = 1;\n"
					 "#if __CUDA_ARCH__ >= 900\n"
					 "  asm(\"mov.u32 %0, %%cluster_nctaid.x;\" : \"=r\"(n));\n"
					 "#endif\n"
					 "  *out = n;\n}\n");
	lcfg_shape shape = {.grid = {4}, .block = {32}, .flags = LCFG_COOPERATIVE};
	check(!launch(d, &shape) && read_word(0) == 1, "a cooperative launch");
	shape.flags = LCFG_PRIORITY | LCFG_PROGRAMMATIC;
	check(!launch(d, &shape), "priority and programmatic stream serialisation");
	shape.flags = 0;
	shape.cluster.x = 2;
	if (major >= 9)
		check(!launch(d, &shape) && read_word(0) == 2, "a cluster of two blocks");
	else
		printf("skipped  clusters: compute capability %d\n", major);
	lcfg_dispatcher_free(d);
}

static void check_forall(void)
{
	lcfg_dispatcher *d = from_source("extern \"C\" __global__ void k(unsigned *out) {\n"
					 "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
					 "  if (i < 100000) out[i] = i * 3;\n}\n");
	lcfg_config *config = NULL;
	int rc = lcfg_forall(&config, d, 100000, 0, NULL, takes_pointer, &err);
	void *args[] = {&memory};
	if (!rc)
		rc = lcfg_launch(config, args, &err);
	static unsigned out[100000];
	cu_to_host(out, memory, sizeof(out));
	bool right = !rc;
	for (unsigned i = 0; i < 100000; i++)
		right &= out[i] == i * 3;
	check(right, "forall covers every element");
	if (config)
		printf("        block %u, grid %u\n", lcfg_config_shape(config)->block.x,
			lcfg_config_shape(config)->grid.x);
	lcfg_config_free(config);
	lcfg_dispatcher_free(d);
}

static void damage_all_entries(void)
{
	char pattern[512];
	glob_t found;
	snprintf(pattern, sizeof(pattern), "%s/v1/entries/*/*", lcfg_cache_dir(cache));
	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *f = fopen(found.gl_pathv[i], "r+");
		fseek(f, 200, SEEK_SET);
		fputc('!', f);
		fclose(f);
	}
	globfree(&found);
}

static void check_damage(void)
{
	lcfg_dispatcher *d = by_block("damage 1");
	launch_block(d, 32);
	lcfg_dispatcher_free(d);
	damage_all_entries();
	d = by_block("damage 1");
	check(!launch_block(d, 32) && read_word(0) == 32 && compiles_of(d) == 1,
		"a damaged entry is compiled again");
	lcfg_dispatcher_free(d);
}

static void check_many_sources(bool warm)
{
	enum { CONFIGS = 64 };
	lcfg_dispatcher *d = by_block("many 1");
	int wrong = 0;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned b = 1; b <= CONFIGS; b++)
			wrong += launch_block(d, b) || read_word(0) != b;
	}
	check(!wrong && compiles_of(d) == (warm ? 0 : CONFIGS),
		warm ? "64 configs from disk, each with its own code"
		     : "64 configs compiled, each with its own code");
	lcfg_dispatcher_free(d);
}

/* A ready image, since a thousand runs of the compiler take minutes. */
static void check_thousand(void)
{
	enum { CONFIGS = 1000 };
	lcfg_dispatcher_desc desc = base_desc("k");
	desc.image = ".version 7.0\n.target sm_70\n.address_size 64\n"
		     ".visible .entry k(.param .u64 out)\n{\n"
		     ".reg .u64 %p;\n.reg .u32 %n;\n"
		     "ld.param.u64 %p, [out];\nmov.u32 %n, %ntid.x;\n"
		     "st.global.u32 [%p], %n;\nret;\n}\n";
	desc.sensitive = 1;
	lcfg_dispatcher *d = make(&desc);
	int wrong = 0;
	double ms[2];
	for (int round = 0; round < 2; round++) {
		double start = now_ms();
		for (unsigned b = 1; b <= CONFIGS; b++)
			wrong += launch_block(d, b) || read_word(0) != b;
		ms[round] = now_ms() - start;
	}
	check(!wrong && compiles_of(d) == CONFIGS && lcfg_dispatcher_child_count(d) == CONFIGS - 1,
		"1000 configs, a child and a kernel for each");
	printf("        first launches %.2f ms each, later ones %.4f ms (with sync)\n",
		ms[0] / CONFIGS, ms[1] / CONFIGS);
	lcfg_dispatcher_free(d);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;
	return (x > y) - (x < y);
}

/* A kernel of the size people have: what a first launch costs with and without disk. */
static double first_launch_ms(int number)
{
	char *source = malloc(1 << 16);
	size_t n = (size_t)sprintf(
		source, "extern \"C\" __global__ void k(float *x) { float a = %d;\n", number);
	for (int i = 0; i < 100; i++)
		n += (size_t)sprintf(source + n, "a = a * x[%d] + sqrtf(a);\n", i);
	sprintf(source + n, "x[0] = a; }\n");
	lcfg_dispatcher *d = from_source(source);
	double start = now_ms();
	void *args[] = {&memory};
	lcfg_shape shape = {.grid = {1}, .block = {1}};
	int rc = lcfg_launch_shape(d, &shape, takes_pointer, args, &err);
	double ms = now_ms() - start;
	cu_sync();
	lcfg_dispatcher_free(d);
	free(source);
	return rc ? -1 : ms;
}

static void time_disk(bool warm)
{
	enum { KERNELS = 7 };
	double compiled[KERNELS];
	double disk[KERNELS];
	/* numbers that no process used before */
	int base = (int)(getpid() % 100000) * 100 + warm;
	for (int i = 0; i < KERNELS; i++)
		compiled[i] = first_launch_ms(base + 2 * i);
	for (int i = 0; i < KERNELS; i++)
		disk[i] = first_launch_ms(base + 2 * i);
	qsort(compiled, KERNELS, sizeof(double), by_value);
	qsort(disk, KERNELS, sizeof(double), by_value);
	double ratio = compiled[KERNELS / 2] / disk[KERNELS / 2];
	printf("first launch, median of %d: compiled %.2f ms, from disk %.3f ms, ratio "
	       "%.1f\n",
		KERNELS, compiled[KERNELS / 2], disk[KERNELS / 2], ratio);
	check(disk[0] > 0 && ratio >= 20, "from disk at least 20 times faster than compiling");
}

int main(int argc, char **argv)
{
	bool warm = argc > 1 && strcmp(argv[1], "warm") == 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!open_gpu()) {
		fprintf(stderr, "skipped: no CUDA driver or no GPU here\n");
		return 77;
	}
	if (lcfg_driver_open(&driver, NULL, &err) || lcfg_cache_open(&cache, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	printf("launchcfg %s (%s), cache in %s, %s\n", LCFG_VERSION, lcfg_state_name(),
		lcfg_cache_dir(cache), warm ? "second process" : "first process");
	check_sensitive(warm);
	check_overloads();
	check_errors();
	check_shared();
	check_attributes();
	check_forall();
	check_many_sources(warm);
	check_thousand();
	time_disk(warm);
	if (warm)
		check_damage(); /* last: it damages everything */
	lcfg_cache_free(cache);
	lcfg_driver_free(driver);
	printf("%d checks held, %d broken\n", held, broken);
	return broken != 0;
}
