/* Turns the ledger into a result with verdicts. Inside the module only. */
#pragma once

#include "compare/collect.h"

/* Makes the benchmarks, series and comparisons of r, whose variants must be set. If the
 * comparison had to be forced, the first note of r must say why. Sets c->claim.
 * BA_EINVAL: a metric that is not a time has a threshold in time. */
int ba_compare_unpaired(ba_result *r, ba_collection *c, ba_error *err);

/* Adds notes that readers need beside the table: levels, claims, warnings. */
void ba_compare_notes(ba_result *r, const ba_collection *c);
