/* Declarations shared by the parts of the HTML format.
 *
 * The page is one file that fetches nothing: it contains styles, script and plots, and
 * its Content-Security-Policy allows only that script. It is well-formed XML except for
 * its doctype, empty elements and attributes without values. If a large result would
 * make it too long, the end of the ranking is left out, and the page says so. */
#pragma once

#include "report/escape.h"
#include "report/figure/figure.h"
#include "report/rank.h"

enum {
	BA_PAGE_ROWS = 2000,   /* of the table */
	BA_PAGE_DETAILS = 400, /* benchmarks with their own section */
	/* limit for all plots; about 40 kB for each benchmark */
	BA_PAGE_FIGURE_BYTES = 6 << 20,
};

typedef struct ba_page {
	ba_buf *out;
	const ba_result *r;
	const ba_ranking *ranking;
	const ba_across *across; /* NULL: nothing is shown side by side */
	size_t rows;		 /* rows of the ranking in the table */
	bool many_metrics;	 /* these rows contain more than one metric */
	ba_unit unit;		 /* the unit of these rows; without a name each row has its own */
	bool *detailed;		 /* [series_count] whether the series has a section */
	size_t details;
	size_t figure_bytes; /* drawn so far */
	size_t undrawn;	     /* number of sections without plots for lack of room */
} ba_page;

/* the parts, in the order of the page */
void ba_html_verdict(ba_page *p);
void ba_html_warnings(ba_page *p);
void ba_html_variants(ba_page *p);
void ba_html_reasons(ba_page *p); /* why something failed or is inconclusive */
void ba_html_table(ba_page *p);
void ba_html_factors(ba_page *p);
void ba_html_across(ba_page *p);
void ba_html_overview(ba_page *p); /* changes and sweeps */
void ba_html_details(ba_page *p);  /* a section for each benchmark */
void ba_html_why(ba_page *p);	   /* instructions by function */
void ba_html_code(ba_page *p);	   /* kernels that differ from the baseline's */
void ba_html_method(ba_page *p);   /* environment, decision, artefacts, notes */

/* from the doctype to </head>; the title is markup */
void ba_html_head(ba_buf *out, const char *title);
/* <section> with a heading; the caller writes </section> */
void ba_html_section(ba_page *p, const char *id, const char *title);
/* <span class="verdict bad">▲ regressed</span> */
void ba_html_badge(ba_buf *out, ba_verdict verdict, const char *word);
/* "bad", "good", "doubt", "plain" */
const char *ba_html_class(ba_verdict verdict);
/* <figure> with a caption; false, with nothing written, if it is empty or has no room */
bool ba_html_figure(
	ba_page *p, const char *name, const ba_figure_subject *what, const char *caption);
