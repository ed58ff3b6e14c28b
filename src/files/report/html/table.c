/* All results, worst first. The script makes columns sortable and shows the filters. */

#include "report/html/page.h"
#include "report/view.h"

void ba_html_factors(ba_page *p)
{
	BA_AUTO(ba_table) ba_table t = {0};
	if (!ba_factors_table(&t, p->r, NULL))
		return;
	ba_html_section(p, "factors", "Code and environment");
	ba_table_html(p->out, &t, "aria-label=\"effects of code and environment\"", NULL);
	ba_buf_puts(p->out, "</section>\n");
}

/* ---- filters: one choice for each thing that there is more than one of ---- */

static void begin_choice(ba_buf *out, const char *name, const char *label)
{
	ba_buf_printf(
		out, "<label>%s <select name=\"%s\"><option value=\"\">all</option>", label, name);
}

static void put_option(ba_buf *out, const char *value)
{
	ba_buf_puts(out, "<option value=\"");
	ba_markup_put_short(out, value, BA_HTML_NAME_COLUMNS);
	ba_buf_puts(out, "\">");
	ba_markup_put_short(out, value, 40);
	ba_buf_puts(out, "</option>");
}

static void put_filters(ba_page *p)
{
	const ba_result *r = p->r;
	bool seen[BA_METRIC_COUNT] = {false}, verdicts[BA_VERDICT_COUNT] = {false};
	for (size_t i = 0; i < p->rows; i++) {
		seen[p->ranking->rows[i].series->metric] = true;
		verdicts[p->ranking->rows[i].verdict] = true;
	}
	ba_buf_puts(p->out,
		"<form class=\"filters\" hidden>\n<label>benchmark <input type=\"search\" name=\"text\" autocomplete=\"off\" spellcheck=\"false\"></label>\n");
	begin_choice(p->out, "verdict", "verdict");
	for (int v = 0; v < BA_VERDICT_COUNT; v++)
		if (verdicts[v])
			put_option(p->out, ba_verdict_name((ba_verdict)v));
	ba_buf_puts(p->out, "</select></label>\n");
	if (p->many_metrics) {
		begin_choice(p->out, "metric", "metric");
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			if (seen[m])
				put_option(p->out, ba_metric_get((ba_metric)m)->name);
		ba_buf_puts(p->out, "</select></label>\n");
	}
	if (r->run.variant_count > 2) {
		begin_choice(p->out, "candidate", "candidate");
		for (size_t i = 1; i < r->run.variant_count && i < BA_PAGE_ROWS; i++)
			put_option(p->out, r->run.variants[i].label);
		ba_buf_puts(p->out, "</select></label>\n");
	}
	ba_buf_puts(p->out, "<output aria-live=\"polite\"></output>\n</form>\n");
}

/* the unit of all rows, or NULL */
static const ba_unit *unit_of(const ba_page *p)
{
	return p->unit.name ? &p->unit : NULL;
}

static void put_sort_value(ba_buf *out, double value)
{
	if (isfinite(value))
		ba_buf_printf(out, " data-value=\"%.9g\"", value);
}

static void put_figure(ba_page *p, const ba_row *row, size_t variant, const char *class)
{
	const ba_series *s = row->series;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	bool measured = ba_presence_of(p->r, s, variant) == BA_PRESENCE_MEASURED;
	ba_figure_text(&text, p->r, s, variant, unit_of(p));
	ba_buf_printf(p->out, "<td class=\"number %s\"", class);
	put_sort_value(p->out, measured ? ba_central_ns(s, &s->variants[variant]) : NAN);
	ba_buf_printf(p->out, ">%s</td>", text.data);
}

static double clip(double x)
{
	return x > 1 ? 1 : x > -1 ? x : -1;
}

/* Draws the interval beside the threshold; the width is three thresholds on each side. It is
 * hidden from screen readers, because the cells beside it have the same numbers. */
