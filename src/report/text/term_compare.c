/* One metric, a candidate against the baseline: change, interval, verdict. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fold.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "report/text/table.h"
#include "report/text/term.h"
#include "report/view.h"

enum { C_NAME, C_DELTA, C_PERCENT, C_INTERVAL, C_R, C_SPREAD, C_P, C_VERDICT, C_COUNT };

/* decimals of the changes and intervals of one table */
typedef struct digits {
	int time, percent;
} digits;

static int change_decimals(
	const ba_part *p, const ba_series *series, const ba_change *change)
{
	double baseline = ba_central_ns(series, &series->variants[0]);
	double half = (change->high - change->low) / 2 * baseline;
	return ba_number_decimals(
		change->delta_ns * p->info->per_ns, half * p->info->per_ns);
}

static digits digits_of(const ba_part *p, size_t candidate)
{
	digits d = {0, 0};
	size_t rows[4] = {0}, count = 0;
	for (size_t i = 0; i < p->count; i++) {
		const ba_series *series = p->series[i];
		ba_change change = ba_change_of(series, candidate);
		if (!change.known)
			continue;
		int time = change_decimals(p, series, &change);
		d.time = time > d.time ? time : d.time;
		rows[ba_percent_decimals(change.low, change.high)]++;
		count++;
	}
	/* per cents have one number of decimals in a table, that of the row in the
	 * middle: neither one very quiet row nor one very noisy one rules the others */
	for (size_t seen = rows[0]; 2 * seen < count && d.percent < 2;
		seen += rows[d.percent])
		d.percent++;
	return d;
}

static void change_cells(const ba_part *p, ba_table *t, const ba_series *series,
	const ba_change *change, const digits *d)
{
	ba_table_put_take(t, C_DELTA, BA_INK_PLAIN,
		ba_part_figure(change->delta_ns * p->info->per_ns,
			change_decimals(p, series, change), d->time, true));
	BA_AUTO(ba_buf) ba_buf percent = BA_BUF_INIT;
	ba_percent_put(&percent, change->ratio, d->percent);
	ba_table_put(t, C_PERCENT, BA_INK_PLAIN, percent.data);
	if (isnan(change->low))
		return;
	BA_AUTO(ba_buf) ba_buf interval = BA_BUF_INIT;
	ba_percent_interval_put(&interval, change->low, change->high, d->percent);
	ba_table_put(t, C_INTERVAL, BA_INK_PLAIN, interval.data);
}

static void evidence_cells(ba_table *t, const ba_comparison *c)
{
	double p = c->verdict == BA_VERDICT_IMPROVED	? c->p_improved
		   : c->verdict == BA_VERDICT_UNCHANGED ? c->p_unchanged
							: c->p_regressed;
	if (!c->invocations)
		return;
	ba_table_put_take(t, C_R, BA_INK_DIM, ba_xprintf("%u", c->invocations));
	ba_table_put_take(t, C_SPREAD, BA_INK_DIM, ba_xprintf("%.3f %%", 100 * c->s));
	ba_table_put_take(t, C_P, BA_INK_DIM, ba_xprintf("%.2g", p));
}

static void comparison_row(const ba_part *p, ba_table *t, const ba_series *series,
	size_t candidate, const digits *d)
{
	const ba_comparison *c = &series->comparisons[candidate - 1];
	ba_change change = ba_change_of(series, candidate);
	ba_table_row(t);
	ba_table_put_take(t, C_NAME, BA_INK_PLAIN, ba_part_name(p, series));
	if (change.known)
		change_cells(p, t, series, &change, d);
	if (p->s->verbose)
		evidence_cells(t, c);
	BA_AUTO(ba_buf) ba_buf verdict = BA_BUF_INIT;
	ba_buf_printf(&verdict, "%s ", ba_verdict_symbol(c->verdict, p->s->unicode));
	ba_comparison_put_verdict(&verdict, c);
	ba_table_put(t, C_VERDICT, ba_verdict_ink(c->verdict), verdict.data);
}

static void comparison_title(const ba_part *p, size_t candidate)
{
	const ba_result *r = p->s->r;
	BA_AUTO_FREE char *label = ba_text_safe(r->variants[candidate].label);
	BA_AUTO_FREE char *baseline = ba_text_safe(r->variants[0].label);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_buf_printf(&line, "%s against %s", label, baseline);
	BA_AUTO_FREE char *cut = ba_text_cut(line.data, p->s->width, p->s->unicode);
	ba_buf_putc(p->s->out, '\n');
	ba_ink_put(p->s->out, p->s->colour, BA_INK_BOLD, cut);
	BA_AUTO(ba_buf) ba_buf threshold = BA_BUF_INIT;
	ba_thresholds_text(&threshold, r, p->metric, candidate);
	if (threshold.len &&
		ba_text_width(cut) + threshold.len + strlen(", threshold ") <=
			p->s->width)
		ba_buf_printf(p->s->out, ", threshold %s", threshold.data);
	ba_buf_putc(p->s->out, '\n');
}

void ba_part_comparison(const ba_part *p, size_t candidate)
{
	const ba_result *r = p->s->r;
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_column(&t, (ba_column){.left = true, .shrink_to = BA_NAME_MIN});
	ba_table_column(&t, (ba_column){.drop = 2});
	ba_table_column(&t, (ba_column){0});
	ba_table_column(&t, (ba_column){.drop = 1});
	ba_table_column(&t, (ba_column){.drop = 3});
	ba_table_column(&t, (ba_column){.drop = 4});
	ba_table_column(&t, (ba_column){.drop = 5});
	ba_table_column(&t, (ba_column){.left = true});
	BA_AUTO(ba_buf) ba_buf level = BA_BUF_INIT;
	ba_percent_plain(&level, 1 - (r->alpha > 0 ? r->alpha : 0.05));
	ba_buf_puts(&level, " interval");
	ba_table_row(&t);
	BA_AUTO_FREE char *unit = ba_part_unit(p);
	ba_table_put_take(&t, C_DELTA, BA_INK_DIM, ba_xprintf("change, %s", unit));
	ba_table_put(&t, C_PERCENT, BA_INK_DIM, "change");
	ba_table_put(&t, C_INTERVAL, BA_INK_DIM, level.data);
	if (p->s->verbose) {
		ba_table_put(&t, C_R, BA_INK_DIM, "R");
		ba_table_put(&t, C_SPREAD, BA_INK_DIM, "s");
		ba_table_put(&t, C_P, BA_INK_DIM, "p");
	}
	digits d = digits_of(p, candidate);
	const ba_ranking *k = p->s->ranking;
	for (size_t i = 0; i < k->count; i++)
		if (k->rows[i].candidate == candidate &&
			ba_part_has(p, k->rows[i].series))
			comparison_row(p, &t, k->rows[i].series, candidate, &d);
	comparison_title(p, candidate);
	ba_table_render(p->s->out, &t, p->s->width, p->s->colour, p->s->unicode);
}
