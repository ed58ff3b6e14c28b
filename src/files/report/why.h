/* Explanations of instruction counts (model/explanation.h), in all formats' words and cells. */
#pragma once

#include "report/code.h"
#include "report/format.h"

/* One benchmark and candidate that has an explanation. */
typedef struct ba_why {
	size_t benchmark, candidate;
	const ba_explanation *e;
	const ba_comparison *counted;
	/* its rows are callers of the driver, or modules; NULL: instructions */
	const ba_series *census;
	bool changed;  /* its count, or its processor time, got a verdict of a change */
	bool layout;   /* its time changed although the instructions are the same */
	size_t first;  /* the item that shows its cause: this one, or an earlier one */
	size_t alike;  /* later items that are shown with this one */
	bool repeated; /* it is shown with an earlier item */
	bool varied;   /* items shown with it have the same changes but other counts */
} ba_why;

typedef struct ba_whys {
	ba_why *items; /* the largest change of instructions first */
	size_t count, capacity;
	size_t changed; /* how many changed items there are, without repeated ones */
} ba_whys;

void ba_whys_of(ba_whys *out, const ba_result *r);
BA_DECLARE_DISPOSE(ba_whys)
/* Groups the items again, after some were removed. Items have one cause if the same functions
 * and lines differ by as many instructions, or within 2 % if counts are not exact. */
void ba_whys_group(ba_whys *w);

/* "+18 instructions (+13.5 %), exactly"; "the same instructions: ..." */
void ba_why_put_sentence(ba_buf *out, const ba_why *w);
/* "own +18 (133 to 151), runtime 0, driver +3 (not compared)" */
void ba_why_put_scopes(ba_buf *out, const ba_why *w);

/* What a row of `codes` is: "call", "module (us)"; `otherwise` for instructions. */
const char *ba_why_head(const ba_why *w, const char *otherwise);

/* One row of a table: a function, one of its lines, or a code object. */
typedef enum ba_why_kind {
	BA_WHY_FUNCTION,
	BA_WHY_LINE,
	BA_WHY_CODE,
} ba_why_kind;

typedef struct ba_why_row {
	ba_why_kind kind;
	uint64_t baseline, candidate;
	char *name;   /* "6 other functions, own"; "f, was g" if renamed; of a line, "" */
	char *where;  /* "build/liblaunch.so"; "" of lines and code objects */
	char *place;  /* "src/launch.c:88", or "" */
	char *note;   /* "new", "renamed, calls +12", "through f", or "" */
	bool differs; /* the row itself differs, or the functions it calls */
} ba_why_row;

BA_LIST(ba_why_rows, ba_why_row);

/* A table's rows: functions with their lines, or code objects. Not escaped. */
void ba_why_functions(ba_why_rows *out, const ba_why *w);
void ba_why_codes(ba_why_rows *out, const ba_why *w);
BA_DECLARE_DISPOSE(ba_why_rows)

/* "+16", "-2", "0" */
void ba_why_put_difference(ba_buf *out, const ba_why_row *row);

/* Everything about an item and those with its cause, for a terminal. */
void ba_why_term(ba_buf *out, const ba_result *r, const ba_whys *whys, size_t item,
	const ba_format_options *o);
/* bench-against.why/1: several explanations, and differing kernels */
void ba_why_json(ba_buf *out, const ba_result *r, const ba_whys *whys, const ba_code_rows *codes);
