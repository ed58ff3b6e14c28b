/* A cell of CSV (RFC 4180) with foreign text made safe; NULL is an empty cell. Text that
 * a spreadsheet would take for a formula begins with an apostrophe. */
#ifndef REPORT_TEXT_CSV_H
#define REPORT_TEXT_CSV_H

#include "base/buf.h"

void ba_csv_text(ba_buf *out, const char *text);

#endif
