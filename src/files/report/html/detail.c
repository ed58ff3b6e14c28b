/* A section for each benchmark. */

#include "report/html/page.h"
#include "report/view.h"

enum { VARIANTS_MOST = 40 }; /* most variants in a section; the table has all */

/* where a column gets its value */
typedef enum source {
	SUMMARY, /* a time, at `offset` of ba_summary */
	/* computed from the author's amounts of work, at `offset` of ba_throughput */
	THROUGHPUT,
	LEVEL, /* the level that the tables show, also for earlier documents */
	/* for results of files, the same field holds the mean of logarithms */
	LEVEL_OF_FILES,
	NET,
	LAYOUT,
	COUNT,
} source;

static const struct column {
	const char *name;
	source from;
	size_t offset;
	double scale;
} columns[] = {
	{"trimmed mean", LEVEL},
	{"geometric mean", LEVEL_OF_FILES},
	{"your code", NET},
	{"mean", SUMMARY, offsetof(ba_summary, mean)},
	{"sd", SUMMARY, offsetof(ba_summary, stdev)},
	{"iqr", SUMMARY, offsetof(ba_summary, iqr)},
	{"least", SUMMARY, offsetof(ba_summary, min)},
	{"median", SUMMARY, offsetof(ba_summary, median)},
	{"95th percentile", SUMMARY, offsetof(ba_summary, p95)},
	{"99th percentile", SUMMARY, offsetof(ba_summary, p99)},
	{"TFLOP/s", THROUGHPUT, offsetof(ba_throughput, gflop_per_s), 1e-3},
	{"GB/s", THROUGHPUT, offsetof(ba_throughput, gb_per_s), 1},
	{"million items/s", THROUGHPUT, offsetof(ba_throughput, items_per_s), 1e-6},
	{"% of the matrix ceiling", THROUGHPUT, offsetof(ba_throughput, of_matrix), 100},
	{"% of the copy ceiling", THROUGHPUT, offsetof(ba_throughput, of_copy), 100},
	{"sd between layouts, %", LAYOUT},
	{"measured", COUNT},
};
enum { COLUMNS = BA_COUNT(columns) };

static double double_at(const void *base, size_t offset)
{
	double value;
	memcpy(&value, (const char *)base + offset, sizeof(value));
	return value;
}

/* The value of a variant or of the floor; NaN or 0 if there is none. */
static double value_of(
	const ba_page *p, const ba_series *s, const ba_summary *v, const struct column *c)
{
	double per_ns = ba_unit_of_series(p->r, s, true).per_ns;
	bool floor = v == &s->floor;
	switch (c->from) {
	case SUMMARY:
		return double_at(v, c->offset) * per_ns;
	case THROUGHPUT: {
		ba_throughput work = floor ? (ba_throughput){0}
					   : ba_throughput_of(p->r, s, (size_t)(v - s->variants));
		return double_at(&work, c->offset) * c->scale;
	}
	case LEVEL:
	case LEVEL_OF_FILES:
		if (ba_measured_is_of_files(&p->r->run) != (c->from == LEVEL_OF_FILES))
			return 0;
		return (floor ? v->trimmed : ba_central_ns(s, v)) * per_ns;
	case NET:
		return s->net_ns && s->floor.launches && !floor
			       ? s->net_ns[v - s->variants] * per_ns
			       : NAN;
	case LAYOUT:
		return 100 * v->layout_sd;
	case COUNT:
		return (double)v->launches;
	}
	return NAN;
}

static void put_summary_row(ba_page *p, ba_table *t, const ba_series *s, const char *name,
	const ba_summary *v, const bool *shown)
{
	size_t column = 1;
	ba_table_row(t);
	ba_table_put(t, 0, BA_INK_PLAIN, name);
	for (size_t i = 0; i < COLUMNS; i++) {
		double x = value_of(p, s, v, &columns[i]);
		if (!shown[i])
			continue;
		ba_buf *cell = ba_table_cell(t, column++, BA_INK_PLAIN);
		if (isfinite(x) && x > 0 && columns[i].from == COUNT)
			ba_number_put(cell, x, 0, false);
		else if (isfinite(x) && x > 0)
			ba_number_put_4(cell, x);
	}
}

/* Leaves out columns without any value. */
static void choose_columns(bool *shown, const ba_page *p, const ba_series *s)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		shown[i] = false;
		for (size_t v = 0; v < p->r->run.variant_count && !shown[i]; v++)
			shown[i] = ba_presence_of(p->r, s, v) == BA_PRESENCE_MEASURED &&
				   value_of(p, s, &s->variants[v], &columns[i]) > 0;
	}
}

