#include "test.h"

#include <unistd.h>

#include "proc/usage.h"

#define SIZE ((size_t)64 << 20)

TEST(the_peak_of_a_process_grows_with_what_it_touches)
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

TEST(a_process_that_is_not_there_has_no_peak)
{
	assert_int_equal(ba_memory_peak(0), 0);
}

TEST(some_memory_is_available)
{
	assert_true(ba_memory_available() > 1 << 20);
}
