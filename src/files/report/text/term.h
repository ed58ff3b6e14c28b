/* Declarations shared by the parts of the terminal format. */
#pragma once

#include "report/format.h"
#include "report/rank.h"
#include "report/view.h"

/* words of the tables that are explained once, below them */
typedef struct ba_legend {
	bool trimmed, geometric; /* which kind of level the tables show */
	bool iqr, sd;		 /* which spread follows the +- */
	bool evidence;		 /* R, s and p are shown */
	/* time of the bare driver call, in ns; 0: not shown */
	double least_floor, most_floor;
} ba_legend;

typedef struct ba_screen {
	ba_buf *out;
	const ba_result *r;
	const ba_ranking *ranking;
	ba_legend *legend;
	const ba_format_options *o;
	/* benchmarks whose rows are shown, [benchmark_count] */
	bool *shown;
	/* left out: unchanged ones, inconclusive ones with smaller changes, those without room */
	size_t calm, doubts, thinned;
} ba_screen;

/* all variants and changes of one metric */
void ba_term_metric(const ba_screen *s, ba_metric metric);
/* explains the words that the tables used */
void ba_term_legend(const ba_screen *s);

/* An empty line, then a metric's name in bold, and a sentence about the table. */
void ba_term_title(
	ba_buf *out, const ba_metric_info *info, const char *text, const ba_format_options *o);

/* A line, in bold: the benchmark, and which candidate against the baseline. */
void ba_term_pair(ba_buf *out, const ba_result *r, size_t benchmark, size_t candidate,
	const ba_format_options *o);

/* the part of the screen that shows one metric */
typedef struct ba_part {
	const ba_screen *s;
	ba_metric metric;
	const ba_metric_info *info;
	const ba_series **series; /* [count] the series shown, the most important first */
	size_t count;
	bool decides; /* some of them have verdicts */
	ba_unit unit; /* the unit of all rows; without a name each row has its own */
	/* the most decimals of any row; values of other rows are padded to it */
	int decimals;
	/* the last axes if all benchmarks share them: ",path=signature", shown once
	 * above the table; "" if they differ. Points into one of the ids. */
	const char *common;
} ba_part;

enum { BA_NAME_MIN = 12 }; /* a benchmark's name is never shortened below this width */

bool ba_part_has(const ba_part *p, const ba_series *series);
/* the benchmark's name without the common axes; caller frees */
char *ba_part_name(const ba_part *p, const ba_series *series);
ba_unit ba_part_unit(const ba_part *p, const ba_series *series);

/* The number of decimals of a row, the same for all its variants, so that they can be
 * compared at a glance: three or four significant digits, from the smallest spread. */
int ba_part_decimals(const ba_part *p, const ba_series *series);

/* A value in a row with `decimals`; in one unit, blanks replace those that only others have. */
void ba_part_put_figure(
	ba_buf *out, const ba_part *p, double value, int decimals, int column_decimals, bool sign);

/* A level has three columns: value, spread, and unit if rows have their own. */
enum { BA_LEVEL_COLUMNS = 3 };
void ba_part_level_columns(const ba_part *p, ba_table *t, unsigned drop, unsigned drop_spread);
/* from `column` on */
void ba_part_put_level(
	const ba_part *p, ba_table *t, size_t column, const ba_series *series, size_t variant);
/* Rows below: the part of a level that is the variant's own code, the median of a file,
 * and the throughput that a time implies. variants[k] has its level at columns[k]. */
void ba_part_put_more(const ba_part *p, ba_table *t, const ba_series *series,
	const size_t *variants, const size_t *columns, size_t count);
/* the header's first cell: "ns/launch" */
void ba_part_put_caption(const ba_part *p, ba_table *t);
/* writes the table, and notes for the legend whether the spread's column is shown */
void ba_part_render(const ba_part *p, ba_table *t, size_t spread_column);

/* for a single variant: its distribution, because there is nothing to compare */
void ba_part_figures_of_one(const ba_part *p);
/* a candidate and the baseline: levels, change, interval, verdict */
void ba_part_comparison(const ba_part *p, size_t candidate);

/* benchmarks that ran at two speeds in different invocations */
void ba_term_speeds(const ba_screen *s);

/* kernels whose code or launches differ from the baseline's */
void ba_term_code(const ba_screen *s);

/* why instructions differ: three lines a benchmark */
void ba_term_why(const ba_screen *s);

/* rows with reasons: failures, skips, benchmarks on one side only, inconclusive ones */
void ba_term_problems(const ba_screen *s);
