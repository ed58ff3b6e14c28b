/* One metric on a terminal: the figures with variants as columns, and for a metric that
 * decides, each candidate against the baseline with interval and verdict. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fold.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "report/table.h"
#include "report/term.h"
#include "report/view.h"

enum { NAME_MIN = 12, NAME_READABLE = 24 };

/* the part of the screen at hand */
typedef struct part {
	const ba_screen *s;
	ba_metric metric;
	const ba_metric_info *info;
	int decimals; /* most of any row: figures of other rows are padded to it */
} part;

static bool in_part(const part *p, const ba_series *series)
{
	return series->metric == p->metric && p->s->shown[series->benchmark];
}

static char *benchmark_name(const part *p, const ba_series *series)
{
	return ba_text_safe(p->s->r->benchmarks[series->benchmark].id);
}

/* "us" of "us/launch" */
static char *unit_of_time(const part *p)
{
	BA_AUTO_FREE char *unit = ba_unit_text(p->info, p->s->unicode);
	return ba_xstrndup(unit, strcspn(unit, "/"));
}

/* a figure with `decimals`, and blanks where others of its column have more */
static char *figure(double value, int decimals, int column_decimals, bool sign)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_number_put(&text, value, decimals, sign);
	size_t blanks = (size_t)(column_decimals - decimals);
	if (decimals == 0 && column_decimals > 0)
		blanks++; /* the point */
	ba_buf_pad(&text, ' ', blanks);
	return ba_buf_detach(&text);
}

/* One number of decimals a row, so that its variants can be compared at a glance: what
 * the quietest of them deserves. */
static int row_decimals(const part *p, const ba_series *series)
{
	int decimals = 0;
	for (size_t i = 0; i < p->s->r->variant_count; i++) {
		const ba_summary *v = &series->variants[i];
		if (ba_presence_of(p->s->r, series, i) != BA_PRESENCE_MEASURED)
			continue;
		int d = ba_number_decimals(ba_central_ns(series, v) * p->info->per_ns,
			v->stdev * p->info->per_ns);
		decimals = d > decimals ? d : decimals;
	}
	return decimals;
}

/* ---- the figures --------------------------------------------------------- */

/* the variants of one table: the baseline and `count` others from `first` on */
typedef struct group {
	size_t first, count;
	size_t label_width; /* labels longer than this are shortened */
} group;

static size_t variant_at(const group *g, size_t column)
{
	return column == 0 ? 0 : g->first + column - 1;
}

static void header_row(const part *p, ba_table *t, const group *g)
{
	BA_AUTO_FREE char *unit = ba_unit_text(p->info, p->s->unicode);
	BA_AUTO_FREE char *caption =
		ba_xprintf("%s%ssd", unit, ba_screen_plus_minus(p->s));
	ba_table_row(t);
	ba_table_put(t, 0, BA_INK_DIM, caption);
	for (size_t k = 0; k <= g->count; k++) {
		const ba_variant *v = &p->s->r->variants[variant_at(g, k)];
		BA_AUTO_FREE char *safe = ba_text_safe(v->label);
		BA_AUTO_FREE char *label =
			ba_text_shorten(safe, g->label_width, p->s->unicode);
		ba_table_span(t, 1 + 2 * k, 2 + 2 * k, BA_INK_BOLD, label);
	}
}

static void figures_row(
	const part *p, ba_table *t, const group *g, const ba_series *series)
{
	int decimals = row_decimals(p, series);
	double per_ns = p->info->per_ns;
	ba_table_row(t);
	ba_table_put_take(t, 0, BA_INK_PLAIN, benchmark_name(p, series));
	for (size_t k = 0; k <= g->count; k++) {
		const ba_summary *v = &series->variants[variant_at(g, k)];
		size_t c = 1 + 2 * k;
		ba_presence presence =
			ba_presence_of(p->s->r, series, variant_at(g, k));
		if (presence != BA_PRESENCE_MEASURED) {
			ba_table_span(t, c, c + 1,
				presence == BA_PRESENCE_FAILED ? BA_INK_BAD
							       : BA_INK_DIM,
				ba_presence_name(presence));
			continue;
		}
		ba_table_put_take(t, c, BA_INK_PLAIN,
			figure(ba_central_ns(series, v) * per_ns, decimals, p->decimals,
				false));
		ba_table_put_take(t, c + 1, BA_INK_DIM,
			figure(v->stdev * per_ns, decimals, p->decimals, false));
	}
}

/* what the variant's own code adds to the bare driver call */
static void net_row(const part *p, ba_table *t, const group *g, const ba_series *series)
{
	if (!series->floor.launches || !series->net_ns)
		return;
	int decimals = row_decimals(p, series);
	double per_ns = p->info->per_ns;
	BA_AUTO_FREE char *floor =
		figure(series->floor.trimmed * per_ns, decimals, decimals, false);
	BA_AUTO_FREE char *name = ba_xprintf("  net of floor %s", floor);
	ba_table_row(t);
	ba_table_put(t, 0, BA_INK_DIM, name);
	for (size_t k = 0; k <= g->count; k++) {
		size_t i = variant_at(g, k);
		if (ba_presence_of(p->s->r, series, i) == BA_PRESENCE_MEASURED)
			ba_table_put_take(t, 1 + 2 * k, BA_INK_DIM,
				figure(series->net_ns[i] * per_ns, decimals,
					p->decimals, false));
	}
}

