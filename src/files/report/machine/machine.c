#include "report/machine/machine.h"

#include "report/code.h"
#include "report/escape.h"
#include "report/html/page.h"
#include "store/code_document.h"

enum { SHOWN = 60, NAME_COLUMNS = 100, MARKDOWN_ROWS = 100, PAGE_ROWS = 2000 };

/* of the candidate, else of the baseline */
static const char *file_of(const ba_code_pair *p)
{
	return p->files[1] ? p->files[1] : p->files[0] ? p->files[0] : "";
}

void ba_machine_put_name(ba_buf *out, const ba_code_pair *p, bool whole)
{
	const char *name = whole ? p->whole_name : p->name;
	size_t width = strlen(name);
	if (!whole && width > NAME_COLUMNS)
		ba_buf_printf(out, "%.*s...%s", NAME_COLUMNS * 2 / 3, name,
			name + width - NAME_COLUMNS / 3);
	else
		ba_buf_puts(out, name);
	ba_buf_printf(out, " %s%s", p->target, p->is_ptx ? " PTX" : "");
}

static void put_metric(ba_buf *out, const ba_code_metric_info *info, double base, double mine)
{
	const char *gap = *info->unit ? " " : "";
	if (base == 0)
		ba_buf_printf(out, "%.4g%s%s %s", mine, gap, info->unit, info->title);
	else
		ba_buf_printf(out, "%s %.9g%s%s -> %.9g%s%s", info->title, round(base), gap,
			info->unit, round(mine), gap, info->unit);
}

/* "registers 32 -> 40, 12 local stores"; nothing if no metric differs */
static void put_metrics(ba_buf *out, const ba_code_pair *p)
{
	size_t before = out->len;
	for (int m = 0; m < BA_CODE_METRIC_COUNT; m++) {
		double base = p->values[0][m], mine = p->values[1][m];
		if (isnan(base) || isnan(mine) || base == mine)
			continue;
		ba_buf_puts(out, out->len > before ? ", " : "");
		put_metric(out, ba_code_metric_get((ba_code_metric)m), base, mine);
	}
}

/* An added kernel has no change; what it needs is worth a line. */
static void put_needs(ba_buf *out, const ba_code_pair *p)
{
	const double *v = p->values[p->files[1] ? 1 : 0];
	if (isnan(v[BA_CODE_REGISTERS]))
		return;
	ba_buf_printf(out, "registers %.9g, code %.9g B", v[BA_CODE_REGISTERS], v[BA_CODE_BYTES]);
	if (v[BA_CODE_LOCAL_STORES] > 0)
		ba_buf_printf(out, ", local stores %.9g", v[BA_CODE_LOCAL_STORES]);
}

/* What there is to say about a pair, with "->" for arrows. */
static void put_facts(ba_buf *out, const ba_code_pair *p)
{
	size_t before = out->len;
	if (p->was)
		ba_buf_printf(out, "was %s", p->was);
	else if (!p->files[0] || !p->files[1])
		put_needs(out, p);
	else
		put_metrics(out, p);
	if (out->len == before && p->why)
		ba_buf_puts(out, p->why);
	else if (p->why)
		ba_buf_printf(out, ", %s", p->why);
	if (out->len == before && p->verdict == BA_CODE_CHANGED)
		ba_buf_puts(out, p->is_ptx ? "other text" : "all metrics equal");
	if (p->blocks) {
		ba_buf_puts(out, ", ");
		ba_blocks_put(out, p->blocks);
	}
}

void ba_machine_put_size(ba_buf *out, const ba_code_size *s)
{
	bool file = s->metric == BA_CODE_FILE_BYTES;
	ba_buf_printf(out, "%s%s %.12g -> %.12g B", file ? "" : "device code for ", s->name,
		s->values[0], s->values[1]);
	if (s->values[0] > 0) {
		ba_buf_puts(out, " (");
		ba_percent_put(out, s->values[1] / s->values[0], 1);
		ba_buf_putc(out, ')');
	}
}

