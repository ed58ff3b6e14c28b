/* What people read about a comparison of code: a terminal, Markdown, JUnit. */
#include <math.h>

#include "base/number.h"
#include "codediff/codediff.h"
#include "report/escape.h"
#include "report/table/table.h"

enum { SHOWN = 60, NAME_COLUMNS = 100, MARKDOWN_ROWS = 100 };

void ba_code_put_name(ba_buf *out, const ba_codediff *d, const ba_code_pair *p, bool whole)
{
	const ba_kernel_code *k = ba_code_shown(d, p);
	const char *name = whole ? p->whole_name : p->name;
	size_t width = strlen(name);
	if (!whole && width > NAME_COLUMNS)
		ba_buf_printf(out, "%.*s...%s", NAME_COLUMNS * 2 / 3, name,
			name + width - NAME_COLUMNS / 3);
	else
		ba_buf_puts(out, name);
	ba_buf_printf(out, " %s%s", k->target, k->is_ptx ? " PTX" : "");
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
	const double *v = p->values[p->mine == SIZE_MAX ? 0 : 1];
	if (isnan(v[BA_CODE_REGISTERS]))
		return;
	ba_buf_printf(out, "registers %.9g, code %.9g B", v[BA_CODE_REGISTERS], v[BA_CODE_BYTES]);
	if (v[BA_CODE_LOCAL_STORES] > 0)
		ba_buf_printf(out, ", local stores %.9g", v[BA_CODE_LOCAL_STORES]);
}

static void put_blocks(ba_buf *out, const ba_block_changes *b)
{
	if (b->number == 0) {
		ba_buf_printf(out, ", all %u basic blocks have the same instructions", b->baseline);
		return;
	}
	ba_buf_printf(out, ", %u of %u basic blocks the same, the first that differs is block %u",
		b->same, b->baseline, b->number);
	if (b->file)
		ba_buf_printf(out, " (%s:%u)", b->file, b->line);
}

void ba_code_put_facts(ba_buf *out, const ba_codediff *d, const ba_code_pair *p)
{
	size_t before = out->len;
	if (p->verdict == BA_CODE_RENAMED)
		ba_buf_printf(out, "was %s", p->was);
	else if (p->base == SIZE_MAX || p->mine == SIZE_MAX)
		put_needs(out, p);
	else
		put_metrics(out, p);
	if (out->len == before && p->why)
		ba_buf_puts(out, p->why);
	else if (p->why)
		ba_buf_printf(out, ", %s", p->why);
	if (out->len == before && p->verdict == BA_CODE_CHANGED)
		ba_buf_puts(out, ba_code_shown(d, p)->is_ptx ? "other text" : "all metrics equal");
	if (p->blocks)
		put_blocks(out, p->blocks);
}

void ba_code_put_size(ba_buf *out, const ba_code_size *s)
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
static void put_toolkits(ba_buf *out, const ba_codediff *d)
{
	BA_AUTO_FREE char *base = ba_strv_join(&d->sides[0].toolkits, ", ");
	BA_AUTO_FREE char *mine = ba_strv_join(&d->sides[1].toolkits, ", ");
	if (*base && *mine && strcmp(base, mine) != 0)
		ba_buf_printf(out, "the compilers differ, so much code may: %s has %s, %s has %s",
			d->sides[0].label, base, d->sides[1].label, mine);
}

/* Arrows, for terminals that have them. */
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
	ba_buf *out, const ba_codediff *d, const ba_code_pair *p, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf facts = BA_BUF_INIT;
	ba_ink ink = p->fails			     ? BA_INK_BAD
		     : p->verdict == BA_CODE_CHANGED ? BA_INK_BOLD
						     : BA_INK_PLAIN;
	ba_ink_put(out, o->colour, ink, ba_code_verdict_name(p->verdict));
	ba_buf_puts(out, "  ");
	ba_code_put_name(out, d, p, o->verbose);
	ba_code_put_facts(&facts, d, p);
	ba_buf_printf(out, "%s%s", facts.len ? ": " : "", facts.data);
	if (o->verbose)
		ba_buf_printf(
			out, " [%s]", ba_code_file_of(d, p, p->mine == SIZE_MAX ? 0 : 1)->path);
	ba_buf_putc(out, '\n');
	if (p->fails || p->allowed)
		ba_buf_printf(out, "    %s: %s\n", p->fails ? "fails" : "allowed",
			p->breaches ? p->breaches : ba_code_verdict_name(p->verdict));
	if (p->blocks) {
		put_instructions(out, d->sides[0].label, &p->blocks->baseline_code);
		put_instructions(out, d->sides[1].label, &p->blocks->candidate_code);
	}
}

static void put_lines(ba_buf *out, const ba_codediff *d, const ba_format_options *o)
{
	size_t differ = d->pair_count - d->counts[BA_CODE_SAME];
	size_t most = o->verbose || differ <= SHOWN ? differ : SHOWN, shown = 0;
	for (size_t i = 0; i < d->pair_count && shown < most; i++)
		if (d->pairs[i].verdict != BA_CODE_SAME) {
			put_line(out, d, &d->pairs[i], o);
			shown++;
		}
	if (shown < differ)
		ba_buf_printf(out, "... and %zu more (--verbose)\n", differ - shown);
	if (d->counts[BA_CODE_SAME])
		ba_buf_printf(out, "%zu %s the same\n", d->counts[BA_CODE_SAME],
			ba_plural(d->counts[BA_CODE_SAME], "kernel is", "kernels are"));
}

