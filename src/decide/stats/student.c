#include "stats/student.h"

#include "base/base.h"

enum { MAX_TERMS = 10000, BISECTIONS = 200 };

/* The continued fraction of I_x(a, b), by the modified Lentz method. */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < tiny ? tiny : d);
	double h = d;
	for (int m = 1; m <= MAX_TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + even * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + even / c;
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + odd / c;
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		if (fabs(d * c - 1) < 1e-16)
			break;
	}
	return h;
}

/* I_x(a, b). y = 1 - x is passed, because near x = 1 the difference would be lost. */
static double betainc_both(double x, double y, double a, double b)
{
	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	/* lgamma writes the global signgam; all arguments here are positive */
	int sign;
	double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
			   a * log(x) + b * log(y));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(y, b, a) / b;
}

double ba_t_sf(double t, double nu)
{
	BA_REQUIRE(nu > 0 && !isnan(t));
	if (t < 0)
		return 1 - ba_t_sf(-t, nu);
	if (isinf(t))
		return 0;
	/* t*t may overflow, t/nu may not: nu/(nu + t^2) = 1/(1 + (t/nu) t) */
	double q = t / nu * t;

	return 0.5 * betainc_both(1 / (1 + q), isinf(q) ? 1 : q / (1 + q), nu / 2, 0.5);
}

double ba_f_sf(double f, double d1, double d2)
{
	BA_REQUIRE(f >= 0 && d1 > 0 && d2 > 0);
	if (isinf(f))
		return 0;
	double q = d1 / d2 * f;

	return betainc_both(1 / (1 + q), isinf(q) ? 1 : q / (1 + q), d2 / 2, d1 / 2);
}

static double t_density(double t, double nu)
{
	int sign;
	double front = lgamma_r((nu + 1) / 2, &sign) - lgamma_r(nu / 2, &sign);
	return exp(front - (nu + 1) / 2 * log1p(t / nu * t)) / sqrt(nu * M_PI);
}

double ba_t_isf(double p, double nu)
{
	BA_REQUIRE(p > 0 && p < 1);
	if (p > 0.5)
		return -ba_t_isf(1 - p, nu);
	if (p == 0.5)
		return 0;
	double lo = 0, hi = 1;

	while (ba_t_sf(hi, nu) > p) {
		lo = hi;
		hi *= 2;
	}
	/* Newton's step on log p against log t, where tails are nearly straight; a
	 * bisection if the step would leave the bracket */
	double t = 0.5 * (lo + hi);
	for (int i = 0; i < BISECTIONS && lo < hi; i++) {
		double tail = ba_t_sf(t, nu);
		if (tail > p)
			lo = t;
		else
			hi = t;
		double slope = -t * t_density(t, nu) / tail;
		double next = t * exp((log(p) - log(tail)) / slope);

		if (!(next > lo && next < hi))
			next = 0.5 * (lo + hi);
		if (fabs(next - t) <= 1e-16 * t || next == lo || next == hi)
			break;
		t = next;
	}
	return t;
}

double ba_chi2_cdf(double x, double nu)
{
	BA_REQUIRE(nu > 0);
	if (x <= 0)
		return 0;
	/* The series of P(a, h). All terms are positive, so nothing cancels. For large
	 * h it is long but correct; no caller needs that. */
	double a = nu / 2, h = x / 2, term = 1 / a, sum = term;
	int sign;

	for (int n = 1; n < MAX_TERMS; n++) {
		term *= h / (a + n);
		sum += term;
		if (term < sum * 1e-17)
			break;
	}
	return fmin(1, sum * exp(a * log(h) - h - lgamma_r(a, &sign)));
}

double ba_chi2_quantile(double p, double nu)
{
	BA_REQUIRE(p > 0 && p < 1);
	double lo = 0, hi = nu;

	while (ba_chi2_cdf(hi, nu) < p)
		hi *= 2;
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = 0.5 * (lo + hi);
		if (ba_chi2_cdf(middle, nu) < p)
			lo = middle;
		else
			hi = middle;
	}
	return 0.5 * (lo + hi);
}

double ba_s_upper_factor_90(double nu)
{
	return sqrt(nu / ba_chi2_quantile(0.10, nu));
}
