
#include "report/escape.h"
#include "report/format.h"
#include "report/rank.h"
#include "report/remarks.h"
#include "report/view.h"

enum {
	ANSWER_COLUMNS = 2000,
	REASON_COLUMNS = 600,
	NAMES_SHOWN = 8,
	NEWS_ROWS = 25, /* most rows shown before the rest is folded */
	REMARKS = 30,
	TAIL_ROOM = 200, /* room for a sentence about omitted rows */
};

typedef struct page {
	ba_buf *out;
	const ba_result *r;
	size_t limit; /* of out->len */
	bool open;
	bool many_candidates; /* the table needs a column for candidates */
	/* the unit of the metric's tables; without a name each row has its own */
	ba_unit unit;
	size_t left_out;
} page;

/* the unit of all rows of a table, or NULL */
static const ba_unit *unit_of(const page *p)
{
	return p->unit.name ? &p->unit : NULL;
}

static void header(page *p)
{
	const ba_result *r = p->r;
	if (r->decided.answer) {
		ba_buf_puts(p->out, "**");
		ba_markdown_sentence(p->out, r->decided.answer, ANSWER_COLUMNS);
		ba_buf_puts(p->out, "**\n\n");
	}
	BA_AUTO(ba_table) ba_table t = {0};
	ba_variants_table(&t, r, true);
	ba_table_markdown(p->out, &t);
}

static void put_change(const page *p, ba_table *t, size_t column, const ba_row *row)
{
	ba_change change = ba_change_of(row->series, row->candidate);
	if (!change.known)
		return;
	ba_buf *size = ba_table_cell(t, column, BA_INK_PLAIN);
	ba_difference_text(size, p->r, row, unit_of(p));
	ba_buf_printf(size, " (%s)", ba_percent_of(change.ratio, change.low, change.high).text);
	ba_table_put(t, column + 1, BA_INK_PLAIN,
		isnan(change.low) ? "" : ba_interval_of(change.low, change.high).text);
}

static void put_row(const page *p, ba_table *t, const ba_row *row)
{
	size_t c = 0;
	ba_table_row(t);
	ba_table_put(t, c++, BA_INK_PLAIN, p->r->run.benchmarks[row->series->benchmark].id);
	if (p->many_candidates)
		ba_table_put(t, c++, BA_INK_PLAIN, p->r->run.variants[row->candidate].label);
	ba_figure_text(ba_table_cell(t, c++, BA_INK_PLAIN), p->r, row->series, 0, unit_of(p));
	if (!row->candidate)
		return;
	ba_figure_text(
		ba_table_cell(t, c++, BA_INK_PLAIN), p->r, row->series, row->candidate, unit_of(p));
	put_change(p, t, c, row);
	ba_buf *verdict = ba_table_cell(t, c + 2, BA_INK_PLAIN);
	const char *loud = row->concern == BA_CONCERN_FAILS ? "**" : "";
	const char *symbol = ba_verdict_symbol(row->verdict, true);
	ba_buf_printf(verdict, "%s%s%s", loud, symbol, *symbol ? " " : "");
	ba_row_put_word(verdict, p->r, row);
	ba_buf_puts(verdict, loud);
}

/* A row that does not fit is removed again and counted. */
static void put_row_within(page *p, ba_table *t, const ba_row *row)
{
	size_t before = p->out->len;
	if (!p->left_out) {
		put_row(p, t, row);
		ba_table_markdown_rows(p->out, t);
		ba_table_clear(t);
	}
	if (p->left_out || p->out->len > p->limit) {
		ba_buf_truncate(p->out, before);
		p->left_out++;
	}
}

typedef bool chosen(const ba_row *row);

static bool is_news(const ba_row *row)
{
	return row->series->role == BA_ROLE_VERDICT && row->concern != BA_CONCERN_NONE;
}

static bool is_quiet(const ba_row *row)
{
	return row->series->role == BA_ROLE_VERDICT && row->concern == BA_CONCERN_NONE;
}

static bool is_reported(const ba_row *row)
{
	return row->series->role != BA_ROLE_VERDICT;
}

static size_t count_of(const ba_row *rows, size_t n, ba_metric metric, chosen *wanted)
{
	return BA_HOW_MANY(rows, n, x, x->series->metric == metric && wanted(x));
}

