#include "test.h"

#include "base/rng.h"
#include "stats/planning.h"

/* nearly normal, mean 0, sd 1: the sum of twelve uniforms */
static double gaussian(uint64_t *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(ba_splitmix64(rng) >> 11) * 0x1p-53;
	return sum;
}

TEST(floor_and_detectable_effect_are_the_pages_example)
{
	/* "s = .7 %, theta = 1 %, m = 100: MDE 1.5 %, floor .5 %", with s itself */
	assert_close(ba_minimum_detectable(0.01, 0.007, 100, 32), 0.0150, 0.035);
	assert_close(ba_theta_floor(0.007), 0.0047, 0.01);
}

TEST(upper_limit_of_s_uses_the_invocations_it_came_from)
{
	assert_close(ba_s_upper(1, 8), 1.5718733025076328, 1e-10);
	assert_close(ba_s_upper(1, 16), 1.3247836837155618, 1e-10);
}

TEST(detectable_effect_grows_with_the_family_and_with_haste)
{
	double last = 0;

	for (size_t m = 1; m <= 1000000; m *= 3) {
		double late = ba_minimum_detectable(0.01, 0.02, m, 32);

		assert_true(late >= last && isfinite(late));
		last = late;
		for (size_t at = 31; at >= BA_PLANNED_LEAST; at--) {
			double earlier = ba_minimum_detectable(0.01, 0.02, m, at);

			assert_true(earlier >= late && isfinite(earlier));
			late = earlier;
		}
	}
	/* the simulated values of section 5, one between two of its looks */
	assert_close(ba_minimum_detectable(0.01, 0.02, 5, 4), expm1(log1p(0.01) / 2 + .1656), 1e-9);
	assert_close(
		ba_minimum_detectable(0.01, 0.02, 20, 7), expm1(log1p(0.01) / 2 + .0822), 1e-9);
}

TEST(quiet_code_is_called_unchanged_at_the_first_look)
{
	assert_int_equal(ba_invocations_for_unchanged(0.01, 0.001), 4);
	assert_int_equal(ba_invocations_for_unchanged(0.01, 0.01), 16);
	assert_int_equal(ba_invocations_for_unchanged(0.01, 0.1), 0);
}

TEST(selftest_passes_independent_noise)
{
	enum { M = 100, N = 8, ROUNDS = 200 };
	static double y[M * N];
	uint64_t rng = 5;
	int role = 0, correlated = 0;

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < M * N; i++)
			y[i] = 0.003 * gaussian(&rng);
		ba_selftest t = ba_selftest_of(y, M, N);

		role += t.role_biased;
		correlated += t.autocorrelated;
	}
	/* limits of 3.3 and 2 standard errors; without the correction for the small
	 * sample the second would fail in nearly every round */
	assert_in_range(role, 0, 4);
	assert_in_range(correlated, 0, 20);
}

TEST(selftest_finds_a_role_bias_and_a_wander)
{
	enum { M = 100, N = 8 };
	static double y[M * N];
	uint64_t rng = 6;

	for (size_t i = 0; i < M * N; i++)
		y[i] = 0.003 * (gaussian(&rng) + 0.4);
	assert_true(ba_selftest_of(y, M, N).role_biased);
	for (size_t i = 0; i < M * N; i++)
		y[i] = 0.003 * gaussian(&rng) + (i % N ? 0.7 * y[i - 1] : 0);
	assert_true(ba_selftest_of(y, M, N).autocorrelated);
}

TEST(two_speeds_are_seen_and_noise_is_not)
{
	uint64_t rng = 7;
	int false_alarms = 0;
	double y[8];

	for (int round = 0; round < 2000; round++) {
		for (size_t i = 0; i < 8; i++)
			y[i] = gaussian(&rng);
		false_alarms += ba_is_two_speed(y, 8);
	}
	assert_in_range(false_alarms, 0, 100);
	for (size_t i = 0; i < 8; i++)
		y[i] = (i % 3 ? 0 : 0.01) + 0.0003 * gaussian(&rng);
	assert_true(ba_is_two_speed(y, 8));
	assert_false(ba_is_two_speed(y, 3));
}
