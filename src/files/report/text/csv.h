/* CSV (RFC 4180): a cell, and the format of that name piece by piece. */
#ifndef REPORT_TEXT_CSV_H
#define REPORT_TEXT_CSV_H

#include "report/format.h"

/* A cell with foreign text made safe; NULL is an empty cell. Text that a spreadsheet
 * would take for a formula begins with an apostrophe. */
void ba_csv_text(ba_buf *out, const char *text);

/* ba_csv_write writes both. Rows of several results may follow one head. */
/* r: the first of them; NULL: results without places */
void ba_csv_head(ba_buf *out, const ba_result *r);
void ba_csv_rows(ba_buf *out, const ba_result *r, const ba_format_options *o);

#endif
