#include "verdict/estimate.h"

#include "stats/combine.h"

unsigned *ba_origin_groups_of(const ba_result *r, const ba_comparison *c)
{
	if (!c->origin || ba_origins_places(r->run.origins, r->run.origin_count) < 2)
		return NULL;
	unsigned *at = ba_xcalloc(c->y_count + 1, sizeof(*at));
	for (size_t i = 0; i < c->y_count; i++)
		at[i] = r->run.origins[c->origin[i]].place;
	return at;
}

static ba_verdict verdict_at(const ba_decision *d, const ba_place_decision *p)
{
	if (!ba_decision_places_differ(d))
		return d->verdict == BA_VERDICT_UNDECIDED ? BA_VERDICT_INCONCLUSIVE : d->verdict;
	if (p->slower || p->faster)
		return p->slower ? BA_VERDICT_REGRESSED : BA_VERDICT_IMPROVED;
	return p->unchanged ? BA_VERDICT_UNCHANGED : BA_VERDICT_INCONCLUSIVE;
}

void ba_origin_groups_estimate(ba_comparison *c, const ba_decision *d)
{
	c->p_agree = d->p_agree;
	c->places_differ = ba_decision_places_differ(d);
	c->place_count = 0;
	if (d->places < 2)
		return;
	c->places = ba_xreallocarray(c->places, d->place_count, sizeof(*c->places));
	for (unsigned p = 0; p < d->place_count; p++) {
		const ba_place_decision *at = &d->place[p];
		if (at->invocations == 0)
			continue;
		c->places[c->place_count++] = (ba_place_estimate){.place = p,
			.ratio = exp(at->ybar),
			.low = exp(at->lo),
			.high = exp(at->hi),
			.invocations = (unsigned)at->invocations,
			.verdict = verdict_at(d, at)};
	}
}

/* ---- words ---- */

enum { NAMED_MOST = 8 };

/* "GPU 0: +0.1 %; GPU 1: +3.1 %" */
static void put_places(ba_buf *out, const ba_comparison *c, const ba_result *r, bool named)
{
	size_t n = 0;
	BA_EACH (const ba_place_estimate, p, c->places, c->place_count) {
		if (ba_place_has_verdict(c, p) != named || n++ >= NAMED_MOST)
			continue;
		BA_AUTO_FREE char *name =
			ba_origins_place_name(r->run.origins, r->run.origin_count, p->place);
		ba_buf_printf(out, "%s%s: %s", n == 1 ? "" : "; ", name,
			ba_percent_of(p->ratio, p->low, p->high).text);
	}
	if (n > NAMED_MOST)
		ba_buf_printf(out, "; and %zu more", n - NAMED_MOST);
}

void ba_origin_groups_explain(ba_comparison *c, const ba_result *r)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t named = BA_HOW_MANY(c->places, c->place_count, x, ba_place_has_verdict(c, x));
	if (!c->places_differ || !c->place_count || c->verdict == BA_VERDICT_UNCHANGED)
		return;
	const char *word = ba_verdict_is_slower(c->verdict) ? "slower" : "faster";
	if (named == 0) {
		ba_buf_puts(&text, "the places differ: ");
	} else if (named == c->place_count) {
		ba_buf_printf(&text, "%s everywhere, and the places differ: ", word);
		put_places(&text, c, r, true);
	} else {
		ba_buf_printf(&text, "%s only on ", word);
		put_places(&text, c, r, true);
		ba_buf_puts(&text, "; ");
	}
	if (named < c->place_count)
		put_places(&text, c, r, false);
	ba_text_own(&c->reason, ba_buf_detach(&text));
}

/* ---- merged runs ---- */

/* The values of one merged run, in their order. */
typedef struct of_run {
	double *y, *z;
	unsigned *at;
	size_t n;
} of_run;

static of_run values_of_run(
	const ba_result *r, const ba_comparison *c, const unsigned *at, size_t run)
{
	of_run x = {.y = ba_xcalloc(c->y_count + 1, sizeof(*x.y)),
		.z = ba_xcalloc(c->y_count + 1, sizeof(*x.z)),
		.at = ba_xcalloc(c->y_count + 1, sizeof(*x.at))};
	for (size_t i = 0; i < c->y_count; i++) {
		if (r->run.origins[c->origin[i]].run != run)
			continue;
		x.y[x.n] = c->y[i];
		x.z[x.n] = c->z[i];
		x.at[x.n++] = at ? at[i] : 0;
	}
	return x;
}

static void look_at_run(
	ba_decision *d, const ba_policy *policy, const ba_merged_run *run, const of_run *x)
{
	for (size_t look = 0; look < run->looks_done; look++) {
		if (run->design.at[look] > x->n)
			break;
		ba_decision_look_at(d, policy, &run->design, look, x->y, x->at);
		ba_decision_look_mean_at(d, policy, &run->design, look, x->z, x->at);
	}
}

void ba_origin_groups_combine(
	ba_decision *d, const ba_result *r, const ba_comparison *c, const ba_policy *policy)
{
	size_t n = r->run.merged_count, places = d->place_count ? d->place_count : 1;
	BA_AUTO_FREE ba_decision *runs = ba_xcalloc(n + 1, sizeof(*runs));
	BA_AUTO_FREE const ba_decision **each = ba_xcalloc(n + 1, sizeof(*each));
	BA_AUTO_FREE ba_place_decision *at_places = ba_xcalloc(n * places + 1, sizeof(*at_places));
	BA_AUTO_FREE unsigned *at = ba_origin_groups_of(r, c);
	for (size_t i = 0; i < n; i++) {
		of_run x = values_of_run(r, c, at, i);
		ba_decision_init(&runs[i], c->threshold_slower, c->threshold_faster);
		ba_decision_set_places(&runs[i], &at_places[i * places], d->place_count);
		look_at_run(&runs[i], policy, &r->run.merged[i], &x);
		each[i] = &runs[i];
		BA_FREE(x.y, x.z, x.at);
	}
	const ba_together all = {.y = c->y, .z = c->z, .at = at, .n = c->y_count};
	ba_decision_combine(d, policy, each, n, &all);
}
