#include "host/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/number.h"
#include "host/decide.h"
#include "host/estimate.h"
#include "stats/logratio.h"
#include "stats/planning.h"

/* ---- why ---- */

static const char *why_stopped(const ba_result *r)
{
	if (r->interrupted)
		return "it was interrupted";
	if (strcmp(r->stopped, "budget") == 0)
		return "the budget was over";
	if (strcmp(r->stopped, "fail-fast") == 0)
		return "measuring ended with the first regression";
	return NULL;
}

/* The interval is short and the estimate in the zone between D/2 and 1.25 D where
 * neither word is the right one: measuring longer is of no use. */
static bool is_near_threshold(const ba_decision *d)
{
	double size = fabs(d->ybar), limit = d->ybar > 0 ? d->d_reg : d->d_imp;
	return d->hi - d->ybar < 0.5 * limit && size > 0.5 * limit &&
	       size < 1.25 * limit;
}

static const char *why_noisy(
	const ba_series *series, const ba_decision *d, const ba_components *noise)
{
	double within = sqrt(noise->s1_sq / noise->blocks);
	if (is_near_threshold(d))
		return "the change is about as large as the threshold";
	if (series->s_floor > BA_S_FLOOR && d->s <= series->s_floor)
		return "the timer is too coarse for readings this short";
	if (within > 0.7 * d->s)
		return "the noise within an invocation is too large";
	return "invocations differ too much from each other";
}

/* "the mean moved by +40 % and the typical time did not"; NULL: it did not */
static char *mean_of(const ba_decision *d)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!ba_decision_mean_is_slower(d) && !ba_decision_mean_is_faster(d))
		return NULL;
	ba_buf_puts(&text, "the mean moved by ");
	ba_percent_put(&text, exp(d->mean.zbar),
		ba_percent_decimals(exp(d->mean.lo), exp(d->mean.hi)));
	ba_buf_puts(&text, " and the typical time by ");
	ba_percent_put(
		&text, exp(d->ybar), ba_percent_decimals(exp(d->lo), exp(d->hi)));
	return ba_buf_detach(&text);
}

/* Not noise but too few invocations, too many benchmarks, or the mean; NULL: none of
 * them. Documents of earlier revisions said none of it. */
static char *why_not_shown(
	const ba_result *r, const ba_series *series, const ba_decision *d)
{
	ba_policy policy = ba_policy_of(r, series->s_floor);
	ba_design design = ba_design_of(r);
	BA_AUTO_FREE char *mean = mean_of(d);
	const char *moved = mean ? mean : "", *and = mean ? ", and " : "";
	size_t m = r->family_size;
	if (!ba_estimate_has_means(r))
		return NULL;
	switch (ba_decision_obstacle(d, &policy, &design, m)) {
	case BA_OBSTACLE_INVOCATIONS:
		return m == 1 ? ba_xprintf(
					"%s%s%zu invocations are too few to confirm it",
					moved, and, d->invocations)
			      : ba_xprintf(
					"%s%s%zu invocations are too few to confirm a change in one of %zu comparisons",
					moved, and, d->invocations, m);
	case BA_OBSTACLE_FAMILY:
		return ba_xprintf(
			"%s%s%zu comparisons share the error rate: alone, this one would be conclusive",
			moved, and, m);
	case BA_OBSTACLE_MEAN:
		return ba_xprintf(
			"%s, but invocations differ too much to confirm it", moved);
	case BA_OBSTACLE_NOISE:
		break;
	}
	return NULL;
}

static char *reason_of(const ba_result *r, const ba_series *series,
	const ba_decision *d, const ba_components *noise)
{
	const char *stopped = why_stopped(r);
	if (!d->invocations)
		return ba_xprintf("%s before the first look",
			stopped ? stopped : "measuring ended");
	BA_AUTO_FREE char *shown = why_not_shown(r, series, d);
	const char *why = shown ? shown : why_noisy(series, d, noise);
	return stopped ? ba_xprintf("%s, and %s", stopped, why) : ba_xstrdup(why);
}

void ba_explain_mean(ba_comparison *k)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int decimals = ba_percent_decimals(k->mean_low, k->mean_high);
	ba_buf_puts(&text, "the mean changed by ");
	ba_percent_put(&text, k->mean_ratio, decimals);
	ba_buf_puts(&text, " (");
	ba_percent_interval_put(&text, k->mean_low, k->mean_high, decimals);
	ba_buf_puts(&text, "), the typical time by ");
	ba_percent_put(&text, k->ratio, ba_percent_decimals(k->low, k->high));
	ba_buf_puts(&text, k->verdict == BA_VERDICT_TAIL_REGRESSED
				   ? ": some readings are much slower"
				   : ": fewer readings are slow");
	free(k->reason);
	k->reason = ba_buf_detach(&text);
}

/* ---- what would decide it ---- */

static unsigned invocations_of(const ba_result *r)
{
	unsigned most = 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t k = 0; k < r->series[i].sample_count; k++)
			if (r->series[i].samples[k].invocation >= most)
				most = r->series[i].samples[k].invocation + 1;
	return most;
}

static double wall_seconds_of(const ba_series *series)
{
	double sum = 0;
	for (size_t k = 0; k < series->sample_count; k++)
		sum += (double)series->samples[k].wall_ns * 1e-9;
	return sum;
}

