#include "test.h"

#include "base/path.h"

static void a_path_is_below_the_folders_above_it(void **state)
{
	(void)state;
	assert_true(ba_path_is_below("/a/b", "/a"));
	assert_true(ba_path_is_below("/a/b", "/a/"));
	assert_true(ba_path_is_below("/a/b", "/"));
	assert_true(ba_path_is_below("a/b", "a"));
	assert_false(ba_path_is_below("/a/b", "/a/b"));
	assert_false(ba_path_is_below("/ab", "/a"));
	assert_false(ba_path_is_below("/a", "/a/b"));
	assert_false(ba_path_is_below("a", "/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_below_the_folders_above_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
