#include "test.h"

#include "base/rng.h"
#include "stats/sequential.h"
#include "stats/student.h"

/* the first rule, whose worked examples have reference values; the gap rule has tests of
 * its own in stats_gap.c and sim/gap.c */
static const ba_policy policy = {.alpha = .05, .s_floor = BA_S_FLOOR, .rule = BA_RULE_FIRST};

/* section 6, "worked": theta = 1 %, a true +2.9 % */
static const double slower[32] = {0.027423, 0.029113, 0.028513, 0.029061, 0.02601, 0.028481,
	0.021182, 0.029564, 0.030084, 0.035644, 0.019184, 0.030236, 0.030973, 0.031998, 0.028634,
	0.024489, 0.027562, 0.031723, 0.027522, 0.031479, 0.031828, 0.025205, 0.026817, 0.029869,
	0.028388, 0.027312, 0.028303, 0.023906, 0.031777, 0.034291, 0.022292, 0.027737};
static const double same[8] = {
	0.005336, -0.002638, 0.002022, 0.003323, 0.003019, 0.003289, -0.001125, 0.000307};

/* the whole rule for one benchmark in a family of m, on values that are all there */
static ba_decision decided(const double *y, size_t n, double theta, size_t m, const ba_policy *p)
{
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	size_t looks = ba_design_looks_within(&design, n);
	ba_decision d;

	ba_decision_init(&d, theta, theta);
	for (size_t look = 0; look < looks; look++) {
		ba_decision_look(&d, p, &design, look, y);
		if (ba_family_decide(&d, 1, m, p, look + 1 == looks) == 0)
			break;
	}
	return d;
}

