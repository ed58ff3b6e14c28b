/* Sides of a result (report/across/across.h) as text: the functions
 * `across` of ba_format (report/format.h). */
#ifndef REPORT_ACROSS_FORMATS_H
#define REPORT_ACROSS_FORMATS_H

#include "report/across/across.h"
#include "report/format.h"

/* for readers: what such ratios show, and what they do not */
extern const char ba_across_caution[];

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

#endif
