/* Layouts as a level of repetition. */
#include "test.h"

#include "base/rng.h"
#include "stats/layouts.h"
#include "stats/logratio.h"

TEST(blocks_go_forward_and_back)
{
	static const size_t expected[] = {0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0};
	for (size_t b = 0; b < 12; b++)
		assert_int_equal(ba_layout_of_block(3, b), expected[b]);
	assert_int_equal(ba_layout_of_block(1, 5), 0);
}

/* trimming across layouts would drop the slow one */
TEST(a_slow_layout_counts_with_its_share)
{
	double x[16], variance;
	for (size_t b = 0; b < 16; b++)
		x[b] = ba_layout_of_block(4, b) == 2 ? 1.0 : 0.2;
	assert_close(ba_layouts_level(&variance, x, 16, 1, 4), 0.4, 1e-12);
	assert_true(variance < 1e-20);
	assert_close(ba_layouts_level(&variance, x, 16, 1, 0), 0.2, 1e-12);
	assert_true(variance > 0.1);
}

/* An outlier in a layout's blocks is trimmed all the same. */
TEST(an_outlier_within_a_layout_is_trimmed)
{
	double x[16] = {0}, variance;
	x[5] = 1000;
	assert_close(ba_layouts_level(&variance, x, 16, 1, 4), 0, 1e-12);
}

TEST(a_linear_drift_is_the_same_for_all_layouts)
{
	double x[32], layout;
	for (size_t b = 0; b < 32; b++)
		x[b] = (double)b;
	assert_true(ba_layouts_variance(&layout, x, 32, 1, 4));
	/* no spread of means; the drift is all within */
	assert_true(layout < 0);
}

static double about_normal(uint64_t *rng)
{
	double sum = 0;
	for (int i = 0; i < 12; i++)
		sum += (double)(ba_splitmix64(rng) >> 11) * 0x1p-53;
	return sum - 6;
}

/* The mean of many estimates is the variance that was planted, with noise beside it. */
TEST(the_variance_between_layouts_is_estimated_without_bias)
{
	enum { N = 5, EACH = 2, BLOCKS = 20, ROUNDS = 4000 };
	uint64_t rng = 99;
	double sum = 0;
	for (int round = 0; round < ROUNDS; round++) {
		double of[N], x[BLOCKS * EACH], layout;
		for (size_t i = 0; i < N; i++)
			of[i] = 0.008 * about_normal(&rng);
		for (size_t b = 0; b < BLOCKS; b++)
			for (size_t k = 0; k < EACH; k++)
				x[b * EACH + k] =
					of[ba_layout_of_block(N, b)] + 0.01 * about_normal(&rng);
		assert_true(ba_layouts_variance(&layout, x, BLOCKS, EACH, N));
		sum += layout;
	}
	assert_close(sum / ROUNDS, 0.008 * 0.008, 0.05);
}

TEST(one_layout_or_one_block_of_each_says_nothing)
{
	double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, layout;
	assert_false(ba_layouts_variance(&layout, x, 8, 1, 0));
	assert_false(ba_layouts_variance(&layout, x, 8, 1, 1));
	assert_false(ba_layouts_variance(&layout, x, 8, 1, 8));
	assert_false(ba_layouts_variance(&layout, x, 8, 1, 3));
	assert_true(ba_layouts_variance(&layout, x, 8, 1, 4));
}

/* B is faster in one layout and slower in another: their mean decides. */
TEST(a_ratio_is_the_mean_over_layouts)
{
	enum { BLOCKS = 16 };
	unsigned char order[BLOCKS * 4];
	double v[BLOCKS * 4], layout;
	for (size_t b = 0; b < BLOCKS; b++)
		for (size_t k = 0; k < 4; k++) {
			bool candidate = k == 1 || k == 2;
			order[b * 4 + k] = candidate;
			v[b * 4 + k] = !candidate ? 0 : ba_layout_of_block(4, b) == 0 ? 0.4 : -0.1;
		}
	ba_readings r = {.blocks = BLOCKS, .positions = 4, .order = order, .layouts = 4};
	assert_close(ba_logratio_of_visits(v, &r, 0, 1).y, 0.025, 1e-12);
	assert_close(ba_level_of_visits(v, &r, 1), 0.025, 1e-12);
	assert_true(ba_layout_variance_of_visits(&layout, v, &r, 1));
	assert_close(layout, 0.0625, 1e-12);
	r.layouts = 0;
	assert_close(ba_logratio_of_visits(v, &r, 0, 1).y, -0.1, 1e-12);
	assert_false(ba_layout_variance_of_visits(&layout, v, &r, 1));
}
