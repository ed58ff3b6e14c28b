#include "verdict/decide.h"
#include "model/effect.h"

#include "verdict/estimate.h"
#include "verdict/explain.h"

typedef struct work {
	const ba_result *r;
	ba_grid grid;
	/* the tested effects of all series, which share the error rate */
	ba_decision *decisions;
	ba_effect **effects;
	size_t count;
} work;

static bool is_exact(const ba_result *r, const ba_series *s)
{
	return BA_ALL(s->comparisons, r->run.variant_count - 1, x, x->exact);
}

/* How many invocations have a value of every cell: candidates leave after a look, so these
 * are the first ones. 0: too few for a look, or the benchmark is not known in
 * every cell, or something else that was measured contradicts a cell (explain.h). */
static size_t invocations_of(const ba_result *r, const ba_series *s)
{
	size_t n = SIZE_MAX, least = r->decided.looks_done ? r->decided.design.at[0] : SIZE_MAX;
	if (s->role != BA_ROLE_VERDICT ||
		BA_ANY(s->variants, r->run.variant_count, v, v->failure || v->skipped))
		return 0;
	for (size_t c = 1; c < r->run.variant_count; c++)
		if (ba_is_withheld(r, s, c))
			return 0;
	BA_EACH (const ba_comparison, c, s->comparisons, r->run.variant_count - 1) {
		n = c->y_count < n ? c->y_count : n;
		if (BA_ANY(c->y, c->y_count, y, !isfinite(*y))) /* from or to 0 */
			return 0;
	}
	return (n >= least && n >= ba_estimate_least(s)) || is_exact(r, s) ? n : 0;
}

/* The log ratio to the baseline in invocation n. */
static double at(const ba_grid *g, const ba_series *s, size_t code, size_t environment, size_t n)
{
	size_t v = g->cell[code * g->environments + environment];
	return v ? s->comparisons[v - 1].y[n] : 0;
}

static double contrast(
	const ba_grid *g, const ba_series *s, ba_effect_of of, size_t i, size_t j, size_t n)
{
	double sum = 0;
	if (of == BA_EFFECT_OF_CODE) {
		for (size_t k = 0; k < g->environments; k++)
			sum += at(g, s, i, k, n) - at(g, s, 0, k, n);
		return sum / (double)g->environments;
	}
	if (of == BA_EFFECT_OF_ENVIRONMENT) {
		for (size_t k = 0; k < g->codes; k++)
			sum += at(g, s, k, j, n) - at(g, s, k, 0, n);
		return sum / (double)g->codes;
	}
	double in_first = of == BA_EFFECT_OF_BOTH ? at(g, s, i, 0, n) : 0;
	return at(g, s, i, j, n) - at(g, s, 0, j, n) - in_first;
}

static ba_decision decide(const ba_result *r, const ba_series *s, const ba_effect *e)
{
	const ba_comparison *c = &e->comparison;
	const ba_design *design = &r->decided.design;
	/* of both, a difference of two differences */
	double s_floor = s->s_floor * (e->of == BA_EFFECT_OF_BOTH ? sqrt(2) : 1);
	const ba_policy policy = ba_policy_of(r, s_floor);
	ba_decision d;
	ba_decision_init(&d, c->threshold_slower, c->threshold_faster);
	if (is_exact(r, s))
		ba_decision_settle(&d, c->y[0], c->y_count);
	for (size_t k = 0; k < r->decided.looks_done && design->at[k] <= c->y_count; k++)
		if (design->at[k] >= ba_estimate_least(s))
			ba_decision_look(&d, &policy, design, k, c->y);
	return d;
}

static void add(work *w, ba_series *s, size_t invocations, ba_effect_of of, size_t i, size_t j)
{
	ba_effect *e = &s->effects[s->effect_count++];
	*e = (ba_effect){.of = of,
		.code = w->grid.code[i],
		.environment = w->grid.environment[j],
		.comparison = ba_comparison_open(&s->comparisons[0])};
	ba_comparison *c = &e->comparison;
	c->y = ba_xcalloc(invocations, sizeof(*c->y));
	while (c->y_count < invocations) {
		c->y[c->y_count] = contrast(&w->grid, s, of, i, j, c->y_count);
		c->y_count++;
	}
	const ba_decision d = decide(w->r, s, e);
	ba_estimate_decided(c, &d);
	c->verdict = of == BA_EFFECT_OF_CODE_WITHIN ? BA_VERDICT_REPORTED : d.verdict;
	if (c->verdict != BA_VERDICT_UNDECIDED)
		return;
	w->decisions[w->count] = d;
	w->effects[w->count++] = e;
}

static void add_all(work *w, ba_series *s)
{
	size_t n = invocations_of(w->r, s), codes = w->grid.codes, all = w->grid.environments;
	if (n)
		s->effects = ba_xcalloc(2 * codes * all, sizeof(*s->effects));
	for (int of = 0; of < BA_EFFECTS_OF && n; of++) {
		bool of_code = of != BA_EFFECT_OF_ENVIRONMENT;
		bool of_all = of == BA_EFFECT_OF_CODE, in_first = of == BA_EFFECT_OF_CODE_WITHIN;
		for (size_t i = of_code; i < (of_code ? codes : 1); i++)
			for (size_t j = !of_all && !in_first; j < (of_all ? 1 : all); j++)
				add(w, s, n, (ba_effect_of)of, i, j);
	}
}

void ba_factors_estimate(ba_result *r)
{
	/* each series has as many tested effects as candidates */
	size_t most = r->series_count * r->run.variant_count + 1;
	BA_AUTO_FREE ba_decision *decisions = ba_xcalloc(most, sizeof(*decisions));
	BA_AUTO_FREE ba_effect **effects = ba_xcalloc(most, sizeof(ba_effect *));
	work w = {r, ba_grid_of(&r->run), decisions, effects, 0};
	const ba_policy policy = ba_policy_of(r, 0);
	BA_EACH (ba_series, s, r->series, r->series_count) {
		ba_series_drop_effects(s);
		if (w.grid.codes && !ba_measured_is_combined(&r->run))
			add_all(&w, s);
	}
	if (w.count)
		ba_family_decide(decisions, w.count, w.count, &policy, true);
	for (size_t i = 0; i < w.count; i++)
		effects[i]->comparison.verdict = decisions[i].verdict;
}
