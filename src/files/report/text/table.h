/*
 * A table for a terminal: cells measured in display columns, aligned right or left. To
 * fit a width it first drops columns that can be spared, then shortens one. Names can
 * also go to lines of their own, above their rows: the table is then stacked.
 *
 *     BA_AUTO(ba_table) ba_table t = {0};
 *     ba_table_column(&t, (ba_column){.left = true, .shrink_to = 10});
 *     ba_table_column(&t, (ba_column){.gap = " +/- "});
 *     ba_table_row(&t);
 *     ba_table_put(&t, 0, BA_INK_PLAIN, "launch/args=2");
 *     ba_table_span(&t, 1, 2, BA_INK_DIM, "over two columns");
 *     ba_table_render(out, &t, 80, BA_COLOUR_NONE, true);
 *
 * The text of a cell goes to the terminal unchanged: the caller must have made it safe.
 */
#ifndef REPORT_TEXT_TABLE_H
#define REPORT_TEXT_TABLE_H

#include "base/base.h"
#include "report/ink.h"

typedef struct ba_column {
	bool left;	 /* aligned left; else right */
	const char *gap; /* stands before a non-empty cell; NULL: two spaces */
	/* columns with the highest number are dropped first, all of that number
	 * together; 0: never */
	unsigned drop;
	/* may be shortened in the middle, down to this; 0: no. Different cells stay
	 * different as long as another column can be dropped instead */
	size_t shrink_to;
	bool shrink_end; /* cut at the end instead */
} ba_column;

typedef struct ba_cell {
	char *text; /* NULL: nothing */
	ba_ink ink;
	size_t span; /* columns that it covers; 0: an earlier one covers it */
	bool name;   /* gets a line of its own if the table is stacked */
} ba_cell;

typedef struct ba_table {
	ba_column *columns;
	size_t column_count, column_capacity;
	ba_cell *cells; /* row by row */
	size_t cell_count, cell_capacity;
	/* the table is stacked before a column with this number or a lower one goes; 0:
	 * never */
	unsigned stack_before;
} ba_table;

void ba_table_dispose(ba_table *t);
BA_DEFINE_AUTO(ba_table, ba_table_dispose)

/* Add all columns before the first row. */
void ba_table_column(ba_table *t, ba_column column);
void ba_table_row(ba_table *t); /* an empty row, which the next puts fill */
void ba_table_put(ba_table *t, size_t column, ba_ink ink, const char *text);
void ba_table_put_take(ba_table *t, size_t column, ba_ink ink, char *text);
/* the name of a row, in column 0 */
void ba_table_name(ba_table *t, ba_ink ink, const char *text);
/* a cell over columns first..last, aligned like the last one */
void ba_table_span(ba_table *t, size_t first, size_t last, ba_ink ink, const char *text);

/* Is the column shown at this width? */
bool ba_table_shows(const ba_table *t, size_t column, size_t width, bool unicode);

/* A line for each row, without trailing spaces. It is wider than `width` if it cannot
 * be made to fit. */
void ba_table_render(ba_buf *out, const ba_table *t, size_t width, ba_colour colour, bool unicode);

#endif
