/* Turns the ledger into a result with verdicts. Inside the module only. */
#ifndef COMPARE_UNPAIRED_H
#define COMPARE_UNPAIRED_H

#include "compare/collect.h"

/* Makes benchmarks, series and comparisons of r, whose variants must be set, and whose
 * first note is why they had to be forced. Sets c->claim. BA_EINVAL: the threshold of something that is not a time is a time. */
int ba_compare_unpaired(ba_result *r, ba_collection *c, ba_error *err);

/* What readers need beside the table: levels, claims, warnings. */
void ba_compare_notes(ba_result *r, const ba_collection *c);

#endif
