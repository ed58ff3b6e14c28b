/* A text file, line by line, in place: only lines that cross a window are copied.
 * Inside the module only. */
#ifndef IMPORT_LINES_H
#define IMPORT_LINES_H

#include "import/source.h"

typedef struct ba_lines {
	const char *name;
	char *window;
	const char *at, *end;
	size_t size;   /* of the window */
	int fd;	       /* -1: text in memory, or the window has the whole file */
	size_t number; /* number of the line returned last, from 1 */
} ba_lines;

int ba_lines_open(ba_lines *l, const ba_source *s, ba_error *err);
void ba_lines_close(ba_lines *l);
BA_DEFINE_AUTO(ba_lines, ba_lines_close)

/* Returns 1 for a line: [*line, *line + *size) without its end, valid until the next
 * call. Returns 0 at the end, or an error (a line beyond 1 MiB, a failed read). */
int ba_lines_next(const char **line, size_t *size, ba_lines *l, ba_error *err);

/* Appends the whole text, with '\n' at the end of each line. Fails beyond 1 GiB, and if
 * it is not UTF-8. */
int ba_lines_load(ba_buf *out, const ba_source *s, ba_error *err);

/* JSON Lines: calls `read` for each line that is not empty; of a mixed text only for those
 * that begin with '{'. Adds the line number to an error from `read`. data begins with the
 * source, as in members.h. */
int ba_json_lines(void *data, ba_member_read *read, bool mixed, ba_error *err);

#endif
