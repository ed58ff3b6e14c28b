/* Kernels of a candidate beside those of the baseline: what the compiler and the
 * launches made different, for people who want to know why a time changed. */
#ifndef REPORT_CODE_H
#define REPORT_CODE_H

#include "base/auto.h"
#include "base/buf.h"
#include "model/result.h"

/* One kernel of a benchmark on both sides; NULL where a side has none like it. */
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

/* Those that differ in code, shape or number; others are left out. Kernels are paired
 * by name, and what is left over by order. */
void ba_code_rows_of(ba_code_rows *out, const ba_result *r, size_t candidate);

enum { BA_CODE_COLUMNS = 9 };
/* "registers", ... the kernel's name is the first */
const char *ba_code_heading(size_t column);
/* "32", or "32 → 40" where the sides differ; not escaped for any format. Caller frees.
 */
char *ba_code_cell(const ba_code_row *row, size_t column, bool unicode);

#endif
