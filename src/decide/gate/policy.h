/* The policy of a gate: which results make it fail. */
#pragma once

#include "base/base.h"

typedef struct ba_digest ba_digest; /* gate/digest.h */

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