/* a metric that decides nothing has its changes here, below the figures */
static void change_row(
	const part *p, ba_table *t, const group *g, const ba_series *series)
{
	bool any = false;
	int decimals = row_decimals(p, series);
	for (size_t k = 1; k <= g->count; k++) {
		ba_change change = ba_change_of(series, variant_at(g, k));
		if (!change.known)
			continue;
		if (!any) {
			ba_table_row(t);
			ba_table_put(t, 0, BA_INK_DIM, "  change");
		}
		any = true;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_number_put(&text, change.delta_ns * p->info->per_ns, decimals, true);
		ba_buf_puts(&text, " (");
		ba_percent_put(&text, change.ratio,
			ba_percent_decimals(change.low, change.high));
		ba_buf_putc(&text, ')');
		ba_table_span(t, 1 + 2 * k, 2 + 2 * k, BA_INK_DIM, text.data);
	}
}

static void build_figures(const part *p, ba_table *t, const group *g)
{
	ba_table_column(t, (ba_column){.left = true, .shrink_to = NAME_MIN});
	for (size_t k = 0; k <= g->count; k++) {
		ba_table_column(t, (ba_column){0});
		ba_table_column(t, (ba_column){.gap = ba_screen_plus_minus(p->s)});
	}
	header_row(p, t, g);
	const ba_result *r = p->s->r;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *series = &r->series[i];
		if (!in_part(p, series))
			continue;
		figures_row(p, t, g, series);
		net_row(p, t, g, series);
		if (series->role == BA_ROLE_REPORTED)
			change_row(p, t, g, series);
	}
}

/* Does the table fit, when names are shortened as far as they stay readable? */
static bool fits(const part *p, const group *g)
{
	BA_AUTO(ba_table) ba_table t = {0};
	build_figures(p, &t, g);
	size_t names = 0;
	for (size_t i = 0; i < t.cell_count; i += t.column_count) {
		size_t width = t.cells[i].text ? ba_text_width(t.cells[i].text) : 0;
		names = width > names ? width : names;
	}
	size_t spare = names > NAME_READABLE ? names - NAME_READABLE : 0;
	return ba_table_width(&t) - spare <= p->s->width;
}

/* As many variants beside each other as there is room for: labels give way first. */
static group next_group(const part *p, size_t first)
{
	static const size_t label_widths[] = {64, 20, 14};
	size_t rest = p->s->r->variant_count - first;
	for (size_t count = rest; count > 1; count--) {
		for (size_t i = 0; i < 3; i++) {
			group g = {first, count, label_widths[i]};
			if (fits(p, &g))
				return g;
		}
	}
	group one = {first, rest ? 1 : 0, 64};
	for (size_t i = 1; i < 3 && !fits(p, &one); i++)
		one.label_width = label_widths[i];
	return one;
}

static void figures_of_all(const part *p)
{
	size_t first = 1;
	do {
		group g = next_group(p, first);
		BA_AUTO(ba_table) ba_table t = {0};
		build_figures(p, &t, &g);
		if (first > 1)
			ba_buf_putc(p->s->out, '\n');
		ba_table_render(
			p->s->out, &t, p->s->width, p->s->colour, p->s->unicode);
		first += g.count;
	} while (first < p->s->r->variant_count);
}

/* One variant alone: its distribution, since there is nothing to compare with. */
static void figures_of_one(const part *p)
{
	static const char *const quantiles[] = {"min", "median", "p95", "p99"};
	BA_AUTO(ba_table) ba_table t = {0};
	group g = {.first = 1, .label_width = 20};
	ba_table_column(&t, (ba_column){.left = true, .shrink_to = NAME_MIN});
	ba_table_column(&t, (ba_column){0});
	ba_table_column(&t, (ba_column){.gap = ba_screen_plus_minus(p->s)});
	for (unsigned i = 0; i < 4; i++)
		ba_table_column(&t, (ba_column){.drop = 1 + i % 3});
	header_row(p, &t, &g);
	for (size_t i = 0; i < 4; i++)
		ba_table_put(&t, 3 + i, BA_INK_DIM, quantiles[i]);
	const ba_result *r = p->s->r;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *series = &r->series[i];
		if (!in_part(p, series))
			continue;
		figures_row(p, &t, &g, series);
		const ba_summary *v = &series->variants[0];
		const double values[] = {v->min, v->median, v->p95, v->p99};
		int decimals = row_decimals(p, series);
		bool measured = ba_presence_of(r, series, 0) == BA_PRESENCE_MEASURED;
		for (size_t k = 0; k < 4 && measured; k++)
			ba_table_put_take(&t, 3 + k, BA_INK_PLAIN,
				figure(values[k] * p->info->per_ns, decimals,
					p->decimals, false));
		net_row(p, &t, &g, series);
	}
	ba_table_render(p->s->out, &t, p->s->width, p->s->colour, p->s->unicode);
}

