/* A candidate's kernels beside the baseline's: what compiler and launches changed; their
 * instructions and counters. */
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

/* ---- instructions of two differing kernels, and their counters ---- */

/* One line of a table. */
typedef struct ba_code_detail {
	const char *title;
	const char *unit;  /* "B", "%", ...; "" */
	double base, mine; /* NaN: unknown */
	bool is_count;	   /* the change is shown as a count, not in per cent */
} ba_code_detail;

enum { BA_CODE_DETAILS_MOST = 32 };
typedef struct ba_code_details {
	ba_code_detail items[BA_CODE_DETAILS_MOST];
	size_t count;
} ba_code_details;

/* Instructions by class, those that differ most first; none if a side is not listed. */
void ba_code_classes(ba_code_details *out, const ba_code_row *row);
/* The counters that both sides have, the largest relative change first. */
void ba_code_counters(ba_code_details *out, const ba_code_row *row);

/* Both sides and the change, "+12" or "-3.2 %"; the change is empty if they are equal. */
void ba_code_details_table(ba_table *t, const ba_code_details *all, const char *title);

/* "3 of 4 basic blocks are the same; the first that differs is block 3, scale.cu:9", or nothing. */
void ba_code_put_blocks(ba_buf *out, const ba_code_row *row);
void ba_blocks_put(ba_buf *out, const ba_block_changes *b);
/* If the machine code differs: why the tables above are missing; else nothing. */
void ba_code_put_missing(ba_buf *out, const ba_code_row *row);
/* A short form of the tables, to follow a line with the other values: "; instructions
 * in the code 27 → 65: FP32 1 → 17, control 2 → 11". */
void ba_code_put_short(ba_buf *out, const ba_code_row *row, bool unicode);

/* the headings of the tables */
#define BA_CODE_CLASSES_TITLE "instructions in the machine code"
#define BA_CODE_CLASSES_NOTE \
	"They are counted in the code, not as it executes: the body of a loop counts once."
#define BA_CODE_COUNTERS_TITLE "counters of one launch"
#define BA_CODE_COUNTERS_NOTE \
	"By Nsight Compute, which sets the clocks and flushes the caches: compare the two sides, not these values with the times above."
