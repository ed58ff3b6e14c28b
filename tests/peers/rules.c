#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/sort.h"
#include "rules.h"
#include "stats/quantile.h"
#include "stats/student.h"

static int sign_of(double x)
{
	return (x > 0) - (x < 0);
}

static double change(const double *a, size_t na, const double *b, size_t nb)
{
	return ba_mean(b, nb) / ba_mean(a, na) - 1;
}

int peer_seed_5(const double *a, size_t na, const double *b, size_t nb)
{
	double x = change(a, na, b, nb);

	return fabs(x) > 0.05 ? sign_of(x) : 0;
}

int peer_seed_1(const double *a, size_t na, const double *b, size_t nb)
{
	double x = change(a, na, b, nb);

	return fabs(x) > 0.01 ? sign_of(x) : 0;
}

int peer_seed_sd(const double *a, size_t na, const double *b, size_t nb)
{
	double spread = ba_stdev(a, na) + ba_stdev(b, nb);

	if (fabs(ba_mean(b, nb) - ba_mean(a, na)) <= spread)
		return 0;
	return peer_seed_1(a, na, b, nb);
}

typedef struct ranked {
	double x;
	int of_b;
} ranked;

static int compare_ranked(const void *p, const void *q)
{
	double x = ((const ranked *)p)->x, y = ((const ranked *)q)->x;

	return (x > y) - (x < y);
}

/* U of b: how often a value of b exceeds one of a, ties half; ties = sum of t^3 - t */
static double u_statistic(double *ties, const double *a, size_t na, const double *b, size_t nb)
{
	size_t n = na + nb;
	BA_AUTO_FREE ranked *r = ba_xreallocarray(NULL, n, sizeof(*r));
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		r[i] = (ranked){i < na ? a[i] : b[i - na], i >= na};
	qsort(r, n, sizeof(*r), compare_ranked);
	*ties = 0;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && r[end].x == r[i].x;)
			end++;
		double t = (double)(end - i);

		*ties += t * t * t - t;
		for (size_t j = i; j < end; j++)
			sum += r[j].of_b * 0.5 * (double)(i + 1 + end);
	}
	return sum - 0.5 * (double)nb * (double)(nb + 1);
}

/* P(U >= u) by Mann and Whitney's recursion over the counts of arrangements */
static double u_exact_tail(double u, size_t na, size_t nb)
{
	size_t top = na * nb;
	BA_AUTO_FREE double *ways = ba_xcalloc((nb + 1) * (top + 1), sizeof(*ways));
	double total = 0, tail = 0;

	ways[0] = 1;
	/* choose nb of the ranks 0 .. na+nb-1; the sum less 0+..+nb-1 is U */
	for (size_t rank = 0; rank < na + nb; rank++)
		for (size_t k = rank < nb ? rank + 1 : nb; k > 0; k--)
			for (size_t s = top + 1; s-- > 0;) {
				size_t add = rank - (k - 1);
				if (add <= s)
					ways[k * (top + 1) + s] +=
						ways[(k - 1) * (top + 1) + s - add];
			}
	for (size_t s = 0; s <= top; s++) {
		total += ways[nb * (top + 1) + s];
		if ((double)s >= u)
			tail += ways[nb * (top + 1) + s];
	}
	return tail / total;
}

/* P(Z > z) */
static double normal_tail(double z)
{
	return 0.5 * erfc(z * M_SQRT1_2);
}

double peer_u_test(const double *a, size_t na, const double *b, size_t nb, int asymptotic)
{
	double ties, n = (double)(na + nb), middle = 0.5 * (double)na * (double)nb;
	double u = u_statistic(&ties, a, na, b, nb);

	if (!asymptotic && ties == 0 && na <= 50 && nb <= 50)
		return fmin(1, 2 * u_exact_tail(fmax(u, 2 * middle - u), na, nb));
	double variance = middle / 6 * (n + 1 - ties / (n * (n - 1)));

	if (variance <= 0)
		return 1;
	return fmin(1, 2 * normal_tail((fabs(u - middle) - 0.5) / sqrt(variance)));
}

static int u_rule(const double *a, size_t na, const double *b, size_t nb, int asymptotic)
{
	if (peer_u_test(a, na, b, nb, asymptotic) >= 0.05)
		return 0;
	return sign_of(ba_mean(b, nb) - ba_mean(a, na));
}

int peer_google(const double *a, size_t na, const double *b, size_t nb)
{
	return u_rule(a, na, b, nb, 1);
}

int peer_benchstat(const double *a, size_t na, const double *b, size_t nb)
{
	return u_rule(a, na, b, nb, 0);
}

/* Criterion bootstraps both; Welch's t and the delta method decide alike in 99 of 100
 */
int peer_criterion(const double *a, size_t na, const double *b, size_t nb)
{
	double ma = ba_mean(a, na), mb = ba_mean(b, nb);
	double va = ba_variance(a, na) / (double)na, vb = ba_variance(b, nb) / (double)nb;
	double nu =
		(va + vb) * (va + vb) / (va * va / ((double)na - 1) + vb * vb / ((double)nb - 1));
	double x = mb / ma - 1, se = sqrt(vb + va * mb * mb / (ma * ma)) / ma;

	if (va + vb == 0 || 2 * ba_t_sf(fabs(mb - ma) / sqrt(va + vb), nu) >= 0.05)
		return 0;
	return fabs(x) - 1.959963984540054 * se > 0.01 ? sign_of(x) : 0;
}

int peer_nvbench(const double *a, size_t na, const double *b, size_t nb)
{
	double noise = fmin(ba_stdev(a, na) / ba_mean(a, na), ba_stdev(b, nb) / ba_mean(b, nb));
	double x = change(a, na, b, nb);

	return fabs(x) > noise ? sign_of(x) : 0;
}

static double quartile3(const double *x, size_t n)
{
	BA_AUTO_FREE double *copy = ba_xreallocarray(NULL, n, sizeof(*copy));

	memcpy(copy, x, n * sizeof(*copy));
	ba_sort_doubles(copy, n);
	return ba_quantile_sorted(copy, n, 0.75);
}

static double least(const double *x, size_t n)
{
	double m = x[0];

	for (size_t i = 1; i < n; i++)
		m = fmin(m, x[i]);
	return m;
}

int peer_nvbench_robust(const double *a, size_t na, const double *b, size_t nb)
{
	if (least(b, nb) > 1.005 * quartile3(a, na))
		return 1;
	return 1.005 * quartile3(b, nb) < least(a, na) ? -1 : 0;
}

int peer_tango(const double *a, size_t na, const double *b, size_t nb)
{
	size_t n = na < nb ? na : nb;
	BA_AUTO_FREE double *d = ba_xreallocarray(NULL, n, sizeof(*d));

	for (size_t i = 0; i < n; i++)
		d[i] = b[i] - a[i];
	double mean = ba_mean(d, n), se = ba_stdev(d, n) / sqrt((double)n);

	if (fabs(mean) < 2.6 * se || fabs(mean) <= 0.01 * ba_mean(a, n))
		return 0;
	return sign_of(mean);
}

double peer_t_mixture(const double *y, size_t n, double null, double c2)
{
	double nu = (double)n - 1, shrink = c2 / ((double)n + c2);
	double t = (ba_mean(y, n) - null) / (ba_stdev(y, n) / sqrt((double)n));

	return 0.5 * log(shrink) +
	       0.5 * (double)n * (log1p(t * t / nu) - log1p(shrink * t * t / nu));
}