/* nothing if both have the same */
static void put_toolkits(ba_buf *out, const ba_code_document *d)
{
	BA_AUTO_FREE char *base = ba_strv_join(&d->sides[0].toolkits, ", ");
	BA_AUTO_FREE char *mine = ba_strv_join(&d->sides[1].toolkits, ", ");
	if (*base && *mine && strcmp(base, mine) != 0)
		ba_buf_printf(out, "the compilers differ, so much code may: %s has %s, %s has %s",
			d->sides[0].label, base, d->sides[1].label, mine);
}

/* Arrows, for media that have them. */
static void put_arrows(ba_buf *out, const char *text, bool unicode)
{
	for (const char *arrow; (arrow = unicode ? strstr(text, " -> ") : NULL); text = arrow + 4) {
		ba_buf_put(out, text, (size_t)(arrow - text));
		ba_buf_puts(out, " \xe2\x86\x92 ");
	}
	ba_buf_puts(out, text);
}

/* ---- terminal ---- */

static void put_instructions(ba_buf *out, const char *label, const ba_strv *code)
{
	for (size_t i = 0; i < code->count; i++)
		ba_buf_printf(out, "      %s: %s\n", label, code->items[i]);
}

static void put_line(
	ba_buf *out, const ba_code_document *d, const ba_code_pair *p, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf facts = BA_BUF_INIT;
	ba_ink ink = p->fails			     ? BA_INK_BAD
		     : p->verdict == BA_CODE_CHANGED ? BA_INK_BOLD
						     : BA_INK_PLAIN;
	ba_ink_put(out, o->colour, ink, ba_code_verdict_name(p->verdict));
	ba_buf_puts(out, "  ");
	ba_machine_put_name(out, p, o->verbose);
	put_facts(&facts, p);
	ba_buf_printf(out, "%s%s", facts.len ? ": " : "", facts.data);
	if (o->verbose)
		ba_buf_printf(out, " [%s]", file_of(p));
	ba_buf_putc(out, '\n');
	if (p->fails || p->allowed)
		ba_buf_printf(out, "    %s: %s\n", p->fails ? "fails" : "allowed",
			p->breaches ? p->breaches : ba_code_verdict_name(p->verdict));
	if (p->blocks) {
		put_instructions(out, d->sides[0].label, &p->blocks->baseline_code);
		put_instructions(out, d->sides[1].label, &p->blocks->candidate_code);
	}
}

static void put_lines(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	size_t shown = o->verbose || d->pair_count <= SHOWN ? d->pair_count : SHOWN;
	for (size_t i = 0; i < shown; i++)
		put_line(out, d, &d->pairs[i], o);
	if (shown < d->pair_count)
		ba_buf_printf(out, "... and %zu more (--verbose)\n", d->pair_count - shown);
	if (d->counts[BA_CODE_SAME])
		ba_buf_printf(out, "%zu %s the same\n", d->counts[BA_CODE_SAME],
			ba_plural(d->counts[BA_CODE_SAME], "kernel is", "kernels are"));
}

/* A line for each size that differs. */
static void list_sizes(ba_strv *out, const ba_code_document *d)
{
	for (size_t i = 0; i < d->size_count; i++) {
		BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
		if (d->sizes[i].values[0] == d->sizes[i].values[1])
			continue;
		ba_machine_put_size(&line, &d->sizes[i]);
		ba_buf_puts(&line, d->sizes[i].fails ? "  fails" : "");
		ba_strv_push(out, line.data);
	}
}

static void put_term(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv sizes = {0};
	if (!o->quiet) {
		put_toolkits(&text, d);
		ba_buf_puts(&text, text.len ? "\n" : "");
		put_lines(&text, d, o);
		list_sizes(&sizes, d);
		for (size_t i = 0; i < sizes.count; i++)
			ba_buf_printf(&text, "%s\n", sizes.items[i]);
		for (size_t i = 0; i < d->notes.count; i++)
			ba_buf_printf(&text, "note: %s\n", d->notes.items[i]);
	}
	ba_buf_printf(
		&text, "%s against %s: %s\n", d->sides[1].label, d->sides[0].label, d->answer);
	put_arrows(out, text.data, o->unicode);
}

