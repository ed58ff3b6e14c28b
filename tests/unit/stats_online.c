/* Levels of a session of `judge`: their sum, and what 1,000 sessions accept. */
#include "test.h"

#include "base/rng.h"
#include "stats/multiple.h"
#include "stats/student.h"

#define ALPHA 0.05
enum { SESSIONS = 1000, TRIES = 200, FIRST = 4, MOST = 32 };

TEST(the_levels_of_all_tries_sum_to_alpha)
{
	double sum = 0;
	size_t t = 1;
	for (; t < 3000000; t++)
		sum += ba_online_level(ALPHA, true, t, 0);
	/* the rest is below the integral of log t / (t exp(sqrt(log t))) */
	double u = sqrt(log((double)t));
	double rest = 2 * exp(-u) * (u * u * u + 3 * u * u + 6 * u + 6) / 12.6452 * ALPHA;
	assert_true(sum < ALPHA && sum + rest > ALPHA * 0.999 && sum + rest < ALPHA * 1.001);
}

TEST(an_acceptance_raises_the_next_level_unless_strict)
{
	double level = ba_online_level(ALPHA, false, 9, 0);
	assert_true(ba_online_level(ALPHA, false, 9, 2) == 3 * level);
	assert_true(ba_online_level(ALPHA, true, 9, 2) == level);
	assert_true(ba_online_level(ALPHA, false, 2, 1000000) == ALPHA);
	assert_true(ba_online_level(ALPHA, true, 10, 0) < level);
}

TEST(a_smaller_level_takes_more_invocations)
{
	assert_int_equal(ba_online_invocations(0.05), 16);
	assert_int_equal(ba_online_invocations(1e-12), 32);
	size_t n = ba_online_invocations(4e-6);
	assert_true(n > 16 && n < 32 && ba_t_isf(2e-6, (double)(n - 1)) <= 6 &&
		    ba_t_isf(2e-6, (double)(n - 2)) > 6);
}

static double uniform(uint64_t *state)
{
	return ((double)(ba_splitmix64(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
	return sqrt(-2 * log(uniform(state))) * cos(6.283185307179586 * uniform(state));
}

/* The mean of n measurements of a candidate that takes `truth` (log), and Student's t. */
static double measure(double *t, size_t n, double truth, double sd, uint64_t *state)
{
	double y[MOST], mean = 0, square = 0;
	for (size_t i = 0; i < n; i++)
		mean += (y[i] = truth + sd * normal(state)) / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (y[i] - mean) * (y[i] - mean);
	*t = mean / sqrt(square / (double)(n - 1) / (double)n);
	return mean;
}

/* A session as judge.c makes it, with candidates that differ from the task by `spread`: how
 * many it accepts. *best: what the last accepted one showed, *truth: what is true of it. */
static size_t session(bool strict, double spread, double *best, double *truth, uint64_t *state)
{
	size_t tested = 0, accepted = 0;
	double champion = 0, t;
	for (size_t i = 0; i < TRIES; i++) {
		double mine = spread * normal(state), sd = 0.01;
		if (measure(&t, FIRST, mine - champion, sd, state) > -0.01)
			continue;
		double level = ba_online_level(ALPHA, strict, ++tested, accepted);
		size_t n = ba_online_invocations(level);
		double mean = measure(&t, n, mine - champion, sd, state);
		if (!(t < -ba_t_isf(level, (double)(n - 1))))
			continue;
		accepted++;
		*best = champion + mean;
		*truth = champion = mine;
	}
	return accepted;
}

TEST(few_sessions_of_equal_candidates_accept_any)
{
	for (int strict = 0; strict <= 1; strict++) {
		uint64_t seed = 34;
		size_t any = 0;
		for (size_t s = 0; s < SESSIONS; s++) {
			double best, truth;
			any += session(strict, 0, &best, &truth, &seed) > 0;
		}
		assert_true(any <= SESSIONS * ALPHA);
	}
}

TEST(the_best_measured_anew_has_no_bias)
{
	uint64_t seed = 35;
	double bias = 0, t;
	size_t n = 0;
	for (size_t s = 0; s < SESSIONS; s++) {
		double best, truth;
		if (session(false, 0.02, &best, &truth, &seed) == 0)
			continue;
		bias += measure(&t, ba_online_invocations(1), truth, 0.01, &seed) - truth;
		n++;
	}
	assert_true(n > SESSIONS / 2 && fabs(bias / (double)n) < 0.002);
}
