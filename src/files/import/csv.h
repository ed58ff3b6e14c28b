/* Comma-separated values with a header, as RFC 4180 has them: a cell in quotes may hold
 * separators, newlines and doubled quotes. Tables of Markdown are the same between bars. What a program prints before the header is
 * passed over. Inside the module only. */
#ifndef IMPORT_CSV_H
#define IMPORT_CSV_H

#include "import/lines.h"

typedef struct ba_csv {
	ba_lines lines;
	char separator;
	ba_buf text;   /* the cells of the row, each with its NUL */
	size_t *cells; /* where they begin */
	size_t count, capacity;
	size_t line; /* on which the row begins */
	bool quoted; /* the row goes on, within quotes */
	ba_strv header;
} ba_csv;

int ba_csv_open(ba_csv *c, const ba_source *s, ba_error *err);
void ba_csv_close(ba_csv *c);
BA_DEFINE_AUTO(ba_csv, ba_csv_close)

/* Splits one line, which must be a row of its own; false if it is not valid UTF-8, or
 * if a quote stays open. */
bool ba_csv_split(ba_csv *c, const char *line, size_t size);
/* Is it so of one line, with bars, or else with commas, semicolons or tabs? */
bool ba_csv_line_is(
	const char *line, size_t size, bool (*is)(const ba_csv *c, const void *), const void *data);
/* Reads up to the first line of which `is` is true by one of these separators, and keeps
 * both line and separator. *found
 * is false if there is none. */
int ba_csv_find_header(bool *found, ba_csv *c, bool (*is)(const ba_csv *c, const void *),
	const void *data, ba_error *err);
/* 1: a row, 0: there is none, negative: an error. An empty line is one empty cell. */
int ba_csv_next(ba_csv *c, ba_error *err);
/* The same, without empty lines; a row that is not as long as the header is an error. */
int ba_csv_next_record(ba_csv *c, ba_error *err);
/* Fails if the present row is not as long as the header. */
int ba_csv_check_count(const ba_csv *c, ba_error *err);

/* The cell of the present row; "" beyond its end. Valid until the next row. */
const char *ba_csv_cell(const ba_csv *c, size_t column);
/* The column of that name in the header, or in the present row if there is no header
 * yet; c->header.count or c->count if there is none. */
size_t ba_csv_column(const ba_csv *c, const char *name);
/* Fails with "FILE: line 4: " and the sentence. */
int ba_csv_fail(ba_error *err, const ba_csv *c, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

#endif
