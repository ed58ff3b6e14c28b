#include "report/format.h"

#include "store/results.h"

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