/* ---- Markdown and HTML ---- */

/* The kernels that differ. */
static void make_table(ba_table *t, const ba_code_document *d, size_t most)
{
	static const ba_column columns[] = {{"verdict", BA_HOLDS_WORDS, .left = true},
		{"kernel", BA_HOLDS_NAME, .left = true, .row_head = true},
		{"what differs", BA_HOLDS_SENTENCE, .left = true, .most = 300}};
	ba_table_columns(t, columns, BA_COUNT(columns));
	for (size_t i = 0; i < d->pair_count && i < most; i++) {
		const ba_code_pair *p = &d->pairs[i];
		BA_AUTO(ba_buf) ba_buf facts = BA_BUF_INIT;
		ba_table_row(t);
		ba_buf_printf(ba_table_cell(t, 0, p->fails ? BA_INK_BAD : BA_INK_PLAIN), "%s%s",
			ba_code_verdict_name(p->verdict), p->fails ? ", fails" : "");
		ba_machine_put_name(ba_table_cell(t, 1, BA_INK_PLAIN), p, false);
		put_facts(&facts, p);
		put_arrows(ba_table_cell(t, 2, BA_INK_PLAIN), facts.data, true);
	}
}

/* What stands beside the table: the compilers, the rest of the kernels, sizes, notes. */
static void list_remarks(ba_strv *out, const ba_code_document *d, size_t most)
{
	BA_AUTO(ba_strv) ba_strv raw = {0};
	BA_AUTO(ba_buf) ba_buf toolkits = BA_BUF_INIT;
	put_toolkits(&toolkits, d);
	if (toolkits.len)
		ba_strv_push(&raw, toolkits.data);
	if (d->pair_count > most)
		ba_strv_printf(&raw, "%zu more kernels are not shown", d->pair_count - most);
	list_sizes(&raw, d);
	ba_strv_copy(&raw, &d->notes);
	for (size_t i = 0; i < raw.count; i++) {
		BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
		put_arrows(&line, raw.items[i], true);
		ba_strv_push(out, line.data);
	}
}

static void put_markdown(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT;
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO(ba_strv) ba_strv remarks = {0};
	put_arrows(&answer, d->answer, true);
	make_table(&t, d, MARKDOWN_ROWS);
	list_remarks(&remarks, d, MARKDOWN_ROWS);
	ba_buf_puts(out, "**");
	ba_markdown_sentence(out, answer.data, 2000);
	ba_buf_puts(out, "**\n");
	if (d->pair_count) {
		ba_buf_putc(out, '\n');
		ba_table_markdown(out, &t);
	}
	for (size_t i = 0; i < remarks.count; i++) {
		ba_buf_puts(out, i ? "- " : "\n- ");
		ba_markdown_sentence(out, remarks.items[i], 1000);
		ba_buf_putc(out, '\n');
	}
}

/* The first block of a changed kernel that differs. */
static void put_code(ba_buf *out, const ba_code_document *d, const ba_code_pair *p)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, lines = BA_BUF_INIT;
	if (!p->blocks || !p->blocks->number)
		return;
	ba_machine_put_name(&name, p, true);
	put_instructions(&lines, d->sides[0].label, &p->blocks->baseline_code);
	put_instructions(&lines, d->sides[1].label, &p->blocks->candidate_code);
	ba_markup_printf(out, "<details><summary>%n</summary>\n<pre>", name.data);
	ba_markup_put_lines(out, lines.data);
	ba_buf_puts(out, "</pre>\n</details>\n");
}

