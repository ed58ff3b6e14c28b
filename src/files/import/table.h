/* Tables of other tools: CSV with a header and one row for each benchmark; what columns mean is
 * data. A column's name may end with a unit: "Avg (ns)". Inside the module only. */
#pragma once

#include "import/csv.h"

typedef struct ba_table_metric {
	const char *column; /* without its unit: "Avg" */
	const char *metric;
	double ns; /* ns of a 1 in a column without a unit; 0: it is not a time */
} ba_table_metric;

typedef struct ba_table {
	/* The columns (with units) that no other format has. Lists end with NULL. */
	const char *const *needs;
	const char *name; /* the column with the name of the benchmark */
	/* In place of `name`: after this line, each table is below its name, "## copy", and
	 * its device, "### [0] NVIDIA H100". A column "(A)" beside A has the value of A. */
	const char *title;
	const char *const *parameters; /* columns that belong to the name; or NULL */
	/* All columns between these two are parameters, too; or NULL. Without `after`,
	 * those that follow the name. A column named in `before` may be missing. */
	const char *after, *before;
	const char *const *ignored; /* except these columns, and cells with these words */
	/* Of `status`, `skip` is a skip, and what is not among `good` a failure. Or NULL. */
	const char *status, *skip;
	const char *const *good;
	const char *device; /* the column with the device's name; or NULL */
	/* The first is the default. Other columns of numbers are chosen by name. */
	const ba_table_metric *metrics;
	ba_level level;
	bool whole;    /* a repeated name is another benchmark */
	bool in_order; /* parameters stay in the order of the columns, else sorted */
} ba_table;

/* Is the line a header of this table? */
bool ba_table_is(const ba_table *t, const char *line, size_t size);
int ba_table_read(const ba_table *t, const ba_source *s, ba_error *err);
#define BA_TABLE_IS(name, table)                          \
	bool ba_is_##name(const char *line, size_t size)  \
	{                                                 \
		return ba_table_is(&(table), line, size); \
	}
/* the reader of a format that is such a table and nothing else */
#define BA_TABLE_FORMAT(name, table)                          \
	BA_TABLE_IS(name, table)                              \
	int ba_read_##name(const ba_source *s, ba_error *err) \
	{                                                     \
		return ba_table_read(&(table), s, err);       \
	}

/* The number in a cell, with or without commas for thousands; NaN: it is none. */
double ba_table_number(const char *cell);
/* With a unit, "24.06 ns", "1.5 KB", or a deviation, "812.5 ± 3.1". *ns: ns of the unit; 0: not
 * a time; bytes become multiples of 1. */
double ba_table_measure(double *ns, const char *cell);
/* The unit of "Triton (GB/s)" and of "Triton (Latency (ms))"; "" if there is none. */
void ba_table_unit(ba_buf *out, const char *column);
