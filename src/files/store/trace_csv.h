/* Recorded traces as text, read row by row in constant memory.
 *
 *     # a comment
 *     benchmark,invocation,block,position,variant,sample,ns
 *     launch/4,0,0,0,A,0,2512.5
 *
 * The header must be exactly this line, after any comments. Names may be quoted as in
 * RFC 4180 (the axes of a benchmark contain commas). Lines end with LF or CR LF; empty
 * lines and lines that begin with # are skipped. ns is a positive decimal number; the
 * other numbers are whole and not negative. A line has at most 65535 bytes. */
#pragma once

#include "stats/trace.h"

#define BA_TRACE_CSV_HEADER "benchmark,invocation,block,position,variant,sample,ns"

/* Returns 0, or a negative code that ends the reading. The reader puts file and line
 * before its error, unless the error names a line itself. */
typedef int ba_trace_row_fn(void *data, const ba_trace_row *row, ba_error *err);

/* Reads from a descriptor to its end. Errors call the file `name`. Malformed or out of
 * range: BA_EDATA with "name:line: ...". rows (their number) may be NULL. */
int ba_trace_csv_read(
	uint64_t *rows, int fd, const char *name, ba_trace_row_fn *fn, void *data, ba_error *err);
