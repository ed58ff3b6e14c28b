/* Writes the format csv piece by piece. */
#pragma once

#include "report/escape.h"
#include "report/format.h"

/* ba_csv_write writes both. Rows of several results may follow one head. */
/* r: the first of them; NULL: results without places */
void ba_csv_head(ba_buf *out, const ba_result *r);
void ba_csv_rows(ba_buf *out, const ba_result *r, const ba_format_options *o);
