#include "stats/places.h"

#include "stats/quantile.h"
#include "stats/student.h"

static void pool_one(ba_pooled *out, const double *y, size_t n, double s_floor)
{
	*out = (ba_pooled){.p_agree = 1};
	if (n < 2)
		return;
	out->n = n;
	out->places = 1;
	out->mean = ba_mean(y, n);
	out->s = fmax(ba_stdev(y, n), s_floor);
	out->se = out->s / sqrt((double)n);
	out->nu = (double)n - 1;
}

size_t ba_values_at(double *out, const double *y, const unsigned *at, size_t n, unsigned place)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (at[i] == place)
			out[count++] = y[i];
	return count;
}

/* Sums over the places. */
typedef struct sums {
	double means;	 /* sum of the means of the places */
	double total;	 /* of all values */
	double squares;	 /* within places */
	double inverse;	 /* sum of 1 / n_p */
	double weighted; /* of n_p mean_p^2 */
} sums;

static void add_place(ba_pooled *out, sums *t, const double *x, size_t n)
{
	double mean = ba_mean(x, n);
	out->places++;
	out->n += n;
	t->means += mean;
	t->total += mean * (double)n;
	t->squares += ba_variance(x, n) * ((double)n - 1);
	t->inverse += 1 / (double)n;
	t->weighted += mean * mean * (double)n;
}

void ba_pool(ba_pooled *out, const double *y, const unsigned *at, size_t n, size_t places,
	double s_floor)
{
	BA_AUTO_FREE double *x = ba_xcalloc(n + 1, sizeof(*x));
	ba_pooled all = {.p_agree = 1};
	sums t = {0};
	for (unsigned p = 0; at && p < places; p++) {
		size_t here = ba_values_at(x, y, at, n, p);
		if (here)
			add_place(&all, &t, x, here);
	}
	if (all.places < 2) {
		pool_one(out, y, n, s_floor);
		return;
	}
	*out = (ba_pooled){.p_agree = 1};
	double g = (double)all.places, count = (double)all.n;
	if (all.n <= all.places)
		return;
	double between = (t.weighted - t.total * t.total / count) / (g - 1);
	all.mean = t.means / g;
	all.nu = count - g;
	all.s = fmax(sqrt(t.squares / all.nu), s_floor);
	all.se = all.s / g * sqrt(t.inverse);
	all.p_agree = ba_f_sf(fmax(between, 0) / (all.s * all.s), g - 1, all.nu);
	*out = all;
}
