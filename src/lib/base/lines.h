/* A text, line by line, in place: only lines that cross a window are copied. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/error.h"

typedef struct ba_lines {
	const char *name; /* in messages */
	char *window;
	const char *at, *end;
	size_t size; /* of the window */
	size_t most; /* bytes of a line, in whole MiB */
	int fd;
	bool owns;	 /* fd is closed with it */
	bool ended;	 /* nothing follows the window; always so in memory */
	bool whole;	 /* the line returned last has a newline */
	size_t number;	 /* of the line returned last, from 1 */
	uint64_t offset; /* of what follows that line, from where reading began */
} ba_lines;

/* Reads from where the descriptor is; `name` must outlive the lines. */
void ba_lines_file(ba_lines *l, const char *name, int fd, size_t most);
void ba_lines_memory(ba_lines *l, const char *name, const char *text, size_t size);
void ba_lines_close(ba_lines *l); /* {0} is fine, too */
BA_DEFINE_AUTO(ba_lines, ba_lines_close)

/* Returns 1 for a line: [*line, *line + *size) without its end, LF or CR LF, valid until
 * the next call. Returns 0 at the end, or an error: BA_EDATA for a line that is too long,
 * BA_EIO for a failed read. */
int ba_lines_next(const char **line, size_t *size, ba_lines *l, ba_error *err);
