#include "verdict/calibrate.h"

#include "verdict/estimate.h"
#include "stats/quantile.h"
#include "stats/student.h"

#define SURPRISE 0.01

/* ---- the noise ---- */

static double seconds_of(const ba_series *s)
{
	double sum = 0;
	for (size_t k = 0; k < s->sample_count; k++)
		sum += (double)s->samples[k].wall_ns * 1e-9;
	return s->sample_count ? sum / (double)s->sample_count : 0;
}

static bool is_usable(const ba_series *s)
{
	return s->role == BA_ROLE_VERDICT && s->comparisons[0].y_count >= 3 &&
	       s->variants[0].trimmed > 0;
}

static ba_noise noise_of(const ba_result *r, const ba_series *s, const char *plan)
{
	const ba_comparison *k = &s->comparisons[0];
	size_t n = k->y_count;
	ba_components parts = ba_estimate_components(k);
	BA_AUTO_FREE double *sorted = ba_xcalloc(n, sizeof(*sorted));
	memcpy(sorted, k->y, n * sizeof(*sorted));
	double spread = fmax(ba_stdev(k->y, n), s->s_floor);
	ba_noise noise = {.benchmark = ba_xstrdup(r->run.benchmarks[s->benchmark].id),
		.metric = s->metric,
		.engine = ba_xstrdup(ba_measured_engine(&r->run, s->benchmark)),
		.date = ba_xstrdup(r->run.started ? r->run.started : ""),
		.invocations = (unsigned)n,
		.s = spread,
		.s_upper = ba_s_upper(spread, n),
		.s1_sq = parts.s1_sq,
		.t2_sq = parts.t2_sq,
		.blocks = parts.blocks,
		.autocorrelation = ba_selftest_of(k->y, 1, n).autocorrelation,
		.bias = ba_mean(k->y, n),
		.two_speed = ba_is_two_speed(sorted, n),
		.ns = s->variants[0].trimmed,
		.tick_ns = r->run.env.timer_tick_ns,
		.seconds = seconds_of(s),
		.sm_clock_mhz = r->run.env.sm_clock_mhz,
		.memory_clock_mhz = r->run.env.memory_clock_mhz};
	memcpy(noise.plan_sha256, plan, sizeof(noise.plan_sha256));
	return noise;
}

double ba_noise_s_upper(const ba_noise *n, double blocks)
{
	double factor = n->s_upper / n->s;
	if (!(blocks > 0) || blocks >= n->blocks)
		return n->s_upper;
	/* with fewer blocks, less of the blocks' noise is averaged away */
	double more = n->s1_sq / blocks - n->s1_sq / n->blocks;
	return factor * sqrt(n->s * n->s + more);
}

bool ba_noise_is_exceeded(
	const ba_noise *n, double s, size_t invocations, double blocks, size_t count)
{
	if (invocations < 2 || count == 0)
		return false;
	double limit = ba_noise_s_upper(n, blocks), nu = (double)invocations - 1;
	double level = SURPRISE / (double)count;
	return nu * (s / limit) * (s / limit) > ba_chi2_quantile(1 - level, nu);
}

/* ---- what looks wrong ---- */

static void find_verdicts(ba_calibration *c, const ba_result *r)
{
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		ba_verdict verdict = s->comparisons[0].verdict;
		if (!is_usable(s) ||
			(!ba_verdict_is_slower(verdict) && !ba_verdict_is_faster(verdict)))
			continue;
		ba_strv_printf(&c->findings,
			"noise model suspect: %s, %s was called %s and is the same code (ratio %.4f)",
			r->run.benchmarks[s->benchmark].id, ba_metric_get(s->metric)->name,
			ba_verdict_name(verdict), s->comparisons[0].ratio);
	}
}

/* Rows of equal length: benchmarks that failed during the run are left out. */
static double *y_rows(size_t *rows, size_t *length, const ba_result *r)
{
	size_t n = 0, m = 0;
	for (size_t i = 0; i < r->series_count; i++)
		if (is_usable(&r->series[i]) && r->series[i].comparisons[0].y_count > n)
			n = r->series[i].comparisons[0].y_count;
	double *y = ba_xcalloc(r->series_count * n + 1, sizeof(*y));
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_comparison *k = &r->series[i].comparisons[0];
		if (is_usable(&r->series[i]) && k->y_count == n)
			memcpy(y + n * m++, k->y, n * sizeof(*y));
	}
	*rows = m;
	*length = n;
	return y;
}

static void find_dependence(ba_calibration *c, const ba_result *r)
{
	size_t m, n;
	BA_AUTO_FREE double *y = y_rows(&m, &n, r);
	if (m == 0)
		return;
	ba_selftest t = ba_selftest_of(y, m, n);
	if (t.role_biased)
		ba_strv_printf(&c->findings,
			"noise model suspect: the second of two equal variants is %s by %.2f standard deviations on average (%.2f could be chance): being baseline or candidate matters",
			t.role_bias > 0 ? "slower" : "faster", fabs(t.role_bias),
			t.role_bias_limit);
	if (t.autocorrelated)
		ba_strv_printf(&c->findings,
			"noise model suspect: successive invocations are not independent (autocorrelation %+.2f, %.2f could be chance): something outlives processes",
			t.autocorrelation, t.autocorrelation_limit);
}

static void find_speeds(ba_calibration *c, const ba_noise *n)
{
	if (n->two_speed)
		ba_strv_printf(&c->findings,
			"two-speed process: %s, %s has one of two ratios, chosen anew by each process; more invocations help, more blocks do not",
			n->benchmark, ba_metric_get(n->metric)->name);
}

static double start_seconds_of(const ba_result *r)
{
	double measured = 0;
	size_t most = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		size_t count = r->series[i].sample_count;
		measured += seconds_of(&r->series[i]) * (double)count;
		most = count > most ? count : most;
	}
	return most ? fmax(0, r->run.measure_seconds - measured) / (double)most : 0;
}

size_t ba_calibration_learn(ba_calibration *c, const ba_result *r, const char (*plan_sha256)[65])
{
	size_t entered = 0;
	ba_strv_dispose(&c->findings);
	memcpy(c->suite_sha256, r->run.suite_sha256, sizeof(c->suite_sha256));
	c->start_seconds = start_seconds_of(r);
	find_verdicts(c, r);
	find_dependence(c, r);
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		if (!is_usable(s))
			continue;
		ba_noise noise = noise_of(r, s, plan_sha256[s->benchmark]);
		find_speeds(c, &noise);
		ba_calibration_put(c, &noise);
		entered++;
	}
	return entered;
}
