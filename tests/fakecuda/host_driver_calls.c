/* The host target's driver as cuda.core, cuda.bindings and Numba call it: functions that
 * the tool itself has no use for, found as those packages find them. */
#include "test.h"

#include <dlfcn.h>

#include "gpu/device.h"
#include "nulldriver/record.h"

#define PATH BA_BINARY_DIR "/tests/fakecuda/host/libcuda.so.1"

static ba_driver drv;
static ba_device dev;

static int setup(void **state)
{
	ba_error err = {0};
	if (ba_driver_open(&drv, PATH, &err) < 0 || ba_driver_init(&drv, &err) < 0 ||
		ba_device_open(&dev, &drv, 0, &err) < 0 || ba_device_enter(&dev, &err) < 0) {
		print_error("%s\n", err.text);
		return -1;
	}
	return 0;
}

static int teardown(void **state)
{
	ba_device_leave(&dev);
	ba_driver_close(&drv);
	return 0;
}
TEST_GROUP(setup, teardown);

static void *exported(const char *name)
{
	void *address = dlsym(drv.library, name);
	if (!address)
		fail_msg("no %s", name);
	return address;
}

/* CALL(name, (types), arguments...): the result of an exported function */
typedef void any_fn(void);
static any_fn *call_of(const char *name)
{
	void *address = exported(name);
	any_fn *f;
	memcpy(&f, &address, sizeof(f));
	return f;
}
#define CALL(name, types, ...) (((cu_result(*) types)call_of(name))(__VA_ARGS__))
#define GOOD(...) assert_int_equal(CALL(__VA_ARGS__), 0)

/* as little of a cubin as makes it no PTX */
static const char cubin[] = "\177ELF and more";

static cu_function kernel_of_cubin(cu_module *library)
{
	cu_function kernel = NULL;
	GOOD("cuLibraryLoadData",
		(cu_module *, const void *, int *, void **, unsigned, int *, void **, unsigned),
		library, cubin, NULL, NULL, 0, NULL, NULL, 0);
	GOOD("cuLibraryGetKernel", (cu_function *, cu_module, const char *), &kernel, *library,
		"k");
	return kernel;
}

/* ---- which function is meant ---- */

typedef struct form {
	const char *symbol;
	int version;
	const char *exported;
} form;

