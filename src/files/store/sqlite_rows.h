/*
 * Rows of an SQLite file that another program wrote. The file is data: it is read only,
 * and no view or trigger of it runs.
 *
 *     BA_AUTO_PTR(ba_sqlite_rows) ba_sqlite_rows *r = NULL;
 *     rc = ba_sqlite_rows_open(&r, path, NULL, 0, err);
 *     rc = rc ? rc : ba_sqlite_rows_query(r, "SELECT name, ns FROM launches", err);
 *     while (rc == 0 && (rc = ba_sqlite_rows_next(r, err)) > 0)
 *             use(ba_sqlite_rows_text(r, 0), ba_sqlite_rows_f64(r, 1)), rc = 0;
 *
 * Every error is BA_EDATA and names the file.
 */
#pragma once

#include "base/base.h"

typedef struct ba_sqlite_rows ba_sqlite_rows;

/* Does a file that begins with these bytes claim to be one? */
bool ba_sqlite_rows_is(const char *head, size_t size);

/* The file at `name`, or if `data` is not NULL these bytes, which are copied. */
int ba_sqlite_rows_open(
	ba_sqlite_rows **out, const char *name, const void *data, size_t size, ba_error *err);
BA_DECLARE_FREE(ba_sqlite_rows)

/* Ends the previous query. */
int ba_sqlite_rows_query(ba_sqlite_rows *r, const char *sql, ba_error *err);
/* Returns 1 for a row, 0 at the end, or an error. */
int ba_sqlite_rows_next(ba_sqlite_rows *r, ba_error *err);
/* A text of the current row, valid until the next: valid UTF-8, or "" if it is NULL or
 * not UTF-8. */
const char *ba_sqlite_rows_text(ba_sqlite_rows *r, int column);
double ba_sqlite_rows_f64(ba_sqlite_rows *r, int column); /* 0 if it is not a number */