/* The selected rows from number `skip` on, at most `most`. */
static void table(
	page *p, const ba_ranking *k, ba_metric metric, chosen *wanted, size_t skip, size_t most)
{
	const ba_result *r = p->r;
	const ba_metric_info *info = ba_result_metric(r, metric);
	BA_AUTO(ba_table) ba_table t = {0};
	/* no unit if each row has its own */
	BA_AUTO_FREE char *unit = ba_unit_words(&p->unit, info);
	BA_AUTO_FREE char *head = ba_xprintf(*unit ? "benchmark (%s)" : "benchmark", unit);
	BA_AUTO_FREE char *interval = ba_interval_heading(r);
	const ba_column name = {head, BA_HOLDS_NAME, .left = true},
			candidate = {"candidate", BA_HOLDS_NAME, .left = true},
			changes[] = {{r->run.variants[0].label, .head_is_name = true},
				{p->many_candidates
						? "candidate"
						: r->run.variants[r->run.variant_count - 1].label,
					.head_is_name = !p->many_candidates},
				{"change"}, {interval}, {info->name, .left = true}};
	size_t seen = 0;
	ba_table_column(&t, name);
	if (p->many_candidates)
		ba_table_column(&t, candidate);
	if (r->run.variant_count > 1)
		ba_table_columns(&t, changes, BA_COUNT(changes));
	else
		ba_table_column(&t, (ba_column){info->name});
	ba_buf_putc(p->out, '\n');
	ba_table_markdown_head(p->out, &t);
	for (size_t i = 0; i < k->count && seen < skip + most; i++) {
		const ba_row *row = &k->rows[i];
		if (row->series->metric == metric && wanted(row) && seen++ >= skip)
			put_row_within(p, &t, row);
	}
}

/* Like `table`, folded under a summary line; nothing if there are no rows. */
static void folded(page *p, const ba_ranking *k, ba_metric metric, chosen *wanted, size_t skip,
	const char *title)
{
	size_t count = count_of(k->rows, k->count, metric, wanted);
	if (count <= skip)
		return;
	if (p->left_out || p->out->len + 1024 > p->limit) {
		p->left_out += count - skip;
		return;
	}
	ba_buf_printf(p->out,
		p->open ? "\n#### %s (%zu)\n" : "\n<details><summary>%s (%zu)</summary>\n", title,
		count - skip);
	table(p, k, metric, wanted, skip, SIZE_MAX - skip);
	if (!p->open)
		ba_buf_puts(p->out, "\n</details>\n");
}

/* Deciding metrics: changes are open, the rest is folded. Else a short table is open. */
static void deciding(page *p, const ba_ranking *k, ba_metric metric)
{
	const char *name = ba_metric_get(metric)->name;
	size_t news = count_of(k->rows, k->count, metric, is_news);
	size_t quiet = count_of(k->rows, k->count, metric, is_quiet);
	size_t shown = news < NEWS_ROWS ? news : NEWS_ROWS;
	BA_AUTO_FREE char *more = ba_xprintf("%s: more that changed or failed", name);
	BA_AUTO_FREE char *rest = ba_xprintf(
		p->r->run.variant_count > 1 ? "%s: no change beyond the threshold" : "%s", name);
	if (shown)
		table(p, k, metric, is_news, 0, shown);
	folded(p, k, metric, is_news, shown, more);
	if (!news && quiet <= NEWS_ROWS)
		table(p, k, metric, is_quiet, 0, quiet);
	else
		folded(p, k, metric, is_quiet, 0, rest);
}

static void remark(ba_buf *out, size_t *count, const char *kind, const char *text)
{
	if ((*count)++ >= REMARKS)
		return;
	ba_buf_printf(out, "- %s", kind);
	ba_markdown_sentence(out, text, REASON_COLUMNS);
	ba_buf_putc(out, '\n');
}

static void reasons(ba_buf *out, size_t *count, const ba_result *r)
{
	BA_AUTO(ba_remarks) ba_remarks all = {0};
	ba_remarks_of(&all, r, false);
	BA_EACH (const ba_remark, m, all.items, all.count) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_remark_put(&text, r, m);
		if (m->count > 1) {
			ba_buf_puts(&text, " (");
			ba_names_put(&text, r, m->benchmarks, m->count, NAMES_SHOWN);
			ba_buf_putc(&text, ')');
		}
		remark(out, count, "", text.data);
	}
}

static void put_threshold(ba_buf *out, const ba_result *r)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (r->run.variant_count > 1)
		ba_result_put_thresholds(&text, r, -1, 1);
	if (text.len)
		ba_buf_printf(out, "; threshold %s", text.data);
}

