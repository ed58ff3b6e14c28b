/* A table, and its four writers: a terminal, Markdown, CSV and HTML. A column says what its
 * cells hold and how a terminal may make it narrower; a cell is text of any origin, which
 * each writer makes safe for its medium.
 *
 *     static const ba_column columns[] = {
 *             {"benchmark", BA_HOLDS_NAME, .left = true, .shrink_to = 10},
 *             {"time, ns", .gap = " +/- "},
 *     };
 *     BA_AUTO(ba_table) ba_table t = {0};
 *     ba_table_columns(&t, columns, BA_COUNT(columns));
 *     ba_table_row(&t);
 *     ba_table_put(&t, 0, BA_INK_PLAIN, "launch/args=2");
 *     ba_number_put(ba_table_cell(&t, 1, BA_INK_PLAIN), 10.7, 1, false);
 *     ba_table_markdown(out, &t); */
#pragma once

#include "report/options.h"

/* How Markdown and HTML write the text of a cell. */
typedef enum ba_holds {
	/* text of this tool, such as numbers: unchanged, but escaped in HTML */
	BA_HOLDS_WORDS,
	/* foreign text: a code span, or isolated from its surroundings */
	BA_HOLDS_NAME,
	BA_HOLDS_CODE,	   /* facts about code: a code span in Markdown, words in HTML */
	BA_HOLDS_SENTENCE, /* foreign text, without markup */
} ba_holds;

typedef struct ba_column {
	const char *head; /* NULL: no heading. Borrowed. */
	ba_holds holds;
	bool head_is_name; /* the heading is a foreign name */
	bool left;	   /* aligned left; else right */
	bool row_head;	   /* in HTML its cells are headings of their rows */
	size_t most;	   /* most columns of a cell in Markdown; 0: 100 */

	/* on a terminal */
	const char *gap; /* precedes a non-empty cell; NULL: two spaces */
	/* columns with the highest number are dropped first, and together; 0: never */
	unsigned drop;
	/* may be shortened in the middle, down to this width; 0: never. Different cells
	 * stay distinct as long as another column can be dropped instead */
	size_t shrink_to;
	bool shrink_end; /* cut at the end instead */
} ba_column;

typedef struct ba_cell {
	ba_buf text;
	bool put; /* false: the cell is absent, which differs from empty text */
	ba_holds holds;
	ba_ink ink;
	size_t span; /* number of columns that it covers; 0: an earlier cell covers it */
	bool name;   /* gets a line of its own if the table is stacked */
} ba_cell;

typedef struct ba_table {
	ba_column *columns;
	size_t column_count, column_capacity;
	ba_cell *cells; /* row by row */
	size_t cell_count, cell_capacity;
	size_t cells_made; /* number of cells that have memory */
	bool has_heads;	   /* the first row has the headings, for a terminal */
	/* on a terminal, names of rows move to lines of their own before a column with
	 * this number or a lower one is dropped; 0: never */
	unsigned stack_before;
} ba_table;

BA_DECLARE_DISPOSE(ba_table)

/* Add all columns before the first row. */
void ba_table_column(ba_table *t, ba_column column);
void ba_table_columns(ba_table *t, const ba_column *columns, size_t count);
void ba_table_row(ba_table *t);	  /* an empty row, which the next cells fill */
void ba_table_clear(ba_table *t); /* drops the rows, after they were written */

/* Empties a cell of the last row: append to the buffer, which is valid until the next row. */
ba_buf *ba_table_cell(ba_table *t, size_t column, ba_ink ink);
void ba_table_put(ba_table *t, size_t column, ba_ink ink, const char *text);
/* the same for a cell that holds another kind of text than its column */
void ba_table_put_as(ba_table *t, size_t column, ba_holds holds, const char *text);
/* with nine digits; nothing if it is 0 or not finite */
void ba_table_put_9(ba_table *t, size_t column, double value);
/* the name of a row, in column 0 */
void ba_table_name(ba_table *t, ba_ink ink, const char *text);
/* a cell over columns first..last, aligned like the last one */
void ba_table_span(ba_table *t, size_t first, size_t last, ba_ink ink, const char *text);

/* ---- terminal ---- */

/* A row with the heading of each column, in the dim ink. Other writers skip it. */
void ba_table_heads(ba_table *t);
/* Is the column shown at this width? */
bool ba_table_shows(ba_table *t, size_t column, const ba_format_options *o);
/* A line for each row, without trailing spaces. To fit, optional columns are dropped, then one
 * is shortened; if that is not enough, lines are wider. */
void ba_table_term(ba_buf *out, ba_table *t, const ba_format_options *o);

/* ---- Markdown, CSV and HTML ---- */

void ba_table_markdown(ba_buf *out, const ba_table *t);
void ba_table_markdown_head(ba_buf *out, const ba_table *t);
void ba_table_markdown_rows(ba_buf *out, const ba_table *t);

void ba_table_csv_head(ba_buf *out, const ba_table *t);
void ba_table_csv_rows(ba_buf *out, const ba_table *t);

/* In a box that scrolls. label: of aria-label="..."; caption: markup, or NULL. */
void ba_table_html(ba_buf *out, const ba_table *t, const char *label, const char *caption);
/* The markup before and after the rows, for callers that write the rows themselves. */
void ba_table_html_begin(ba_buf *out, const char *label, const char *caption);
void ba_table_html_end(ba_buf *out);
