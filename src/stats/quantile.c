#include <math.h>
#include <stdlib.h>

#include "base/require.h"
#include "stats/quantile.h"

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void ba_sort(double *x, size_t n)
{
	/* visits have five readings and millions of them are sorted: no call per
	 * compare */
	if (n > 32) {
		qsort(x, n, sizeof(*x), compare_doubles);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		double value = x[i];
		size_t j = i;

		for (; j > 0 && x[j - 1] > value; j--)
			x[j] = x[j - 1];
		x[j] = value;
	}
}

double ba_trim25(double *x, size_t n)
{
	size_t cut = n / 4;

	ba_sort(x, n);
	return ba_mean(x + cut, n - 2 * cut);
}

double ba_median(double *x, size_t n)
{
	BA_REQUIRE(n > 0);
	ba_sort(x, n);
	return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

double ba_mad(double *x, size_t n)
{
	double centre = ba_median(x, n);

	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - centre);
	return ba_median(x, n);
}

double ba_quantile_sorted(const double *sorted, size_t n, double p)
{
	BA_REQUIRE(n > 0 && p >= 0 && p <= 1);
	double at = p * (double)(n - 1);
	size_t below = (size_t)floor(at);

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] +
	       (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double ba_quantile(double *x, size_t n, double p)
{
	ba_sort(x, n);
	return ba_quantile_sorted(x, n, p);
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