static void put_page(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT, title = BA_BUF_INIT;
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO(ba_strv) ba_strv remarks = {0};
	put_arrows(&answer, d->answer, true);
	make_table(&t, d, PAGE_ROWS);
	list_remarks(&remarks, d, PAGE_ROWS);
	ba_markup_printf(
		&title, "machine code: %m against %m", d->sides[1].label, d->sides[0].label);
	ba_html_head(out, title.data);
	ba_markup_printf(out,
		"<body>\n<main>\n<h1>%n against %n: machine code</h1>\n<p><span class=\"verdict %w\">%w</span> %s</p>\n",
		d->sides[1].label, d->sides[0].label, d->exit_status ? "bad" : "good",
		d->exit_status ? "fails" : "passes", answer.data);
	if (d->pair_count)
		ba_table_html(out, &t, "aria-label=\"kernels that differ\"", NULL);
	for (size_t i = 0; i < d->pair_count && i < PAGE_ROWS; i++)
		put_code(out, d, &d->pairs[i]);
	for (size_t i = 0; i < remarks.count; i++)
		ba_markup_printf(out, "%w<li>%s</li>\n", i ? "" : "<ul>\n", remarks.items[i]);
	ba_markup_printf(out, "%w</main>\n</body>\n</html>\n", remarks.count ? "</ul>\n" : "");
}

static void json(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	ba_fields_format(out, 2, &ba_code_document_fields, d);
}

/* ---- SARIF ---- */

static void put_result(ba_json_writer *w, const ba_code_pair *p)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_machine_put_name(&text, p, true);
	ba_buf_printf(&text, ": %s: ", ba_code_verdict_name(p->verdict));
	put_facts(&text, p);
	ba_json_put(w, "{ruleId: %s, level: %s, message: {text: %s}",
		ba_code_verdict_name(p->verdict), p->fails ? "error" : "note", text.data);
	ba_json_put(
		w, "locations: [{physicalLocation: {artifactLocation: {uri: %s}}}]}", file_of(p));
}

static void sarif(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 2);
	ba_json_put(&w, "{$schema: 'https://json.schemastore.org/sarif-2.1.0.json'");
	ba_json_put(&w, "version: '2.1.0', runs: [{tool: {driver: {name: 'bench-against code'}}");
	ba_json_put(&w, "results: [");
	for (size_t i = 0; i < d->pair_count; i++)
		put_result(&w, &d->pairs[i]);
	ba_json_put(&w, "]}]}");
	ba_buf_putc(out, '\n');
}

/* ---- JUnit ---- */

static void junit(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	size_t failures = d->exit_status;
	for (size_t i = 0; i < d->pair_count; i++)
		failures += d->pairs[i].fails;
	ba_markup_printf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"machine code\" tests=\"%z\" failures=\"%z\">\n",
		d->pair_count + 1, failures);
	for (size_t i = 0; i < d->pair_count; i++) {
		const ba_code_pair *p = &d->pairs[i];
		BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, facts = BA_BUF_INIT;
		ba_machine_put_name(&name, p, true);
		ba_buf_printf(&facts, "%s: ", ba_code_verdict_name(p->verdict));
		put_facts(&facts, p);
		ba_markup_printf(
			out, "<testcase classname=\"%m\" name=\"%m\">", file_of(p), name.data);
		if (p->fails)
			ba_markup_printf(out, "<failure message=\"%m\"/>",
				p->breaches ? p->breaches : facts.data);
		ba_markup_printf(out, "<system-out>%m</system-out></testcase>\n", facts.data);
	}
	ba_markup_printf(out, "<testcase classname=\"code\" name=\"answer\">");
	if (d->exit_status)
		ba_markup_printf(out, "<failure message=\"%m\"/>", d->answer);
	ba_markup_printf(out,
		"<system-out>%m</system-out></testcase>\n</testsuite>\n</testsuites>\n", d->answer);
}

static const ba_machine_format formats[] = {
	{"term", put_term},
	{"json", json},
	{"markdown", put_markdown},
	{"html", put_page},
	{"junit", junit},
	{"sarif", sarif},
};

const ba_machine_format *ba_machine_format_named(const char *name)
{
	return BA_FIND(formats, BA_COUNT(formats), f, strcmp(f->name, name) == 0);
}
