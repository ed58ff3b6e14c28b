/* The policy of a gate: which results make it fail. */
#pragma once

#include "model/result.h"

typedef struct ba_digest ba_digest; /* see below */

typedef struct ba_gate_policy {
	bool strict;
	bool undecided_fails;	 /* 125 for `inconclusive`, as under strict */
	bool likely_fails;	 /* 1 for "probably slower", as for a regression */
	const ba_strv *expected; /* names and globs (gate/status.h). NULL: none */
	/* the command that writes all names; NULL: `bench-against list --expected` */
	const char *list_command;
	/* NULL, or the counts of the whole comparison, if r has only its chosen series;
	 * then r->document.left_out is set, too */
	const ba_digest *digest;
} ba_gate_policy;

/*
 * Counts the series of a comparison that has too many of them to keep: the answer needs
 * the counts, and the few series that it names; a screen shows the largest changes.
 *
 *     ba_digest *d = ba_digest_new(candidates, 2000);
 *     for each series:				ba_digest_add(d, r, s, row);
 *     ba_digest_choose(d, stays);
 *     ... a result with the chosen series, and policy.digest = d
 */

/* `candidates`: the largest number of candidates. `most`: how many series are kept for
 * each fate and candidate, once by the order in which the answer names them and once by
 * the size of the change; at least 1. A tenth of it applies to unchanged series. */
ba_digest *ba_digest_new(size_t candidates, size_t most);
BA_DECLARE_FREE(ba_digest) /* NULL is fine */

/* s belongs to r; rows ascend */
void ba_digest_add(ba_digest *d, const ba_result *r, const ba_series *s, size_t row);
/* Sets stays[row] for the series that are kept; all others must be false. */
void ba_digest_choose(const ba_digest *d, bool *stays);
/* The series that were added but are not in r, which has the chosen series. */
ba_left_out ba_digest_left_out(const ba_digest *d, const ba_result *r);
