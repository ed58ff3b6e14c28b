/* The observer's store of memory, over the host target's driver: many allocations at a time, in any
 * order, and addresses within them. */
#include "test.h"

#include <dlfcn.h>

#include "base/base.h"
#include "observer/observer.h"

#define HOST_PATH BA_BINARY_DIR "/lib/bench-against/host/libcuda.so.1"
#define OBSERVER_PATH BA_BINARY_DIR "/lib/bench-against/observer/libcuda.so.1"

enum { MANY = 70000, BYTES = 1000, STRIDE = 7919 };

static void *observer;
static ba_observer_census_fn *census;

/* sets a pointer to that function of the observer */
static void find(const char *name, void *function)
{
	void *found = dlsym(observer, name);
	assert_non_null(found);
	memcpy(function, &found, sizeof(found));
}

static void call(const char *name, uintptr_t a, uintptr_t b, uintptr_t c)
{
	int (*function)(uintptr_t, uintptr_t, uintptr_t);
	find(name, &function);
	assert_int_equal(function(a, b, c), 0);
}

static int open_driver(void **state)
{
	void *context = NULL, *driver;
	ba_observer_start_fn *start;
	observer = dlopen(OBSERVER_PATH, RTLD_NOW | RTLD_GLOBAL);
	driver = dlopen(HOST_PATH, RTLD_NOW);
	assert_true(observer && driver);
	find(BA_OBSERVER_START, &start);
	find(BA_OBSERVER_CENSUS, &census);
	start(driver, NULL);
	call("cuInit", 0, 0, 0);
	call("cuDevicePrimaryCtxRetain", (uintptr_t)&context, 0, 0);
	call("cuCtxSetCurrent", (uintptr_t)context, 0, 0);
	return 0;
}

static uint64_t take(ba_census_what what)
{
	uint64_t counts[BA_CENSUS_COUNT];
	census(counts);
	return counts[what];
}

TEST_WITH(each_of_many_is_found, open_driver, NULL)
{
	uint64_t *memory = ba_xcalloc(MANY, sizeof(*memory));
	char byte = 0;
	for (size_t i = 0; i < MANY; i++)
		call("cuMemAlloc_v2", (uintptr_t)&memory[i], BYTES, 0);
	assert_int_equal(take(BA_CENSUS_PEAK_BYTES), (uint64_t)MANY * BYTES);
	/* the last byte of each is on the device */
	for (size_t i = 0; i < MANY; i += 10)
		call("cuMemcpy", memory[i] + BYTES - 1, (uintptr_t)&byte, 1);
	assert_int_equal(take(BA_CENSUS_COPIES_H2D), MANY / 10);
	for (size_t i = 0; i < MANY; i++)
		call("cuMemFree_v2", memory[i * STRIDE % MANY], 0, 0);
	assert_int_equal(take(BA_CENSUS_FREES), MANY);
	call("cuMemcpy", memory[0], (uintptr_t)&byte, 1);
	assert_int_equal(take(BA_CENSUS_COPIES_H2D), 0);
	/* nothing is left: the peak is that of what comes now */
	call("cuMemAlloc_v2", (uintptr_t)&memory[0], BYTES, 0);
	assert_int_equal(take(BA_CENSUS_PEAK_BYTES), BYTES);
	call("cuMemFree_v2", memory[0], 0, 0);
	free(memory);
}

static size_t kernels(const char *const **names)
{
	ba_observer_kernels_fn *ask;
	find(BA_OBSERVER_KERNELS, &ask);
	return ask(names);
}

/* Of two modules the second is unloaded: its kernels are no longer known. */
TEST_WITH(loaded_modules_have_kinds_sizes_and_kernels, open_driver, NULL)
{
	static const char image[] = ".version 8.0\n.target sm_90\n.visible .entry k()\n{\nret;\n}\n"
				    ".visible .entry l()\n{\nret;\n}\n";
	static const unsigned fatbin[] = {0xba55ed50u, 0x00100001u, 48, 0};
	const struct {
		unsigned magic, version;
		const void *data;
	} wrapper = {0x466243b1u, 1, fatbin};
	ba_observer_modules_fn *modules;
	void *module = NULL, *library = NULL, *kernel = NULL;
	char kind[2][16] = {"", ""}, names[2][16] = {"", ""};
	unsigned long long ns[2], bytes[2], counts[2];
	find(BA_OBSERVER_MODULES, &modules);
	assert_string_equal(modules(), "");
	call("cuModuleLoadData", (uintptr_t)&module, (uintptr_t)image, 0);
	call("cuModuleGetFunction", (uintptr_t)&kernel, (uintptr_t)module, (uintptr_t) "l");
	call("cuModuleGetFunction", (uintptr_t)&kernel, (uintptr_t)module, (uintptr_t) "k");
	call("cuModuleLoadFatBinary", (uintptr_t)&library, (uintptr_t)&wrapper, 0);
	call("cuModuleUnload", (uintptr_t)library, 0, 0);
	assert_int_equal(sscanf(modules(), "%llu %llu %15s %llu %15[kl ]\n%llu %llu %15s %llu",
				 &ns[0], &bytes[0], kind[0], &counts[0], names[0], &ns[1],
				 &bytes[1], kind[1], &counts[1]),
		9);
	assert_int_equal(bytes[0], sizeof(image) - 1);
	assert_string_equal(kind[0], "PTX");
	assert_int_equal(counts[0], 2);
	assert_true(strchr(names[0], 'k') && strchr(names[0], 'l'));
	assert_int_equal(bytes[1], 16 + 48);
	assert_string_equal(kind[1], "fatbin");
	assert_int_equal(counts[1], 0);
}

/* What a graph launches is not known, whether or not a kernel was launched before it. */
TEST_WITH(launched_kernels_have_names_and_graphs_have_none, open_driver, NULL)
{
	static const char image[] =
		".version 8.0\n.target sm_90\n.visible .entry k()\n{\nret;\n}\n";
	void *module = NULL, *kernel = NULL, *graph = NULL, *ready = NULL;
	const char *const *names;
	int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
		void *, void **, void **);
	find("cuLaunchKernel", &launch);
	call("cuModuleLoadData", (uintptr_t)&module, (uintptr_t)image, 0);
	call("cuModuleGetFunction", (uintptr_t)&kernel, (uintptr_t)module, (uintptr_t) "k");
	call("cuGraphCreate", (uintptr_t)&graph, 0, 0);
	call("cuGraphInstantiateWithFlags", (uintptr_t)&ready, (uintptr_t)graph, 0);
	for (int known = 0; known < 2; known++) {
		for (int i = 0; i < 2 * known; i++)
			launch(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
		assert_int_equal(kernels(&names), known);
		assert_string_equal(known ? names[0] : "k", "k");
		if (known)
			launch(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
		call("cuGraphLaunch", (uintptr_t)ready, 0, 0);
		assert_true(kernels(&names) == SIZE_MAX);
	}
}
