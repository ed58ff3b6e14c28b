#include "stats/layouts.h"
#include "stats/logratio.h"
#include "stats/quantile.h"
#include "stats/student.h"

double ba_visit_value(double *readings, size_t n)
{
	return log(ba_trim25(readings, n));
}

/* A time is never 0; a count may be. */
static double value_of(const ba_readings *r, size_t i)
{
	return r->ns[i] ? (double)r->ns[i] / r->batch : BA_ZERO_VALUE;
}

void ba_visits_of(double *v, const ba_readings *r)
{
	BA_AUTO_FREE double *visit = ba_xreallocarray(NULL, r->readings, sizeof(*visit));
	for (size_t i = 0; i < r->blocks * r->positions; i++) {
		for (size_t j = 0; j < r->readings; j++)
			visit[j] = value_of(r, i * r->readings + j);
		v[i] = ba_visit_value(visit, r->readings); /* they are sorted from here on */
		if (r->least)
			v[i] = log(visit[0]);
	}
}

double ba_block_contrast(const double *v, const unsigned char *order, size_t positions,
	unsigned baseline, unsigned candidate)
{
	double sum[2] = {0, 0};
	size_t visits[2] = {0, 0};
	for (size_t i = 0; i < positions; i++) {
		/* not "else if": the baseline against itself is 0, not 0 / 0 */
		if (order[i] == baseline) {
			sum[0] += v[i];
			visits[0]++;
		}
		if (order[i] == candidate) {
			sum[1] += v[i];
			visits[1]++;
		}
	}
	BA_REQUIRE(visits[0] > 0 && visits[1] > 0);
	return sum[1] / (double)visits[1] - sum[0] / (double)visits[0];
}

ba_logratio ba_logratio_of_visits(
	const double *v, const ba_readings *r, unsigned baseline, unsigned candidate)
{
	BA_REQUIRE(r->blocks > 0);
	BA_AUTO_FREE double *d = ba_xreallocarray(NULL, r->blocks, sizeof(*d));
	ba_logratio result = {.blocks = r->blocks};

	for (size_t b = 0; b < r->blocks; b++)
		d[b] = ba_block_contrast(v + b * r->positions, r->order + b * r->positions,
			r->positions, baseline, candidate);
	result.y = ba_layouts_level(&result.s1_sq, d, r->blocks, 1, r->layouts);
	return result;
}

/* the readings of both, ns per launch; those of the baseline come first */
static size_t readings_of_both(
	double *x, size_t *base_count, const ba_readings *r, unsigned baseline, unsigned candidate)
{
	size_t visits = r->blocks * r->positions, n = 0;
	for (int side = 0; side < 2; side++) {
		unsigned who = side ? candidate : baseline;
		for (size_t i = 0; i < visits; i++)
			for (size_t j = 0; r->order[i] == who && j < r->readings; j++)
				x[n++] = value_of(r, i * r->readings + j);
		if (side == 0)
			*base_count = n;
	}
	return n;
}

static double capped_mean(const double *x, size_t n, double cap)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += fmin(x[i], cap);
	return sum / (double)n;
}

double ba_mean_logratio_of(const double *x, size_t base_count, size_t n, double cut)
{
	size_t capped = (size_t)(cut * (double)n);
	double cap = INFINITY;
	BA_REQUIRE(base_count > 0 && n > base_count);
	if (capped > 0) {
		BA_AUTO_FREE double *sorted = ba_xreallocarray(NULL, n, sizeof(*x));
		memcpy(sorted, x, n * sizeof(*x));
		ba_sort_doubles(sorted, n);
		cap = sorted[n - 1 - capped];
	}
	return log(capped_mean(x + base_count, n - base_count, cap)) -
	       log(capped_mean(x, base_count, cap));
}

double ba_mean_logratio(const ba_readings *r, unsigned baseline, unsigned candidate, double cut)
{
	size_t most = 2 * r->blocks * r->positions * r->readings, base_count = 0;
	BA_AUTO_FREE double *x = ba_xreallocarray(NULL, most + 1, sizeof(*x));
	size_t n = readings_of_both(x, &base_count, r, baseline, candidate);
	return ba_mean_logratio_of(x, base_count, n, cut);
}

/* Copies one participant's visits, block by block; returns how many. */
static size_t visits_of(double *out, const double *v, const ba_readings *r, unsigned participant)
{
	size_t used = 0;
	for (size_t i = 0; i < r->blocks * r->positions; i++)
		if (r->order[i] == participant)
			out[used++] = v[i];
	return used;
}

double ba_level_of_visits(const double *v, const ba_readings *r, unsigned participant)
{
	size_t visits = r->blocks * r->positions;
	BA_AUTO_FREE double *mine = ba_xreallocarray(NULL, visits + 1, sizeof(*mine));
	size_t used = visits_of(mine, v, r, participant);
	double variance;
	if (!used || r->layouts < 2 || used % r->blocks)
		return used ? ba_trim25(mine, used) : NAN;
	return ba_layouts_level(&variance, mine, r->blocks, used / r->blocks, r->layouts);
}

bool ba_layout_variance_of_visits(
	double *out, const double *v, const ba_readings *r, unsigned participant)
{
	size_t visits = r->blocks * r->positions;
	BA_AUTO_FREE double *mine = ba_xreallocarray(NULL, visits + 1, sizeof(*mine));
	size_t used = visits_of(mine, v, r, participant);
	return used && used % r->blocks == 0 &&
	       ba_layouts_variance(out, mine, r->blocks, used / r->blocks, r->layouts);
}

double ba_level_of(const ba_readings *r, unsigned participant)
{
	size_t visits = r->blocks * r->positions;
	BA_AUTO_FREE double *v = ba_xreallocarray(NULL, visits + 1, sizeof(*v));
	ba_visits_of(v, r);
	return ba_level_of_visits(v, r, participant);
}

ba_distribution ba_distribution_of(double *x, size_t n)
{
	ba_distribution s = {.count = n};
	if (n == 0)
		return s;
	s.mean = ba_mean(x, n);
	s.stdev = ba_stdev(x, n);
	s.trimmed = ba_trim25(x, n);
	s.min = x[0];
	s.median = ba_quantile_sorted(x, n, 0.5);
	s.iqr = ba_quantile_sorted(x, n, 0.75) - ba_quantile_sorted(x, n, 0.25);
	s.p95 = ba_quantile_sorted(x, n, 0.95);
	s.p99 = ba_quantile_sorted(x, n, 0.99);
	s.max = x[n - 1];
	return s;
}

bool ba_shape_changed(const double *d, size_t n, double threshold_log)
{
	if (n < 2)
		return false;
	double mean = fabs(ba_mean(d, n));
	double error = ba_stdev(d, n) / sqrt((double)n);
	return mean > threshold_log && mean > ba_t_isf(0.005, (double)(n - 1)) * error;
}

double ba_placebo_drift(
	const double *v, const unsigned char *order, size_t blocks, size_t positions)
{
	double total = 0;
	size_t contrasts = 0;
	for (size_t early = 0; early < positions / 2; early++)
		for (size_t b = 0; b < blocks; b++) {
			size_t from = b * positions + early, to = (b + 1) * positions - 1 - early;
			if (order[from] != order[to])
				continue;
			total += 0.5 * (v[to] - v[from]);
			contrasts++;
		}
	return contrasts ? total / (double)contrasts : 0;
}
