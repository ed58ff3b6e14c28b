/* The formats of a result; each one is a row of ba_formats. */
#pragma once

#include "report/across/across.h"
#include "report/options.h"

typedef struct ba_format {
	const char *name, *help;
	const char *file; /* its name in the folder of --report */
	/* appends to *out, except for what already went to o->file */
	void (*write)(ba_buf *out, const ba_result *r, const ba_format_options *o);
	/* for benchmarks side by side; NULL: not supported by the format */
	void (*across)(
		ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o);
	bool commands; /* its lines are meant as commands (base/text.h) */
} ba_format;

/* ends with a NULL name */
extern const ba_format ba_formats[];
/* the names, NULL-terminated, in the order of ba_formats: for a choice */
extern const char *const ba_format_names[];

void ba_term_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_summary_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_html_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_csv_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
/* Piece by piece, for several results under one head. r: the first; NULL: without places */
void ba_csv_head(ba_buf *out, const ba_result *r);
void ba_csv_rows(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_sweep_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_sweep_csv_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_junit_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_github_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_verdict_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_verdict_text_write(ba_buf *out, const ba_result *r, const ba_format_options *o);

/* the same for benchmarks side by side (report/across/across.h) */
void ba_across_term_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o);
void ba_across_markdown_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o);
/* the whole page, with a section of figures of the sides */
void ba_across_html_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o);
/* a row for each benchmark, metric and variant */
void ba_across_csv_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o);
/* bench-against.across/1: the same rows as objects */
void ba_across_json_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o);

/* ---- Markdown up to a size limit ---- */

/* The answer, then the changes, then the folded rest if there is room. A sentence says what was
 * omitted. GitHub's limits: characters of a comment, bytes of a step's summary. Both are applied
 * to bytes, with room for text that a workflow adds. */
enum {
	BA_COMMENT_BYTES = 65536 - 1024,
	BA_SUMMARY_BYTES = (1 << 20) - 1024,
};

/* Why instructions differ, folded unless `open`, up to the limit of out->len. */
void ba_markdown_why(ba_buf *out, const ba_result *r, size_t limit, bool open);

/* The differing device code, folded unless `open`, if it fits below the limit. */
void ba_markdown_code_rows(
	ba_buf *out, const ba_result *r, size_t candidate, size_t limit, bool open);
