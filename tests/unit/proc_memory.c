#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc/usage.h"

#define SIZE ((size_t)64 << 20)

static void the_peak_of_a_process_grows_with_what_it_touches(void **state)
{
	uint64_t before = ba_memory_peak(getpid());
	char *block = malloc(SIZE);
	assert_non_null(block);
	memset(block, 1, SIZE);
	assert_true(before > 0);
	assert_true(ba_memory_peak(getpid()) >= SIZE && block[SIZE / 2] == 1);
	free(block);
	/* freed memory was taken all the same */
	assert_true(ba_memory_peak(getpid()) >= SIZE);
}

static void a_process_that_is_not_there_has_no_peak(void **state)
{
	assert_int_equal(ba_memory_peak(0), 0);
}

static void some_memory_is_available(void **state)
{
	assert_true(ba_memory_available() > 1 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_of_a_process_grows_with_what_it_touches),
		cmocka_unit_test(a_process_that_is_not_there_has_no_peak),
		cmocka_unit_test(some_memory_is_available),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
