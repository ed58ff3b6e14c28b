/* The marks that launches leave in our drivers, whichever function launches. */
#include "test.h"

#include <dlfcn.h>

#include "base/rng.h"
#include "gpu/driver.h"
#include "nulldriver/record.h"

#define PATH BA_BINARY_DIR "/tests/fakecuda/host/libcuda.so.1"

typedef struct fixture {
	ba_driver drv;
	ba_host_driver_witness_fn *witness;
	ba_host_driver_record_fn *record;
	cu_result (*cooperative)(cu_function, unsigned, unsigned, unsigned, unsigned, unsigned,
		unsigned, unsigned, cu_stream, void **);
	uint64_t value, second;
	void *args[2];
	uint64_t page[3];
} fixture;

static int setup(void **state)
{
	static fixture f;
	ba_error err = {0};
	f = (fixture){.value = UINT64_C(0x1122334455667788), .second = 3};
	f.args[0] = &f.value;
	f.args[1] = &f.second;
	if (ba_driver_open(&f.drv, PATH, &err) < 0) {
		print_error("%s\n", err.text);
		return -1;
	}
	*(void **)&f.witness = dlsym(f.drv.library, BA_HOST_DRIVER_WITNESS);
	*(void **)&f.record = dlsym(f.drv.library, BA_HOST_DRIVER_RECORD);
	*(void **)&f.cooperative = dlsym(f.drv.library, "cuLaunchCooperativeKernel");
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	fixture *f = *state;
	f->witness(NULL, NULL);
	ba_driver_close(&f->drv);
	return 0;
}

static void launch(fixture *f, void **args, void **extra)
{
	assert_int_equal(f->drv.launch_kernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, args, extra), 0);
}

static void look(fixture *f, uint32_t params, uint32_t bytes, uint64_t moment)
{
	f->witness(f->page, &(ba_host_witness){params, bytes, moment});
}

static void assert_marks(const fixture *f, uint64_t launches, uint64_t sum)
{
	assert_true(f->page[0] == launches);
	assert_true(f->page[1] == sum);
}

TEST_WITH(each_function_that_launches_leaves_a_mark, setup, teardown)
{
	fixture *f = *state;
	cu_launch_config config = {1, 1, 1, 1, 1, 1, 0, NULL, NULL, 0};
	look(f, 1, 8, UINT64_MAX);
	launch(f, f->args, NULL);
	assert_marks(f, 1, f->value);
	assert_int_equal(f->drv.launch_kernel_ex(&config, NULL, f->args, NULL), 0);
	assert_marks(f, 2, f->value * (1 + 3));
	assert_int_equal(f->cooperative(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, f->args), 0);
	assert_marks(f, 3, f->value * (1 + 3 + 5));
}

TEST_WITH(packed_arguments_count_as_others_do, setup, teardown)
{
	fixture *f = *state;
	size_t size = sizeof(f->value);
	void *extra[] = {BA_CU_LAUNCH_PARAM_BUFFER, &f->value, BA_CU_LAUNCH_PARAM_BUFFER_SIZE,
		&size, BA_CU_LAUNCH_PARAM_END};
	look(f, 1, 8, UINT64_MAX);
	launch(f, NULL, extra);
	assert_marks(f, 1, f->value);
	size = 4; /* less than was announced: no more is read */
	launch(f, NULL, extra);
	assert_marks(f, 2, f->value + 3 * UINT64_C(0x55667788));
	launch(f, NULL, NULL);
	assert_marks(f, 3, f->value + 3 * UINT64_C(0x55667788));
}

TEST_WITH(of_a_short_argument_only_its_bytes_count, setup, teardown)
{
	fixture *f = *state;
	look(f, 1, 3, UINT64_MAX);
	launch(f, f->args, NULL);
	launch(f, f->args, NULL);
	assert_marks(f, 2, UINT64_C(0x667788) * 4);
}

/* A kernel without parameters may come with a pointer to nothing. */
TEST_WITH(without_values_no_argument_is_read, setup, teardown)
{
	fixture *f = *state;
	look(f, 0, 0, UINT64_MAX);
	launch(f, (void **)16, NULL);
	launch(f, NULL, NULL);
	assert_marks(f, 2, 0);
}

TEST_WITH(a_launch_that_is_recorded_leaves_its_mark_and_one_refused_does_not, setup, teardown)
{
	fixture *f = *state;
	ba_host_record rec = BA_HOST_RECORD_INIT;
	look(f, 1, 8, UINT64_MAX);
	assert_int_equal(f->record(&rec), 0);
	assert_int_not_equal(
		f->drv.launch_kernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, f->args, NULL), 0);
	assert_int_equal(rec.rejected, 1);
	f->record(NULL);
	assert_marks(f, 0, 0);
	launch(f, f->args, NULL);
	assert_marks(f, 1, f->value);
}

TEST_WITH(all_arguments_count_and_all_their_words, setup, teardown)
{
	fixture *f = *state;
	unsigned char one[20], two[20];
	void *args[] = {one, two};
	memset(one, 1, sizeof(one));
	memset(two, 2, sizeof(two));
	look(f, 2, 8, UINT64_MAX);
	launch(f, f->args, NULL);
	assert_marks(f, 1, f->value + 3);
	look(f, 2, 16, UINT64_MAX);
	launch(f, args, NULL);
	assert_marks(f, 2, f->value + 3 + 3 * UINT64_C(0x0606060606060606));
	look(f, 2, 20, UINT64_MAX);
	launch(f, args, NULL);
	assert_marks(f, 3,
		f->value + 3 + 3 * UINT64_C(0x0606060606060606) +
			5 * (UINT64_C(0x0606060606060606) + 0x03030303));
}

/* Whole: grid, block, shared memory and arguments, of the chosen launch alone. */
TEST_WITH(the_chosen_launch_leaves_its_digest, setup, teardown)
{
	fixture *f = *state;
	const uint64_t words[] = {1, 1, 1, 1, 1, 1, 0, f->value, 3};
	uint64_t digest = 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		digest = BA_FOLD(digest, words[i]);
	look(f, 2, 8, 1);
	launch(f, f->args, NULL);
	assert_true(f->page[2] == 0);
	launch(f, f->args, NULL);
	assert_true(f->page[2] == digest);
	launch(f, f->args, NULL);
	assert_true(f->page[2] == digest);
	look(f, 2, 8, 3);
	assert_int_equal(f->drv.launch_kernel(NULL, 2, 1, 1, 1, 1, 1, 0, NULL, f->args, NULL), 0);
	assert_true(f->page[2] != 2 * digest && f->page[2] != digest);
}

TEST_WITH(once_stopped_the_page_stays_as_it_is, setup, teardown)
{
	fixture *f = *state;
	look(f, 1, 8, UINT64_MAX);
	launch(f, f->args, NULL);
	f->witness(NULL, NULL);
	launch(f, f->args, NULL);
	assert_marks(f, 1, f->value);
}
