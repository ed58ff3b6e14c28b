/* Writes Markdown up to a size limit: the answer, then the changes, then the folded
 * rest if there is room. A sentence says what was omitted. */
#pragma once

#include "model/result.h"
#include "report/escape.h"

/* GitHub's limits: characters of a comment, bytes of a step's summary. Both are applied
 * to bytes, with room for text that a workflow adds. */
enum {
	BA_COMMENT_BYTES = 65536 - 1024,
	BA_SUMMARY_BYTES = (1 << 20) - 1024,
};

/* Why instructions differ, folded unless `open`, up to the limit of out->len. */
void ba_markdown_why(ba_buf *out, const ba_result *r, size_t limit, bool open);

/* The differing device code, folded unless `open`, if it fits below the limit. */
void ba_markdown_code_rows(
	ba_buf *out, const ba_result *r, size_t candidate, size_t limit, bool open);
