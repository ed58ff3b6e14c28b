/* Inside the terminal format: what its parts hand each other. */
#ifndef REPORT_TEXT_TERM_H
#define REPORT_TEXT_TERM_H

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
	size_t thinned; /* left out for there being too many */
} ba_screen;

/* "± " and so on */
const char *ba_screen_plus_minus(const ba_screen *s);

/* figures of all variants, then every candidate against the baseline */
void ba_term_metric(const ba_screen *s, ba_metric metric);

/* the part of the screen that shows one metric */
typedef struct ba_part {
	const ba_screen *s;
	ba_metric metric;
	const ba_metric_info *info;
	int decimals; /* most of any row: figures of other rows are padded to it */
	/* the last axes where all benchmarks have the same: ",path=signature"; said
	 * once, above. "" where they differ. Points into one of the ids. */
	const char *common;
} ba_part;

enum { BA_NAME_MIN = 12 }; /* columns below which no benchmark's name is shortened */

bool ba_part_has(const ba_part *p, const ba_series *series);
/* of the benchmark, without the common axes */
char *ba_part_name(const ba_part *p, const ba_series *series);
char *ba_part_unit(const ba_part *p); /* "us" of "us/launch"; caller frees both */

/* One number of decimals a row, so that its variants can be compared at a glance: three
 * or four significant digits, by the spread of the quietest of them. */
int ba_part_decimals(const ba_part *p, const ba_series *series);

/* a figure with `decimals`, and blanks where others of its column have more */
char *ba_part_figure(double value, int decimals, int column_decimals, bool sign);

void ba_part_figures(const ba_part *p);
/* one variant alone: its distribution, since there is nothing to compare with */
void ba_part_figures_of_one(const ba_part *p);
void ba_part_comparison(const ba_part *p, size_t candidate);

/* kernels whose code or launches are not the baseline's */
void ba_term_code(const ba_screen *s);

/* failures, skips, what is on one side only, what stayed undecided: rows with reasons
 */
void ba_term_problems(const ba_screen *s);

#endif
