/* The host target's driver, through the loader, as the worker uses it. */
#include "test.h"

#include <dlfcn.h>

#include "base/buf.h"
#include "gpu/device.h"
#include "gpu/module.h"
#include "gpu/trust.h"
#include "gpu/ptxgen.h"
#include "nulldriver/record.h"

#define PATH BA_BINARY_DIR "/tests/fakecuda/host/libcuda.so.1"

typedef struct fixture {
	ba_driver drv;
	ba_device dev;
	ba_host_driver_record_fn *record;
} fixture;

static int setup(void **state)
{
	static fixture f;
	ba_error err = {0};
	f = (fixture){0};
	if (ba_driver_open(&f.drv, PATH, &err) < 0 || ba_driver_init(&f.drv, &err) < 0 ||
		ba_device_open(&f.dev, &f.drv, 0, &err) < 0 || ba_device_enter(&f.dev, &err) < 0) {
		print_error("%s\n", err.text);
		return -1;
	}
	void *address = dlsym(f.drv.library, BA_HOST_DRIVER_RECORD);
	memcpy(&f.record, &address, sizeof(address));
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	fixture *f = *state;
	f->record(NULL);
	ba_device_leave(&f->dev);
	ba_driver_close(&f->drv);
	return 0;
}

/* a kernel of the generator, ready to launch */
static cu_function load(fixture *f, const ba_ptx_param *params, size_t n, ba_module *m)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_error err = {0};
	cu_function function;
	assert_int_equal(ba_ptx_generate(&text, params, n, 0x1000, 0, &err), 0);
	assert_int_equal(ba_module_load(m, &f->drv, text.data, &err), 0);
	assert_int_equal(ba_module_function(&function, m, BA_PTX_ENTRY_NULL, &err), 0);
	return function;
}

TEST_WITH(it_says_what_it_is, setup, teardown)
{
	fixture *f = *state;
	assert_int_equal(f->drv.kind, BA_DRIVER_HOST);
	assert_has(f->dev.name, "executes nothing");
	assert_has(f->drv.path, "libcuda.so.1");
	assert_null(dlsym(f->drv.library, BA_DRIVER_MARK_FAKE));
}

TEST_WITH(whoever_asks_for_libcuda_gets_it, setup, teardown)
{
	fixture *f = *state;
	void *again = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	assert_ptr_equal(again, f->drv.library);
	dlclose(again);
}

