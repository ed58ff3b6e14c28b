/* Instructions of two differing kernels, and their counters, in all reports' words. */
#pragma once

#include "report/code.h"

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
