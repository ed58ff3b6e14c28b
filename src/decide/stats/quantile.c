#include "base/base.h"
#include "stats/quantile.h"

double ba_trim25(double *x, size_t n)
{
	size_t cut = n / 4;
	ba_sort_doubles(x, n);
	return ba_mean(x + cut, n - 2 * cut);
}

void ba_shares_of(double *out, size_t n, const double *sorted, size_t count)
{
	BA_REQUIRE(n > 0 && count > 0);
	/* a value is divided into n parts, and a share has `count` of them */
	size_t at = 0, left = n;

	for (size_t i = 0; i < n; i++) {
		double sum = 0;
		for (size_t need = count, part; need; need -= part) {
			part = left < need ? left : need;
			sum += (double)part * sorted[at];
			left -= part;
			at += left == 0;
			left = left ? left : n;
		}
		out[i] = sum / (double)count;
	}
}

double ba_median(double *x, size_t n)
{
	BA_REQUIRE(n > 0);
	ba_sort_doubles(x, n);
	return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

double ba_quantile_sorted(const double *sorted, size_t n, double p)
{
	BA_REQUIRE(n > 0 && p >= 0 && p <= 1);
	double at = p * (double)(n - 1);
	size_t below = (size_t)floor(at);

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double ba_mean(const double *x, size_t n)
{
	BA_REQUIRE(n > 0);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

double ba_variance(const double *x, size_t n)
{
	double mean = ba_mean(x, n), sum = 0;
	if (n < 2)
		return 0;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (double)(n - 1);
}

double ba_stdev(const double *x, size_t n)
{
	return sqrt(ba_variance(x, n));
}

double ba_hodges_lehmann(const double *x, size_t n)
{
	BA_REQUIRE(n > 0);
	BA_AUTO_FREE double *averages = ba_xreallocarray(NULL, n * (n + 1) / 2, sizeof(*averages));
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			averages[used++] = 0.5 * (x[i] + x[j]);
	return ba_median(averages, used);
}
