/* Alternatives side by side: each side's time relative to the reference, with its interval.
 * Names are above their lines, legible on a phone. */

#include "report/figure/plot.h"
#include "report/view.h"

enum {
	WIDTH = 460,
	SIDES_MOST = BA_FIGURE_VARIANTS, /* sides with their own colour and mark */
	LINES_MOST = 240,		 /* of all rows */
	NAME_COLUMNS = 44,
	LEGEND = 18,
	NAME = 19, /* height of a row's name, above its lines */
	LINE = 10, /* of a side */
	GAP = 5,
	AXIS = 44,
};
static const double log_from = 8; /* highest over lowest ratio */

/* what is drawn of one variant */
typedef struct panel {
	const ba_result *r;
	const ba_across *a;
	ba_metric metric;
	size_t variant, rows, sides;
	ba_across_cell *cells; /* [rows * a->sides.count] */
	size_t missing;	       /* cells without a ratio */
	size_t beyond;	       /* number of intervals that the frame cuts off */
} panel;

static const ba_across_cell *cell(const panel *s, size_t row, size_t side)
{
	return &s->cells[row * s->a->sides.count + side];
}

static bool load(panel *s)
{
	bool any = false;
	for (size_t i = 0; i < s->rows; i++) {
		ba_across_cells(
			&s->cells[i * s->a->sides.count], s->a, s->r, i, s->metric, s->variant);
		for (size_t k = 1; k < s->sides; k++) {
			const ba_across_cell *c = cell(s, i, k);
			bool there = isfinite(c->ratio);
			any = any || there;
			s->missing += c->benchmark && !there;
		}
	}
	return any;
}

static void fit(ba_plot *p, panel *s)
{
	double low = 1, high = 1;
	for (size_t i = 0; i < s->rows; i++)
		for (size_t k = 1; k < s->sides; k++) {
			const ba_across_cell *c = cell(s, i, k);
			/* Two invocations' interval may span decades: the frame cuts it. */
			ba_plot_widen(&low, &high, c->ratio);
			ba_plot_widen(&low, &high, fmax(c->low, c->ratio / 2));
			ba_plot_widen(&low, &high, fmin(c->high, c->ratio * 2));
		}
	if (high / low > log_from)
		ba_scale_decades(&p->x, low, high);
	else
		ba_scale_round(&p->x, low, high, true);
	s->beyond = 0;
	for (size_t i = 0; i < s->rows; i++)
		for (size_t k = 1; k < s->sides; k++) {
			const ba_across_cell *c = cell(s, i, k);
			s->beyond += c->low < p->x.low || c->high > p->x.high;
		}
}

/* ---- drawing ---- */

/* The axes that all rows share, or those of this row alone; caller frees. */
static char *row_name(const ba_across *a, size_t row, bool common)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
	ba_across_row_put(&name, a, row, common ? BA_ACROSS_COMMON : BA_ACROSS_OWN);
	BA_AUTO_FREE char *safe = ba_text_safe(name.data ? name.data : "");
	return ba_text_shorten(safe, NAME_COLUMNS, true);
}

static void put_side(ba_plot *p, const ba_across_cell *c, size_t side, double y)
{
	if (!isfinite(c->ratio))
		return;
	if (isfinite(c->low) && isfinite(c->high))
		ba_plot_interval(
			p, ba_scale_at(&p->x, c->low), ba_scale_at(&p->x, c->high), y, side);
	ba_plot_mark(p, ba_scale_at(&p->x, c->ratio), y, side, false);
}

static void put_row(ba_plot *p, const panel *s, size_t row, double y)
{
	const ba_metric_info *info = ba_result_metric(s->r, s->metric);
	ba_unit own = ba_unit_for(info, cell(s, row, 0)->ns, true);
	double time = cell(s, row, 0)->ns * own.per_ns;
	BA_AUTO_FREE char *name = row_name(s->a, row, false);
	ba_plot_name(p, y + 13, name);
	if (isfinite(time)) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		BA_AUTO_FREE char *unit = ba_unit_words(&own, info);
		ba_number_put(&text, time, ba_number_decimals(time, 0.01 * time), false);
		ba_plot_text(
			p, WIDTH - 2, y + 13, BA_ANCHOR_END, "muted", "%s %s", text.data, unit);
	}
	for (size_t k = 1; k < s->sides; k++)
		put_side(p, cell(s, row, k), k, y + NAME + LINE * ((double)k - 1) + LINE / 2.0);
}

