/* The picture of a timeline: a point for each commit with the range of its runs, a line
 * for each level, a mark where the level changes. The values' axis does not begin at
 * zero, because the changes are small compared with the values; a note says so. */
#include <math.h>

#include "base/fold.h"
#include "report/escape.h"
#include "report/timeline/timeline.h"

enum { WIDTH = 960, HEIGHT = 430, LEFT = 84, RIGHT = 24, TOP = 96, BOTTOM = 72 };
enum { TITLE_COLUMNS = 100 }; /* as many columns as fit into the width */

static const char style[] =
	"<style>"
	"text{font:13px system-ui,sans-serif;fill:#24292f}"
	".title{font-size:16px;font-weight:600}"
	".dim{fill:#57606a}.grid{stroke:#d0d7de;stroke-width:1}"
	".back{fill:#fff}.point{fill:#0072b2}.spread{stroke:#0072b2;stroke-opacity:.35}"
	".level{stroke:#24292f;stroke-width:2}"
	".worse{stroke:#d55e00}.better{stroke:#009e73}"
	"text.worse{fill:#b34a00;stroke:none}text.better{fill:#00745a;stroke:none}"
	".cut{stroke-width:1.5;stroke-dasharray:5 4}"
	"@media(prefers-color-scheme:dark){.back{fill:#0d1117}text{fill:#e6edf3}"
	".dim{fill:#9da7b1}.grid{stroke:#30363d}.level{stroke:#e6edf3}"
	".point{fill:#56b4e9}.spread{stroke:#56b4e9}"
	"text.worse{fill:#ff9e5e}text.better{fill:#4fd1b0}}"
	"</style>\n";

typedef struct frame {
	ba_buf *out;
	const ba_timeline *t;
	double unit; /* shown = ns * unit */
	double low, high;
} frame;

static double x_of(const frame *f, double index)
{
	double n = (double)f->t->count;
	return LEFT + (index + 0.5) / n * (WIDTH - LEFT - RIGHT);
}

static double y_of(const frame *f, double ns)
{
	double part = (ns - f->low) / (f->high - f->low);
	part = part < 0 ? 0 : part > 1 ? 1 : part;
	return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
}

static void choose_range(frame *f)
{
	f->low = INFINITY;
	f->high = -INFINITY;
	for (size_t i = 0; i < f->t->count; i++) {
		f->low = fmin(f->low, f->t->rows[i].least_ns);
		f->high = fmax(f->high, f->t->rows[i].most_ns);
	}
	double room = fmax(0.15 * (f->high - f->low), 0.02 * f->high);
	f->low = fmax(0, f->low - room);
	f->high += room;
}

