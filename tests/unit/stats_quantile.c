#include "test.h"

#include "base/sort.h"
#include "stats/quantile.h"

TEST(trim25_cuts_a_quarter_at_each_end)
{
	double five[] = {1.02, 1.01, 1.00, 1.35, 1.03};
	double four[] = {4, 1, 100, 3};
	double three[] = {1, 2, 6};

	assert_close(ba_trim25(five, 5), 1.02, 1e-15);
	assert_close(ba_trim25(four, 4), 3.5, 1e-15);
	assert_close(ba_trim25(three, 3), 3, 1e-15);
}

TEST(trim25_ignores_a_billion_nanosecond_outlier)
{
	double x[] = {1.0, 1e9, 1.1, 1.2, 1.1};

	assert_close(ba_trim25(x, 5), (1.1 + 1.1 + 1.2) / 3, 1e-15);
}

TEST(shares_have_the_mean_and_the_shape)
{
	double few[] = {1, 2, 6}, many[] = {1, 1, 2, 2, 3, 3, 40, 80}, out[5];

	ba_shares_of(out, 3, few, 3);
	assert_close(out[1], 2, 0);
	ba_shares_of(out, 5, few, 3);
	assert_close(out[0], 1, 0);
	assert_close(out[1], (1 * 2 + 2) / 3.0, 1e-15);
	assert_close(out[4], 6, 0);
	assert_close(ba_mean(out, 5), 3, 1e-15);
	ba_shares_of(out, 4, many, 8);
	assert_close(out[0], 1, 0);
	assert_close(out[3], 60, 0);
}

TEST(median_of_even_count_is_between_the_middle_two)
{
	double x[] = {4, 1, 3, 2};
	double one[] = {7};

	assert_close(ba_median(x, 4), 2.5, 0);
	assert_close(ba_median(one, 1), 7, 0);
}

TEST(quantiles_interpolate_as_numpy_does)
{
	double x[] = {10, 20, 30, 40};

	assert_close(ba_quantile_sorted(x, 4, 0), 10, 0);
	assert_close(ba_quantile_sorted(x, 4, 0.25), 17.5, 1e-15);
	assert_close(ba_quantile_sorted(x, 4, 0.90), 37, 1e-15);
	assert_close(ba_quantile_sorted(x, 4, 1), 40, 0);
}

TEST(long_and_short_arrays_sort_alike)
{
	double x[257];

	for (size_t n = 1; n <= 257; n += 8) {
		for (size_t i = 0; i < n; i++)
			x[i] = (double)(i * 7919 % 104729 % 31);
		ba_sort_doubles(x, n);
		for (size_t i = 1; i < n; i++)
			assert_true(x[i - 1] <= x[i]);
	}
}

TEST(stdev_divides_by_n_minus_one)
{
	double x[] = {1, 2, 3, 4}, one[] = {5};

	assert_close(ba_variance(x, 4), 5.0 / 3, 1e-15);
	assert_close(ba_stdev(x, 4), sqrt(5.0 / 3), 1e-15);
	assert_close(ba_stdev(one, 1), 0, 0);
}
