#include "test.h"

#include "stats/unpaired.h"

static ba_moments moments_of(const double *x, size_t n)
{
	ba_moments m = {0};
	for (size_t i = 0; i < n; i++)
		ba_moments_add(&m, x[i]);
	return m;
}

TEST(moments_of_a_stream_are_mean_and_variance)
{
	const double x[] = {1, 2, 4, 8, 16};
	ba_moments m = moments_of(x, 5), one = moments_of(x, 1);
	assert_int_equal(m.n, 5);
	assert_close(m.mean, 6.2, 1e-15);
	assert_close(ba_moments_variance(&m), 37.2, 1e-14);
	assert_true(ba_moments_variance(&one) == 0);
}

/* scipy.stats.ttest_ind(b, a, equal_var=False) */
TEST(interval_is_that_of_welch)
{
	const double a[] = {0.0, 0.1, -0.05, 0.02, 0.03};
	const double b[] = {0.10, 0.16, 0.08, 0.12, 0.14};
	ba_moments ma = moments_of(a, 5), mb = moments_of(b, 5);
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	ba_decision d;
	ba_decision_init(&d, 0.02, 0.02);
	ba_decision_unpaired(&d, &policy, &table, &ma, &mb);
	assert_close(d.ybar / d.se, 3.5578403348241006, 1e-12);
	assert_close(d.lo, 0.03232999812138121, 0.01);
	assert_close(d.hi, 0.16767000187861883, 0.01);
	/* degrees of freedom are rounded down: a little wider, never narrower */
	assert_true(d.lo < 0.0323299982 && d.hi > 0.1676700018);
	assert_int_equal(d.invocations, 5);
}

TEST(p_falls_no_lower_than_an_exact_rank_test_could)
{
	assert_close(ba_unpaired_floor(3, 3), 1.0 / 20, 1e-14);
	assert_close(ba_unpaired_floor(2, 5), 1.0 / 21, 1e-14);
	assert_close(ba_unpaired_floor(10, 10), 1.0 / 184756, 1e-12);
	assert_true(ba_unpaired_floor(5000, 5000) < 1e-200);
	const double a[] = {1, 1, 1}, b[] = {2, 2, 2};
	ba_moments ma = moments_of(a, 3), mb = moments_of(b, 3);
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	ba_decision d;
	ba_decision_init(&d, 0.02, 0.02);
	ba_decision_unpaired(&d, &policy, &table, &ma, &mb);
	assert_close(d.p_reg, 0.05, 1e-12);
	assert_true(d.p_imp == 1 && d.p_eq > 0.5);
}

TEST(one_value_on_a_side_decides_nothing)
{
	const double a[] = {1, 1.1, 0.9, 1}, b[] = {3};
	ba_moments ma = moments_of(a, 4), mb = moments_of(b, 1);
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	ba_decision d;
	ba_decision_init(&d, 0.02, 0.02);
	ba_decision_unpaired(&d, &policy, &table, &ma, &mb);
	assert_close(d.ybar, 2, 1e-12);
	assert_int_equal(ba_family_decide(&d, 1, 1, &policy, false), 1);
	assert_int_equal(d.verdict, BA_VERDICT_UNDECIDED);
	assert_true(isinf(d.hi) && d.p_reg == 1);
}

TEST(verdicts_are_those_of_the_family)
{
	static const struct {
		double shift;
		ba_verdict verdict;
	} rows[] = {{0.05, BA_VERDICT_REGRESSED}, {-0.05, BA_VERDICT_IMPROVED},
		{0.001, BA_VERDICT_UNCHANGED}};
	const double noise[] = {0.001, -0.001, 0.0005, -0.0005, 0, 0.0008, -0.0008, 0.0002};
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	for (size_t i = 0; i < 3; i++) {
		ba_moments a = {0}, b = {0};
		ba_decision d;
		for (size_t k = 0; k < 8; k++) {
			ba_moments_add(&a, noise[k]);
			ba_moments_add(&b, rows[i].shift - noise[k]);
		}
		ba_decision_init(&d, 0.02, 0.02);
		ba_decision_unpaired(&d, &policy, &table, &a, &b);
		ba_family_decide(&d, 1, 1, &policy, true);
		assert_int_equal(d.verdict, rows[i].verdict);
	}
}

TEST(a_large_family_needs_more_values)
{
	assert_int_equal(ba_unpaired_count_for(1, 0.05), 3);
	assert_int_equal(ba_unpaired_count_for(100, 0.05), 7);
	assert_true(ba_unpaired_count_for(1000000, 0.05) > 12);
}

/* The same p-values and bounds by a table that other comparisons have used, whose
 * quantiles are of another floor. Returns p of "unchanged". */
static double check_table(ba_t_table *used, const ba_moments *a, const ba_moments *b)
{
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table own = {.bounds.p = 0.025};
	ba_decision d, e;
	ba_decision_init(&d, 0.05, 0.05);
	e = d;
	ba_decision_unpaired(&d, &policy, used, a, b);
	ba_decision_unpaired(&e, &policy, &own, a, b);
	assert_true(d.p_reg == e.p_reg && d.p_imp == e.p_imp && d.p_eq == e.p_eq);
	assert_true(d.lo == e.lo && d.hi == e.hi);
	return d.p_eq;
}

TEST(a_table_serves_comparisons_of_different_counts)
{
	const double a[] = {1, 1.01, 0.99, 1, 1.02};
	BA_AUTO(ba_t_table) ba_t_table used = {.bounds.p = 0.025};
	size_t at_floor = 0;
	for (size_t i = 0; i < 4 * 4 * 40; i++) {
		size_t n = 2 + i % 4, m = 2 + i / 4 % 4, step = i / 16;
		double b[5]; /* from equal to far apart, with two spreads */
		for (size_t k = 0; k < 5; k++)
			b[k] = 1 + (a[k] - 1) * (step % 2 ? 1 : 0.1) + 0.005 * (double)step;
		ba_moments ma = moments_of(a, n), mb = moments_of(b, m);
		double p = check_table(&used, &ma, &mb);
		assert_true(ba_t_table_floor(&used, n, m) == ba_unpaired_floor(n, m));
		at_floor += p == ba_unpaired_floor(n, m);
	}
	assert_in_range(at_floor, 20, 600);
}

/* unchanged needs both tests: that it is not slower, and that it is not faster */
TEST(p_of_unchanged_is_the_larger_of_two)
{
	const double a[] = {0, 0.004, -0.003, 0.001, -0.002};
	const double b[] = {0.012, 0.016, 0.009, 0.013, 0.010};
	const double c[] = {-0.012, -0.016, -0.009, -0.013, -0.010};
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	ba_moments base = moments_of(a, 5);
	for (int faster = 0; faster < 2; faster++) {
		ba_moments other = moments_of(faster ? c : b, 5);
		ba_decision d;
		/* the smaller threshold is on the side of the change, then not */
		for (int narrow = 0; narrow < 2; narrow++) {
			double near = narrow ? 0.01 : 0.05;
			ba_decision_init(&d, faster ? 0.05 : near, faster ? near : 0.05);
			ba_decision_unpaired(&d, &policy, &table, &base, &other);
			assert_true(narrow ? d.p_eq > 0.4 : d.p_eq == ba_unpaired_floor(5, 5));
		}
	}
}
