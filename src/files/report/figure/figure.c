#include "report/figure/figure.h"

#include "report/escape.h"
#include "report/view.h"

BA_EMBED(ba_figure_css, BA_ASSET_DIR "/figure.css");

#define CHARACTER 7.2 /* upper estimate of the width of a character in a heading */

enum {
	MARGIN = 10, /* margin around a stand-alone figure */
	LINE = 17,   /* height of a line of its heading */
	TEXT_COLUMNS = 200,
};

const ba_figure ba_figures[] = {
	{"launch-overhead",
		"time by number of arguments, or over another axis: absolute, difference, per cent",
		BA_COVERS_SWEEP, ba_draw_overhead},
	{"sweep", "time over an axis", BA_COVERS_SWEEP, ba_draw_sweep, 0},
	{"sweep-delta", "the same, as a difference to the baseline", BA_COVERS_SWEEP, ba_draw_sweep,
		1},
	{"sweep-percent", "the same, in per cent of the baseline", BA_COVERS_SWEEP, ba_draw_sweep,
		2},
	{"sweep-throughput", "TFLOP/s or GB/s over an axis, of what counts its work",
		BA_COVERS_SWEEP, ba_draw_sweep, 3},
	{"changes", "every benchmark of a metric: change, interval, threshold", BA_COVERS_METRIC,
		ba_draw_changes},
	{"across", "ways to do the same thing side by side (--across): ratio, interval",
		BA_COVERS_ACROSS, ba_draw_across},
	{"distribution", "the readings of each variant of one benchmark", BA_COVERS_SERIES,
		ba_draw_distribution},
	{"invocations", "the ratio of one benchmark in each invocation", BA_COVERS_SERIES,
		ba_draw_invocations},
	{"order", "the samples of one benchmark in the order of time", BA_COVERS_SERIES,
		ba_draw_order},
	{"blocks", "the first blocks of one benchmark, every reading", BA_COVERS_SERIES,
		ba_draw_blocks},
	{0},
};

const char *const ba_figure_names[] = {"launch-overhead", "sweep", "sweep-delta", "sweep-percent",
	"sweep-throughput", "changes", "across", "distribution", "invocations", "order", "blocks",
	NULL};

const ba_figure *ba_figure_named(const char *name)
{
	return BA_FIND(
		ba_figures, BA_COUNT(ba_figures) - 1, figure, strcmp(figure->name, name) == 0);
}

BA_OWNS_HERE(ba_picture, p, BA_DISPOSE(ba_buf, &p->body, &p->title, &p->desc))

static void put_texts(ba_buf *out, const ba_picture *p)
{
	ba_markup_printf(out, "<title>%m</title>\n<desc>%m</desc>\n", p->title.data, p->desc.data);
}

static void put_inline(ba_buf *out, const ba_picture *p)
{
	ba_buf_printf(out, "<svg class=\"figure\" viewBox=\"0 0 %g %g\" role=\"img\">\n", p->width,
		p->height);
	put_texts(out, p);
	ba_buf_put(out, p->body.data, p->body.len);
	ba_buf_puts(out, "</svg>\n");
}

/* Lines of the picture's width, from y on; returns the y of the next line. */
static double put_lines(ba_buf *out, const char *style, const char *text, double width, double y)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	BA_AUTO_FREE char *cut = ba_text_shorten(safe, TEXT_COLUMNS, true);
	BA_AUTO(ba_buf) ba_buf folded = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv lines = {0};
	ba_text_fold(&folded, cut, (size_t)(width / CHARACTER), 0, 0);
	ba_strv_split(&lines, folded.data, '\n');
	for (size_t i = 0; i < lines.count; i++, y += LINE) {
		ba_buf_printf(out, "<text class=\"%s\" x=\"%d\" y=\"%g\">", style, MARGIN, y);
		ba_markup_put(out, lines.items[i]);
		ba_buf_puts(out, "</text>\n");
	}
	return y;
}

static void put_document(ba_buf *out, const ba_result *r, const ba_picture *p)
{
	BA_AUTO(ba_buf) ba_buf heading = BA_BUF_INIT, where = BA_BUF_INIT;
	ba_device_text(&where, r);
	ba_buf_puts(&where, "; ");
	ba_invocations_text(&where, r);
	double y = put_lines(&heading, "strong", p->title.data, p->width, 24);
	y = put_lines(&heading, "muted", where.data, p->width, y) - 4;
	double width = p->width + 2 * MARGIN, height = p->height + y + MARGIN;
	ba_buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" role=\"img\">\n",
		width, height, width, height);
	put_texts(out, p);
	ba_buf_printf(out,
		"<style>\n%s</style>\n"
		"<rect class=\"paper\" width=\"%g\" height=\"%g\"/>\n%s<g transform=\"translate(%d %g)\">\n",
		ba_figure_css, width, height, heading.data, MARGIN, y);
	ba_buf_put(out, p->body.data, p->body.len);
	ba_buf_puts(out, "</g>\n</svg>\n");
}

bool ba_figure_render(ba_buf *out, const ba_result *r, const ba_figure *figure,
	const ba_figure_subject *what, bool standalone)
{
	BA_AUTO(ba_picture)
	ba_picture p = {.body = BA_BUF_INIT, .title = BA_BUF_INIT, .desc = BA_BUF_INIT};
	BA_AUTO(ba_series) ba_series own = {0};
	ba_figure_subject whole = *what;
	whole.which = figure->which;
	if (figure->covers == BA_COVERS_SERIES)
		whole.series = ba_series_whole(&own, r, what->series);
	if (!figure->draw(&p, r, &whole))
		return false;
	if (standalone)
		put_document(out, r, &p);
	else
		put_inline(out, &p);
	return true;
}
