#include "stats/planning.h"
#include "stats/quantile.h"
#include "stats/student.h"

ba_components ba_components_of(const double *y, const double *s1_sq, const size_t *blocks, size_t n)
{
	ba_components c = {.s1_sq = ba_mean(s1_sq, n), .s2_sq = ba_variance(y, n)};
	for (size_t i = 0; i < n; i++)
		c.blocks += (double)blocks[i] / (double)n;
	c.t2_sq = fmax(0, c.s2_sq - c.s1_sq / c.blocks);
	return c;
}

double ba_s_upper(double s, size_t n)
{
	BA_REQUIRE(n >= 2);
	return s * ba_s_upper_factor_90((double)n - 1);
}

/* s/D at which code without any change is called "unchanged" with 90 % probability, by
 * invocations (section 5, simulated) */
static const struct {
	size_t invocations;
	double s_over_d;
} unchanged_limits[] = {
	{4, .334}, {6, .547}, {8, .705}, {12, .911}, {16, 1.049}, {24, 1.343}, {32, 1.486}};

enum { UNCHANGED_LIMITS = BA_COUNT(unchanged_limits) };

double ba_theta_floor(double s_upper)
{
	return expm1(s_upper / unchanged_limits[UNCHANGED_LIMITS - 1].s_over_d);
}

size_t ba_invocations_for_unchanged(double theta, double s)
{
	double s_over_d = s / log1p(theta);
	for (size_t i = 0; i < UNCHANGED_LIMITS; i++)
		if (s_over_d <= unchanged_limits[i].s_over_d)
			return unchanged_limits[i].invocations;
	return 0;
}

/* c90 of section 5 by family size: units of s beyond D/2 for 90 % power, at most so many
 * invocations (simulated) */
static const size_t power_at[] = {BA_PLANNED_LEAST, 6, 8, 16, 32};
static const struct {
	double m, c90[BA_COUNT(power_at)];
} power_table[] = {
	{1, {3.78, 2.15, 1.69, 1.10, .78}},
	{5, {8.28, 3.06, 2.27, 1.31, .89}},
	{20, {8.28, 4.11, 2.83, 1.50, .98}},
	{100, {8.28, 8.28, 3.61, 1.73, 1.09}},
	{1000, {8.28, 8.28, 8.28, 2.10, 1.24}},
	{100000, {9.00, 9.00, 9.00, 2.98, 1.56}},
};

enum { POWER_ROWS = BA_COUNT(power_table) };

/* linear in log m between the rows, and extrapolated beyond the last */
static double power_factor(double m, size_t at)
{
	size_t row = 0, column = BA_COUNT(power_at) - 1;
	while (power_at[column] > at)
		column--;
	while (row + 2 < POWER_ROWS && power_table[row + 1].m < m)
		row++;
	double lo = power_table[row].c90[column], hi = power_table[row + 1].c90[column];
	double part =
		log(m / power_table[row].m) / log(power_table[row + 1].m / power_table[row].m);

	return lo + fmax(part, 0) * (hi - lo);
}

double ba_minimum_detectable(double theta, double s_upper, size_t m, size_t at)
{
	BA_REQUIRE(m >= 1 && at >= BA_PLANNED_LEAST);
	double d = log1p(theta);
	double flagged = 0.5 * d + power_factor((double)m, at) * s_upper;

	return expm1(fmax(d + 0.641 * s_upper, flagged));
}

/* the lag-1 autocorrelation of n exchangeable values has mean -1/n; uncorrected, eight
 * invocations of 100 quiet benchmarks would look autocorrelated */
static double lag1(const double *y, size_t n)
{
	double mean = ba_mean(y, n), products = 0, squares = 0;
	for (size_t i = 0; i < n; i++) {
		squares += (y[i] - mean) * (y[i] - mean);
		if (i > 0)
			products += (y[i] - mean) * (y[i - 1] - mean);
	}
	return squares > 0 ? products / squares + 1 / (double)n : 0;
}

ba_selftest ba_selftest_of(const double *y, size_t m, size_t n)
{
	BA_REQUIRE(m >= 1 && n >= 3);
	double all = (double)(m * n);
	ba_selftest t = {
		.role_bias_limit = 3.3 / sqrt(all),
		.autocorrelation_limit = 2 / sqrt(all),
	};

	for (size_t i = 0; i < m; i++) {
		const double *row = y + i * n;
		double s = ba_stdev(row, n);
		t.autocorrelation += lag1(row, n) / (double)m;
		if (s > 0)
			t.role_bias += ba_mean(row, n) / s / (double)m;
	}
	t.role_biased = fabs(t.role_bias) > t.role_bias_limit;
	t.autocorrelated = fabs(t.autocorrelation) > t.autocorrelation_limit;
	return t;
}

bool ba_is_two_speed(double *y, size_t n)
{
	size_t cut = 0;
	double gap = 0;
	if (n < 4)
		return false;
	ba_sort_doubles(y, n);
	for (size_t i = 2; i + 2 <= n; i++) {
		if (y[i] - y[i - 1] > gap) {
			gap = y[i] - y[i - 1];
			cut = i;
		}
	}
	if (cut == 0)
		return false;
	double below = ba_stdev(y, cut), above = ba_stdev(y + cut, n - cut);
	double larger = cut == n - cut ? fmax(below, above) : (cut > n - cut ? below : above);

	return gap > 4 * larger;
}
