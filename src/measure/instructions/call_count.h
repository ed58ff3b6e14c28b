/* Turns a variant's answer and trace into a count, and two of them into an explanation. */
#ifndef INSTRUCTIONS_CALL_COUNT_H
#define INSTRUCTIONS_CALL_COUNT_H

#include "engine/request.h"
#include "engine/spec.h"
#include "profile/profile.h"

typedef struct ba_call_count {
	uint64_t count;	 /* deciding instructions of the call with the fewest */
	uint64_t *calls; /* the same of each call of trace.calls */
	bool differ;
	ba_trace trace;
	ba_profile_side side;
	char *tree;
	bool traced; /* has addresses: scopes are known */
} ba_call_count;

/* Where a count comes from. */
typedef struct ba_count_source {
	size_t variant;
	const char *trace, *tree;   /* paths; tree: NULL or "" if unknown */
	const char *const *exclude; /* as in ba_profile_side; must outlive what is read */
} ba_count_source;

/* *out was zeroed. BA_EVARIANT: the file, which the variant's process wrote, makes no sense. */
int ba_call_count_read(
	ba_call_count *out, const ba_count_source *from, const ba_count_answer *a, ba_failure *f);
/* frees the array of n, too */
void ba_call_counts_free(ba_call_count *all, size_t n);

/* NULL: no explanation is possible; the log says why. Caller frees. A child process
 * with limits (proc/aside.h) reads symbols and lines of the variants' files. */
ba_explanation *ba_call_counts_explain(const ba_call_count *baseline,
	const ba_call_count *candidate, const ba_count_answer *a, const ba_count_answer *b,
	const volatile sig_atomic_t *stop, const ba_log *log);

#endif