void ba_pace_of(ba_pace *out, const ba_result *r)
{
	double all = 0;
	unsigned invocations = invocations_of(r);
	BA_AUTO_FREE size_t *most = ba_xcalloc(r->benchmark_count + 1, sizeof(*most));
	double *seconds = ba_xcalloc(r->benchmark_count + 1, sizeof(*seconds));
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		double wall = wall_seconds_of(s);
		all += wall;
		seconds[s->benchmark] += wall;
		if (s->sample_count > most[s->benchmark])
			most[s->benchmark] = s->sample_count;
	}
	double start =
		invocations ? fmax(0, r->measure_seconds - all) / invocations : NAN;
	for (size_t b = 0; b < r->benchmark_count; b++)
		seconds[b] = most[b] ? start + seconds[b] / (double)most[b] : NAN;
	*out = (ba_pace){seconds};
}

void ba_pace_dispose(ba_pace *p)
{
	free(p->seconds);
	*p = (ba_pace){0};
}

static char *time_text(double seconds)
{
	if (!(seconds > 0) || !isfinite(seconds))
		return ba_xstrdup("");
	if (seconds < 10)
		return ba_xprintf(", %.1f s,", seconds);
	if (seconds < 120)
		return ba_xprintf(", %.0f s,", seconds);
	return ba_xprintf(", %.0f min,", seconds / 60);
}

static char *hint_of(const ba_result *r, const ba_series *series, const ba_decision *d,
	const ba_pace *pace)
{
	ba_policy policy = ba_policy_of(r, series->s_floor);
	ba_design full = ba_design_sequential();
	double level =
		ba_multiple_level(0, r->family_size, r->alpha, policy.multiplicity);
	if (d->invocations == 0)
		return NULL;
	if (is_near_threshold(d))
		return ba_xstrdup(
			"a --threshold that is not as large as the change would decide it");
	size_t need = ba_decision_forecast(d, &policy, &full, level);
	if (need <= d->invocations)
		return ba_xprintf(
			"more than %zu invocations would be needed: a quieter machine or a larger --threshold helps",
			ba_design_last(&full));
	size_t more = need - d->invocations;
	BA_AUTO_FREE char *time =
		time_text((double)more * pace->seconds[series->benchmark]);
	return ba_xprintf("about %zu more invocations%s would decide it", more, time);
}

void ba_explain_inconclusive(ba_comparison *k, const ba_result *r,
	const ba_series *series, const ba_decision *d, const ba_pace *pace)
{
	ba_components noise = ba_estimate_components(k);
	free(k->reason);
	free(k->hint);
	k->reason = reason_of(r, series, d, &noise);
	k->hint = hint_of(r, series, d, pace);
}

/* ---- the run as a whole ---- */

static bool is_unsteady(const ba_comparison *k)
{
	const ba_placebo placebo = {.drift_log = k->drift_per_block};
	double threshold = fmin(k->threshold_slower, k->threshold_faster);
	return k->y_count && threshold > 0 &&
	       ba_placebo_is_unsteady(&placebo, log1p(threshold));
}

/* Half a per cent of clock is half a per cent of a kernel's time. */
#define CLOCKS_DIFFER 0.005

/* How much faster the multiprocessors ran for that candidate than for the baseline. */
static double clock_gain(const ba_series *series, size_t candidate)
{
	double base = series->variants[0].sm_mhz;
	double mine = series->variants[candidate].sm_mhz;
	return base > 0 && mine > 0 ? mine / base - 1 : 0;
}

static void explain_clocks(ba_result *r)
{
	const ba_series *worst = NULL;
	size_t who = 0;
	double most = CLOCKS_DIFFER;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c < r->variant_count; c++) {
			const ba_series *series = &r->series[i];
			double gain = fabs(clock_gain(series, c));
			if (series->role != BA_ROLE_VERDICT || gain <= most)
				continue;
			most = gain;
			worst = series;
			who = c;
		}
	if (!worst)
		return;
	double gain = clock_gain(worst, who);
	ba_strv_push_take(&r->notes,
		ba_xprintf(
			"the GPU's clock was %.2g %% %s for %s than for %s in %s: what draws more power or less is clocked otherwise, and that is part of the difference",
			100 * fabs(gain), gain > 0 ? "higher" : "lower",
			r->variants[who].label, r->variants[0].label,
			r->benchmarks[worst->benchmark].id));
}

static void explain_drift(ba_result *r)
{
	const ba_series *worst = NULL;
	double drift = 0;
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *series = &r->series[i];
		bool any = false;
		if (series->role != BA_ROLE_VERDICT)
			continue;
		for (size_t c = 0; c + 1 < r->variant_count; c++) {
			const ba_comparison *k = &series->comparisons[c];
			if (!is_unsteady(k))
				continue;
			any = true;
			if (fabs(k->drift_per_block) > fabs(drift)) {
				drift = k->drift_per_block;
				worst = series;
			}
		}
		count += any;
	}
	if (!worst)
		return;
	ba_strv_push_take(&r->notes,
		ba_xprintf(
			"clocks not steady: within a block of %s the same code became %.2g %% %s, more than half the threshold%s; turns cancel a steady drift, not a jump",
			r->benchmarks[worst->benchmark].id, 100 * fabs(expm1(drift)),
			drift > 0 ? "slower" : "faster",
			count > 1 ? " (and of others)" : ""));
}

void ba_explain_run(ba_result *r)
{
	explain_drift(r);
	explain_clocks(r);
}
