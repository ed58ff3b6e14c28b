/* What a library prints into memory, and its JSON, which has one member a line. */
#pragma once

#include "base/base.h"

typedef struct ba_paper {
	int fd;	    /* of memory */
	int before; /* standard output meanwhile, or -1 */
} ba_paper;

/* with_stdout: until ba_paper_end(), standard output goes to it. */
ba_paper ba_paper_begin(bool with_stdout);
/* Reads what was written; out->data may be changed. */
void ba_paper_end(ba_buf *out, const ba_paper *p);
/* Reads what was written so far to such a descriptor. */
void ba_paper_read(ba_buf *out, int fd);

/* The value behind `"key": `, with the line's indentation; NULL: it is another line. The key
 * is cut off. */
char *ba_printed_member(char *line, size_t *indent, char **key);
/* The text of a JSON string, or a number as it is written. Caller frees. */
char *ba_printed_text(const char *value);
