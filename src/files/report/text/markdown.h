/* Markdown that stays below a size: the answer first, then what changed, then the rest,
 * folded, as long as there is room. A sentence says what was left out. */
#ifndef REPORT_TEXT_MARKDOWN_H
#define REPORT_TEXT_MARKDOWN_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/result.h"
#include "report/escape.h"

/* GitHub's limits: characters of a comment, bytes of a step's summary. Both are applied
 * to bytes, with room for what a workflow adds. */
enum {
	BA_COMMENT_BYTES = 65536 - 1024,
	BA_SUMMARY_BYTES = (1 << 20) - 1024,
};

/* why instructions differ, folded unless `open`, as long as out->len is below limit */
void ba_markdown_why(ba_buf *out, const ba_result *r, size_t limit, bool open);

/* The device code that differs, folded unless `open`, if it fits below limit. */
void ba_markdown_code_rows(
	ba_buf *out, const ba_result *r, size_t candidate, size_t limit, bool open);

#endif
