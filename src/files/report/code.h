/* A candidate's kernels beside the baseline's: what compiler and launches changed. */
#pragma once

#include "model/result.h"
#include "report/table/table.h"

/* One kernel of a benchmark on both sides; NULL if a side has no such kernel. */
typedef struct ba_code_row {
	size_t benchmark, candidate;
	const ba_kernel *base, *mine;
	const char *capability; /* of the device: "9.0"; occupancy follows from it */
	/* why kernels of this benchmark have no classes or no counters; or NULL */
	const char *listing_reason, *counters_reason;
	bool changed; /* a time of the benchmark on the GPU's clock regressed or improved */
} ba_code_row;

BA_LIST(ba_code_rows, ba_code_row);

BA_DECLARE_DISPOSE(ba_code_rows)

/* Only kernels that differ in code, shape or number; paired by name, the rest by order. */
void ba_code_rows_of(ba_code_rows *out, const ba_result *r, size_t candidate);

/* The properties of a kernel: tables show the first ones, `explain` shows all. */
enum { BA_CODE_COLUMNS = 11, BA_CODE_FIGURES = 14 };
/* "registers", ...; the first column has the kernel's name */
const char *ba_code_heading(size_t column);
/* Appends "32", the candidate's or the baseline's value; nothing if it is unknown. */
void ba_code_put_figure(ba_buf *out, const ba_code_row *row, size_t column, bool candidate);
/* Appends "32", or "32 → 40" if the sides differ. */
void ba_code_put_cell(ba_buf *out, const ba_code_row *row, size_t column, bool unicode);
/* Makes a table of the first `most` rows. term: options of a terminal, where repeated
 * names are omitted and a row holds the headings; NULL: another medium. */
void ba_code_table(ba_table *t, const ba_result *r, const ba_code_rows *rows, size_t most,
	const ba_format_options *term);

/* Lists the differences in one line: "registers 32 → 64, occupancy 100 % → 50 %". */
void ba_code_put_sentence(ba_buf *out, const ba_code_row *row, bool unicode);
/* Everything about kernels, for a terminal; benchmarks of the same values together. */
void ba_code_term(
	ba_buf *out, const ba_result *r, const ba_code_rows *rows, const ba_format_options *o);