static void put_spark(ba_buf *out, const ba_row *row, const ba_change *c)
{
	const ba_comparison *t = &row->series->comparisons[row->candidate - 1];
	double limit = t->threshold_slower > 0 ? t->threshold_slower : 0.02;
	double scale = 60 / (3 * limit);
	ba_buf_printf(out,
		"<svg class=\"spark figure\" viewBox=\"-64 -8 128 16\" aria-hidden=\"true\"><path class=\"limit\" d=\"M%.1f -8H%.1fV8H%.1fz\"/><path class=\"axis\" d=\"M0 -8V8\"/>",
		-20 * t->threshold_faster / limit, 20 * t->threshold_slower / limit,
		-20 * t->threshold_faster / limit);
	if (!isnan(c->low))
		ba_buf_printf(out, "<path class=\"%s\" d=\"M%.1f 0H%.1f\"/>",
			ba_html_class(row->verdict), 60 * clip((c->low - 1) * scale / 60),
			60 * clip((c->high - 1) * scale / 60));
	double at = (c->ratio - 1) * scale / 60;
	const char *shape = at > 1    ? "m-3 -4l6 4l-6 4z"
			    : at < -1 ? "m3 -4l-6 4l6 4z"
				      : "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z";
	ba_buf_printf(out, "<path class=\"dot\" d=\"M%.1f 0%s\"/></svg>", 60 * clip(at), shape);
}

static void put_change(ba_page *p, const ba_row *row)
{
	ba_change c = ba_change_of(row->series, row->candidate);
	if (!c.known) {
		ba_buf_puts(p->out,
			"<td class=\"number wide-only\"></td><td class=\"number\"></td><td class=\"spark\"></td>");
		return;
	}
	ba_buf_puts(p->out, "<td class=\"number wide-only\"");
	put_sort_value(p->out, c.delta_ns);
	ba_buf_putc(p->out, '>');
	ba_difference_text(p->out, p->r, row, unit_of(p));
	ba_buf_puts(p->out, "</td><td class=\"number\"");
	put_sort_value(p->out, c.ratio);
	ba_buf_printf(p->out, "><strong>%s</strong>", ba_percent_of(c.ratio, c.low, c.high).text);
	if (!isnan(c.low))
		ba_buf_printf(p->out, " <span class=\"interval\">%s</span>",
			ba_interval_of(c.low, c.high).text);
	ba_buf_puts(p->out, "</td><td class=\"spark\">");
	put_spark(p->out, row, &c);
	ba_buf_puts(p->out, "</td>");
}

static void put_row(ba_page *p, const ba_row *row)
{
	const ba_series *s = row->series;
	size_t index = (size_t)(s - p->r->series);
	const char *id = p->r->run.benchmarks[s->benchmark].id;
	ba_buf_printf(p->out, "<tr data-section=\"s%zu\"><th scope=\"row\">", index);
	if (p->detailed[index])
		ba_buf_printf(p->out, "<a href=\"#s%zu\">", index);
	ba_markup_printf(p->out, "%n%w", id, p->detailed[index] ? "</a></th>" : "</th>");
	if (p->many_metrics)
		ba_buf_printf(
			p->out, "<td data-name=\"metric\">%s</td>", ba_metric_get(s->metric)->name);
	if (p->r->run.variant_count > 2) {
		ba_markup_printf(p->out, "<td data-name=\"candidate\">%n</td>",
			p->r->run.variants[row->candidate].label);
	}
	put_figure(p, row, 0, row->candidate ? "wide-only" : "");
	if (row->candidate) {
		put_figure(p, row, row->candidate, "wide-only");
		put_change(p, row);
	}
	BA_AUTO(ba_buf) ba_buf word = BA_BUF_INIT;
	ba_row_put_word(&word, p->r, row);
	ba_buf_printf(p->out, "<td data-name=\"verdict\" data-value=\"%zu\"",
		(size_t)(row - p->ranking->rows));
	/* filters find "slower, within 2 %" by its verdict */
	if (!ba_text_ends(word.data, ba_verdict_name(row->verdict)))
		ba_buf_printf(p->out, " data-verdict=\"%s\"", ba_verdict_name(row->verdict));
	ba_buf_putc(p->out, '>');
	ba_html_badge(p->out, row->verdict, word.data);
	ba_buf_puts(p->out, "</td></tr>\n");
}

/* ", ns/launch"; "" if rows have different units */
static char *unit_heading(const ba_page *p)
{
	const ba_unit *unit = unit_of(p);
	if (!unit || !*unit->name)
		return ba_xstrdup("");
	return ba_xprintf(", %s%s", unit->name,
		p->many_metrics ? "" : ba_unit_per(p->ranking->rows[0].series->info));
}

