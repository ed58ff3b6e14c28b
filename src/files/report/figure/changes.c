/* Every benchmark of a metric: its change with its interval, beside the threshold; one
 * panel for each candidate, because one may change by 1 % and another by 300 %. Names
 * are above their lines, so that the plot is legible on a phone. */

#include "report/figure/plot.h"
#include "report/rank.h"
#include "report/view.h"

enum {
	WIDTH = 420,
	ROWS_MOST = 40, /* of a panel */
	NAME_COLUMNS = 60,
	HEADING = 24,
	ROW = 35, /* name, line, gap */
	AXIS = 44,
};

/* the rows of one candidate */
typedef struct panel {
	ba_row rows[ROWS_MOST];
	size_t count;
	size_t left_out; /* smaller changes */
	size_t missing;	 /* benchmarks without a change: failed, on one side only, ... */
} panel;

/* drawn in the order of the ranking, which is their order in memory */
typedef const ba_row *row_at;
BA_DEFINE_ORDER(by_rank, row_at, BA_ORDER(*a, *b))
/* the largest first; among equals the order of the ranking */
BA_DEFINE_ORDER(by_size, row_at, BA_ORDER((*b)->size, (*a)->size) ?: BA_ORDER(*a, *b))

/* The largest changes, whatever their verdicts: "changed less" must be true of all others. */
static void choose(panel *out, const ba_result *r, const ba_ranking *k,
	const ba_figure_subject *what, size_t candidate)
{
	BA_AUTO_FREE const ba_row **found = ba_xcalloc(k->count + 1, sizeof(*found));
	size_t count = 0, all = 0;
	BA_EACH (const ba_row, row, k->rows, k->count) {
		if (row->series->metric != what->metric || row->candidate != candidate ||
			!ba_benchmark_matches(
				&r->run.benchmarks[row->series->benchmark], what->filters))
			continue;
		all++;
		if (ba_change_of(row->series, candidate).known)
			found[count++] = row;
	}
	qsort(found, count, sizeof(*found), by_size);
	*out = (panel){.count = count < ROWS_MOST ? count : ROWS_MOST};
	out->left_out = count - out->count;
	out->missing = all - count;
	qsort(found, out->count, sizeof(*found), by_rank);
	for (size_t i = 0; i < out->count; i++)
		out->rows[i] = *found[i];
}

static void fit(ba_plot *p, const panel *s)
{
	double low = 0, high = 0;
	BA_EACH (const ba_row, row, s->rows, s->count) {
		ba_change c = ba_change_of(row->series, row->candidate);
		const ba_comparison *t = &row->series->comparisons[row->candidate - 1];
		ba_plot_widen(&low, &high, 100 * (c.ratio - 1));
		ba_plot_widen(&low, &high, 100 * (c.low - 1));
		ba_plot_widen(&low, &high, 100 * (c.high - 1));
		ba_plot_widen(&low, &high, 100 * t->threshold_slower);
		ba_plot_widen(&low, &high, -100 * t->threshold_faster);
	}
	ba_scale_round(&p->x, low, high, true);
}

/* A change within the threshold has a mark of its own instead of "=". */
static const char *symbol_of(const ba_row *row)
{
	ba_shift shift = ba_comparison_shift(&row->series->comparisons[row->candidate - 1]);
	return shift == BA_SHIFT_SLOWER	  ? "\u25b3"
	       : shift == BA_SHIFT_FASTER ? "\u25bd"
					  : ba_verdict_symbol(row->verdict, true);
}

