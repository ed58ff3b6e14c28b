/* The picture of a timeline: a point for each commit with the range of its runs, a line
 * for each level, a mark where the level changes. The values' axis does not begin at
 * zero, because the changes are small compared with the values; a note says so. */

#include "report/escape.h"
#include "report/figure/plot.h"
#include "report/timeline/timeline.h"

enum { WIDTH = 960, HEIGHT = 430, LEFT = 84, RIGHT = 24, TOP = 96, BOTTOM = 72 };
enum { TITLE_COLUMNS = 100 }; /* as many columns as fit into the width */

extern const char ba_timeline_css[];
BA_EMBED(ba_timeline_css, BA_ASSET_DIR "/timeline.css");

typedef struct frame {
	ba_plot p;
	const ba_timeline *t;
	double unit; /* shown = ns * unit */
} frame;

static double x_of(const frame *f, double index)
{
	return ba_scale_at(&f->p.x, index + 0.5);
}

static double y_of(const frame *f, double ns)
{
	return ba_scale_at(&f->p.y, ns);
}

static void choose_range(frame *f)
{
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < f->t->count; i++)
		ba_widen(&low, &high, f->t->rows[i].least_ns, f->t->rows[i].most_ns);
	double room = fmax(0.15 * (high - low), 0.02 * high);
	f->p.y.low = fmax(0, low - room);
	f->p.y.high = high + room;
	f->p.x.high = (double)f->t->count;
}

static void put_values_axis(frame *f, const char *unit)
{
	double low = f->p.y.low * f->unit, high = f->p.y.high * f->unit;
	double step = ba_scale_step(low, high, 5);
	/* NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): a line at each value */
	for (double v = ceil(low / step) * step; v <= high; v += step) {
		double y = y_of(f, v / f->unit);
		ba_plot_line(&f->p, f->p.left, y, f->p.right, y, "grid");
		ba_plot_text(&f->p, f->p.left - 8, y + 4, BA_ANCHOR_END, "dim", "%.*f",
			ba_scale_decimals(step), v);
	}
	ba_plot_text(&f->p, 8, 48, BA_ANCHOR_START, "dim", "%s%s%s", unit, *unit ? " " : "",
		low > 0 ? "(axis does not begin at zero)" : "");
}

static void put_commits_axis(frame *f)
{
	size_t n = f->t->count, every = (n + 9) / 10;
	for (size_t i = 0; i < n; i += every)
		ba_plot_text(&f->p, x_of(f, (double)i), f->p.bottom + 20, BA_ANCHOR_MIDDLE, "dim",
			"%.9s", f->t->rows[i].commit);
	ba_plot_text(&f->p, (f->p.left + f->p.right) / 2, HEIGHT - 20, BA_ANCHOR_MIDDLE, "dim",
		f->t->by_date ? "commits in the order of measurement"
			      : "commits in first-parent order; vertical lines: range of the runs");
}

static void put_points(frame *f)
{
	for (size_t i = 0; i < f->t->count; i++) {
		const ba_timeline_row *r = &f->t->rows[i];
		double x = x_of(f, (double)i);
		if (r->runs > 1)
			ba_plot_line(
				&f->p, x, y_of(f, r->least_ns), x, y_of(f, r->most_ns), "spread");
		BA_AUTO_FREE char *words =
			ba_xprintf("%.9s %s: %.5g", r->commit, r->subject, r->ns * f->unit);
		ba_buf_printf(f->p.out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\">",
			x, y_of(f, r->ns), f->t->count > 150 ? "2.5" : "4");
		ba_markup_printf(f->p.out, "<title>%m</title></circle>\n", words);
	}
}

static void put_level(frame *f, size_t begin, size_t end, double ns)
{
	double y = y_of(f, ns);
	ba_plot_line(
		&f->p, x_of(f, (double)begin - 0.4), y, x_of(f, (double)end - 0.6), y, "level");
}

static void put_changes(frame *f)
{
	const ba_timeline *t = f->t;
	size_t begin = 0;
	for (size_t i = 0; i < t->change_count; i++) {
		const ba_change_point *c = &t->changes[i];
		size_t end = i + 1 < t->change_count ? t->changes[i + 1].at : t->count;
		bool worse = c->after > c->before;
		double x = x_of(f, (double)c->at - 0.5);
		put_level(f, begin, c->at, c->before);
		if (i + 1 == t->change_count)
			put_level(f, c->at, end, c->after);
		ba_plot_line(
			&f->p, x, f->p.top, x, f->p.bottom, worse ? "cut worse" : "cut better");
		BA_AUTO(ba_buf) ba_buf label = BA_BUF_INIT;
		ba_percent_put(&label, c->after / c->before, 1);
		/* above the frame, alternating in height, and never beyond the edge */
		bool right = x > WIDTH - 200;
		ba_plot_text(&f->p, right ? x + 4 : x - 4, TOP - 8 - 16 * (double)(i % 2),
			right ? BA_ANCHOR_END : BA_ANCHOR_START, worse ? "worse" : "better",
			"%s at %.9s", label.data, t->rows[c->at].commit);
		begin = c->at;
	}
}

void ba_timeline_svg(ba_buf *out, const ba_timeline *t)
{
	ba_unit unit = ba_timeline_unit(t, true);
	frame f = {.p = ba_plot_frame(out, LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM),
		.t = t,
		.unit = unit.per_ns};
	choose_range(&f);
	BA_AUTO_FREE char *title = ba_xprintf("%s, %s", t->benchmark, t->metric);
	ba_buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"t d\">\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	ba_markup_printf(out, "<title id=\"t\">%m</title>\n", title);
	ba_buf_printf(out,
		"<desc id=\"d\">%zu %s, %zu %s of the level</desc>\n<style>\n%s</style>\n<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n",
		t->count, ba_plural(t->count, "commit", "commits"), t->change_count,
		ba_plural(t->change_count, "change", "changes"), ba_timeline_css, WIDTH, HEIGHT);
	BA_AUTO_FREE char *shown = ba_text_shorten(title, TITLE_COLUMNS, true);
	ba_plot_text(&f.p, 8, 24, BA_ANCHOR_START, "title", "%s", shown);
	ba_plot_text(&f.p, WIDTH - RIGHT, 48, BA_ANCHOR_END, "dim", "%s", t->device);
	put_values_axis(&f, unit.name);
	put_commits_axis(&f);
	put_changes(&f);
	put_points(&f);
	ba_buf_puts(out, "</svg>\n");
}
