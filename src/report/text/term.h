/* What the parts of the terminal format share. */
#ifndef REPORT_TEXT_TERM_H
#define REPORT_TEXT_TERM_H

#include "report/format.h"
#include "report/rank.h"

typedef struct ba_screen {
	ba_buf *out;
	const ba_result *r;
	const ba_ranking *ranking;
	size_t width;
	ba_colour colour;
	bool unicode, verbose;
	/* benchmarks whose rows are shown, [benchmark_count]; long lists leave out
	 * those with nothing to report */
	bool *shown;
	size_t hidden;
	size_t thinned; /* left out because there are too many */
} ba_screen;

/* "± " and so on */
const char *ba_screen_plus_minus(const ba_screen *s);

/* the values of all variants, then each candidate against the baseline */
void ba_term_metric(const ba_screen *s, ba_metric metric);

/* the part of the screen that shows one metric */
typedef struct ba_part {
	const ba_screen *s;
	ba_metric metric;
	const ba_metric_info *info;
	const ba_series **series; /* [count] those that are shown, by what matters */
	size_t count;
	int decimals; /* the most of any row: values of other rows are padded to it */
	/* the last axes, if all benchmarks have the same: ",path=signature"; shown
	 * once, above. "" if they differ. Points into one of the ids. */
	const char *common;
} ba_part;

enum { BA_NAME_MIN = 12 }; /* a benchmark's name is never shortened below this width */

bool ba_part_has(const ba_part *p, const ba_series *series);
/* the benchmark's name without the common axes */
char *ba_part_name(const ba_part *p, const ba_series *series);
char *ba_part_unit(const ba_part *p); /* "us" of "us/launch"; caller frees both */

/* The number of decimals of a row, the same for all its variants, so that they can be
 * compared at a glance: three or four significant digits, from the smallest spread. */
int ba_part_decimals(const ba_part *p, const ba_series *series);

/* a value with `decimals`, and blanks where others of its column have more */
char *ba_part_figure(double value, int decimals, int column_decimals, bool sign);

void ba_part_figures(const ba_part *p);
/* for a single variant: its distribution, because there is nothing to compare */
void ba_part_figures_of_one(const ba_part *p);
void ba_part_comparison(const ba_part *p, size_t candidate);

/* kernels whose code or launches differ from the baseline's */
void ba_term_code(const ba_screen *s);

/* rows with reasons: failures, skips, benchmarks on one side only, inconclusive ones */
void ba_term_problems(const ba_screen *s);

#endif
