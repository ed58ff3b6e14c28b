/* A benchmark over commits, as `bench-against history` shows it. ba_timelines_build
 * makes it from the history; here it becomes text or a plot. Strings are borrowed and
 * may come from anywhere; the output is safe for its medium. */
#pragma once

#include "report/table/table.h"
#include "report/view.h"
#include "stats/changepoint.h"
#include "store/history.h"

/* One commit: the median of its runs. */
typedef struct ba_timeline_row {
	const char *commit; /* hex */
	const char *date;   /* date of its last run, RFC 3339 */
	const char *subject;
	unsigned runs;
	double ns, stdev_ns;	  /* stdev: of the samples within one run */
	double least_ns, most_ns; /* of its runs */
	/* the comparison of its last run as a candidate; else NaN, NULL */
	double ratio, low, high;
	const char *verdict, *baseline;
} ba_timeline_row;

typedef struct ba_timeline {
	const char *benchmark, *metric, *target, *device;
	const char *directory; /* where the repository is, for commands; NULL: here */
	ba_timeline_row *rows; /* oldest first */
	size_t count;
	ba_change_point *changes; /* at: index into rows; levels in ns */
	size_t change_count;
	bool by_date;	  /* in the order of runs, because there is no repository */
	size_t elsewhere; /* number of commits that are not on the line shown */
	/* number of series of other devices, or with other rules of measuring */
	size_t others;
	double alpha;
	/* the least values in a segment: newer changes cannot be detected yet */
	size_t least;
} ba_timeline;

/* One unit for all values of the timeline, without "/launch" or "/run", because series
 * of launches and of runs have the same metrics. */
ba_unit ba_timeline_unit(const ba_timeline *t, bool unicode);

/* the change whose first commit is in that row, or NULL */
const ba_change_point *ba_timeline_change_at(const ba_timeline *t, size_t row);

/* a table, newest last, with a line where the level changes */
void ba_timeline_term(ba_buf *out, const ba_timeline *t, const ba_format_options *options);
/* one line for each timeline: the number of values, and its last change */
void ba_timelines_term(
	ba_buf *out, const ba_timeline *list, size_t count, const ba_format_options *options);
/* the rows of all of them, with one header */
void ba_timelines_csv(ba_buf *out, const ba_timeline *list, size_t count);
/* bench-against.history/1 */
void ba_timelines_json(ba_buf *out, const ba_timeline *list, size_t count);
/* a plot of one, as a file of its own */
void ba_timeline_svg(ba_buf *out, const ba_timeline *t);

/* Makes timelines from the history and the repository. */

/* the filters; NULL: anything */
typedef struct ba_timeline_query {
	const char *benchmark, *metric, *target, *device; /* device: a glob */
	const char *directory;				  /* as in ba_timeline */
	/* first parents, newest first; NULL: use the order of the runs */
	const ba_strv *line;
	size_t last; /* how many of its commits to show */
	ba_change_rule rule;
} ba_timeline_query;

typedef struct ba_timelines {
	ba_timeline *items;
	size_t count, capacity;
	/* the items borrow their strings from these two */
	ba_history_list series;
	ba_history_points *points; /* [point_count] */
	size_t point_count, point_capacity;
} ba_timelines;

BA_DECLARE_DISPOSE(ba_timelines)

/* A timeline for each benchmark and metric, on the device and by the rules used last.
 * *off_line: how many series have no commit on the line and are left out. */
int ba_timelines_build(ba_timelines *out, size_t *off_line, ba_history *h,
	const ba_timeline_query *query, ba_error *err);
