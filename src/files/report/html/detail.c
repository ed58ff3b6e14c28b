/* A section for each benchmark. */
#include <math.h>

#include "base/base.h"
#include "base/number.h"
#include "model/throughput.h"
#include "report/html/page.h"
#include "report/markup.h"
#include "report/view.h"

enum { VARIANTS_MOST = 40 }; /* of a section; the table has all */

/* a figure of a variant: NaN or 0 where there is none */
typedef double figure_of(const ba_page *p, const ba_series *s, const ba_summary *v);

static double per_ns(const ba_page *p, const ba_series *s)
{
	return ba_unit_of_series(p->r, s, true).per_ns;
}

#define TIME(member)                                                                         \
	static double member##_of(const ba_page *p, const ba_series *s, const ba_summary *v) \
	{                                                                                    \
		return v->member * per_ns(p, s);                                             \
	}
TIME(mean)
TIME(stdev)
TIME(iqr)
TIME(min)
TIME(median)
TIME(p95)
TIME(p99)

/* of a variant the level that the tables show, also of earlier documents */
static double level_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return (v == &s->floor ? v->trimmed : ba_central_ns(s, v)) * per_ns(p, s);
}

static double net_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	bool has = s->net_ns && s->floor.launches && v != &s->floor;
	return has ? s->net_ns[v - s->variants] * per_ns(p, s) : NAN;
}

/* by the counts of the benchmark's author */
static ba_throughput throughput_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	if (v == &s->floor)
		return (ba_throughput){0};
	return ba_throughput_of(p->r, s, (size_t)(v - s->variants));
}

static double tflops_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return throughput_of(p, s, v).gflop_per_s / 1e3;
}

static double gbytes_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return throughput_of(p, s, v).gb_per_s;
}

static double items_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return throughput_of(p, s, v).items_per_s / 1e6;
}

static double matrix_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return 100 * throughput_of(p, s, v).of_matrix;
}

static double copy_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return 100 * throughput_of(p, s, v).of_copy;
}

static double layout_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	(void)p;
	(void)s;
	return 100 * v->layout_sd;
}

static double count_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	(void)p;
	(void)s;
	return (double)v->launches;
}

/* of files the same field holds the mean of logarithms */
static double middle_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return ba_result_is_of_files(p->r) ? 0 : level_of(p, s, v);
}

static double geometric_of(const ba_page *p, const ba_series *s, const ba_summary *v)
{
	return ba_result_is_of_files(p->r) ? level_of(p, s, v) : 0;
}

static const struct column {
	const char *name;
	figure_of *figure;
	bool whole;
} columns[] = {
	{"trimmed mean", middle_of, false},
	{"geometric mean", geometric_of, false},
	{"your code", net_of, false},
	{"mean", mean_of, false},
	{"sd", stdev_of, false},
	{"iqr", iqr_of, false},
	{"least", min_of, false},
	{"median", median_of, false},
	{"95th percentile", p95_of, false},
	{"99th percentile", p99_of, false},
	{"TFLOP/s", tflops_of, false},
	{"GB/s", gbytes_of, false},
	{"million items/s", items_of, false},
	{"% of the matrix ceiling", matrix_of, false},
	{"% of the copy ceiling", copy_of, false},
	{"sd between layouts, %", layout_of, false},
	{"measured", count_of, true},
};
enum { COLUMNS = BA_COUNT(columns) };

static void put_summary_row(
	ba_page *p, const ba_series *s, const char *name, const ba_summary *v, const bool *shown)
{
	ba_buf_puts(p->out, "<tr><th scope=\"row\">");
	ba_html_name(p->out, name);
	ba_buf_puts(p->out, "</th>");
	for (size_t i = 0; i < COLUMNS; i++) {
		double x = columns[i].figure(p, s, v);
		if (!shown[i])
			continue;
		ba_buf_puts(p->out, "<td class=\"number\">");
		/* four digits */
		if (isfinite(x) && x > 0)
			ba_number_put(p->out, x,
				columns[i].whole ? 0 : ba_number_decimals(x, x / 100), false);
		ba_buf_puts(p->out, "</td>");
	}
	ba_buf_puts(p->out, "</tr>\n");
}