static double round_step(double range)
{
	double power = pow(10, floor(log10(range / 5))), rest = range / 5 / power;
	return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static void put_text(
	frame *f, double x, double y, const char *anchor, const char *class, const char *text)
{
	ba_buf_printf(f->out, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
	ba_markup_printf(
		f->out, " text-anchor=\"%w\" class=\"%w\">%m</text>\n", anchor, class, text);
}

static void put_values_axis(frame *f, const char *unit)
{
	double step = round_step((f->high - f->low) * f->unit);
	int decimals = (int)fmax(0, ceil(-log10(step) - 1e-9));
	/* NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): a line at each value */
	for (double v = ceil(f->low * f->unit / step) * step; v <= f->high * f->unit; v += step) {
		double y = y_of(f, v / f->unit);
		ba_buf_printf(f->out,
			"<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" "
			"y2=\"%.1f\"/>\n",
			LEFT, WIDTH - RIGHT, y, y);
		BA_AUTO_FREE char *label = ba_xprintf("%.*f", decimals, v);
		put_text(f, LEFT - 8, y + 4, "end", "dim", label);
	}
	BA_AUTO_FREE char *name = ba_xprintf("%s%s%s", unit, *unit ? " " : "",
		f->low > 0 ? "(axis does not begin at zero)" : "");
	put_text(f, 8, 48, "start", "dim", name);
}

static void put_commits_axis(frame *f)
{
	size_t n = f->t->count, every = (n + 9) / 10;
	for (size_t i = 0; i < n; i += every) {
		BA_AUTO_FREE char *commit = ba_xstrndup(f->t->rows[i].commit, 9); /* at most */
		put_text(f, x_of(f, (double)i), HEIGHT - BOTTOM + 20, "middle", "dim", commit);
	}
	put_text(f, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 20, "middle", "dim",
		f->t->by_date ? "commits in the order of measurement"
			      : "commits in first-parent order; vertical lines: range of "
				"the runs");
}

static void put_points(frame *f)
{
	for (size_t i = 0; i < f->t->count; i++) {
		const ba_timeline_row *r = &f->t->rows[i];
		double x = x_of(f, (double)i);
		if (r->runs > 1)
			ba_buf_printf(f->out,
				"<line class=\"spread\" stroke-width=\"2\" x1=\"%.1f\" "
				"x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
				x, x, y_of(f, r->least_ns), y_of(f, r->most_ns));
		BA_AUTO_FREE char *words =
			ba_xprintf("%.9s %s: %.5g", r->commit, r->subject, r->ns * f->unit);
		ba_buf_printf(f->out,
			"<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" "
			"r=\"%s\"><title>",
			x, y_of(f, r->ns), f->t->count > 150 ? "2.5" : "4");
		ba_markup_put(f->out, words);
		ba_buf_puts(f->out, "</title></circle>\n");
	}
}

static void put_level(frame *f, size_t begin, size_t end, double ns)
{
	ba_buf_printf(f->out,
		"<line class=\"level\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
		"y2=\"%.1f\"/>\n",
		x_of(f, (double)begin - 0.4), x_of(f, (double)end - 0.6), y_of(f, ns), y_of(f, ns));
}

static void put_changes(frame *f)
{
	const ba_timeline *t = f->t;
	size_t begin = 0;
	for (size_t i = 0; i < t->change_count; i++) {
		const ba_change_point *c = &t->changes[i];
		size_t end = i + 1 < t->change_count ? t->changes[i + 1].at : t->count;
		const char *class = c->after > c->before ? "worse" : "better";
		double x = x_of(f, (double)c->at - 0.5);
		put_level(f, begin, c->at, c->before);
		if (i + 1 == t->change_count)
			put_level(f, c->at, end, c->after);
		ba_buf_printf(f->out,
			"<line class=\"cut %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" "
			"y2=\"%d\"/>\n",
			class, x, x, TOP, HEIGHT - BOTTOM);
		BA_AUTO(ba_buf) ba_buf label = BA_BUF_INIT;
		ba_percent_put(&label, c->after / c->before, 1);
		ba_buf_printf(&label, " at %.9s", t->rows[c->at].commit);
		/* above the frame, alternating in height, and never beyond the edge */
		bool right = x > WIDTH - 200;
		put_text(f, right ? x + 4 : x - 4, TOP - 8 - 16 * (double)(i % 2),
			right ? "end" : "start", class, label.data);
		begin = c->at;
	}
}

void ba_timeline_svg(ba_buf *out, const ba_timeline *t)
{
	ba_unit unit = ba_timeline_unit(t, true);
	frame f = {.out = out, .t = t, .unit = unit.per_ns};
	choose_range(&f);
	BA_AUTO_FREE char *title = ba_xprintf("%s, %s", t->benchmark, t->metric);
	ba_buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
		"width=\"%d\" height=\"%d\" role=\"img\" "
		"aria-labelledby=\"t d\">\n<title id=\"t\">",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	ba_markup_put(out, title);
	ba_buf_printf(out,
		"</title>\n<desc id=\"d\">%zu %s, %zu %s of the level</desc>\n%s"
		"<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n",
		t->count, ba_plural(t->count, "commit", "commits"), t->change_count,
		ba_plural(t->change_count, "change", "changes"), style, WIDTH, HEIGHT);
	BA_AUTO_FREE char *shown = ba_text_shorten(title, TITLE_COLUMNS, true);
	put_text(&f, 8, 24, "start", "title", shown);
	put_text(&f, WIDTH - RIGHT, 48, "end", "dim", t->device);
	put_values_axis(&f, unit.name);
	put_commits_axis(&f);
	put_changes(&f);
	put_points(&f);
	ba_buf_puts(out, "</svg>\n");
}
