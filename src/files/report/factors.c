#include "report/view.h"

#include "model/effect.h"
#include "report/rank.h"

static void put_finding(ba_buf *out, const ba_effect *e)
{
	const ba_comparison *c = &e->comparison;
	if (e->of == BA_EFFECT_OF_BOTH && ba_effect_is_shown(e))
		ba_buf_puts(out, "they interact");
	else if (e->of != BA_EFFECT_OF_CODE_WITHIN)
		ba_comparison_put_verdict(out, c);
}

/* The name stands before the first of a benchmark's rows. */
static void put_rows(ba_table *t, const ba_result *r, const ba_series *s, const char *name)
{
	bool depends = ba_effect_is_shown(ba_effect_first(s, BA_EFFECT_OF_BOTH));
	BA_EACH (const ba_effect, e, s->effects, s->effect_count) {
		if (e->of == BA_EFFECT_OF_CODE_WITHIN && !depends)
			continue;
		ba_table_row(t);
		if (e == s->effects)
			ba_table_name(t, BA_INK_PLAIN, name);
		ba_effect_put_name(ba_table_cell(t, 1, BA_INK_PLAIN), &r->run, e);
		ba_effect_put(
			ba_table_cell(t, 2, BA_INK_PLAIN), ba_table_cell(t, 3, BA_INK_PLAIN), s, e);
		put_finding(ba_table_cell(t, 4, ba_verdict_ink(e->comparison.verdict)), e);
	}
}

bool ba_factors_table(ba_table *t, const ba_result *r, const bool *shown)
{
	static const ba_column columns[] = {
		{"benchmark", BA_HOLDS_NAME, .left = true, .shrink_to = 12},
		{"effect", BA_HOLDS_NAME, .left = true, .shrink_to = 24},
		{"change"},
		{"interval"},
		{"finding", .left = true},
	};
	ba_metric metrics[BA_METRIC_COUNT];
	bool several = ba_metrics_of(metrics, r, BA_ROLE_VERDICT) > 1;
	ba_table_columns(t, columns, BA_COUNT(columns));
	ba_table_heads(t);
	t->stack_before = 1;
	size_t before = t->cell_count;
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		BA_AUTO_FREE char *name = ba_xprintf("%s%s%s", r->run.benchmarks[s->benchmark].id,
			several ? ", " : "", several ? s->info->name : "");
		if (s->effect_count && (!shown || shown[s->benchmark]))
			put_rows(t, r, s, name);
	}
	return t->cell_count > before;
}