/* count: number of remarks written before */
static void footer(ba_buf *out, size_t count, const ba_result *r)
{
	ba_buf_putc(out, '\n');
	BA_AUTO(ba_strv) ba_strv places = {0};
	ba_places_sentences(&places, r, false);
	for (size_t i = 0; i < places.count; i++)
		remark(out, &count, "GPUs: ", places.items[i]);
	for (size_t i = 0; i < r->run.env.warnings.count; i++)
		remark(out, &count, "warning: ", r->run.env.warnings.items[i]);
	for (size_t i = 0; i < r->run.notes.count; i++)
		remark(out, &count, "note: ", r->run.notes.items[i]);
	if (count > REMARKS)
		ba_buf_printf(out, "- and %zu more %s\n", count - REMARKS,
			ba_plural(count - REMARKS, "remark", "remarks"));
	BA_AUTO(ba_buf) ba_buf device = BA_BUF_INIT, levels = BA_BUF_INIT;
	ba_device_text(&device, r);
	ba_levels_text(&levels, r);
	ba_buf_puts(out, "\n<sub>");
	ba_markdown_sentence(out, device.data, REASON_COLUMNS);
	ba_buf_puts(out, "; ");
	ba_invocations_text(out, r);
	put_threshold(out, r);
	if (!ba_measured_is_of_files(&r->run))
		ba_buf_printf(out, "; seed %llu", (unsigned long long)r->run.seed);
	if (levels.len)
		ba_buf_printf(out, ". %s", levels.data);
	ba_buf_puts(out, "</sub>\n");
}

static void choose_unit(page *p, const ba_ranking *k, ba_metric metric)
{
	BA_AUTO_FREE const ba_series **series = ba_xcalloc(p->r->series_count + 1, sizeof(*series));
	size_t count = ba_ranking_series(series, k, p->r, metric);
	p->unit = ba_unit_of_all(p->r, series, count, true);
}

static void factors(page *p)
{
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (p->left_out || !ba_factors_table(&t, p->r, NULL))
		return;
	ba_table_markdown(&text, &t);
	if (p->out->len + text.len < p->limit)
		ba_buf_printf(p->out, "\n%s", text.data);
}

static void body(page *p, const ba_ranking *k)
{
	ba_metric metrics[BA_METRIC_COUNT];
	size_t count = ba_metrics_of(metrics, p->r, BA_ROLE_VERDICT);
	for (size_t i = 0; i < count; i++) {
		choose_unit(p, k, metrics[i]);
		deciding(p, k, metrics[i]);
	}
	count = ba_metrics_of(metrics, p->r, BA_ROLE_REPORTED);
	for (size_t i = 0; i < count; i++) {
		const ba_metric_info *info = ba_result_metric(p->r, metrics[i]);
		BA_AUTO_FREE char *title = ba_xprintf("%s: %s", info->name, info->help);
		choose_unit(p, k, metrics[i]);
		folded(p, k, metrics[i], is_reported, 0, title);
	}
	factors(p);
	if (!p->left_out)
		ba_markdown_why(p->out, p->r, p->limit, p->open);
	for (size_t c = 1; c < p->r->run.variant_count; c++)
		if (!p->left_out)
			ba_markdown_code_rows(p->out, p->r, c, p->limit, p->open);
	if (p->left_out)
		ba_buf_printf(p->out,
			"\n%zu less important %s not fit here; the CSV, JSON and HTML reports have all.\n",
			p->left_out, ba_plural(p->left_out, "row does", "rows do"));
}

/* open: nothing is folded */
static void render(ba_buf *out, const ba_result *r, size_t limit, bool open)
{
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	BA_AUTO(ba_buf) ba_buf end = BA_BUF_INIT;
	ba_ranking_of(&k, r);
	BA_AUTO(ba_buf) ba_buf why = BA_BUF_INIT;
	size_t count = 0;
	reasons(&why, &count, r);
	footer(&end, count, r);
	size_t kept = end.len + TAIL_ROOM;
	page p = {.out = out,
		.r = r,
		.limit = out->len + (limit > kept ? limit - kept : 0),
		.open = open,
		.many_candidates = r->run.variant_count > 2};
	header(&p);
	if (why.len)
		ba_buf_printf(out, "\n%s", why.data);
	body(&p, &k);
	ba_buf_puts(out, end.data);
}

void ba_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	render(out, r, BA_COMMENT_BYTES, false);
}

void ba_summary_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	ba_buf_puts(out, "### bench-against\n\n");
	render(out, r, BA_SUMMARY_BYTES, true);
}
