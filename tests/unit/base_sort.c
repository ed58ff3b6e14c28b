/* base/sort.h */
#include "test.h"

#include "base/each.h"
#include "base/sort.h"
#include "base/strv.h"

TEST(doubles_ascend_in_short_and_in_long_arrays)
{
	double x[100];
	for (size_t n = 0; n <= BA_COUNT(x); n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = (double)((i * 37) % 101) - 50;
		ba_sort_doubles(x, n);
		for (size_t i = 1; i < n; i++)
			assert_true(x[i - 1] <= x[i]);
	}
}

TEST(whole_numbers_that_differ_by_more_than_an_int_holds)
{
	int64_t x[] = {INT64_MAX, -1, INT64_MIN, 1, (int64_t)1 << 40};
	const int64_t sorted[] = {INT64_MIN, -1, 1, (int64_t)1 << 40, INT64_MAX};
	ba_sort_int64(x, BA_COUNT(x));
	assert_memory_equal(x, sorted, sizeof(x));
	ba_sort_int64(NULL, 0);
}

TEST(a_sorted_list_of_strings_says_what_is_in_it)
{
	const char *x[] = {"b", "", "a", "B", "ab"};
	ba_sort_strings(x, BA_COUNT(x));
	assert_string_equal(x[0], "");
	assert_string_equal(x[1], "B");
	assert_string_equal(x[4], "b");
	assert_true(ba_sorted_has(x, BA_COUNT(x), "ab"));
	assert_false(ba_sorted_has(x, BA_COUNT(x), "A"));
	assert_false(ba_sorted_has(NULL, 0, "a"));
}

TEST(a_list_is_sorted_and_an_empty_one_stays_empty)
{
	BA_AUTO(ba_strv) ba_strv v = {0};
	ba_strv_sort(&v);
	assert_null(v.items);
	ba_strv_split(&v, "c,a,b", ',');
	ba_strv_sort(&v);
	BA_AUTO_FREE char *joined = ba_strv_join(&v, ",");
	assert_string_equal(joined, "a,b,c");
	assert_null(v.items[v.count]);
}
