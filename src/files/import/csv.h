/* Comma-separated values with a header, as RFC 4180 has them: a cell in quotes may hold
 * separators, newlines and doubled quotes. Markdown tables are the same, between bars.
 * Output before the header is skipped. Inside the module only. */
#pragma once

#include "import/source.h"

typedef struct ba_csv {
	ba_lines lines;
	char separator;
	ba_buf text;   /* the cells of the row, each NUL-terminated */
	size_t *cells; /* where they begin */
	size_t count, capacity;
	size_t line; /* line number at which the row begins */
	bool quoted; /* a quoted cell continues on the next line */
	bool bars;   /* the row begins with a bar */
	ba_strv header;
	/* receives the lines before a header; or NULL */
	void (*before)(struct ba_csv *c, const char *line, size_t size);
} ba_csv;

int ba_csv_open(ba_csv *c, const ba_source *s, ba_error *err);
void ba_csv_close(ba_csv *c);
BA_DEFINE_AUTO(ba_csv, ba_csv_close)

/* Splits a complete row. False if it is not valid UTF-8, or if a quote stays open. */
bool ba_csv_split(ba_csv *c, const char *line, size_t size);
/* Is `is` true for one line, split at bars, commas, semicolons or tabs? */
bool ba_csv_line_is(
	const char *line, size_t size, bool (*is)(const ba_csv *c, const void *), const void *data);
/* Reads up to the first line for which `is` is true with one of these separators, and
 * keeps the line and the separator. *found is false if there is none. */
int ba_csv_find_header(bool *found, ba_csv *c, bool (*is)(const ba_csv *c, const void *),
	const void *data, ba_error *err);
/* 1: a row, 0: the end, or an error. An empty line is a row of one empty cell. */
int ba_csv_next(ba_csv *c, ba_error *err);
/* The same without empty lines; a row must be as long as the header. */
int ba_csv_next_record(ba_csv *c, ba_error *err);
/* Fails if the current row is not as long as the header. */
int ba_csv_check_count(const ba_csv *c, ba_error *err);

/* Has the row all of these columns? `names` is a list that ends with NULL, or NULL. */
bool ba_csv_has_all(const ba_csv *c, const void *names);
/* The cell of the current row; "" beyond its end. Valid until the next row. */
const char *ba_csv_cell(const ba_csv *c, size_t column);
/* The column with that name in the header (in the current row if there is no header
 * yet); c->header.count or c->count if there is none. */
size_t ba_csv_column(const ba_csv *c, const char *name);
/* Fails with "FILE: line 4: " and the sentence. */
int ba_csv_fail(ba_error *err, const ba_csv *c, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));
