/* Makes timelines from the history and the repository. */
#ifndef REPORT_TIMELINE_BUILD_H
#define REPORT_TIMELINE_BUILD_H

#include "report/timeline/timeline.h"
#include "store/history.h"

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

void ba_timelines_dispose(ba_timelines *t);
BA_DEFINE_AUTO(ba_timelines, ba_timelines_dispose)

/* Makes one timeline for each benchmark and metric, on the device (and with the rules
 * of measuring) that was used last. Series without a commit on the line are left out;
 * *off_line is their number. */
int ba_timelines_build(ba_timelines *out, size_t *off_line, ba_history *h,
	const ba_timeline_query *query, ba_error *err);

#endif
