/* Cases of benchmarks as rows, with a column for each axis: the table of a sweep. */
#ifndef REPORT_ACROSS_CASES_H
#define REPORT_ACROSS_CASES_H

#include "base/strv.h"
#include "model/result.h"

/* A case and its measurements. */
typedef struct ba_case_row {
	const ba_benchmark *benchmark;
	const ba_series *series[BA_METRIC_COUNT]; /* NULL: not measured */
	const ba_series *main; /* the one with a verdict, else the first; NULL: none */
} ba_case_row;

typedef struct ba_case_rows {
	ba_case_row *items; /* of the suites' own benchmarks, in their order */
	size_t count;
	ba_strv axes; /* of all of them, in the order of their first occurrence */
} ba_case_rows;

/* Pointers are into the result. */
void ba_case_rows_of(ba_case_rows *out, const ba_result *r);
void ba_case_rows_dispose(ba_case_rows *c);
BA_DEFINE_AUTO(ba_case_rows, ba_case_rows_dispose)

/* the value of the axis with that name, or NULL */
const char *ba_case_axis(const ba_benchmark *b, const char *axis);

#endif