static void put_sizes(ba_buf *out, const ba_codediff *d)
{
	for (size_t i = 0; i < d->size_count; i++) {
		const ba_code_size *s = &d->sizes[i];
		if (s->values[0] == s->values[1])
			continue;
		ba_code_put_size(out, s);
		ba_buf_puts(out, s->fails ? "  fails\n" : "\n");
	}
}

void ba_codediff_term(ba_buf *out, const ba_codediff *d, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!o->quiet) {
		put_toolkits(&text, d);
		ba_buf_puts(&text, text.len ? "\n" : "");
		put_lines(&text, d, o);
		put_sizes(&text, d);
		for (size_t i = 0; i < d->notes.count; i++)
			ba_buf_printf(&text, "note: %s\n", d->notes.items[i]);
	}
	ba_buf_printf(
		&text, "%s against %s: %s\n", d->sides[1].label, d->sides[0].label, d->answer);
	put_arrows(out, text.data, o->unicode);
}

/* ---- Markdown ---- */

static void put_table(ba_buf *out, const ba_codediff *d)
{
	static const ba_column columns[] = {{"verdict", BA_HOLDS_WORDS, .left = true},
		{"kernel", BA_HOLDS_NAME, .left = true},
		{"what differs", BA_HOLDS_SENTENCE, .left = true, .most = 300}};
	BA_AUTO(ba_table) ba_table t = {0};
	size_t shown = 0;
	ba_table_columns(&t, columns, BA_COUNT(columns));
	for (size_t i = 0; i < d->pair_count && shown < MARKDOWN_ROWS; i++) {
		const ba_code_pair *p = &d->pairs[i];
		BA_AUTO(ba_buf) ba_buf facts = BA_BUF_INIT;
		if (p->verdict == BA_CODE_SAME)
			continue;
		shown++;
		ba_table_row(&t);
		ba_buf_printf(ba_table_cell(&t, 0, BA_INK_PLAIN), "%s%s",
			ba_code_verdict_name(p->verdict), p->fails ? ", fails" : "");
		ba_code_put_name(ba_table_cell(&t, 1, BA_INK_PLAIN), d, p, false);
		ba_code_put_facts(&facts, d, p);
		put_arrows(ba_table_cell(&t, 2, BA_INK_PLAIN), facts.data, true);
	}
	if (shown)
		ba_table_markdown(out, &t);
	size_t differ = d->pair_count - d->counts[BA_CODE_SAME];
	if (shown < differ)
		ba_buf_printf(out, "\n%zu more are not shown.\n", differ - shown);
}

void ba_codediff_markdown(ba_buf *out, const ba_codediff *d)
{
	BA_AUTO(ba_buf) ba_buf toolkits = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf sizes_raw = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf sizes = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT;
	put_toolkits(&toolkits, d);
	put_sizes(&sizes_raw, d);
	put_arrows(&sizes, sizes_raw.data, true);
	put_arrows(&answer, d->answer, true);
	ba_buf_puts(out, "**");
	ba_markdown_sentence(out, answer.data, 2000);
	ba_buf_puts(out, "**\n\n");
	ba_markdown_sentence(out, toolkits.data, 1000);
	ba_buf_puts(out, toolkits.len ? "\n\n" : "");
	put_table(out, d);
	BA_AUTO(ba_strv) ba_strv lines = {0};
	ba_strv_split(&lines, sizes.data, '\n');
	for (size_t i = 0; i < lines.count; i++)
		if (*lines.items[i]) {
			ba_buf_puts(out, "\n- ");
			ba_markdown_sentence(out, lines.items[i], 300);
		}
	ba_buf_puts(out, sizes.len ? "\n" : "");
}

/* ---- JUnit ---- */

void ba_codediff_junit(ba_buf *out, const ba_codediff *d)
{
	size_t cases = d->pair_count - d->counts[BA_CODE_SAME];
	ba_markup_printf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"machine code\" tests=\"%z\" failures=\"%z\">\n",
		cases + 1, d->failures ? d->failures + 1 : 0);
	for (size_t i = 0; i < d->pair_count; i++) {
		const ba_code_pair *p = &d->pairs[i];
		BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
		BA_AUTO(ba_buf) ba_buf facts = BA_BUF_INIT;
		if (p->verdict == BA_CODE_SAME)
			continue;
		ba_code_put_name(&name, d, p, true);
		ba_buf_printf(&facts, "%s: ", ba_code_verdict_name(p->verdict));
		ba_code_put_facts(&facts, d, p);
		ba_markup_printf(out, "<testcase classname=\"%m\" name=\"%m\">",
			ba_code_file_of(d, p, p->mine == SIZE_MAX ? 0 : 1)->path, name.data);
		if (p->fails)
			ba_markup_printf(out, "<failure message=\"%m\"/>",
				p->breaches ? p->breaches : facts.data);
		ba_markup_printf(out, "<system-out>%m</system-out></testcase>\n", facts.data);
	}
	ba_markup_printf(out, "<testcase classname=\"code\" name=\"answer\">");
	if (d->failures)
		ba_markup_printf(out, "<failure message=\"%m\"/>", d->answer);
	ba_markup_printf(out,
		"<system-out>%m</system-out></testcase>\n</testsuite>\n</testsuites>\n", d->answer);
}
