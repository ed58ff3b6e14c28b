/* One metric of a candidate against the baseline: levels, change, interval, verdict. */

#include "report/text/term.h"

enum {
	C_NAME,
	C_BASE,
	C_MINE = C_BASE + BA_LEVEL_COLUMNS,
	C_DELTA = C_MINE + BA_LEVEL_COLUMNS,
	C_DELTA_UNIT,
	C_PERCENT,
	C_INTERVAL,
	C_R,
	C_SPREAD,
	C_P,
	C_VERDICT
};

/* Columns in the order they are dropped; before the change in time, names get their own lines. */
enum { DROP_BASE = 1, DROP_INTERVAL, DROP_DELTA, DROP_LEVEL_SPREAD, DROP_R, DROP_SPREAD, DROP_P };

/* decimals of the changes and intervals of one table */
typedef struct digits {
	int time, percent;
} digits;

static int change_decimals(const ba_part *p, const ba_series *series, const ba_change *change)
{
	double per_ns = ba_part_unit(p, series).per_ns;
	if (series->info->counted && isnan(change->low))
		return 0; /* whole instructions */
	double baseline = ba_central_ns(series, &series->variants[0]);
	double half = (change->high - change->low) / 2 * baseline;
	return ba_number_decimals(change->delta_ns * per_ns, half * per_ns);
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
	/* all per cents of a table have the decimals of the median row, so that a
	 * single very quiet or very noisy row does not determine them */
	for (size_t seen = rows[0]; 2 * seen < count && d.percent < 2; seen += rows[d.percent])
		d.percent++;
	return d;
}

static void change_cells(const ba_part *p, ba_table *t, const ba_series *series,
	const ba_change *change, const digits *d, bool exact)
{
	ba_unit unit = ba_part_unit(p, series);
	ba_part_put_figure(ba_table_cell(t, C_DELTA, BA_INK_PLAIN), p,
		change->delta_ns * unit.per_ns, change_decimals(p, series, change), d->time, true);
	if (!p->unit.name)
		ba_table_put(t, C_DELTA_UNIT, BA_INK_DIM, unit.name);
	ba_percent_put(ba_table_cell(t, C_PERCENT, BA_INK_PLAIN), change->ratio, d->percent);
	if (!isnan(change->low))
		ba_percent_interval_put(ba_table_cell(t, C_INTERVAL, BA_INK_PLAIN), change->low,
			change->high, d->percent);
	else if (exact)
		ba_table_put(t, C_INTERVAL, BA_INK_PLAIN, "exactly");
}

static void evidence_cells(ba_table *t, const ba_comparison *c)
{
	double p = c->verdict == BA_VERDICT_IMPROVED	? c->p_improved
		   : c->verdict == BA_VERDICT_UNCHANGED ? c->p_unchanged
							: c->p_regressed;
	if (!c->invocations)
		return;
	ba_buf_printf(ba_table_cell(t, C_R, BA_INK_DIM), "%u", c->invocations);
	ba_buf_printf(ba_table_cell(t, C_SPREAD, BA_INK_DIM), "%.3f %%", 100 * c->s);
	ba_buf_printf(ba_table_cell(t, C_P, BA_INK_DIM), "%.2g", p);
}

static void verdict_cell(const ba_part *p, ba_table *t, const ba_comparison *c)
{
	if (c->verdict == BA_VERDICT_REPORTED)
		return;
	ba_buf *out = ba_table_cell(t, C_VERDICT, ba_verdict_ink(c->verdict));
	ba_buf_printf(out, "%s ", ba_verdict_symbol(c->verdict, p->s->o->unicode));
	ba_comparison_put_verdict(out, c);
}

