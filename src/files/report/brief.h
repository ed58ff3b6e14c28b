/* The compact answer, bench-against.verdict/1 (docs/agents.md): one line of JSON or a few
 * lines of text, at most BA_BRIEF_MOST bytes for a result of any size.
 *
 *     ba_brief b = {.word = BA_BRIEF_SLOWER, .exit_status = 1, .answer = "...", ...};
 *     ba_brief_json(&out, &b);
 *     ba_brief_dispose(&b); */
#pragma once

#include "json/writer.h"
#include "model/result.h"

enum { BA_BRIEF_MOST = 2048 };

/* One word for a candidate; of several benchmarks the last in this order counts. */
typedef enum ba_brief_word {
	BA_BRIEF_MEASURED, /* a single variant: nothing was compared */
	BA_BRIEF_SAME,
	BA_BRIEF_FASTER,
	BA_BRIEF_UNDECIDED,
	BA_BRIEF_SLOWER,
	BA_BRIEF_DRIFTED, /* less precise than the baseline (ba_fault) */
	BA_BRIEF_WRONG,	  /* wrong results, or none: it does not build, crashed, lacks one */
	BA_BRIEF_CHEATED,
} ba_brief_word;

extern const char *const ba_brief_words[]; /* "measured", ...; ends with NULL */

typedef struct ba_brief {
	ba_brief_word word;
	int exit_status;
	const char *answer, *baseline, *candidate; /* borrowed; NULL: none */
	char *next;				   /* what to do, in one sentence; owned */
	/* its deciding series are the benchmarks; borrowed; NULL: none */
	const ba_result *r;
	/* writes members of the caller, before `next`; NULL: none. Must be bounded, too. */
	void (*members)(ba_json_writer *w, const void *data);
	const void *data;
} ba_brief;

/* The answer of a decided result, which it borrows. */
ba_brief ba_brief_of(const ba_result *r);
BA_DECLARE_DISPOSE(ba_brief)

void ba_brief_json(ba_buf *out, const ba_brief *b); /* one line */
/* the answer, a line for each benchmark, and `next` */
void ba_brief_text(ba_buf *out, const ba_brief *b);