TEST(worked_slowdown_is_flagged_at_four_alone_and_at_eight_among_a_hundred)
{
	ba_decision alone = decided(slower, 32, 0.01, 1, &policy);
	ba_decision among = decided(slower, 32, 0.01, 100, &policy);

	assert_int_equal(alone.verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(alone.invocations, 4);
	assert_close(alone.ybar, 0.0285275, 1e-13);
	assert_close(alone.s, 7.847638710678e-4, 1e-12);
	assert_close(alone.p_reg, 0.0390625, 1e-15);
	assert_int_equal(among.verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(among.invocations, 8);
	assert_close(among.p_reg, 1.52587890625e-4, 1e-15);
	assert_close(among.p_imp, 1, 0);
}

TEST(worked_no_change_is_called_unchanged_at_four)
{
	ba_decision d = decided(same, 8, 0.01, 1, &policy);

	assert_int_equal(d.verdict, BA_VERDICT_UNCHANGED);
	assert_int_equal(d.invocations, 4);
	assert_close(d.p_eq, 0.0390625, 1e-15);
	assert_close(d.p_reg, 1, 0);
}

TEST(mirrored_values_give_mirrored_verdicts)
{
	double faster[32];
	ba_decision up, down;

	for (size_t i = 0; i < 32; i++)
		faster[i] = -slower[i];
	for (size_t m = 1; m <= 100000; m *= 10) {
		up = decided(slower, 32, 0.02, m, &policy);
		down = decided(faster, 32, 0.02, m, &policy);
		assert_close(up.p_reg, down.p_imp, 0);
		assert_close(up.p_imp, down.p_reg, 0);
		assert_close(up.p_eq, down.p_eq, 0);
		assert_close(up.lo, -down.hi, 0);
		assert_close(ba_decision_ratio(&up), 1 / ba_decision_ratio(&down), 1e-14);
		assert_int_equal(up.invocations, down.invocations);
		assert_int_equal(up.verdict, BA_VERDICT_REGRESSED);
		assert_int_equal(down.verdict, BA_VERDICT_IMPROVED);
	}
}

TEST(equal_values_are_not_certainty)
{
	double y[32];

	for (size_t i = 0; i < 32; i++)
		y[i] = 0.03;
	ba_decision d = decided(y, 32, 0.01, 1, &policy);

	/* the tie floor: 2 * 4^-4 / 0.2 */
	assert_close(d.p_reg, 0.0390625, 1e-15);
	assert_close(d.s, BA_S_FLOOR, 0);
	assert_true(isfinite(d.lo) && d.lo < 0.03 && d.hi > 0.03);
	assert_int_equal(decided(y, 32, 0.01, 20, &policy).invocations, 6);
	assert_int_equal(decided(y, 32, 0.01, 1000, &policy).invocations, 12);
	assert_int_equal(decided(y, 32, 0.01, 100000, &policy).invocations, 16);
}

TEST(p_values_never_rise_from_look_to_look)
{
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	ba_decision d, before;

	ba_decision_init(&d, 0.03, 0.03);
	for (size_t look = 0; look < design.looks; look++) {
		before = d;
		ba_decision_look(&d, &policy, &design, look, slower);
		assert_true(d.p_reg <= before.p_reg && d.p_eq <= before.p_eq);
		assert_int_equal(d.invocations, design.at[look]);
	}
}

TEST(decided_ones_keep_their_p_and_others_gain_by_them)
{
	ba_design design = ba_design_fixed(12);
	ba_decision d[3];
	double strong[12], weak[12], none[12];

	for (size_t i = 0; i < 12; i++) {
		double wobble = i % 2 ? 0.004 : -0.004;

		strong[i] = 0.05 + wobble;
		weak[i] = 0.0112 + 2.4 * wobble;
		none[i] = wobble;
	}
	for (size_t i = 0; i < 3; i++)
		ba_decision_init(&d[i], 0.01, 0.01);
	ba_decision_look(&d[0], &policy, &design, 0, strong);
	ba_decision_look(&d[1], &policy, &design, 0, weak);
	ba_decision_look(&d[2], &policy, &design, 0, none);
	assert_true(d[1].p_reg > 0.05 / 3 && d[1].p_reg <= 0.1 / 3);
	assert_int_equal(ba_family_decide(d, 3, 3, &policy, true), 0);
	assert_int_equal(d[0].verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(d[1].verdict, BA_VERDICT_REGRESSED); /* 2/3 of q, thanks to d[0] */
	assert_int_equal(d[2].verdict, BA_VERDICT_UNCHANGED);

	double kept = d[0].p_reg;
	ba_decision_look(&d[0], &policy, &design, 0, none);
	assert_close(d[0].p_reg, kept, 0);
}

TEST(order_of_the_benchmarks_changes_nothing)
{
	ba_design design = ba_design_fixed(8);
	ba_decision d[2], e[2];
	double slow[8], fine[8];

	for (size_t i = 0; i < 8; i++) {
		slow[i] = slower[i];
		fine[i] = same[i];
	}
	for (size_t i = 0; i < 2; i++) {
		ba_decision_init(&d[i], 0.01, 0.01);
		ba_decision_init(&e[i], 0.01, 0.01);
		ba_decision_look(&d[i], &policy, &design, 0, i ? slow : fine);
		ba_decision_look(&e[i], &policy, &design, 0, i ? fine : slow);
	}
	ba_family_decide(d, 2, 2, &policy, true);
	ba_family_decide(e, 2, 2, &policy, true);
	assert_int_equal(d[0].verdict, e[1].verdict);
	assert_int_equal(d[1].verdict, e[0].verdict);
	assert_int_equal(d[1].verdict, BA_VERDICT_REGRESSED);
}

TEST(strict_asks_for_certainly_more_than_the_threshold)
{
	ba_policy strict = policy;
	double y[8];

	/* at theta exactly: half of the test's margin is gone under strict */
	for (size_t i = 0; i < 8; i++)
		y[i] = log1p(0.02) + 0.0001 + (i % 2 ? 0.003 : -0.003);
	strict.strict = true;
	assert_int_equal(decided(y, 8, 0.02, 1, &policy).verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(decided(y, 8, 0.02, 1, &strict).verdict, BA_VERDICT_INCONCLUSIVE);
}

TEST(improvements_may_have_a_threshold_of_their_own)
{
	ba_design design = ba_design_fixed(8);
	ba_decision d;
	double y[8];

	for (size_t i = 0; i < 8; i++)
		y[i] = -0.03 + (i % 2 ? 0.001 : -0.001);
	ba_decision_init(&d, 0.02, 0.05);
	ba_decision_look(&d, &policy, &design, 0, y);
	ba_family_decide(&d, 1, 1, &policy, true);
	assert_int_equal(d.verdict, BA_VERDICT_UNCHANGED);

	ba_decision_init(&d, 0.05, 0.02);
	ba_decision_look(&d, &policy, &design, 0, y);
	ba_family_decide(&d, 1, 1, &policy, true);
	assert_int_equal(d.verdict, BA_VERDICT_IMPROVED);
}

TEST(wide_noise_ends_inconclusive)
{
	double y[32];

	for (size_t i = 0; i < 32; i++)
		y[i] = i % 2 ? 0.2 : -0.2;
	ba_decision d = decided(y, 32, 0.01, 1, &policy);

	assert_int_equal(d.verdict, BA_VERDICT_INCONCLUSIVE);
	assert_int_equal(d.invocations, 32);
	assert_int_equal(d.looks, 7);
}

TEST(failed_benchmarks_count_in_the_family_and_stay_failed)
{
	ba_design design = ba_design_fixed(6);
	ba_decision d[2];

	for (size_t i = 0; i < 2; i++)
		ba_decision_init(&d[i], 0.01, 0.01);
	d[1].verdict = BA_VERDICT_FAILED;
	ba_decision_look(&d[0], &policy, &design, 0, slower);
	ba_decision_look(&d[1], &policy, &design, 0, slower);
	assert_close(d[1].p_reg, 1, 0);
	ba_family_decide(d, 2, 2, &policy, true);
	assert_int_equal(d[1].verdict, BA_VERDICT_FAILED);
	assert_int_equal(d[0].verdict, BA_VERDICT_REGRESSED);
}

TEST(interval_is_students_at_its_share_of_alpha)
{
	ba_decision d = decided(slower, 4, 0.01, 1, &policy);
	double half = ba_t_isf(0.025 * 0.20, 3) * d.se;

	assert_close(d.hi - d.ybar, half, 1e-12);
	assert_close(d.ybar - d.lo, half, 1e-12);
}

TEST(one_value_gives_an_estimate_and_no_verdict)
{
	ba_decision d;

	ba_decision_init(&d, 0.01, 0.01);
	ba_decision_estimate(&d, &policy, slower, 1);
	ba_family_decide(&d, 1, 1, &policy, true);
	assert_close(d.ybar, slower[0], 0);
	assert_close(d.p_reg, 1, 0);
	assert_true(isinf(d.lo) && isinf(d.hi));
	assert_int_equal(d.verdict, BA_VERDICT_INCONCLUSIVE);
}

TEST(a_disagreeing_rank_estimate_is_unstable)
{
	double y[8] = {0.2, 0, 0, 0, 0, 0, 0, 0};
	ba_decision d = decided(y, 8, 0.01, 1, &policy);

	assert_true(ba_decision_is_unstable(&d));
	d = decided(slower, 8, 0.01, 1, &policy);
	assert_false(ba_decision_is_unstable(&d));
}

TEST(forecast_is_the_look_that_then_decides)
{
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	ba_decision d;

	ba_decision_init(&d, 0.01, 0.01);
	assert_int_equal(ba_decision_forecast(&d, &policy, &design, 0.05), 0);
	ba_decision_look(&d, &policy, &design, 0, slower);
	assert_int_equal(ba_decision_forecast(&d, &policy, &design, 0.05 / 100), 8);
	assert_int_equal(ba_decision_forecast(&d, &policy, &design, 0.05 / 20), 6);
	d.s = 0.5;
	assert_int_equal(ba_decision_forecast(&d, &policy, &design, 0.05), 0);
}

/* the same with the means of the invocations */
static ba_decision decided_with_means(
	const double *y, const double *z, size_t n, double theta, size_t m)
{
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	size_t looks = ba_design_looks_within(&design, n);
	ba_decision d;

	ba_decision_init(&d, theta, theta);
	for (size_t look = 0; look < looks; look++) {
		ba_decision_look(&d, &policy, &design, look, y);
		ba_decision_look_mean(&d, &policy, &design, look, z);
		if (ba_family_decide(&d, 1, m, &policy, look + 1 == looks) == 0)
			break;
	}
	return d;
}

TEST(a_slow_tail_is_an_answer_from_six_invocations_on)
{
	static const double z[32] = {.31, .36, .33, .38, .35, .30, .34, .37};
	double faster[8], mirrored[8];
	ba_decision d = decided_with_means(same, z, 8, 0.01, 1);

	/* t decides long before: 2 * 4^-6 / .2 is what one twentieth of alpha allows */
	assert_int_equal(d.verdict, BA_VERDICT_TAIL_REGRESSED);
	assert_int_equal(d.invocations, 6);
	assert_close(d.mean.p_reg, 0.00244140625, 1e-15);
	assert_close(d.mean.p_imp, 1, 0);
	assert_int_equal(
		decided_with_means(same, z, 8, 0.01, 16).verdict, BA_VERDICT_TAIL_REGRESSED);
	assert_int_equal(decided_with_means(same, z, 8, 0.01, 17).verdict, BA_VERDICT_INCONCLUSIVE);
	for (size_t i = 0; i < 8; i++) {
		mirrored[i] = -same[i];
		faster[i] = -z[i];
	}
	d = decided_with_means(mirrored, faster, 8, 0.01, 1);
	assert_int_equal(d.verdict, BA_VERDICT_TAIL_IMPROVED);
	assert_int_equal(d.invocations, 6);
}

TEST(a_suspicious_mean_is_not_unchanged)
{
	/* p of the mean at R = 4, 6 and 8: .08, .05, .04 */
	static const double z[8] = {.01, .06, .02, .05, .01, .03, .005, .02};
	ba_decision d = decided_with_means(same, z, 8, 0.01, 1);

	assert_int_equal(d.verdict, BA_VERDICT_INCONCLUSIVE);
	assert_int_equal(d.invocations, 8);
	assert_true(ba_decision_mean_is_slower(&d));
	/* nor an improvement */
	double faster[8];

	for (size_t i = 0; i < 8; i++)
		faster[i] = same[i] - 0.05;
	assert_int_equal(decided(faster, 8, 0.01, 1, &policy).verdict, BA_VERDICT_IMPROVED);
	assert_int_equal(
		decided_with_means(faster, z, 8, 0.01, 1).verdict, BA_VERDICT_INCONCLUSIVE);
}

TEST(a_mean_that_says_what_the_trimmed_estimate_says_adds_nothing)
{
	double like[32], noisy[8];

	/* y + .2 D: less than the excess that a tail has */
	for (size_t i = 0; i < 32; i++)
		like[i] = slower[i] + 0.2 * log1p(0.01);
	ba_decision d = decided_with_means(slower, like, 32, 0.01, 1);
	assert_int_equal(d.verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(d.invocations, 4);
	assert_close(d.mean.p_reg, 1, 0);
	/* one preempted invocation is no suspicion */
	for (size_t i = 0; i < 8; i++)
		noisy[i] = i == 2 ? 0.9 : 0.001;
	d = decided_with_means(same, noisy, 8, 0.01, 1);
	assert_int_equal(d.verdict, BA_VERDICT_UNCHANGED);
	assert_int_equal(d.invocations, 4);
}

TEST(what_the_mean_costs_is_a_twentieth_of_alpha)
{
	ba_design design = ba_design_fixed(6);
	ba_decision alone, with;

	ba_decision_init(&alone, 0.01, 0.01);
	ba_decision_look(&alone, &policy, &design, 0, slower);
	with = alone;
	ba_decision_look_mean(&with, &policy, &design, 0, slower);
	alone.p_reg = with.p_reg = 0.0005;
	ba_family_decide(&alone, 1, 97, &policy, false);
	ba_family_decide(&with, 1, 97, &policy, false);
	/* .05 / 97 = .000515, and .95 of that .00049 */
	assert_int_equal(alone.verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(with.verdict, BA_VERDICT_UNDECIDED);
	with.p_reg = 0.00048;
	ba_family_decide(&with, 1, 97, &policy, false);
	assert_int_equal(with.verdict, BA_VERDICT_REGRESSED);
}

TEST(the_obstacle_is_the_one_that_holds)
{
	ba_design four = ba_design_fixed(4);
	static const double noisy[4] = {.05, -.04, .06, -.02};
	ba_decision d;

	ba_decision_init(&d, 0.01, 0.01);
	ba_decision_look(&d, &policy, &four, 0, slower);
	/* 2 * 4^-4 = .0078: enough for six comparisons */
	assert_int_equal(ba_decision_obstacle(&d, &policy, &four, &(ba_family){.size = 7}),
		BA_OBSTACLE_INVOCATIONS);
	/* a change among so many cannot be shown whatever the noise is */
	static const double loud[4] = {.09, .02, .05, .01};
	ba_decision_init(&d, 0.01, 0.01);
	ba_decision_look(&d, &policy, &four, 0, loud);
	assert_int_equal(ba_decision_obstacle(&d, &policy, &four, &(ba_family){.size = 66}),
		BA_OBSTACLE_INVOCATIONS);
	/* p = .02: enough alone, not among six */
	static const double near[4] = {.012, .022, .017, .010};
	ba_decision_init(&d, 0.01, 0.01);
	ba_decision_look(&d, &policy, &four, 0, near);
	assert_true(d.p_reg < 0.05 && d.p_reg > 0.005);
	assert_int_equal(ba_decision_obstacle(&d, &policy, &four, &(ba_family){.size = 6}),
		BA_OBSTACLE_FAMILY);
	ba_decision_init(&d, 0.01, 0.01);
	ba_decision_look(&d, &policy, &four, 0, noisy);
	assert_int_equal(ba_decision_obstacle(&d, &policy, &four, &(ba_family){.size = 6}),
		BA_OBSTACLE_NOISE);
}

TEST(what_was_shown_makes_the_next_easier)
{
	const ba_family family = {.size = 66, .slower = 10, .faster = 2};
	ba_decision d = {.ybar = 0.1};
	assert_close(ba_family_level(&family, &d, &policy), 11 * 0.05 / 66, 1e-12);
	d.ybar = -0.1;
	assert_close(ba_family_level(&family, &d, &policy), 3 * 0.05 / 66, 1e-12);
}

static double gauss(uint64_t *state)
{
	double u = ((double)(ba_splitmix64(state) >> 11) + 1) / 9007199254740993.0;
	double v = (double)(ba_splitmix64(state) >> 11) / 9007199254740992.0;
	return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/* The invocations after which a run with this noise shows a lone change among 66. */
static size_t simulated_end(double mu, double s, uint64_t *state)
{
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	double y[32];
	ba_decision d;
	ba_decision_init(&d, 0.01, 0.01);
	for (size_t i = 0; i < 32; i++)
		y[i] = mu + s * gauss(state);
	for (size_t look = 0; look < design.looks; look++) {
		ba_decision_look(&d, &policy, &design, look, y);
		if (ba_family_decide(&d, 1, 66, &policy, false) == 0)
			return design.at[look];
	}
	return 99;
}

TEST(the_forecast_is_what_half_of_simulated_runs_need)
{
	static const double spreads[] = {0.0005, 0.004, 0.007, 0.012, 0.018};
	static const size_t known[] = {8, 8, 8, 12, 16};
	ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	uint64_t seed = 14;
	for (size_t k = 0; k < 5; k++) {
		enum { RUNS = 2000 };
		size_t before = 0, within = 0;
		ba_decision d;
		ba_decision_init(&d, 0.01, 0.01);
		ba_decision_look(&d, &policy, &design, 0, slower);
		d.ybar = 0.03;
		d.s = spreads[k];
		size_t need = ba_decision_forecast(&d, &policy, &design, 0.05 / 66);
		assert_int_equal(need, known[k]);
		size_t look = ba_design_looks_within(&design, need) - 1;
		for (size_t i = 0; i < RUNS; i++) {
			size_t end = simulated_end(0.03, spreads[k], &seed);
			within += end <= need;
			before += end < design.at[look - 1];
		}
		/* half of them, or nearly, and few much earlier */
		assert_true(within > 0.45 * RUNS);
		assert_true(before < 0.25 * RUNS);
	}
}

TEST(thresholds_combine_to_the_larger)
{
	assert_close(ba_threshold_of(0.02, 25, 1000), 0.025, 1e-15);
	assert_close(ba_threshold_of(0.02, 25, 5000), 0.02, 1e-15);
	assert_close(ba_s_floor(0, 1000), 2e-4, 0);
	assert_close(ba_s_floor(10, 1000), 0.01 / sqrt(6), 1e-14);
}

TEST(verdict_names_are_distinct)
{
	for (int i = 0; i < BA_VERDICT_COUNT; i++)
		for (int k = 0; k < i; k++)
			assert_string_not_equal(
				ba_verdict_name((ba_verdict)i), ba_verdict_name((ba_verdict)k));
	assert_true(ba_verdict_is_decided(BA_VERDICT_UNCHANGED));
	assert_false(ba_verdict_is_decided(BA_VERDICT_INCONCLUSIVE));
}
