/* A candidate's kernels beside the baseline's: how compiler and launches changed them,
 * for people who ask why a time changed. */
#ifndef REPORT_CODE_H
#define REPORT_CODE_H

#include "base/auto.h"
#include "base/buf.h"
#include "model/result.h"

/* One kernel of a benchmark on both sides; NULL if a side has no such kernel. */
typedef struct ba_code_row {
	size_t benchmark;
	const ba_kernel *base, *mine;
} ba_code_row;

typedef struct ba_code_rows {
	ba_code_row *items;
	size_t count;
} ba_code_rows;

void ba_code_rows_dispose(ba_code_rows *rows);
BA_DEFINE_AUTO(ba_code_rows, ba_code_rows_dispose)

/* Only kernels that differ in code, shape or number. They are paired by name,
 * the rest by order. */
void ba_code_rows_of(ba_code_rows *out, const ba_result *r, size_t candidate);

enum { BA_CODE_COLUMNS = 9 };
/* "registers", ...; the first column has the kernel's name */
const char *ba_code_heading(size_t column);
/* "32", or "32 → 40" if the sides differ; not escaped for any format. Caller frees. */
char *ba_code_cell(const ba_code_row *row, size_t column, bool unicode);

#endif
