/* Chooses the unit in which a time is shown, so that readers need not count digits. */
#pragma once

#include "model/result.h"

typedef struct ba_unit {
	const char *name; /* "ns", "us" or "µs", "ms", "s"; "" if it is not a time */
	double per_ns;	  /* shown value = value in ns * per_ns */
} ba_unit;

/* for a value of that metric */
ba_unit ba_unit_for(const ba_metric_info *info, double ns, bool unicode);

/* One unit for values from `least` to `most`: that of the smallest, unless the largest
 * would have more than five digits before the point. */
ba_unit ba_unit_of_range(const ba_metric_info *info, double least, double most, bool unicode);

/* One unit for all levels of the series: nanoseconds for launches, up to 100 us; else
 * the largest unit in which the smallest level is at least 1. */
ba_unit ba_unit_of_series(const ba_result *r, const ba_series *s, bool unicode);

/* One unit for several series, if it shows the largest level with at most five digits
 * before the point; else its name is NULL, and each series has its own. */
ba_unit ba_unit_of_all(const ba_result *r, const ba_series *const *s, size_t count, bool unicode);

/* "ns/launch", "ms": with "/launch" or "/run" if the metric has it; caller frees */
char *ba_unit_words(const ba_unit *unit, const ba_metric_info *info);

/* "submit, ns/launch" or "instructions": the caption of an axis; caller frees */
char *ba_unit_axis(const ba_metric_info *info, const char *unit);

/* the suffix of a metric's unit: "/launch", "/run" or "" */
const char *ba_unit_per(const ba_metric_info *info);