static void put_columns(ba_page *p)
{
	const ba_result *r = p->r;
	bool compared = r->run.variant_count > 1, one = r->run.variant_count == 2;
	BA_AUTO(ba_buf) ba_buf baseline = BA_BUF_INIT, candidate = BA_BUF_INIT;
	BA_AUTO_FREE char *unit = unit_heading(p);
	BA_AUTO_FREE char *interval = ba_interval_heading(r);
	BA_AUTO_FREE char *relative = ba_xprintf("change, %s", interval);
	BA_AUTO_FREE char *absolute = ba_xprintf("change%s", unit);
	ba_markup_printf(&baseline, "%n%w", r->run.variants[0].label, unit);
	ba_markup_printf(&candidate, one ? "%n%w" : "%w%w",
		one ? r->run.variants[1].label : "candidate", unit);
	const struct {
		bool shown;
		const char *class, *text;
	} heads[] = {
		{true, "", "benchmark"},
		{p->many_metrics, "", "metric"},
		{compared && !one, "", "candidate"},
		{true, compared ? " class=\"number wide-only\"" : " class=\"number\"",
			baseline.data},
		{compared, " class=\"number wide-only\"", candidate.data},
		{compared, " class=\"number wide-only\"", absolute},
		{compared, " class=\"number\"", relative},
	};
	ba_buf_puts(p->out, "<thead><tr>");
	for (size_t i = 0; i < BA_COUNT(heads); i++)
		if (heads[i].shown)
			ba_markup_printf(p->out, "<th scope=\"col\"%w>%w</th>", heads[i].class,
				heads[i].text);
	ba_buf_puts(p->out, compared ? "<td class=\"spark\"></td>" : "");
	ba_buf_puts(p->out, "<th scope=\"col\">verdict</th></tr></thead>\n");
}

/* "Threshold of v2: 9 to 10 % (at least 1 ns)", or once for all candidates */
static void put_thresholds(ba_page *p)
{
	const ba_result *r = p->r;
	BA_AUTO(ba_buf) ba_buf last = BA_BUF_INIT;
	for (size_t v = 1; v < r->run.variant_count && v < BA_FIGURE_VARIANTS; v++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_result_put_thresholds(&text, r, -1, v);
		if (!text.len || (last.len && strcmp(last.data, text.data) == 0))
			continue;
		ba_buf_puts(p->out, "Threshold");
		if (last.len)
			ba_markup_printf(p->out, " of %n", r->run.variants[v].label);
		ba_buf_printf(p->out, ": %s. ", text.data);
		ba_buf_truncate(&last, 0);
		ba_buf_puts(&last, text.data);
	}
}

/* explains the words and numbers of the table once, below it */
static void put_legend(ba_page *p)
{
	ba_buf_puts(p->out, "<p class=\"legend\">");
	put_thresholds(p);
	ba_levels_text(p->out, p->r);
	ba_buf_puts(p->out, "</p>\n");
}

void ba_html_table(ba_page *p)
{
	ba_html_section(p, "results", "Results");
	if (!p->rows) {
		ba_buf_puts(p->out, "<p>Nothing was measured.</p>\n</section>\n");
		return;
	}
	put_filters(p);
	ba_buf_puts(p->out,
		"<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"results\">\n<table class=\"results\">\n<caption>");
	if (p->rows < p->ranking->count)
		ba_buf_printf(p->out,
			"The %zu rows that matter most, of %zu; the CSV report has all. ", p->rows,
			p->ranking->count);
	if (!p->many_metrics) {
		const ba_metric_info *info = p->ranking->rows[0].series->info;
		ba_buf_printf(p->out, "%s: %s. ", info->name, info->help);
	}
	if (p->r->run.variant_count > 1)
		ba_buf_puts(p->out,
			"<span class=\"wide-only\">In the strips, slower is to the right. Grey is the threshold, the dot the change, the bar its interval. An arrow is a change of more than three thresholds.</span>");
	ba_buf_puts(p->out, "</caption>\n");
	put_columns(p);
	ba_buf_puts(p->out, "<tbody>\n");
	for (size_t i = 0; i < p->rows; i++)
		put_row(p, &p->ranking->rows[i]);
	ba_buf_puts(p->out, "</tbody>\n</table>\n</div>\n");
	put_legend(p);
	ba_buf_puts(p->out, "</section>\n");
}