TEST_WITH(every_function_of_the_table_is_exported_under_its_name, setup, teardown)
{
	fixture *f = *state;
#define ROW(field, symbol, suffix, version, need, params)        \
	assert_non_null(f->drv.field);                           \
	assert_non_null(dlsym(f->drv.library, #symbol #suffix)); \
	assert_non_null(ba_driver_symbol(&f->drv, #symbol));
	BA_DRIVER_TABLE(ROW)
#undef ROW
}

TEST_WITH(names_that_launch_code_uses_are_there, setup, teardown)
{
	fixture *f = *state;
	static const char *const names[] = {"cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxCreate",
		"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD32Async", "cuStreamWaitEvent",
		"cuStreamGetCaptureInfo", "cuPointerGetAttribute", "cuGraphLaunch",
		"cuLibraryLoadData", "cuLibraryGetKernel", "cuKernelGetFunction",
		"cuLaunchCooperativeKernel", "cuLaunchHostFunc", "cuStreamBeginCapture",
		"cuMemAllocAsync", "cuFuncSetCacheConfig", "cuOccupancyMaxPotentialBlockSize",
		"cuFuncGetName"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!ba_driver_symbol(&f->drv, names[i]))
			fail_msg("no %s", names[i]);
	assert_null(ba_driver_symbol(&f->drv, "cuNoSuchFunction"));
	assert_null(ba_driver_symbol(&f->drv, "malloc"));
	/* CUDA 13.0 gave it a second parameter, which code of before does not pass */
	assert_ptr_equal(ba_driver_symbol(&f->drv, "cuCtxGetDevice"),
		dlsym(f->drv.library, "cuCtxGetDevice"));
}

TEST_WITH(the_address_of_a_version_to_come_is_refused, setup, teardown)
{
	fixture *f = *state;
	cu_get_proc_address_v2 *get;
	void *address = dlsym(f->drv.library, "cuGetProcAddress_v2"), *out = &address;
	int status = -1;
	memcpy(&get, &address, sizeof(address));
	assert_int_equal(get("cuLaunchKernel", &out, 99000, 1, &status), BA_CU_INVALID_VALUE);
	assert_null(out);
	assert_int_equal(get("cuLaunchKernelEx", &out, 11050, 1, &status), BA_CU_NOT_FOUND);
	assert_int_equal(status, BA_CU_PROC_VERSION_NOT_SUFFICIENT);
	assert_int_equal(get("cuNone", &out, 12000, 1, &status), BA_CU_NOT_FOUND);
	assert_int_equal(status, BA_CU_PROC_SYMBOL_NOT_FOUND);
}

TEST_WITH(the_current_context_is_the_one_set, setup, teardown)
{
	fixture *f = *state;
	cu_context now = NULL;
	assert_int_equal(f->drv.ctx_get_current(&now), 0);
	assert_ptr_equal(now, f->dev.context);
	cu_result (*push)(cu_context), (*pop)(cu_context *);
	void *address = ba_driver_symbol(&f->drv, "cuCtxPushCurrent");
	memcpy(&push, &address, sizeof(address));
	address = ba_driver_symbol(&f->drv, "cuCtxPopCurrent");
	memcpy(&pop, &address, sizeof(address));
	assert_int_equal(push((cu_context)f), 0);
	f->drv.ctx_get_current(&now);
	assert_ptr_equal(now, f);
	assert_int_equal(pop(&now), 0);
	assert_ptr_equal(now, f);
	f->drv.ctx_get_current(&now);
	assert_ptr_equal(now, f->dev.context);
}

TEST_WITH(a_kernel_that_the_ptx_lacks_is_not_found, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_module) ba_module m = {0};
	ba_error err = {0};
	cu_function function = load(f, NULL, 0, &m);
	assert_non_null(function);
	assert_int_equal(ba_module_function(&function, &m, "ba_nul", &err), BA_EGPU);
	assert_has(err.text, "no kernel 'ba_nul'");
}

TEST_WITH(text_that_is_no_ptx_is_refused, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_module) ba_module m = {0};
	ba_error err = {0};
	assert_int_equal(ba_module_load(&m, &f->drv, "hello", &err), BA_EGPU);
	assert_has(err.text, "CUDA_ERROR_INVALID_PTX (218)");
}

TEST_WITH(parameters_are_known_from_the_ptx, setup, teardown)
{
	fixture *f = *state;
	const ba_ptx_param p[] = {{true, 8}, {false, 3}, {true, 8}, {false, 130}};
	BA_AUTO(ba_module) ba_module m = {0};
	cu_function function = load(f, p, 4, &m);
	for (size_t i = 0; i < 4; i++) {
		size_t offset, bytes;
		assert_int_equal(f->drv.func_get_param_info(function, i, &offset, &bytes), 0);
		assert_int_equal(bytes, p[i].bytes);
		assert_int_equal(offset, ba_ptx_offset(p, 4, i));
	}
	assert_int_equal(f->drv.func_get_param_info(function, 4, NULL, NULL), BA_CU_INVALID_VALUE);
}

TEST_WITH(allocations_have_addresses_of_their_own, setup, teardown)
{
	fixture *f = *state;
	cu_deviceptr a = 0, b = 0;
	assert_int_equal(f->drv.mem_alloc(&a, 1000), 0);
	assert_int_equal(f->drv.mem_alloc(&b, 1000), 0);
	assert_true(b >= a + 1000 || a >= b + 1000);
	assert_int_equal(f->drv.mem_alloc(&a, 0), BA_CU_INVALID_VALUE);
	unsigned char bytes[4] = {1, 2, 3, 4};
	assert_int_equal(f->drv.memcpy_dtoh(bytes, b, 4), 0);
	assert_memory_equal(bytes, "\0\0\0\0", 4);
}

/* two parameters, a recorder for them, and a kernel that takes them */
typedef struct recording {
	ba_module module;
	cu_function function;
	uint64_t pointer;
	unsigned char bytes[13];
	void *args[2];
	uint32_t sizes[2];
	unsigned char data[64];
	ba_host_record rec;
} recording;

static void begin(recording *r, fixture *f)
{
	const ba_ptx_param p[] = {{true, 8}, {false, 13}};
	*r = (recording){.pointer = 0xfeedfacecafebeef,
		.bytes = "thirteenbytes",
		.sizes = {8, 13},
		.rec = BA_HOST_RECORD_INIT};
	r->function = load(f, p, 2, &r->module);
	r->args[0] = &r->pointer;
	r->args[1] = r->bytes;
	r->rec.param_sizes = r->sizes;
	r->rec.param_count = 2;
	r->rec.data = r->data;
	r->rec.data_capacity = sizeof(r->data);
	assert_int_equal(f->record(&r->rec), 0);
}

static void end(recording *r, fixture *f)
{
	f->record(NULL);
	ba_module_dispose(&r->module);
}

static void assert_recorded(const recording *r, unsigned api)
{
	const uint32_t grid[] = {2, 3, 4}, block[] = {32, 2, 1};
	assert_int_equal(r->rec.launches, 1);
	assert_int_equal(r->rec.rejected, 0);
	assert_int_equal(r->rec.api, api);
	assert_memory_equal(r->rec.grid, grid, sizeof(grid));
	assert_memory_equal(r->rec.block, block, sizeof(block));
	assert_string_equal(r->rec.entry, BA_PTX_ENTRY_NULL);
	assert_ptr_equal(r->rec.function, r->function);
	assert_int_equal(r->rec.data_bytes, 24);
	assert_memory_equal(r->data, &r->pointer, 8);
	assert_memory_equal(r->data + 8, r->bytes, 13);
}

TEST_WITH(a_launch_is_recorded_with_its_arguments, setup, teardown)
{
	fixture *f = *state;
	recording r;
	cu_stream stream;
	assert_int_equal(f->drv.stream_create(&stream, 0), 0);
	begin(&r, f);
	assert_int_equal(
		f->drv.launch_kernel(r.function, 2, 3, 4, 32, 2, 1, 48, stream, r.args, NULL), 0);
	assert_recorded(&r, BA_HOST_LAUNCH_KERNEL);
	assert_int_equal(r.rec.shared_bytes, 48);
	assert_ptr_equal(r.rec.stream, stream);
	assert_ptr_equal(r.rec.context, f->dev.context);
	assert_int_equal(r.rec.packed, 0);
	end(&r, f);
	assert_int_equal(f->drv.stream_destroy(stream), 0);
}

TEST_WITH(a_launch_with_attributes_is_recorded, setup, teardown)
{
	fixture *f = *state;
	recording r;
	begin(&r, f);
	cu_launch_attribute attribute = {.id = 0};
	cu_launch_config config = {2, 3, 4, 32, 2, 1, 0, NULL, &attribute, 1};
	assert_int_equal(f->drv.launch_kernel_ex(&config, r.function, r.args, NULL), 0);
	assert_recorded(&r, BA_HOST_LAUNCH_KERNEL_EX);
	assert_int_equal(r.rec.attribute_count, 1);
	end(&r, f);
}

TEST_WITH(packed_arguments_are_recorded_like_others, setup, teardown)
{
	fixture *f = *state;
	recording r;
	begin(&r, f);
	unsigned char packed[21];
	size_t size = sizeof(packed);
	memcpy(packed, &r.pointer, 8);
	memcpy(packed + 8, r.bytes, 13);
	void *extra[] = {BA_CU_LAUNCH_PARAM_BUFFER, packed, BA_CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
		BA_CU_LAUNCH_PARAM_END};
	assert_int_equal(
		f->drv.launch_kernel(r.function, 2, 3, 4, 32, 2, 1, 0, NULL, NULL, extra), 0);
	assert_recorded(&r, BA_HOST_LAUNCH_KERNEL);
	assert_int_equal(r.rec.packed, 1);
	size = 20; /* one byte short of the last parameter */
	assert_int_equal(f->drv.launch_kernel(r.function, 2, 3, 4, 32, 2, 1, 0, NULL, NULL, extra),
		BA_CU_INVALID_VALUE);
	end(&r, f);
}

TEST_WITH(illegal_launches_are_rejected_while_recording, setup, teardown)
{
	fixture *f = *state;
	recording r;
	begin(&r, f);
	const struct {
		cu_function function;
		unsigned grid, block;
		void *stream;
		void **args;
		cu_result result;
	} rows[] = {
		{(cu_function)f, 1, 1, NULL, r.args, BA_CU_INVALID_HANDLE},
		{r.function, 0, 1, NULL, r.args, BA_CU_INVALID_VALUE},
		{r.function, 1, 1025, NULL, r.args, BA_CU_INVALID_VALUE},
		{r.function, 1, 1, f, r.args, BA_CU_INVALID_HANDLE},
		{r.function, 1, 1, NULL, NULL, BA_CU_INVALID_VALUE},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(
			f->drv.launch_kernel(rows[i].function, rows[i].grid, 1, 1, rows[i].block, 1,
				1, 0, rows[i].stream, rows[i].args, NULL),
			rows[i].result);
	assert_int_equal(r.rec.rejected, 5);
	assert_int_equal(r.rec.launches, 0);
	end(&r, f);
}

TEST_WITH(nothing_is_recorded_once_recording_is_off, setup, teardown)
{
	fixture *f = *state;
	recording r;
	begin(&r, f);
	f->record(NULL);
	assert_int_equal(
		f->drv.launch_kernel(r.function, 2, 3, 4, 32, 2, 1, 0, NULL, r.args, NULL), 0);
	assert_int_equal(r.rec.launches, 0);
	end(&r, f);
}

TEST_WITH(arguments_that_do_not_fit_are_left_out, setup, teardown)
{
	fixture *f = *state;
	recording r;
	begin(&r, f);
	r.rec.data_capacity = 23;
	assert_int_equal(
		f->drv.launch_kernel(r.function, 1, 1, 1, 1, 1, 1, 0, NULL, r.args, NULL), 0);
	assert_int_equal(r.rec.data_bytes, 8);
	end(&r, f);
}

TEST_WITH(a_recorder_of_another_version_is_refused, setup, teardown)
{
	fixture *f = *state;
	ba_host_record rec = BA_HOST_RECORD_INIT;
	rec.abi++;
	assert_int_equal(f->record(&rec), -1);
}

TEST_WITH(a_function_dies_with_its_module, setup, teardown)
{
	fixture *f = *state;
	recording r;
	begin(&r, f);
	ba_module_dispose(&r.module);
	assert_int_equal(f->drv.launch_kernel(r.function, 1, 1, 1, 1, 1, 1, 0, NULL, r.args, NULL),
		BA_CU_INVALID_HANDLE);
	end(&r, f);
}

TEST_WITH(it_fails_the_execution_proof, setup, teardown)
{
	fixture *f = *state;
	ba_proof p;
	assert_int_equal(ba_proof_run(&p, &f->drv, 4, 7, NULL), 0);
	assert_true(p.ran);
	assert_int_equal(p.wrong, p.threads);
	assert_false(p.clocks_advance);
}

TEST_WITH(a_device_that_is_not_there_is_named, setup, teardown)
{
	fixture *f = *state;
	ba_device dev;
	ba_error err = {0};
	assert_int_equal(ba_device_open(&dev, &f->drv, 3, &err), BA_EINVAL);
	assert_has(err.text, "no device 3; the driver shows 1");
}

TEST(a_library_that_is_no_driver_is_refused)
{
	ba_driver drv;
	ba_error err = {0};
	assert_int_equal(ba_driver_open(&drv, "libm.so.6", &err), BA_EGPU);
	assert_has(err.text, "has no cuInit");
	assert_int_equal(ba_driver_open(&drv, "/nonexistent/libcuda.so.1", &err), BA_EGPU);
	assert_has(err.text, "/nonexistent/libcuda.so.1");
}

TEST_WITH(errors_are_named_with_their_number, setup, teardown)
{
	fixture *f = *state;
	ba_error err = {0};
	assert_int_equal(ba_driver_fail(&f->drv, &err, 719, "cuLaunchKernel"), BA_EGPU);
	assert_has(err.text, "cuLaunchKernel: CUDA_ERROR_LAUNCH_FAILED (719)");
	assert_has(err.text, "context is lost");
	assert_string_equal(ba_driver_result_name(NULL, 100), "CUDA_ERROR_NO_DEVICE");
}

typedef int get_table_fn(const void **table, const cu_uuid *id);

/* Callers of it do not ask whether it is there. */
TEST_WITH(tables_of_nvidias_own_libraries_are_not_supported, setup, teardown)
{
	fixture *f = *state;
	get_table_fn *get = NULL;
	const cu_uuid id = {0};
	const void *table = &id;
	void *address = dlsym(f->drv.library, "cuGetExportTable");
	assert_non_null(address);
	memcpy(&get, &address, sizeof(get));
	assert_int_equal(get(&table, &id), BA_CU_NOT_SUPPORTED);
	assert_null(table);
	assert_int_equal(get(NULL, &id), BA_CU_INVALID_VALUE);
}

typedef struct nvrtc {
	void *library;
	int (*create)(void **program, const char *source, const char *name, int headers,
		const char *const *texts, const char *const *names);
	int (*compile)(void *program, int count, const char *const *options);
	int (*cubin_size)(void *program, size_t *bytes);
	int (*cubin)(void *program, char *image);
} nvrtc;

static void *nvrtc_function(const nvrtc *n, const char *name)
{
	void *address = dlsym(n->library, name);
	assert_non_null(address);
	return address;
}

/* In a process whose libcuda.so.1 is ours: NVRTC finds it by that name. */
TEST_WITH(nvrtc_compiles_what_this_driver_then_loads, setup, teardown)
{
	static const char source[] = "extern \"C\" __global__ void twice(float *x) { x[0] *= 2; }";
	static const char *const places[] = {"libnvrtc.so", "libnvrtc.so.13",
		"/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so.12"};
	static const char *const options[] = {"--gpu-architecture=sm_90"};
	fixture *f = *state;
	nvrtc n = {0};
	void *program;
	size_t bytes = 0;
	cu_module module;
	cu_function function;
	for (size_t i = 0; i < 4 && !n.library; i++)
		n.library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
	if (!n.library)
		skip();
	*(void **)&n.create = nvrtc_function(&n, "nvrtcCreateProgram");
	*(void **)&n.compile = nvrtc_function(&n, "nvrtcCompileProgram");
	*(void **)&n.cubin_size = nvrtc_function(&n, "nvrtcGetCUBINSize");
	*(void **)&n.cubin = nvrtc_function(&n, "nvrtcGetCUBIN");
	assert_int_equal(n.create(&program, source, "twice.cu", 0, NULL, NULL), 0);
	assert_int_equal(n.compile(program, 1, options), 0);
	assert_int_equal(n.cubin_size(program, &bytes), 0);
	assert_true(bytes > 0);
	char *image = malloc(bytes);
	assert_int_equal(n.cubin(program, image), 0);
	assert_int_equal(f->drv.module_load_data(&module, image), 0);
	assert_int_equal(f->drv.module_get_function(&function, module, "twice"), 0);
	cu_deviceptr address = 0x1000;
	void *params[] = {&address};
	assert_int_equal(
		f->drv.launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), 0);
	assert_int_equal(f->drv.module_unload(module), 0);
	free(image);
}
