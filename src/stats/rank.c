#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/require.h"
#include "base/sort.h"
#include "stats/quantile.h"
#include "stats/rank.h"

/* all (x_i + x_j)/2, i <= j, ascending; the caller frees */
static double *walsh_averages(size_t *count, const double *x, size_t n)
{
	double *averages = ba_xreallocarray(NULL, n * (n + 1) / 2, sizeof(*averages));
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			averages[used++] = 0.5 * (x[i] + x[j]);
	ba_sort_doubles(averages, used);
	*count = used;
	return averages;
}

static double middle_of_sorted(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

double ba_hodges_lehmann(const double *x, size_t n)
{
	BA_REQUIRE(n > 0);
	size_t count;
	BA_AUTO_FREE double *averages = walsh_averages(&count, x, n);

	return middle_of_sorted(averages, count);
}

/* P(W = s) for s = 0 .. n(n+1)/2 under the null; the caller frees */
static double *signed_rank_law(size_t n)
{
	size_t top = n * (n + 1) / 2, reached = 0;
	double *law = ba_xcalloc(top + 1, sizeof(*law));

	law[0] = 1;
	for (size_t rank = 1; rank <= n; rank++) {
		reached += rank;
		for (size_t s = reached + 1; s-- > 0;)
			law[s] = 0.5 * law[s] + (s >= rank ? 0.5 * law[s - rank] : 0);
	}
	return law;
}

typedef struct ranked {
	double size;
	bool positive;
} ranked;

static int compare_sizes(const void *a, const void *b)
{
	double x = ((const ranked *)a)->size, y = ((const ranked *)b)->size;

	return (x > y) - (x < y);
}

static double positive_rank_sum(const double *x, size_t n)
{
	BA_AUTO_FREE ranked *r = ba_xreallocarray(NULL, n, sizeof(*r));
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		r[i] = (ranked){.size = fabs(x[i]), .positive = x[i] > 0};
	qsort(r, n, sizeof(*r), compare_sizes);
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;

		while (end < n && r[end].size == r[i].size)
			end++;
		for (size_t j = i; j < end; j++)
			if (r[j].positive)
				sum += 0.5 * (double)(i + 1 + end);
		i = end;
	}
	return sum;
}

ba_wilcoxon ba_wilcoxon_of(const double *x, size_t n)
{
	BA_REQUIRE(n > 0 && n <= 1000);
	BA_AUTO_FREE double *law = signed_rank_law(n);
	ba_wilcoxon w = {.statistic = positive_rank_sum(x, n)};

	for (size_t s = (size_t)ceil(w.statistic); s <= n * (n + 1) / 2; s++)
		w.p_greater += law[s];
	return w;
}

ba_rank_interval ba_rank_interval_of(const double *x, size_t n, double alpha)
{
	BA_REQUIRE(n > 0 && n <= 1000);
	size_t count, cut = 0;
	BA_AUTO_FREE double *averages = walsh_averages(&count, x, n);
	BA_AUTO_FREE double *law = signed_rank_law(n);
	ba_rank_interval interval = {
		-INFINITY, middle_of_sorted(averages, count), INFINITY};

	/* the most averages that can be cut off each end: P(W < cut) <= alpha/2 */
	for (double below = law[0]; below <= alpha / 2; below += law[cut])
		cut++;
	if (cut == 0)
		return interval;
	interval.lo = averages[cut - 1];
	interval.hi = averages[count - cut];
	return interval;
}
