/* change points: known ones are found where they are, and where there is none there is
 * seldom one */
#include "test.h"

#include "base/rng.h"
#include "stats/changepoint.h"

static double uniform(uint64_t *state)
{
	return (double)(ba_splitmix64(state) >> 11) * 0x1p-53;
}

/* noise of benchmarks: normal, and now and then a value that is far too high */
static double noise(uint64_t *state, double outliers)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += uniform(state);
	return uniform(state) < outliers ? sum + 8 : sum;
}

TEST(a_step_is_found_where_it_is)
{
	static const size_t places[] = {3, 10, 17, 27};
	ba_change_rule rule = ba_change_rule_default();
	for (size_t i = 0; i < 4; i++) {
		double x[30];
		ba_change_point found[30];
		uint64_t random = 7 + i;
		for (size_t k = 0; k < 30; k++)
			x[k] = 100 + (k >= places[i] ? 10 : 0) + noise(&random, 0);
		assert_int_equal(ba_change_points(found, x, 30, &rule), 1);
		assert_int_equal(found[0].at, places[i]);
		assert_true(found[0].p <= 0.01);
		assert_close(found[0].before, 100, 0.015);
		assert_close(found[0].after, 110, 0.015);
	}
}

TEST(several_steps_come_in_their_order)
{
	ba_change_rule rule = ba_change_rule_default();
	double x[80];
	ba_change_point found[80];
	uint64_t random = 3;
	for (size_t k = 0; k < 80; k++)
		x[k] = (k < 20 ? 100 : k < 45 ? 130 : 95) + noise(&random, 0.05);
	size_t n = ba_change_points(found, x, 80, &rule);
	assert_int_equal(n, 2);
	assert_int_equal(found[0].at, 20);
	assert_int_equal(found[1].at, 45);
	assert_close(found[0].after, found[1].before, 0);
}

/* of series that do not change, at most alpha and some luck have a change point:
 * normal, with outliers, uniform, of two values only */
TEST(false_alarms_keep_their_rate)
{
	enum { SERIES = 400, LENGTH = 24 };
	for (int kind = 0; kind < 4; kind++) {
		ba_change_rule rule = {.alpha = 0.05, .least = 3, .permutations = 99, .seed = 5};
		uint64_t random = 11 + (uint64_t)kind;
		unsigned alarms = 0;
		for (int i = 0; i < SERIES; i++) {
			double x[LENGTH];
			ba_change_point found[LENGTH];
			for (size_t k = 0; k < LENGTH; k++)
				x[k] = kind == 0   ? noise(&random, 0)
				       : kind == 1 ? noise(&random, 0.1)
				       : kind == 2 ? uniform(&random)
						   : (double)ba_rng_below(&random, 2);
			rule.seed++;
			alarms += ba_change_points(found, x, LENGTH, &rule) > 0;
		}
		print_message("kind %d: %u of %d\n", kind, alarms, SERIES);
		/* 20 expected, standard deviation 4.4: four of them */
		assert_true(alarms <= 38);
		/* and a rule that never finds anything has no such rate */
		assert_true(kind == 3 || alarms >= 4);
	}
}

TEST(too_little_says_nothing)
{
	ba_change_rule rule = ba_change_rule_default();
	ba_change_point found[16];
	const double equal[16] = {[0 ... 15] = 2617.4};
	const double step[5] = {1, 1, 2, 2, 2};
	assert_int_equal(ba_change_points(found, equal, 16, &rule), 0);
	assert_int_equal(ba_change_points(found, step, 5, &rule), 0);
	assert_int_equal(ba_change_points(found, step, 0, &rule), 0);
	/* 3 and 3 values: one order of ten looks like that, not one of a hundred */
	const double six[6] = {1, 1.1, 0.9, 9, 9.1, 8.9};
	assert_int_equal(ba_change_points(found, six, 6, &rule), 0);
	const double ten[10] = {1, 1.1, 0.9, 1, 1, 9, 9.1, 8.9, 9, 9};
	assert_int_equal(ba_change_points(found, ten, 10, &rule), 1);
	assert_int_equal(found[0].at, 5);
}

TEST(equal_seeds_give_equal_answers)
{
	ba_change_rule rule = ba_change_rule_default();
	double x[40];
	ba_change_point a[40], b[40];
	uint64_t random = 1;
	for (size_t k = 0; k < 40; k++)
		x[k] = noise(&random, 0) + (k > 25 ? 2 : 0);
	size_t n = ba_change_points(a, x, 40, &rule);
	assert_int_equal(ba_change_points(b, x, 40, &rule), n);
	assert_true(n >= 1);
	assert_memory_equal(a, b, n * sizeof(*a));
}
