/* Inside the terminal format: what its parts hand each other. */
#ifndef REPORT_TERM_H
#define REPORT_TERM_H

#include "report/format.h"

typedef struct ba_screen {
	ba_buf *out;
	const ba_result *r;
	size_t width;
	ba_colour colour;
	bool unicode, verbose;
	/* benchmarks whose rows are shown, [benchmark_count]; long lists leave out
	 * those of which there is nothing to say */
	bool *shown;
	size_t hidden;
} ba_screen;

/* "± " and so on */
const char *ba_screen_plus_minus(const ba_screen *s);

/* figures of all variants, then every candidate against the baseline */
void ba_term_metric(const ba_screen *s, ba_metric metric);

/* failures, skips, what is on one side only, what stayed undecided: rows with reasons
 */
void ba_term_problems(const ba_screen *s);

#endif