static void comparison_rows(
	const ba_part *p, ba_table *t, const ba_series *series, size_t candidate, const digits *d)
{
	static const size_t columns[] = {C_BASE, C_MINE};
	const size_t variants[] = {0, candidate};
	const ba_comparison *c = &series->comparisons[candidate - 1];
	ba_change change = ba_change_of(series, candidate);
	BA_AUTO_FREE char *name = ba_part_name(p, series);
	ba_table_row(t);
	ba_table_name(t, BA_INK_PLAIN, name);
	for (size_t i = 0; i < BA_COUNT(columns); i++)
		ba_part_put_level(p, t, columns[i], series, variants[i]);
	if (change.known)
		change_cells(p, t, series, &change, d, c->exact);
	if (p->s->o->verbose && series->role == BA_ROLE_VERDICT)
		evidence_cells(t, c);
	verdict_cell(p, t, c);
	ba_part_put_more(p, t, series, variants, columns, BA_COUNT(columns));
}

static void comparison_title(const ba_part *p, size_t candidate)
{
	const ba_result *r = p->s->r;
	BA_AUTO_FREE char *label = ba_text_safe(r->run.variants[candidate].label);
	BA_AUTO_FREE char *baseline = ba_text_safe(r->run.variants[0].label);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_buf_printf(&line, "%s against %s", label, baseline);
	BA_AUTO_FREE char *cut = ba_text_cut(line.data, ba_format_width(p->s->o), p->s->o->unicode);
	ba_buf_putc(p->s->out, '\n');
	ba_ink_put(p->s->out, p->s->o->colour, BA_INK_BOLD, cut);
	BA_AUTO(ba_buf) ba_buf threshold = BA_BUF_INIT;
	ba_result_put_thresholds(&threshold, r, (int)p->metric, candidate);
	if (p->decides && threshold.len &&
		ba_text_width(cut) + threshold.len + strlen(", threshold ") <=
			ba_format_width(p->s->o))
		ba_buf_printf(p->s->out, ", threshold %s", threshold.data);
	ba_buf_putc(p->s->out, '\n');
}

static void header(const ba_part *p, ba_table *t, size_t candidate)
{
	const ba_result *r = p->s->r;
	const size_t variants[] = {0, candidate}, columns[] = {C_BASE, C_MINE};
	ba_table_row(t);
	ba_part_put_caption(p, t);
	for (size_t i = 0; i < BA_COUNT(columns); i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(r->run.variants[variants[i]].label);
		BA_AUTO_FREE char *label = ba_text_shorten(
			safe, ba_format_width(p->s->o) < 100 ? 16 : 20, p->s->o->unicode);
		ba_table_span(t, columns[i], columns[i] + 1, BA_INK_BOLD, label);
	}
	BA_AUTO_FREE char *interval = ba_interval_heading(r);
	ba_table_put(t, C_DELTA, BA_INK_DIM, "change");
	ba_table_put(t, C_INTERVAL, BA_INK_DIM, interval);
	if (!p->s->o->verbose || !p->decides)
		return;
	p->s->legend->evidence = true;
	ba_table_put(t, C_R, BA_INK_DIM, "R");
	ba_table_put(t, C_SPREAD, BA_INK_DIM, "s");
	ba_table_put(t, C_P, BA_INK_DIM, "p");
}

void ba_part_comparison(const ba_part *p, size_t candidate)
{
	static const ba_column changes[] = {
		{.drop = DROP_DELTA},
		{.left = true, .gap = " ", .drop = DROP_DELTA},
		{0},
		{.drop = DROP_INTERVAL},
		{.drop = DROP_R},
		{.drop = DROP_SPREAD},
		{.drop = DROP_P},
		{.left = true},
	};
	BA_AUTO(ba_table) ba_table t = {.stack_before = DROP_DELTA};
	ba_table_column(&t, (ba_column){.left = true, .shrink_to = BA_NAME_MIN});
	ba_part_level_columns(p, &t, DROP_BASE, DROP_LEVEL_SPREAD);
	ba_part_level_columns(p, &t, 0, DROP_LEVEL_SPREAD);
	ba_table_columns(&t, changes, BA_COUNT(changes));
	header(p, &t, candidate);
	digits d = digits_of(p, candidate);
	const ba_ranking *k = p->s->ranking;
	for (size_t i = 0; i < k->count; i++)
		if (k->rows[i].candidate == candidate && ba_part_has(p, k->rows[i].series))
			comparison_rows(p, &t, k->rows[i].series, candidate, &d);
	comparison_title(p, candidate);
	ba_part_render(p, &t, C_BASE + 1);
}