/* a column that nobody has a figure for is not there */
static void choose_columns(bool *shown, const ba_page *p, const ba_series *s)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		shown[i] = false;
		for (size_t v = 0; v < p->r->variant_count && !shown[i]; v++)
			shown[i] = ba_presence_of(p->r, s, v) == BA_PRESENCE_MEASURED &&
				   columns[i].figure(p, s, &s->variants[v]) > 0;
	}
}

static void put_summaries(ba_page *p, const ba_series *s)
{
	const ba_result *r = p->r;
	bool shown[COLUMNS];
	ba_unit unit = ba_unit_of_series(r, s, true);
	choose_columns(shown, p, s);
	if (!shown[COLUMNS - 1])
		return;
	ba_buf_printf(p->out,
		"<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"figures of each variant\">\n<table>\n<caption>%s%s%s%s, over all readings</caption>\n<thead><tr><th scope=\"col\">variant</th>",
		ba_metric_get(s->metric)->name, *unit.name ? ", " : "", unit.name,
		*unit.name ? ba_unit_per(s->info) : "");
	for (size_t i = 0; i < COLUMNS; i++)
		if (shown[i])
			ba_buf_printf(p->out, "<th scope=\"col\">%s</th>", columns[i].name);
	ba_buf_puts(p->out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < r->variant_count && i < VARIANTS_MOST; i++)
		if (ba_presence_of(r, s, i) == BA_PRESENCE_MEASURED)
			put_summary_row(p, s, r->variants[i].label, &s->variants[i], shown);
	if (s->floor.launches)
		put_summary_row(p, s, "floor: the bare driver call", &s->floor, shown);
	ba_buf_puts(p->out, "</tbody>\n</table>\n</div>\n");
}

static void put_labelled(ba_buf *out, const char *before, const char *text)
{
	if (!text)
		return;
	ba_buf_puts(out, before);
	ba_html_sentence(out, text);
}

/* "; threshold 9 % (at least 1 ns)" */
static void put_threshold(ba_buf *out, const ba_comparison *c)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_comparison_put_threshold(&text, c);
	if (text.len)
		ba_buf_printf(out, "; threshold %s", text.data);
}

/* what was found about one candidate, in a sentence or a few */
static void put_comparison(ba_page *p, const ba_series *s, size_t candidate)
{
	const ba_comparison *c = &s->comparisons[candidate - 1];
	ba_row row = {.series = s, .candidate = candidate, .verdict = c->verdict};
	BA_AUTO(ba_buf) ba_buf change = BA_BUF_INIT;
	ba_row_change_text(&change, p->r, &row, true);
	ba_buf_puts(p->out, "<dt>");
	ba_html_name(p->out, p->r->variants[candidate].label);
	ba_buf_puts(p->out, "</dt><dd>");
	BA_AUTO(ba_buf) ba_buf word = BA_BUF_INIT;
	ba_row_put_word(&word, p->r, &row);
	ba_html_badge(p->out, c->verdict, word.data);
	if (change.len) {
		ba_buf_puts(p->out, ": ");
		ba_markup_put(p->out, change.data);
	}
	put_threshold(p->out, c);
	if (c->invocations)
		ba_buf_printf(p->out, "; %u %s", c->invocations,
			ba_result_is_of_files(p->r) ? "values a side" : "invocations");
	if (change.len && s->role == BA_ROLE_VERDICT)
		ba_buf_printf(p->out, "; p-values: regressed %.2g, improved %.2g, unchanged %.2g",
			c->p_regressed, c->p_improved, c->p_unchanged);
	ba_buf_puts(p->out, ".");
	if (c->unstable)
		ba_buf_puts(p->out, " Some invocations differ from the others by more than noise.");
	if (c->shape_changed)
		ba_buf_puts(p->out, " The slowest readings moved differently from the rest.");
	put_labelled(p->out, " ", c->reason);
	put_labelled(p->out, " ", c->hint);
	ba_buf_puts(p->out, "</dd>\n");
}