TEST(a_caller_gets_the_form_that_it_was_written_for)
{
	static const form rows[] = {
		{"cuGetProcAddress", 11030, "cuGetProcAddress"},
		{"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
		{"cuGraphGetEdges", 12020, "cuGraphGetEdges"},
		{"cuGraphGetEdges", 13000, "cuGraphGetEdges_v2"},
		{"cuGraphAddNode", 12020, "cuGraphAddNode"},
		{"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
		{"cuGraphKernelNodeGetParams", 11080, "cuGraphKernelNodeGetParams"},
		{"cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams_v2"},
		{"cuGraphNodeGetDependencies", 12000, "cuGraphNodeGetDependencies"},
		{"cuGraphNodeGetDependentNodes", 13000, "cuGraphNodeGetDependentNodes_v2"},
		{"cuStreamGetCaptureInfo", 10010, "cuStreamGetCaptureInfo"},
		{"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
		{"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
		{"cuStreamGetCtx", 9020, "cuStreamGetCtx"},
		{"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
		{"cuMemAlloc", 3020, "cuMemAlloc_v2"},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		void *out = NULL;
		int status = -1;
		GOOD("cuGetProcAddress_v2", (const char *, void **, int, uint64_t, int *),
			rows[i].symbol, &out, rows[i].version, 0, &status);
		assert_int_equal(status, BA_CU_PROC_FOUND);
		if (out != exported(rows[i].exported))
			fail_msg("%s of CUDA %d", rows[i].symbol, rows[i].version);
	}
}

/* the old form has four parameters: what lies where the fifth would be is not written */
TEST(the_old_lookup_writes_only_where_it_is_told)
{
	void *out = NULL;
	GOOD("cuGetProcAddress", (const char *, void **, int, uint64_t), "cuLaunchKernel", &out,
		11030, 0);
	assert_ptr_equal(out, exported("cuLaunchKernel"));
	assert_int_equal(CALL("cuGetProcAddress", (const char *, void **, int, uint64_t),
				 "cuNoSuchCall", &out, 11030, 0),
		BA_CU_NOT_FOUND);
	assert_null(out);
}

TEST(what_it_cannot_do_says_so)
{
	static const char *const names[] = {"cuArrayCreate_v2", "cuCtxFromGreenCtx",
		"cuDeviceGetLuid", "cuGraphAddMemAllocNode", "cuGraphClone", "cuGreenCtxCreate",
		"cuImportExternalMemory", "cuIpcGetMemHandle", "cuLinkCreate_v2",
		"cuMemAddressReserve", "cuMemPoolExportToShareableHandle", "cuMulticastCreate",
		"cuTexObjectCreate", "cuTexRefCreate"};
	for (size_t i = 0; i < BA_COUNT(names); i++) {
		void *out = NULL;
		int status = -1;
		GOOD("cuGetProcAddress_v2", (const char *, void **, int, uint64_t, int *), names[i],
			&out, 13000, 0, &status);
		if (CALL(names[i], (void *, void *, void *), NULL, NULL, NULL) !=
			BA_CU_NOT_SUPPORTED)
			fail_msg("%s", names[i]);
	}
}

/* NVRTC asks for a table that it can do without; the runtime does not start */
TEST(the_runtime_is_refused_with_a_sentence)
{
	static const cu_uuid nvrtcs = {{0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41, 0xa5, 0xc0,
		0x4f, 0x26, 0xd5, 0x33, 0xe3, 0x28}};
	static const cu_uuid runtimes = {{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89,
		0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9}};
	const char *(*refused)(void);
	void *address = exported(BA_HOST_DRIVER_REFUSED);
	const void *table = &table;
	memcpy(&refused, &address, sizeof(refused));
	assert_int_equal(
		CALL("cuGetExportTable", (const void **, const cu_uuid *), &table, &nvrtcs),
		BA_CU_NOT_SUPPORTED);
	assert_null(refused());
	assert_int_equal(
		CALL("cuGetExportTable", (const void **, const cu_uuid *), &table, &runtimes),
		BA_CU_NOT_SUPPORTED);
	assert_null(table);
	assert_has(refused(), "the program uses the CUDA runtime");
	assert_has(refused(), "--target gpu");
}

/* ---- a launch, as cuda.core makes it ---- */

TEST(a_kernel_of_a_library_is_launched)
{
	cu_module library = NULL, again = NULL;
	cu_stream stream = NULL;
	cu_function kernel = kernel_of_cubin(&library), function = NULL;
	const char *name = NULL;
	GOOD("cuKernelGetFunction", (cu_function *, cu_function), &function, kernel);
	GOOD("cuKernelGetLibrary", (cu_module *, cu_function), &again, kernel);
	assert_ptr_equal(again, library);
	GOOD("cuKernelGetName", (const char **, cu_function), &name, kernel);
	assert_string_equal(name, "k");
	GOOD("cuStreamCreateWithPriority", (cu_stream *, unsigned, int), &stream, 1, 0);
	cu_deviceptr address = 0x1000;
	void *params[] = {&address};
	cu_launch_attribute attribute = {.id = 4, .value = {0x100000001, 1}};
	cu_launch_config config = {1, 1, 1, 32, 1, 1, 0, stream, &attribute, 1};
	GOOD("cuLaunchKernelEx", (const cu_launch_config *, cu_function, void **, void **), &config,
		kernel, params, NULL);
	GOOD("cuStreamSynchronize", (cu_stream), stream);
	GOOD("cuStreamDestroy_v2", (cu_stream), stream);
	GOOD("cuLibraryUnload", (cu_module), library);
}

TEST(a_stream_says_where_it_belongs)
{
	cu_context context = NULL;
	void *green = &context;
	cu_device device = -1;
	uint64_t value[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	GOOD("cuStreamGetCtx_v2", (cu_stream, cu_context *, void **), NULL, &context, &green);
	assert_ptr_equal(context, dev.context);
	assert_null(green);
	GOOD("cuStreamGetDevice", (cu_stream, cu_device *), NULL, &device);
	assert_int_equal(device, 0);
	GOOD("cuStreamGetAttribute", (cu_stream, int, uint64_t *), NULL, 1, value);
	assert_int_equal(value[0], 0);
	assert_int_equal(value[8], 1);
	device = -1;
	GOOD("cuCtxGetDevice_v2", (cu_device *, cu_context), &device, context);
	assert_int_equal(device, 0);
}

/* ---- memory ---- */

typedef struct place {
	int type, id;
} place;
enum { DEVICE = 1, HOST = 2, PINNED = 1, MANAGED = 2, THRESHOLD = 4, REUSE = 1 };

static void *pool_of(int type, int allocation)
{
	void *pool = NULL;
	const place where = {type, 0};
	GOOD("cuMemGetMemPool", (void **, const place *, int), &pool, &where, allocation);
	return pool;
}

TEST(pools_keep_what_they_were_told)
{
	void *pool = NULL, *again = NULL;
	uint64_t threshold = 7;
	int reuse = 0;
	GOOD("cuDeviceGetDefaultMemPool", (void **, cu_device), &pool, 0);
	GOOD("cuDeviceGetMemPool", (void **, cu_device), &again, 0);
	assert_ptr_equal(pool, again);
	assert_ptr_equal(pool, pool_of(DEVICE, PINNED));
	assert_ptr_not_equal(pool, pool_of(HOST, PINNED));
	GOOD("cuMemPoolGetAttribute", (void *, int, void *), pool, THRESHOLD, &threshold);
	assert_int_equal(threshold, 0);
	threshold = UINT64_MAX;
	GOOD("cuMemPoolSetAttribute", (void *, int, void *), pool, THRESHOLD, &threshold);
	threshold = 0;
	GOOD("cuMemPoolGetAttribute", (void *, int, void *), pool, THRESHOLD, &threshold);
	assert_true(threshold == UINT64_MAX);
	GOOD("cuMemPoolGetAttribute", (void *, int, void *), pool, REUSE, &reuse);
	assert_int_equal(reuse, 1);
	assert_int_equal(CALL("cuMemPoolGetAttribute", (void *, int, void *), pool, 99, &threshold),
		BA_CU_INVALID_VALUE);
	assert_int_equal(
		CALL("cuMemPoolGetAttribute", (void *, int, void *), &reuse, REUSE, &reuse),
		BA_CU_INVALID_VALUE);
}

static unsigned attribute_of(cu_deviceptr address, int attribute)
{
	unsigned value = 99;
	GOOD("cuPointerGetAttribute", (void *, int, cu_deviceptr), &value, attribute, address);
	return value;
}

/* MEMORY_TYPE and IS_MANAGED */
static void assert_memory(cu_deviceptr address, unsigned type, unsigned managed)
{
	unsigned together[2] = {99, 99};
	const int attributes[] = {2, 8};
	void *data[] = {&together[0], &together[1]};
	assert_int_equal(attribute_of(address, 2), type);
	assert_int_equal(attribute_of(address, 8), managed);
	GOOD("cuPointerGetAttributes", (unsigned, const int *, void **, cu_deviceptr), 2,
		attributes, data, address);
	assert_int_equal(together[0], type);
	assert_int_equal(together[1], managed);
}

static cu_deviceptr taken_from(void *pool)
{
	cu_deviceptr address = 0;
	GOOD("cuMemAllocFromPoolAsync", (cu_deviceptr *, size_t, void *, cu_stream), &address, 64,
		pool, NULL);
	return address;
}

TEST(memory_that_the_host_may_write_is_there)
{
	cu_deviceptr device = taken_from(pool_of(DEVICE, PINNED));
	cu_deviceptr host = taken_from(pool_of(HOST, PINNED));
	cu_deviceptr managed = taken_from(pool_of(0, MANAGED));
	assert_memory(device, 2, 0);
	assert_memory(host, 1, 0);
	assert_memory(managed, 2, 1);
	memset((void *)(uintptr_t)host, 1, 64);
	memset((void *)(uintptr_t)managed, 5, 64);
	/* also from its middle, and not beyond its end */
	unsigned char back[40] = {0};
	GOOD("cuMemcpyDtoH_v2", (void *, cu_deviceptr, size_t), back, managed + 24, 40);
	assert_int_equal(back[39], 5);
	GOOD("cuMemcpyDtoH_v2", (void *, cu_deviceptr, size_t), back, managed + 25, 40);
	assert_int_equal(back[0], 0);
	assert_int_equal(CALL("cuMemFree_v2", (cu_deviceptr), managed + 8), BA_CU_INVALID_VALUE);
	const cu_deviceptr all[] = {device, host, managed};
	for (size_t i = 0; i < BA_COUNT(all); i++)
		GOOD("cuMemFreeAsync", (cu_deviceptr, cu_stream), all[i], NULL);
}

TEST(a_pool_of_its_own_can_be_destroyed)
{
	const struct {
		int allocation, handles;
		place where;
		char rest[72];
	} props = {PINNED, 0, {DEVICE, 0}, {0}};
	void *pool = NULL;
	GOOD("cuMemPoolCreate", (void **, const void *), &pool, &props);
	assert_true(taken_from(pool) != 0);
	GOOD("cuMemPoolDestroy", (void *), pool);
	cu_deviceptr address = 0;
	assert_int_equal(
		CALL("cuMemAllocFromPoolAsync", (cu_deviceptr *, size_t, void *, cu_stream),
			&address, 64, pool, NULL),
		BA_CU_INVALID_HANDLE);
}

/* ---- graphs ---- */

TEST(kernels_of_a_cubin_are_captured)
{
	cu_module library = NULL;
	cu_function kernel = kernel_of_cubin(&library);
	cu_stream stream = NULL;
	cu_graph graph = NULL, building = NULL;
	int status = -1;
	uint64_t id = 99;
	size_t count = 99;
	void *exec = NULL;
	GOOD("cuStreamCreate", (cu_stream *, unsigned), &stream, 1);
	GOOD("cuStreamBeginCapture_v2", (cu_stream, int), stream, 0);
	GOOD("cuStreamGetCaptureInfo_v3",
		(cu_stream, int *, uint64_t *, cu_graph *, const void *, const void *, size_t *),
		stream, &status, &id, &building, NULL, NULL, &count);
	assert_int_equal(status, 1);
	assert_int_equal(id, 1);
	assert_int_equal(count, 0);
	cu_launch_config config = {1, 1, 1, 32, 1, 1, 0, stream, NULL, 0};
	for (int i = 0; i < 3; i++)
		GOOD("cuLaunchKernelEx", (const cu_launch_config *, cu_function, void **, void **),
			&config, kernel, NULL, NULL);
	GOOD("cuStreamEndCapture", (cu_stream, cu_graph *), stream, &graph);
	assert_ptr_equal(building, graph);
	GOOD("cuStreamIsCapturing", (cu_stream, int *), stream, &status);
	assert_int_equal(status, 0);
	GOOD("cuGraphGetNodes", (cu_graph, cu_graph_node *, size_t *), graph, NULL, &count);
	assert_int_equal(count, 3);
	GOOD("cuGraphInstantiateWithFlags", (void **, cu_graph, uint64_t), &exec, graph, 0);
	GOOD("cuGraphLaunch", (void *, cu_stream), exec, stream);
	GOOD("cuGraphExecDestroy", (void *), exec);
	GOOD("cuGraphDestroy", (cu_graph), graph);
	GOOD("cuStreamDestroy_v2", (cu_stream), stream);
	GOOD("cuLibraryUnload", (cu_module), library);
}

static cu_graph_node added(cu_graph graph, cu_graph_node before, cu_function kernel)
{
	const cu_kernel_node_params params = {.function = kernel,
		.grid_x = 7,
		.grid_y = 1,
		.grid_z = 1,
		.block_x = 1,
		.block_y = 1,
		.block_z = 1};
	cu_graph_node node = NULL;
	GOOD("cuGraphAddKernelNode_v2",
		(cu_graph_node *, cu_graph, const cu_graph_node *, size_t,
			const cu_kernel_node_params *),
		&node, graph, &before, before != NULL, &params);
	return node;
}

/* a diamond's half: first, then left and right */
TEST(a_graph_knows_what_waits_for_what)
{
	cu_module library = NULL;
	cu_function kernel = kernel_of_cubin(&library);
	cu_graph graph = NULL;
	GOOD("cuGraphCreate", (cu_graph *, unsigned), &graph, 0);
	cu_graph_node first = added(graph, NULL, kernel), left = added(graph, first, kernel),
		      right = added(graph, first, kernel), from[3] = {0}, to[3] = {0};
	uint64_t edges[3] = {9, 9, 9};
	size_t count = 3;
	GOOD("cuGraphGetEdges_v2",
		(cu_graph, cu_graph_node *, cu_graph_node *, uint64_t *, size_t *), graph, from, to,
		edges, &count);
	assert_int_equal(count, 2);
	assert_ptr_equal(from[0], first);
	assert_ptr_equal(to[0], left);
	assert_ptr_equal(from[1], first);
	assert_ptr_equal(to[1], right);
	assert_true(edges[0] == 0 && edges[1] == 0 && edges[2] == 9);
	count = 1; /* less room than there are */
	GOOD("cuGraphNodeGetDependentNodes", (cu_graph_node, cu_graph_node *, size_t *), first, to,
		&count);
	assert_int_equal(count, 2);
	assert_ptr_equal(to[0], left);
	assert_ptr_equal(to[1], right); /* of the call before */
	count = 3;
	GOOD("cuGraphNodeGetDependencies_v2",
		(cu_graph_node, cu_graph_node *, uint64_t *, size_t *), right, from, edges, &count);
	assert_int_equal(count, 1);
	assert_ptr_equal(from[0], first);
	count = 3;
	GOOD("cuGraphGetRootNodes", (cu_graph, cu_graph_node *, size_t *), graph, from, &count);
	assert_int_equal(count, 1);
	cu_kernel_node_params params = {0};
	GOOD("cuGraphKernelNodeGetParams_v2", (cu_graph_node, cu_kernel_node_params *), left,
		&params);
	assert_ptr_equal(params.function, kernel);
	assert_int_equal(params.grid_x, 7);
	GOOD("cuGraphDestroy", (cu_graph), graph);
	GOOD("cuLibraryUnload", (cu_module), library);
}

TEST(a_node_that_is_none_is_refused)
{
	cu_graph graph = NULL;
	int type = 0;
	size_t count = 0;
	uint64_t value[8];
	cu_graph_node stranger = (cu_graph_node)(void *)&type, node = NULL;
	GOOD("cuGraphCreate", (cu_graph *, unsigned), &graph, 0);
	GOOD("cuGraphAddEmptyNode", (cu_graph_node *, cu_graph, const cu_graph_node *, size_t),
		&node, graph, NULL, 0);
	GOOD("cuGraphNodeGetType", (cu_graph_node, int *), node, &type);
	assert_int_equal(type, BA_CU_NODE_EMPTY);
	assert_int_equal(CALL("cuGraphNodeGetType", (cu_graph_node, int *), stranger, &type),
		BA_CU_INVALID_HANDLE);
	assert_int_equal(
		CALL("cuGraphNodeGetDependencies", (cu_graph_node, cu_graph_node *, size_t *),
			stranger, NULL, &count),
		BA_CU_INVALID_HANDLE);
	assert_int_equal(CALL("cuGraphKernelNodeGetAttribute", (cu_graph_node, int, uint64_t *),
				 node, 1, value),
		BA_CU_INVALID_VALUE);
	assert_int_equal(CALL("cuGraphAddEmptyNode",
				 (cu_graph_node *, cu_graph, const cu_graph_node *, size_t), &node,
				 graph, &stranger, 1),
		BA_CU_INVALID_VALUE);
	const int memory[64] = {10}; /* CU_GRAPH_NODE_TYPE_MEM_ALLOC */
	assert_int_equal(
		CALL("cuGraphAddNode",
			(cu_graph_node *, cu_graph, const cu_graph_node *, size_t, const void *),
			&node, graph, NULL, 0, memory),
		BA_CU_NOT_SUPPORTED);
	GOOD("cuGraphDestroy", (cu_graph), graph);
}

static void count_up(void *data)
{
	++*(int *)data;
}

TEST(what_belongs_to_a_graph_is_destroyed_once_and_with_it)
{
	int destroyed = 0, kept = 0;
	void *mine = NULL, *shared = NULL;
	cu_graph graph = NULL;
	GOOD("cuGraphCreate", (cu_graph *, unsigned), &graph, 0);
	GOOD("cuUserObjectCreate", (void **, void *, void (*)(void *), unsigned, unsigned), &mine,
		&destroyed, count_up, 1, 1);
	GOOD("cuUserObjectCreate", (void **, void *, void (*)(void *), unsigned, unsigned), &shared,
		&kept, count_up, 1, 1);
	GOOD("cuGraphRetainUserObject", (cu_graph, void *, unsigned, unsigned), graph, mine, 1,
		1); /* moved */
	GOOD("cuGraphRetainUserObject", (cu_graph, void *, unsigned, unsigned), graph, shared, 2,
		0);
	GOOD("cuGraphReleaseUserObject", (cu_graph, void *, unsigned), graph, shared, 1);
	assert_int_equal(
		CALL("cuGraphReleaseUserObject", (cu_graph, void *, unsigned), graph, shared, 2),
		BA_CU_INVALID_VALUE);
	assert_int_equal(destroyed, 0);
	GOOD("cuGraphDestroy", (cu_graph), graph);
	assert_int_equal(destroyed, 1);
	assert_int_equal(kept, 0);
	GOOD("cuUserObjectRelease", (void *, unsigned), shared, 1);
	assert_int_equal(kept, 1);
	assert_int_equal(
		CALL("cuUserObjectRelease", (void *, unsigned), shared, 1), BA_CU_INVALID_HANDLE);
}
