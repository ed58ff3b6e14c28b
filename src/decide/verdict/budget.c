#include "verdict/explain.h"

#include "verdict/estimate.h"

ba_bought ba_budget_plan(const ba_costs *c)
{
	size_t first = c->design->at[0];
	double left = fmax(c->budget_ns - c->spent_ns, 0), next = fmax(c->next_ns, 1);
	ba_bought b = {.invocations = c->done + (size_t)fmin(floor(left / next), 1e6)};
	b.enough_ns = c->spent_ns + next * (double)(first > c->done ? first - c->done : 0);
	if (c->aims && b.invocations < first)
		b.invocations = first;
	size_t looks = ba_design_looks_within(c->design, b.invocations);
	if (!looks)
		return b;
	b.invocations = c->design->at[looks - 1];
	if (c->s > 0 && c->family && b.invocations >= BA_PLANNED_LEAST)
		b.change = ba_minimum_detectable(c->theta, c->s, c->family, b.invocations);
	return b;
}

char *ba_budget_text(const ba_costs *c)
{
	ba_bought b = ba_budget_plan(c);
	double s = (c->aims ? fmax(c->budget_ns, b.enough_ns) : c->budget_ns) * 1e-9;
	BA_AUTO_FREE char *time = s < 120 ? ba_xprintf("%.3g s", s)
					  : ba_xprintf(s < 6e4 ? "%.3g min" : "%.0f min", s / 60);
	if (b.invocations < c->design->at[0])
		return ba_xprintf(
			"%zu of the %zu invocations that a verdict needs fit into %s; --budget %.0fs is about enough",
			b.invocations, c->design->at[0], time, ceil(b.enough_ns * 1e-9));
	if (!(b.change > 0) || !isfinite(b.change))
		return ba_xprintf("about %zu invocations in %s", b.invocations, time);
	return ba_xprintf("about %zu invocations in %s, enough for changes of %.2g %%",
		b.invocations, time, 100 * b.change);
}

/* The suggested budget: a tenth more than the run needs, rounded up to ten seconds. */
#define SURE 1.1
#define STEP_SECONDS 10

char *ba_budget_more(const ba_result *r, const ba_prospect *p)
{
	double seconds = r->run.measure_seconds + r->run.spent.survey;
	double longer = seconds + p->more * p->seconds;
	BA_AUTO_FREE char *text = ba_xprintf(
		"without --budget a run on a terminal ends after about a minute for 25 comparisons; this one took %.0f s and left %zu %s inconclusive",
		seconds, p->open, ba_plural(p->open, "comparison", "comparisons"));
	if (!p->settled || !isfinite(longer))
		return ba_xstrdup(text);
	return ba_xprintf("%s: %s --budget %.0fs would settle about %zu of them", text,
		r->run.command_line && *r->run.command_line ? r->run.command_line : "bench-against",
		STEP_SECONDS * ceil(SURE * longer / STEP_SECONDS), p->settled);
}

typedef struct noise {
	double s_sq, theta;
} noise;

BA_DEFINE_ORDER(by_noise, noise, BA_ORDER(a->s_sq, b->s_sq))

/* the median of the variance of two values, relative to its expectation */
#define MEDIAN_OF_TWO 0.4549

void ba_costs_learn(ba_costs *c, const ba_result *r)
{
	size_t candidates = r->run.variant_count - 1, n = 0;
	BA_AUTO_FREE noise *all = ba_xcalloc(r->series_count * candidates + 1, sizeof(*all));
	for (size_t i = 0; i < r->series_count * candidates; i++) {
		const ba_series *series = &r->series[i / candidates];
		const ba_comparison *k = &series->comparisons[i % candidates];
		if (series->role != BA_ROLE_VERDICT || k->y_count < 2)
			continue;
		ba_components parts = ba_estimate_components(k);
		double between = parts.s2_sq / (k->y_count == 2 ? MEDIAN_OF_TWO : 1);
		all[n].s_sq = fmax(between, parts.s1_sq / parts.blocks);
		all[n++].theta = fmin(k->threshold_slower, k->threshold_faster);
	}
	qsort(all, n, sizeof(*all), by_noise);
	c->family = r->decided.family_size;
	c->s = n ? sqrt(all[n / 2].s_sq) : 0;
	c->theta = n ? all[n / 2].theta : 0;
}
