/* Tables of other tools, CSV with a header and a row for each benchmark: what their
 * columns are is data. A column's name may have its unit behind it: "Avg (ns)". Inside
 * the module only. */
#ifndef IMPORT_TABLE_H
#define IMPORT_TABLE_H

#include "import/csv.h"

typedef struct ba_table_metric {
	const char *column; /* without its unit: "Avg" */
	const char *metric;
	double ns; /* of a 1 in a column without unit; 0: it is not a time */
} ba_table_metric;

typedef struct ba_table {
	/* The columns, with their units, that tell the format from all others. This and
	 * the other lists end with NULL. */
	const char *const *needs;
	const char *name;	       /* the column with the name of the benchmark */
	const char *const *parameters; /* columns that belong to the name; or NULL */
	/* So do all columns between these two; or NULL. Without `after`, those behind the
	 * name. A column of the name in `before` may be missing. */
	const char *after, *before;
	const char *const *ignored; /* but not these columns, nor cells with these words */
	/* A row whose `status` is `skip` was skipped on purpose; one whose status is not
	 * among `good` failed. Or NULL. */
	const char *status, *skip;
	const char *const *good;
	const char *device; /* the column with the device's name; or NULL */
	/* The first is the default. Any other column with numbers can be chosen by its
	 * name. */
	const ba_table_metric *metrics;
	ba_level level;
	bool whole; /* a name that comes again is another benchmark */
} ba_table;

/* Is the line a header of it? */
bool ba_table_is(const ba_table *t, const char *line, size_t size);
int ba_table_read(const ba_table *t, const ba_source *s, ba_error *err);

/* A number of a cell, perhaps with commas between thousands; NaN if it is none. */
double ba_table_number(const char *cell);
/* The same with a unit behind it, "24.06 ns", "1.5 KB", or a deviation, "812.5 ± 3.1". *ns
 * becomes the unit's, or 0 if it is not a time; bytes become multiples of 1. */
double ba_table_measure(double *ns, const char *cell);
/* The unit of "Triton (GB/s)" and of "Triton (Latency (ms))"; "" if there is none. */
void ba_table_unit(ba_buf *out, const char *column);

#endif
