/* The verdicts on one benchmark, metric and candidate (docs/verdicts.md). Those from
 * `undecided` to `inconclusive` come from statistics; the others say why there is no
 * comparison. */
#pragma once

#include <stdbool.h>

/* clang-format off */
/* code, name, decided */
#define BA_VERDICT_MAP(X)                                                                 \
	X(BA_VERDICT_UNDECIDED,    "undecided",    false) /* more invocations are to come */   \
	X(BA_VERDICT_REGRESSED,    "regressed",    true)                                       \
	X(BA_VERDICT_IMPROVED,     "improved",     true)                                       \
	X(BA_VERDICT_UNCHANGED,    "unchanged",    true)                                       \
	X(BA_VERDICT_TAIL_REGRESSED, "tail-regressed", true) /* the mean, not the middle */    \
	X(BA_VERDICT_TAIL_IMPROVED,  "tail-improved",  true)                                   \
	X(BA_VERDICT_INCONCLUSIVE, "inconclusive", false) /* the last look did not decide */   \
	X(BA_VERDICT_PROVISIONAL,  "provisional",  false) /* one invocation: an estimate */    \
	X(BA_VERDICT_ADDED,        "added",        false) /* not in the baseline */            \
	X(BA_VERDICT_REMOVED,      "removed",      false) /* not in the candidate */           \
	X(BA_VERDICT_FAILED,       "failed",       false) /* crashed, or a wrong answer */     \
	X(BA_VERDICT_SKIPPED,      "skipped",      false) /* with a reason */                  \
	X(BA_VERDICT_REPORTED,     "reported",     false) /* shown; decides nothing */         \
	X(BA_VERDICT_IDENTICAL,    "identical",    false) /* same bytes, not measured */
/* clang-format on */

typedef enum ba_verdict {
#define BA_VERDICT_ENUM(code, name, decided) code,
	BA_VERDICT_MAP(BA_VERDICT_ENUM)
#undef BA_VERDICT_ENUM
		BA_VERDICT_COUNT
} ba_verdict;

const char *ba_verdict_name(ba_verdict v);
/* regressed, improved or unchanged, or one of the two verdicts on the tail */
bool ba_verdict_is_decided(ba_verdict v);
/* `regressed` or `tail-regressed`; `improved` or `tail-improved` */
bool ba_verdict_is_slower(ba_verdict v);
bool ba_verdict_is_faster(ba_verdict v);