/* ---- a candidate against the baseline ------------------------------------ */

enum { C_NAME, C_DELTA, C_PERCENT, C_INTERVAL, C_R, C_SPREAD, C_P, C_VERDICT, C_COUNT };

/* decimals of the changes and intervals of one table */
typedef struct digits {
	int time, percent;
} digits;

static int change_decimals(
	const part *p, const ba_series *series, const ba_change *change)
{
	double baseline = ba_central_ns(series, &series->variants[0]);
	double half = (change->high - change->low) / 2 * baseline;
	return ba_number_decimals(
		change->delta_ns * p->info->per_ns, half * p->info->per_ns);
}

static digits digits_of(const part *p, size_t candidate)
{
	digits d = {0, 1};
	const ba_result *r = p->s->r;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *series = &r->series[i];
		ba_change change = ba_change_of(series, candidate);
		if (!in_part(p, series) || !change.known)
			continue;
		int time = change_decimals(p, series, &change);
		int percent = ba_percent_decimals(change.low, change.high);
		d.time = time > d.time ? time : d.time;
		d.percent = percent > d.percent ? percent : d.percent;
	}
	/* one very quiet row must not fill the table with digits of the others */
	d.percent = d.percent > 2 ? 2 : d.percent;
	return d;
}

static void change_cells(const part *p, ba_table *t, const ba_series *series,
	const ba_change *change, const digits *d)
{
	ba_table_put_take(t, C_DELTA, BA_INK_PLAIN,
		figure(change->delta_ns * p->info->per_ns,
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

static void comparison_row(const part *p, ba_table *t, const ba_series *series,
	size_t candidate, const digits *d)
{
	const ba_comparison *c = &series->comparisons[candidate - 1];
	ba_change change = ba_change_of(series, candidate);
	ba_table_row(t);
	ba_table_put_take(t, C_NAME, BA_INK_PLAIN, benchmark_name(p, series));
	if (change.known)
		change_cells(p, t, series, &change, d);
	if (p->s->verbose)
		evidence_cells(t, c);
	ba_table_put_take(t, C_VERDICT, ba_verdict_ink(c->verdict),
		ba_xprintf("%s %s", ba_verdict_symbol(c->verdict, p->s->unicode),
			ba_verdict_name(c->verdict)));
}

static void comparison_title(const part *p, size_t candidate)
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

static void comparison_of_one(const part *p, size_t candidate)
{
	const ba_result *r = p->s->r;
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_column(&t, (ba_column){.left = true, .shrink_to = NAME_MIN});
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
	BA_AUTO_FREE char *unit = unit_of_time(p);
	ba_table_put_take(&t, C_DELTA, BA_INK_DIM, ba_xprintf("change, %s", unit));
	ba_table_put(&t, C_PERCENT, BA_INK_DIM, "change");
	ba_table_put(&t, C_INTERVAL, BA_INK_DIM, level.data);
	if (p->s->verbose) {
		ba_table_put(&t, C_R, BA_INK_DIM, "R");
		ba_table_put(&t, C_SPREAD, BA_INK_DIM, "s");
		ba_table_put(&t, C_P, BA_INK_DIM, "p");
	}
	digits d = digits_of(p, candidate);
	for (size_t i = 0; i < r->series_count; i++)
		if (in_part(p, &r->series[i]))
			comparison_row(p, &t, &r->series[i], candidate, &d);
	comparison_title(p, candidate);
	ba_table_render(p->s->out, &t, p->s->width, p->s->colour, p->s->unicode);
}

static void title(const part *p)
{
	ba_buf_putc(p->s->out, '\n');
	ba_ink_put(p->s->out, p->s->colour, BA_INK_BOLD, p->info->name);
	ba_buf_puts(p->s->out, ": ");
	ba_text_fold(
		p->s->out, p->info->help, p->s->width, 2, strlen(p->info->name) + 2);
	ba_buf_putc(p->s->out, '\n');
}

void ba_term_metric(const ba_screen *s, ba_metric metric)
{
	part p = {.s = s, .metric = metric, .info = ba_metric_get(metric)};
	bool decides = false;
	for (size_t i = 0; i < s->r->series_count; i++) {
		if (!in_part(&p, &s->r->series[i]))
			continue;
		int decimals = row_decimals(&p, &s->r->series[i]);
		p.decimals = decimals > p.decimals ? decimals : p.decimals;
		decides = decides || s->r->series[i].role == BA_ROLE_VERDICT;
	}
	title(&p);
	if (s->r->variant_count < 2) {
		figures_of_one(&p);
		return;
	}
	figures_of_all(&p);
	for (size_t c = 1; decides && c < s->r->variant_count; c++)
		comparison_of_one(&p, c);
}
