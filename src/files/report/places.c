#include "report/view.h"

enum { SENTENCES_MOST = 100 };

bool ba_places_are_several(const ba_result *r)
{
	return r && ba_origins_places(r->run.origins, r->run.origin_count) > 1;
}

void ba_places_put(ba_buf *out, const ba_result *r, const ba_comparison *c)
{
	for (size_t i = 0; i < c->place_count; i++) {
		const ba_place_estimate *p = &c->places[i];
		BA_AUTO_FREE char *name =
			ba_origins_place_name(r->run.origins, r->run.origin_count, p->place);
		ba_buf_printf(out, "%s%s %s", i ? "; " : "", name,
			ba_percent_of(p->ratio, p->low, p->high).text);
	}
}

typedef struct agreement {
	size_t asked, differ;
	double least;
} agreement;

static void put_names(ba_buf *out, const ba_result *r)
{
	size_t n = ba_origins_places(r->run.origins, r->run.origin_count);
	for (unsigned i = 0; i < n; i++) {
		BA_AUTO_FREE char *name =
			ba_origins_place_name(r->run.origins, r->run.origin_count, i);
		ba_buf_printf(out, "%s%s", i ? ", " : "", name);
	}
}

static void describe(ba_strv *out, const ba_result *r, const ba_series *s, size_t candidate)
{
	const ba_comparison *c = &s->comparisons[candidate - 1];
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (out->count >= SENTENCES_MOST)
		return;
	ba_buf_printf(&text, "%s, %s, %s: ", r->run.benchmarks[s->benchmark].id,
		ba_metric_get(s->metric)->name, r->run.variants[candidate].label);
	ba_places_put(&text, r, c);
	ba_buf_printf(&text, "%s (p = %.2g)", c->places_differ ? ": they differ" : "", c->p_agree);
	ba_strv_push(out, text.data);
}

static void visit(ba_strv *out, agreement *a, const ba_result *r, bool differing)
{
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c < r->run.variant_count; c++) {
			const ba_comparison *k = &r->series[i].comparisons[c - 1];
			if (k->place_count < 2)
				continue;
			if (out && k->places_differ == differing)
				describe(out, r, &r->series[i], c);
			if (out)
				continue;
			if (!a->asked++ || k->p_agree < a->least)
				a->least = k->p_agree;
			a->differ += k->places_differ;
		}
}

void ba_places_sentences(ba_strv *out, const ba_result *r, bool every)
{
	agreement a = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!ba_places_are_several(r))
		return;
	visit(NULL, &a, r, false);
	if (!a.asked)
		return;
	put_names(&text, r);
	if (a.differ)
		ba_buf_printf(&text, " differ in %zu of %zu %s", a.differ, a.asked,
			ba_plural(a.asked, "comparison", "comparisons"));
	else if (a.asked == 1)
		ba_buf_printf(&text, " agree (p = %.2g)", a.least);
	else
		ba_buf_printf(&text, " agree (p = %.2g, the least of %zu)", a.least, a.asked);
	ba_strv_push(out, text.data);
	visit(out, &a, r, true);
	if (every)
		visit(out, &a, r, false);
}