/* the reference is a line at 1, with its times at the right */
static void put_legend(ba_plot *p, const panel *s, double y)
{
	for (size_t k = 0; k < s->sides; k++, y += LEGEND) {
		BA_AUTO_FREE char *safe = ba_text_safe(s->a->sides.items[k]);
		BA_AUTO_FREE char *cut = ba_text_shorten(safe, NAME_COLUMNS, true);
		if (k)
			ba_plot_mark(p, 8, y - 4, k, false);
		else
			ba_plot_line(p, 8, y - 10, 8, y + 2, "axis");
		ba_plot_text(p, 18, y, BA_ANCHOR_START, NULL, "%s", cut);
		if (k == 0)
			ba_plot_text(p, WIDTH - 2, y, BA_ANCHOR_END, "muted",
				"1, its time at the right");
	}
}

static void put_left_out(ba_picture *out, ba_plot *p, const panel *s)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (s->rows < s->a->count)
		ba_buf_printf(&text, "%zu more %s not drawn; ", s->a->count - s->rows,
			ba_plural(s->a->count - s->rows, "row is", "rows are"));
	if (s->sides < s->a->sides.count)
		ba_buf_printf(&text, "%zu more %s not drawn; ", s->a->sides.count - s->sides,
			ba_plural(s->a->sides.count - s->sides, "side is", "sides are"));
	if (s->missing)
		ba_buf_printf(&text, "%zu without a ratio; ", s->missing);
	if (s->beyond)
		ba_buf_printf(&text, "the frame cuts %zu %s; ", s->beyond,
			ba_plural(s->beyond, "interval", "intervals"));
	if (!text.len)
		return;
	text.data[text.len - 2] = 0;
	out->height += LEGEND;
	ba_plot_text(p, 2, out->height - 6, BA_ANCHOR_START, "muted", "%s", text.data);
}

/* draws from y = out->height on, and updates it */
static void draw_panel(ba_picture *out, panel *s)
{
	double y = out->height + LEGEND;
	bool several = s->r->run.variant_count > 1;
	double height = NAME + LINE * ((double)s->sides - 1) + GAP;
	double top = y + LEGEND * ((double)s->sides - (several ? 0 : 1)) + GAP + 3;
	double bottom = top + height * (double)s->rows;
	ba_plot p = ba_plot_frame(&out->body, 14, top, WIDTH - 20, bottom);
	fit(&p, s);
	if (several) {
		BA_AUTO_FREE char *label = ba_variant_label(s->r, s->variant, NAME_COLUMNS);
		ba_plot_text(&p, 2, y, BA_ANCHOR_START, "strong", "%s", label);
	}
	put_legend(&p, s, y + (several ? LEGEND : 0));
	ba_plot_x_axis(&p,
		p.x.log ? "time, relative to the reference (logarithmic); light: interval"
			: "time, relative to the reference; light: interval",
		false);
	double one = ba_scale_at(&p.x, 1);
	ba_plot_line(&p, one, p.top, one, p.bottom, "axis");
	for (size_t i = 0; i < s->rows; i++)
		put_row(&p, s, i, top + height * (double)i);
	out->height = bottom + AXIS;
	put_left_out(out, &p, s);
}

static void describe(ba_picture *out, const panel *s)
{
	for (size_t i = 0; i < s->rows; i++) {
		BA_AUTO_FREE char *name = row_name(s->a, i, false);
		ba_buf_printf(&out->desc, "%s%s", i ? "; " : "", name);
		for (size_t k = 1; k < s->sides; k++) {
			BA_AUTO_FREE char *side =
				ba_text_shorten(s->a->sides.items[k], NAME_COLUMNS, true);
			if (isfinite(cell(s, i, k)->ratio))
				ba_buf_printf(&out->desc, ", %s %.3g", side, cell(s, i, k)->ratio);
		}
	}
}

bool ba_draw_across(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	const ba_across *a = what->across;
	if (!a)
		return false;
	size_t sides = a->sides.count < SIDES_MOST ? a->sides.count : SIDES_MOST;
	size_t rows = LINES_MOST / sides;
	panel s = {r, a, what->metric, .sides = sides};
	s.rows = a->count < rows ? a->count : rows;
	BA_AUTO_FREE ba_across_cell *cells = ba_xcalloc(s.rows * a->sides.count, sizeof(*cells));
	s.cells = cells;
	out->width = WIDTH;
	out->height = 0;
	ba_buf_printf(&out->title, "%s side by side", ba_metric_get(what->metric)->name);
	BA_AUTO_FREE char *common = row_name(a, 0, true);
	if (*common)
		ba_buf_printf(&out->title, ": %s", common);
	for (s.variant = 0; s.variant < ba_plot_variants(r); s.variant++) {
		s.missing = 0;
		if (!a->has[what->metric] || !load(&s))
			continue;
		describe(out, &s);
		draw_panel(out, &s);
	}
	return out->height > 0;
}
