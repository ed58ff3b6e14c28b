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
	int fd;	       /* -1: from memory, or the window has all of it */
	size_t number; /* of the line returned last, from 1 */
} ba_lines;

int ba_lines_open(ba_lines *l, const ba_source *s, ba_error *err);
void ba_lines_close(ba_lines *l);
BA_DEFINE_AUTO(ba_lines, ba_lines_close)

/* 1: the next line, without its end, is [*line, *line + *size), valid until the next
 * call. 0: there is none. Negative: an error (a line beyond 1 MiB, a failed read). */
int ba_lines_next(const char **line, size_t *size, ba_lines *l, ba_error *err);

/* Appends all of it, with '\n' at the end of each line. An error: more than 1 GiB, or not
 * UTF-8. */
int ba_lines_load(ba_buf *out, const ba_source *s, ba_error *err);

/* JSON Lines: calls `read` at each line that is not empty. An error that it gives has
 * the number of the line. */
int ba_json_lines(const ba_source *s, int (*read)(const ba_source *s, ba_pull *p, ba_error *err),
	ba_error *err);

#endif
