/* The launcher adapter, driven as bench-against drives it. */
#include <dlfcn.h>

#include "test.h"

#include "bench_against/launcher.h"
#include "fake.h"

static void *cuda;
static fake_driver *control;
static const ba_launcher *launcher;
static ba_launcher_session *session;
static void *library;
static fake_launch last;
static void *seen_args[4];

static void *symbol(const char *name)
{
	return dlsym(cuda, name);
}

static void remember(const fake_launch *launch)
{
	last = *launch;
	memcpy(seen_args, launch->args, sizeof(seen_args));
}

static int open_adapter(void **state)
{
	cuda = dlopen(FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
	library = dlopen(ADAPTER, RTLD_NOW | RTLD_LOCAL);
	if (!cuda || !library) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	control = dlsym(cuda, "fake_driver_control");
	control->on_launch = remember;
	const ba_launcher *(*entry)(uint32_t) =
		(const ba_launcher *(*)(uint32_t))dlsym(library, BA_LAUNCHER_ENTRY);
	launcher = entry(BA_LAUNCHER_ABI);
	ba_launcher_host host = {
		.abi = BA_LAUNCHER_ABI, .struct_size = sizeof(host), .driver_symbol = symbol};
	return launcher->open(&session, &host);
}

static int close_adapter(void **state)
{
	launcher->close(session);
	return control->loads != control->unloads;
}
TEST_GROUP(open_adapter, close_adapter);

static const ba_launcher_param pointers[] = {{0, 8}, {0, 8}, {1, 12}, {0, 8}};

static int prepare(ba_launcher_kernel **out, const char *path, uint32_t count)
{
	ba_launcher_kernel_desc desc = {.abi = BA_LAUNCHER_ABI,
		.struct_size = sizeof(desc),
		.image = ".visible .entry k(\n)",
		.image_size = sizeof(".visible .entry k(\n)"),
		.entry = "k",
		.path = path,
		.params = pointers,
		.param_count = count};
	return launcher->prepare(out, session, &desc);
}

TEST(it_tells_its_name_and_the_whole_matrix)
{
	assert_int_equal(launcher->abi, BA_LAUNCHER_ABI);
	assert_int_equal(launcher->struct_size, sizeof(ba_launcher));
	assert_has(launcher->name, STATE);
	assert_int_equal(launcher->path_count, 12);
	assert_string_equal(launcher->paths[0].name, "signature");
	for (uint32_t i = 0; i < 12; i++) {
		for (uint32_t j = 0; j < i; j++)
			assert_string_not_equal(launcher->paths[i].name, launcher->paths[j].name);
	}
}

/* or the first of several variants in a process would run instead of all of them */
TEST(it_exports_nothing_but_its_entry)
{
	assert_null(dlsym(library, "lcfg_launch"));
	assert_null(dlsym(library, "lcfg_state_name"));
}

TEST(every_path_launches_once_a_call_with_the_given_args)
{
	uint64_t values[4] = {1, 2, 3, 4};
	void *args[4] = {&values[0], &values[1], &values[2], &values[3]};
	for (uint32_t p = 0; p < launcher->path_count; p++) {
		const char *path = launcher->paths[p].name;
		for (uint32_t count = 0; count <= 4; count++) {
			ba_launcher_kernel *kernel = NULL;
			int loads = control->loads;
			int launches = control->launches;
			assert_int_equal(prepare(&kernel, path, count), 0);
			ba_launcher_config config = {.grid = {3, 1, 1},
				.block = {32, 2, 1},
				.shared_bytes = 64,
				.stream = &values[1]};
			for (int i = 0; i < 5; i++)
				assert_int_equal(launcher->launch(kernel, &config, args), 0);
			assert_int_equal(control->launches - launches, 5);
			assert_int_equal(last.grid.x, 3);
			assert_int_equal(last.block.y, 2);
			assert_int_equal(last.shared_bytes, 64);
			assert_ptr_equal(last.stream, &values[1]);
			assert_memory_equal(seen_args, args, sizeof(args));
			/* a second config has a kernel of its own */
			assert_int_equal(control->loads - loads, strstr(path, "lcs2") ? 2 : 1);
			launcher->release(kernel);
		}
	}
}

TEST(another_config_may_come_at_any_time)
{
	uint64_t value = 1;
	void *args[4] = {&value, &value, &value, &value};
	ba_launcher_kernel *kernel = NULL;
	assert_int_equal(prepare(&kernel, "dispatch+lcs2+cb", 1), 0);
	for (uint32_t i = 1; i < 50; i++) {
		ba_launcher_config config = {.grid = {i % 7 + 1, 1, 1}, .block = {i, 1, 1}};
		assert_int_equal(launcher->launch(kernel, &config, args), 0);
		assert_int_equal(last.block.x, i);
		assert_int_equal(last.grid.x, i % 7 + 1);
	}
	launcher->release(kernel);
}

TEST(errors_come_with_a_sentence)
{
	ba_launcher_kernel *kernel = NULL;
	assert_int_not_equal(prepare(&kernel, "sideways", 1), 0);
	assert_has(launcher->last_error(session), "no path 'sideways'");
	assert_int_equal(prepare(&kernel, "signature", 0), 0);
	ba_launcher_config config = {.grid = {1, 1, 1}, .block = {2000, 1, 1}};
	void *args[4] = {NULL};
	assert_int_not_equal(launcher->launch(kernel, &config, args), 0);
	assert_has(launcher->last_error(session), "the limit is 1024");
	control->fail_launch = 1;
	config.block.x = 1;
	assert_int_not_equal(launcher->launch(kernel, &config, args), 0);
	control->fail_launch = 0;
	assert_has(launcher->last_error(session), "CUDA_ERROR_INVALID_VALUE");
	assert_non_null(launcher->last_error(NULL));
	launcher->release(kernel);
	launcher->release(NULL);
}
