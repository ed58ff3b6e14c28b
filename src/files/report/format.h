/* The formats of a result; each one is a row of ba_formats. */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stdio.h>

#include "base/base.h"
#include "model/result.h"
#include "report/across/across.h"
#include "report/ink.h"

typedef struct ba_format_options {
	size_t width;	  /* columns; 0: 80. Less than 40 is taken as 40 */
	ba_colour colour; /* the caller applies NO_COLOR and --color */
	bool unicode;	  /* else ASCII: "+/-", "us" */
	bool verbose;	  /* p-values, quantiles, artefacts, all rows of long tables */
	bool quiet;	  /* only the answer */
	/* receives a long text piece by piece (ba_format_spill); NULL: all of it stays
	 * in the buffer. The file's owner checks it for write errors. */
	FILE *file;
} ba_format_options;

typedef struct ba_format {
	const char *name;
	const char *help;
	const char *file; /* its name in the folder of --report */
	/* appends to *out, except for what already went to o->file */
	void (*write)(ba_buf *out, const ba_result *r, const ba_format_options *o);
	/* for benchmarks side by side; NULL: the format cannot do it */
	void (*across)(
		ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o);
	bool commands; /* its lines are commands on purpose (base/text.h) */
} ba_format;

/* ends with a NULL name */
extern const ba_format ba_formats[];
/* the names, NULL-terminated, in the order of ba_formats: for a choice */
extern const char *const ba_format_names[];

/* Call after each row of a format without a length limit: moves the
 * buffer to the file. */
void ba_format_spill(ba_buf *out, const ba_format_options *o);

void ba_term_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_json_format_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_summary_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_html_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_csv_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_sweep_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_sweep_csv_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_junit_write(ba_buf *out, const ba_result *r, const ba_format_options *o);
void ba_github_write(ba_buf *out, const ba_result *r, const ba_format_options *o);

#endif
