/* The figures of one metric, variants as columns: as many beside each other as fit. */
#include <stddef.h>
#include <stdlib.h>

#include "base/fold.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "model/throughput.h"
#include "report/text/table.h"
#include "report/text/term.h"
#include "report/view.h"

enum { NAME_READABLE = 24 };

/* the variants of one table: the baseline and `count` others from `first` on */
typedef struct group {
	size_t first, count;
	size_t label_width; /* labels longer than this are shortened */
} group;

static size_t variant_at(const group *g, size_t column)
{
	return column == 0 ? 0 : g->first + column - 1;
}

static void header_row(const ba_part *p, ba_table *t, const group *g)
{
	BA_AUTO_FREE char *unit = ba_unit_text(p->info, p->s->unicode);
	BA_AUTO_FREE char *caption = ba_xprintf("%s%s%s", unit,
		ba_screen_plus_minus(p->s), ba_spread_name(p->s->r, p->metric));
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
	const ba_part *p, ba_table *t, const group *g, const ba_series *series)
{
	int decimals = ba_part_decimals(p, series);
	double per_ns = p->info->per_ns;
	ba_table_row(t);
	ba_table_put_take(t, 0, BA_INK_PLAIN, ba_part_name(p, series));
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
			ba_part_figure(ba_central_ns(series, v) * per_ns, decimals,
				p->decimals, false));
		ba_table_put_take(t, c + 1, BA_INK_DIM,
			ba_part_figure(ba_spread_ns(series, v) * per_ns, decimals,
				p->decimals, false));
	}
}

/* what the variant's own code adds to the bare driver call */
static void net_row(
	const ba_part *p, ba_table *t, const group *g, const ba_series *series)
{
	if (!series->floor.launches || !series->net_ns)
		return;
	int decimals = ba_part_decimals(p, series);
	double per_ns = p->info->per_ns;
	BA_AUTO_FREE char *floor = ba_part_figure(
		series->floor.trimmed * per_ns, decimals, decimals, false);
	BA_AUTO_FREE char *name = ba_xprintf("  net of floor %s", floor);
	ba_table_row(t);
	ba_table_put(t, 0, BA_INK_DIM, name);
	for (size_t k = 0; k <= g->count; k++) {
		size_t i = variant_at(g, k);
		if (ba_presence_of(p->s->r, series, i) == BA_PRESENCE_MEASURED)
			ba_table_put_take(t, 1 + 2 * k, BA_INK_DIM,
				ba_part_figure(series->net_ns[i] * per_ns, decimals,
					p->decimals, false));
	}
}

/* what the times mean by the counts of the benchmark's author */
static void work_row(const ba_part *p, ba_table *t, const group *g,
	const ba_series *series, const char *name, size_t field, double scale)
{
	bool any = false;
	for (size_t k = 0; k <= g->count; k++) {
		size_t i = variant_at(g, k);
		ba_throughput work = ba_throughput_of(p->s->r, series, i);
		/* cppcheck-suppress invalidPointerCast ; every field of it is a double */
		double value = *(const double *)((const char *)&work + field) * scale;
		if (!(value > 0) ||
			ba_presence_of(p->s->r, series, i) != BA_PRESENCE_MEASURED)
			continue;
		if (!any) {
			ba_table_row(t);
			ba_table_put(t, 0, BA_INK_DIM, name);
		}
		any = true;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_number_put(&text, value, ba_number_decimals(value, 0), false);
		ba_table_span(t, 1 + 2 * k, 2 + 2 * k, BA_INK_DIM, text.data);
	}
}

static void work_rows(
	const ba_part *p, ba_table *t, const group *g, const ba_series *series)
{
	work_row(p, t, g, series, "  TFLOP/s", offsetof(ba_throughput, gflop_per_s),
		1e-3);
	work_row(p, t, g, series, "  GB/s", offsetof(ba_throughput, gb_per_s), 1);
	work_row(p, t, g, series, "  % of matrix ceiling",
		offsetof(ba_throughput, of_matrix), 100);
	work_row(p, t, g, series, "  % of copy ceiling",
		offsetof(ba_throughput, of_copy), 100);
}

/* a metric that decides nothing has its changes here, below the figures */
static void change_row(
	const ba_part *p, ba_table *t, const group *g, const ba_series *series)
{
	bool any = false;
	int decimals = ba_part_decimals(p, series);
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

static void build_figures(const ba_part *p, ba_table *t, const group *g)
{
	ba_table_column(t, (ba_column){.left = true, .shrink_to = BA_NAME_MIN});
	for (size_t k = 0; k <= g->count; k++) {
		ba_table_column(t, (ba_column){0});
		ba_table_column(t, (ba_column){.gap = ba_screen_plus_minus(p->s)});
	}
	header_row(p, t, g);
	for (size_t i = 0; i < p->count; i++) {
		const ba_series *series = p->series[i];
		figures_row(p, t, g, series);
		net_row(p, t, g, series);
		work_rows(p, t, g, series);
		if (series->role == BA_ROLE_REPORTED)
			change_row(p, t, g, series);
	}
}

/* Does the table fit, when names are shortened as far as they stay readable? */
static bool fits(const ba_part *p, const group *g)
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
static group next_group(const ba_part *p, size_t first)
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

void ba_part_figures(const ba_part *p)
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

void ba_part_figures_of_one(const ba_part *p)
{
	static const char *const quantiles[] = {"min", "median", "p95", "p99"};
	BA_AUTO(ba_table) ba_table t = {0};
	group g = {.first = 1, .label_width = 20};
	ba_table_column(&t, (ba_column){.left = true, .shrink_to = BA_NAME_MIN});
	ba_table_column(&t, (ba_column){0});
	ba_table_column(&t, (ba_column){.gap = ba_screen_plus_minus(p->s)});
	for (unsigned i = 0; i < 4; i++)
		ba_table_column(&t, (ba_column){.drop = 1 + i % 3});
	header_row(p, &t, &g);
	for (size_t i = 0; i < 4; i++)
		ba_table_put(&t, 3 + i, BA_INK_DIM, quantiles[i]);
	const ba_result *r = p->s->r;
	for (size_t i = 0; i < p->count; i++) {
		const ba_series *series = p->series[i];
		figures_row(p, &t, &g, series);
		const ba_summary *v = &series->variants[0];
		const double values[] = {v->min, v->median, v->p95, v->p99};
		int decimals = ba_part_decimals(p, series);
		bool measured = ba_presence_of(r, series, 0) == BA_PRESENCE_MEASURED;
		for (size_t k = 0; k < 4 && measured; k++)
			ba_table_put_take(&t, 3 + k, BA_INK_PLAIN,
				ba_part_figure(values[k] * p->info->per_ns, decimals,
					p->decimals, false));
		net_row(p, &t, &g, series);
		work_rows(p, &t, &g, series);
	}
	ba_table_render(p->s->out, &t, p->s->width, p->s->colour, p->s->unicode);
}