static void put_line(ba_plot *p, const ba_row *row, double y)
{
	ba_change c = ba_change_of(row->series, row->candidate);
	const ba_comparison *t = &row->series->comparisons[row->candidate - 1];
	if (t->threshold_slower > 0)
		ba_plot_box(p, ba_scale_at(&p->x, -100 * t->threshold_faster), y - 7,
			ba_scale_at(&p->x, 100 * t->threshold_slower), y + 7, "limit");
	if (!isnan(c.low))
		ba_plot_interval(p, ba_scale_at(&p->x, 100 * (c.low - 1)),
			ba_scale_at(&p->x, 100 * (c.high - 1)), y, row->candidate);
	ba_plot_mark(p, ba_scale_at(&p->x, 100 * (c.ratio - 1)), y, row->candidate, false);
	ba_plot_text(p, p->right + 8, y + 4, BA_ANCHOR_START,
		ba_verdict_is_slower(row->verdict) ? "strong" : NULL, "%s %s",
		ba_percent_of(c.ratio, c.low, c.high).text, symbol_of(row));
}

static void put_heading(ba_plot *p, const ba_result *r, size_t candidate, double y)
{
	BA_AUTO_FREE char *label = ba_variant_label(r, candidate, 24);
	BA_AUTO_FREE char *baseline = ba_variant_label(r, 0, 24);
	ba_plot_mark(p, 8, y - 4, candidate, false);
	ba_plot_text(p, 18, y, BA_ANCHOR_START, "strong", "%s against %s", label, baseline);
}

/* a line below the axis: what is not drawn, and the meaning of hollow marks */
static void put_left_out(ba_picture *out, ba_plot *p, const panel *s)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (s->left_out)
		ba_buf_printf(&text, "%zu more %s changed less", s->left_out,
			ba_plural(s->left_out, "benchmark", "benchmarks"));
	if (s->missing)
		ba_buf_printf(&text, "%s%zu %s without a measured change", s->left_out ? "; " : "",
			s->missing, ba_plural(s->missing, "benchmark", "benchmarks"));
	if (BA_ANY(s->rows, s->count, x,
		    ba_comparison_shift(&x->series->comparisons[x->candidate - 1])))
		ba_buf_printf(&text, "%s\u25b3 slower, \u25bd faster, within the threshold",
			text.len ? "; " : "");
	if (!text.len)
		return;
	out->height += 17;
	ba_plot_text(p, 2, out->height - 6, BA_ANCHOR_START, "muted", "%s", text.data);
}

/* draws from y = out->height on, and updates it */
static void draw_panel(ba_picture *out, const ba_result *r, const panel *s, size_t candidate)
{
	double top = out->height + HEADING, bottom = top + ROW * (double)s->count;
	ba_plot p = ba_plot_frame(&out->body, 24, top, WIDTH - 86, bottom + 4);
	fit(&p, s);
	put_heading(&p, r, candidate, top - 8);
	ba_plot_x_axis(&p, "change, %; light: interval, grey: threshold", true);
	double zero = ba_scale_at(&p.x, 0);
	ba_plot_line(&p, zero, p.top, zero, p.bottom, "axis");
	for (size_t i = 0; i < s->count; i++) {
		const char *id = r->run.benchmarks[s->rows[i].series->benchmark].id;
		BA_AUTO_FREE char *safe = ba_text_safe(id);
		BA_AUTO_FREE char *name = ba_text_shorten(safe, NAME_COLUMNS, true);
		ba_plot_name(&p, top + ROW * (double)i + 13, name);
		put_line(&p, &s->rows[i], top + ROW * (double)i + 24);
	}
	out->height = bottom + AXIS;
	put_left_out(out, &p, s);
	ba_buf_printf(&out->desc, "%s: %zu %s, %zu more not drawn; ",
		r->run.variants[candidate].label, s->count,
		ba_plural(s->count, "benchmark", "benchmarks"), s->left_out + s->missing);
}

bool ba_draw_changes(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	out->width = WIDTH;
	out->height = 0;
	ba_ranking_of(&k, r);
	for (size_t v = 1; v < ba_plot_variants(r); v++) {
		panel s;
		if (what->candidate && what->candidate != v)
			continue;
		choose(&s, r, &k, what, v);
		if (s.count)
			draw_panel(out, r, &s, v);
	}
	ba_buf_printf(&out->title, "change of %s", ba_metric_get(what->metric)->name);
	ba_plot_describe_rest(out, r, "");
	return out->height > 0;
}
