/*
 * Counts instructions: each variant has a process of its own, and no clock runs. All work
 * at the same time on all processors of the run: where there are more processors than
 * variants, several benchmarks are counted side by side, in sets (process_set.h).
 *
 * Where the count decides, an invocation begins with it. A count that is the same in
 * BA_EXACT_LEAST invocations is exact, and is not made again; it takes one more where
 * only counts decide and the first look comes later. One that is not is counted in each
 * invocation, and its spread goes through the decision rule like that of a time.
 *
 * Where times decide, counts explain: they are made after the verdicts (afterwards.c).
 */
#pragma once

#include "session/session.h"

/* Makes the due counts of that many invocations and keeps them as samples: one reading for
 * each variant, or one for each call if they differ. If something cannot be counted, the
 * task has the reason; that is not an error. */
int ba_session_count(ba_session *s, size_t invocations, ba_error *err);

/* How many of the next invocations, at most `most`, can be counted together: if there is
 * nothing to time, each has processes of its own. Below 2: one. */
size_t ba_counts_together(const ba_session *s, size_t most);
/* Before the run: how many sets of processes have room, and how many invocations will be
 * counted together. */
size_t ba_counts_room(const ba_suite_spec *suite, size_t variants);
size_t ba_counts_foreseen(const ba_suite_spec *suite, size_t variants);

/* Is that series counted in the invocations, rather than after the verdicts? */
bool ba_counts_in_invocations(const ba_session *s, const ba_series *series);

/* The benchmarks of a suite that are counted, divided among the sets. */
typedef struct ba_count_pass {
	bool census;	       /* of calls to the driver; no instructions */
	ba_task *const *tasks; /* in this order */
	size_t count;
	size_t invocations; /* for which each is counted, from s->invocation on; 0: one */
	/* called just before a task is counted: the limit of instructions for a call;
	 * 0: leave the task out. NULL: the run's limit */
	uint64_t (*most)(void *data, size_t index);
	/* called with the duration of the count; or NULL */
	void (*done)(void *data, size_t index, double ns);
	void *data;
} ba_count_pass;

int ba_session_count_pass(
	ba_session *s, ba_session_suite *suite, const ba_count_pass *pass, ba_error *err);
uint64_t ba_session_count_most(const ba_session *s);
/* afterwards.c: counts after the verdicts, as spec->explain says. */
int ba_session_explain(ba_session *s, ba_error *err);
/* census.c: counts what is asked of the driver, after the verdicts, in two processes: for
 * benchmarks with a census that decides nothing, and for those that are explained. */
int ba_session_take_census(ba_session *s, int64_t deadline, ba_error *err);
/* starts.c: the modules of imports and of first calls that changed, after the verdicts; none begins
 * after the deadline. */
int ba_session_explain_starts(ba_session *s, int64_t deadline, ba_error *err);
/* census.c: before the first invocation, with --only-changed: which kernels each benchmark
 * launches, where kernels differ and host code does not. */
int ba_session_note_launched(ba_session *s, ba_error *err);
/* Does a candidate differ from the baseline in that series of a census? */
bool ba_census_differs(const ba_session *s, const ba_series *series);
/* At the end: removes series of instructions that were never counted, and of what no first call
 * does. */
void ba_session_drop_uncounted(ba_session *s);
