/* A source as lines. Inside the module only. */
#pragma once

#include "base/lines.h"
#include "import/source.h"

/* Lines of the source, of at most 1 MiB; they are still to be closed after an error. */
int ba_lines_open(ba_lines *l, const ba_source *s, ba_error *err);

/* Appends the text, each line with '\n'. Fails beyond 1 GiB, and if it is not UTF-8. */
int ba_lines_load(ba_buf *out, const ba_source *s, ba_error *err);

/* JSON Lines: calls `read` for each line that is not empty, or, if `mixed`, that begins with
 * '{'; its errors get the line number. data begins with the source, as in members.h. */
int ba_json_lines(void *data, ba_member_read *read, bool mixed, ba_error *err);