static void put_summaries(ba_page *p, const ba_series *s)
{
	const ba_result *r = p->r;
	bool shown[COLUMNS];
	BA_AUTO(ba_table) ba_table t = {0};
	ba_unit unit = ba_unit_of_series(r, s, true);
	choose_columns(shown, p, s);
	if (!shown[COLUMNS - 1])
		return;
	BA_AUTO_FREE char *words = ba_unit_words(&unit, s->info);
	BA_AUTO_FREE char *caption = ba_xprintf("%s%s%s, over all readings",
		ba_metric_get(s->metric)->name, *words ? ", " : "", words);
	ba_table_column(&t, (ba_column){"variant", BA_HOLDS_NAME, .left = true, .row_head = true});
	for (size_t i = 0; i < COLUMNS; i++)
		if (shown[i])
			ba_table_column(&t, (ba_column){columns[i].name});
	for (size_t i = 0; i < r->run.variant_count && i < VARIANTS_MOST; i++)
		if (ba_presence_of(r, s, i) == BA_PRESENCE_MEASURED)
			put_summary_row(p, &t, s, r->run.variants[i].label, &s->variants[i], shown);
	if (s->floor.launches)
		put_summary_row(p, &t, s, "floor: the bare driver call", &s->floor, shown);
	ba_table_html(p->out, &t, "aria-label=\"figures of each variant\"", caption);
}

static void put_labelled(ba_buf *out, const char *before, const char *text)
{
	if (!text)
		return;
	ba_markup_printf(out, "%w%s", before, text);
}

/* "; threshold 9 % (at least 1 ns)" */
static void put_threshold(ba_buf *out, const ba_comparison *c)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_comparison_put_threshold(&text, c);
	if (text.len)
		ba_buf_printf(out, "; threshold %s", text.data);
}

/* the findings about one candidate, in one or more sentences */
static void put_comparison(ba_page *p, const ba_series *s, size_t candidate)
{
	const ba_comparison *c = &s->comparisons[candidate - 1];
	ba_row row = {.series = s, .candidate = candidate, .verdict = c->verdict};
	BA_AUTO(ba_buf) ba_buf change = BA_BUF_INIT;
	ba_row_change_text(&change, p->r, &row, true);
	ba_markup_printf(p->out, "<dt>%n</dt><dd>", p->r->run.variants[candidate].label);
	BA_AUTO(ba_buf) ba_buf word = BA_BUF_INIT;
	ba_row_put_word(&word, p->r, &row);
	ba_html_badge(p->out, c->verdict, word.data);
	if (change.len)
		ba_markup_printf(p->out, ": %m", change.data);
	put_threshold(p->out, c);
	if (c->invocations)
		ba_buf_printf(p->out, "; %u %s", c->invocations,
			ba_measured_is_of_files(&p->r->run) ? "values a side" : "invocations");
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
	ba_markup_printf(p->out, "<p><strong>%n</strong> %w: %s</p>\n",
		p->r->run.variants[variant].label, v->failure ? "failed" : "skipped",
		v->failure ? v->failure : v->skipped);
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
	/* the samples are read once for all plots */
	BA_AUTO(ba_series) ba_series own = {0};
	ba_figure_subject what = {.series = ba_series_whole(&own, p->r, s)};
	ba_buf_puts(p->out, "<div class=\"figures pairs\">\n");
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		ba_html_figure(p, rows[i].name, &what, rows[i].caption);
	ba_buf_puts(p->out, "</div>\n");
}

/* row: the first of its series in the ranking; the summary has its word and badge */
static void put_section(ba_page *p, const ba_row *row, bool open)
{
	const ba_result *r = p->r;
	const ba_series *s = row->series;
	bool news = row->concern != BA_CONCERN_NONE;
	ba_markup_printf(p->out, "<details%w%w data-section=\"s%z\">\n<summary><h3>%n",
		open ? " open" : "", news ? " data-print" : "", (size_t)(s - r->series),
		r->run.benchmarks[s->benchmark].id);
	ba_buf_printf(
		p->out, "</h3> <span class=\"metric\">%s</span> ", ba_metric_get(s->metric)->name);
	BA_AUTO(ba_buf) ba_buf word = BA_BUF_INIT;
	ba_row_put_word(&word, r, row);
	ba_html_badge(p->out, row->verdict, word.data);
	/* The anchor is inside <details>: a browser that follows a link to it opens the section. */
	ba_buf_printf(p->out, "</summary>\n<div id=\"s%zu\">\n", (size_t)(s - r->series));
	if (row->candidate) {
		ba_buf_puts(p->out, "<dl>\n");
		for (size_t i = 1; i < r->run.variant_count && i < VARIANTS_MOST; i++)
			put_comparison(p, s, i);
		ba_buf_puts(p->out, "</dl>\n");
	}
	for (size_t i = 0; i < r->run.variant_count && i < VARIANTS_MOST; i++)
		put_problem(p, s, i);
	if (r->run.variant_count > VARIANTS_MOST)
		ba_buf_printf(p->out, "<p>The table above has %zu more %s.</p>\n",
			r->run.variant_count - VARIANTS_MOST,
			ba_plural(r->run.variant_count - VARIANTS_MOST, "variant", "variants"));
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
	ba_html_section(p, "benchmarks", "Benchmarks");
	BA_EACH (const ba_row, row, p->ranking->rows, p->rows) {
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
