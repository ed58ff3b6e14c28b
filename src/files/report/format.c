#include "report/format.h"

#include "report/options.h"
#include "store/results.h"

/* the 256-colour codes are legible on light and dark backgrounds, and differ in
 * lightness for readers who cannot distinguish red and green */
static const char *const sequences[BA_INK_COUNT][3] = {
	[BA_INK_PLAIN] = {"", "", ""},
	[BA_INK_BOLD] = {"", "\033[1m", "\033[1m"},
	[BA_INK_DIM] = {"", "\033[2m", "\033[38;5;245m"},
	[BA_INK_GOOD] = {"", "\033[32m", "\033[38;5;35m"},
	[BA_INK_BAD] = {"", "\033[1;31m", "\033[1;38;5;160m"},
	[BA_INK_DOUBT] = {"", "\033[33m", "\033[38;5;172m"},
};

void ba_ink_put(ba_buf *out, ba_colour colour, ba_ink ink, const char *text)
{
	ba_buf_puts(out, sequences[ink][colour]);
	ba_buf_puts(out, text);
	if (colour != BA_COLOUR_NONE && ink != BA_INK_PLAIN)
		ba_buf_puts(out, "\033[0m");
}

enum { SPILL_BYTES = 1 << 16 };

size_t ba_format_width(const ba_format_options *o)
{
	return o->width ? o->width : 80;
}

void ba_format_spill(ba_buf *out, const ba_format_options *o)
{
	if (!o->file || out->len < SPILL_BYTES)
		return;
	ba_text_disarm(out);
	fwrite(out->data, 1, out->len, o->file);
	ba_buf_clear(out);
}

void ba_format_remark(ba_buf *out, const ba_format_options *o, size_t indent, ba_ink ink,
	const char *lead, const char *text)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_ink_put(out, o->colour, ink, lead);
	ba_text_fold(out, safe, ba_format_width(o), indent, ba_text_width(lead));
	ba_buf_putc(out, '\n');
}

void ba_format_sentence(
	ba_buf *out, const ba_format_options *o, size_t indent, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	ba_format_remark(out, o, indent, BA_INK_PLAIN, "", text);
}

void ba_format_line(ba_buf *out, const ba_format_options *o, ba_ink ink, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_ink_put(out, o->colour, ink, safe);
	ba_buf_putc(out, '\n');
}

void ba_format_ascii(ba_buf *out, const ba_format_options *o, size_t start)
{
	if (o->unicode || out->len == start)
		return;
	ba_text_ascii(out->data + start);
	ba_buf_truncate(out, start + strlen(out->data + start));
}

/* Writes the results document; there is no other JSON format for results. */
static void write_json(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	if (!o->file) {
		ba_results_format(out, r);
		return;
	}
	fwrite(out->data, 1, out->len, o->file);
	ba_buf_clear(out);
	(void)ba_results_put(o->file, r, NULL); /* the file's owner checks ferror() */
}

const ba_format ba_formats[] = {
	{"term", "<file>: tables for a person at a terminal", "report.txt", ba_term_write,
		ba_across_term_write},
	{"json", "<file>: everything, every sample: bench-against.results/1", "results.json",
		write_json, ba_across_json_write},
	{"markdown", "<file>: a comment on a pull request, below GitHub's size limit", "comment.md",
		ba_markdown_write, ba_across_markdown_write},
	{"summary", "<file>: Markdown for the summary of a GitHub job", "summary.md",
		ba_summary_write},
	{"html", "<file>: a page for people, with figures, in one file", "index.html",
		ba_html_write, ba_across_html_write},
	{"csv", "<file>: a row for each benchmark, metric and variant", "results.csv", ba_csv_write,
		ba_across_csv_write},
	{"sweep", "<file>: Markdown: cases with their axes, times, throughput and ratio",
		"sweep.md", ba_sweep_markdown_write},
	{"sweep-csv", "<file>: the same as CSV", "sweep.csv", ba_sweep_csv_write},
	{"junit", "<file>: JUnit XML, for CI systems", "junit.xml", ba_junit_write},
	{"github", "<file>: annotations of a GitHub workflow", "annotations.txt", ba_github_write,
		NULL, true},
	{"verdict", "<file>: one line of JSON for scripts and agents, at most 2 KiB",
		"verdict.json", ba_verdict_write},
	{"verdict-text", "<file>: the same as a few lines of text", "verdict.txt",
		ba_verdict_text_write},
	{0},
};

const char *const ba_format_names[] = {"term", "json", "markdown", "summary", "html", "csv",
	"sweep", "sweep-csv", "junit", "github", "verdict", "verdict-text", NULL};