static void put_problem(ba_page *p, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	if (!v->failure && !v->skipped)
		return;
	ba_buf_puts(p->out, "<p><strong>");
	ba_html_name(p->out, p->r->variants[variant].label);
	ba_buf_printf(p->out, "</strong> %s: ", v->failure ? "failed" : "skipped");
	ba_html_sentence(p->out, v->failure ? v->failure : v->skipped);
	ba_buf_puts(p->out, "</p>\n");
	if (v->output && *v->output) {
		size_t length = strlen(v->output), most = 8192;
		ba_buf_puts(p->out, "<pre>");
		ba_markup_put_lines(p->out, v->output + (length > most ? length - most : 0));
		ba_buf_puts(p->out, "</pre>\n");
	}
}

static void put_figures(ba_page *p, const ba_series *s)
{
	static const struct {
		const char *name, *caption;
	} rows[] = {
		{"distribution", "How the readings are distributed"},
		{"invocations", "The change in each invocation"},
		{"order", "Drift: the readings in the order of time"},
		{"blocks", "The first blocks, every reading"},
	};
	if (p->figure_bytes > BA_PAGE_FIGURE_BYTES) {
		p->undrawn++;
		ba_buf_puts(p->out,
			"<p>The page would be too large with more figures. <code>bench-against plot</code> draws them.</p>\n");
		return;
	}
	/* read once for all of them */
	BA_AUTO(ba_series) ba_series own = {0};
	ba_figure_subject what = {.series = ba_series_whole(&own, p->r, s)};
	ba_buf_puts(p->out, "<div class=\"figures pairs\">\n");
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		ba_html_figure(p, rows[i].name, &what, rows[i].caption);
	ba_buf_puts(p->out, "</div>\n");
}

/* the row of the series that ranks first speaks for it */
static void put_section(ba_page *p, const ba_row *row, bool open)
{
	const ba_result *r = p->r;
	const ba_series *s = row->series;
	bool news = row->concern != BA_CONCERN_NONE;
	ba_buf_printf(p->out, "<details%s%s data-section=\"s%zu\">\n<summary><h3>",
		open ? " open" : "", news ? " data-print" : "", (size_t)(s - r->series));
	ba_html_name(p->out, r->benchmarks[s->benchmark].id);
	ba_buf_printf(
		p->out, "</h3> <span class=\"metric\">%s</span> ", ba_metric_get(s->metric)->name);
	BA_AUTO(ba_buf) ba_buf word = BA_BUF_INIT;
	ba_row_put_word(&word, r, row);
	ba_html_badge(p->out, row->verdict, word.data);
	/* inside of it, so that a browser that goes there opens it */
	ba_buf_printf(p->out, "</summary>\n<div id=\"s%zu\">\n", (size_t)(s - r->series));
	if (row->candidate) {
		ba_buf_puts(p->out, "<dl>\n");
		for (size_t i = 1; i < r->variant_count && i < VARIANTS_MOST; i++)
			put_comparison(p, s, i);
		ba_buf_puts(p->out, "</dl>\n");
	}
	for (size_t i = 0; i < r->variant_count && i < VARIANTS_MOST; i++)
		put_problem(p, s, i);
	if (r->variant_count > VARIANTS_MOST)
		ba_buf_printf(p->out, "<p>The table above has %zu more %s.</p>\n",
			r->variant_count - VARIANTS_MOST,
			ba_plural(r->variant_count - VARIANTS_MOST, "variant", "variants"));
	put_figures(p, s);
	put_summaries(p, s);
	ba_buf_puts(p->out, "</div>\n</details>\n");
}

void ba_html_details(ba_page *p)
{
	BA_AUTO_FREE bool *done = ba_xcalloc(p->r->series_count + 1, sizeof(bool));
	size_t shown = 0;
	if (!p->details)
		return;
	ba_buf_puts(p->out, "<section aria-labelledby=\"benchmarks\">\n"
			    "<h2 id=\"benchmarks\">Benchmarks</h2>\n");
	for (size_t i = 0; i < p->rows; i++) {
		const ba_row *row = &p->ranking->rows[i];
		size_t index = (size_t)(row->series - p->r->series);
		if (!p->detailed[index] || done[index])
			continue;
		done[index] = true;
		put_section(p, row, shown++ == 0);
	}
	if (p->details < p->r->series_count)
		ba_buf_printf(p->out,
			"<p>The %zu of %zu benchmarks that matter most have a section.</p>\n",
			p->details, p->r->series_count);
	ba_buf_puts(p->out, "</section>\n");
}
