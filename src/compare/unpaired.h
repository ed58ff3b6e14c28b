/* The ledger, judged, as a result. Inside the module. */
#ifndef COMPARE_UNPAIRED_H
#define COMPARE_UNPAIRED_H

#include "compare/collect.h"

/* What the value of an entry is one of, and how many there are, once every file is
 * read: several files make processes of what is less. */
typedef struct ba_standing {
	const ba_moments *values;
	ba_level level;
} ba_standing;
ba_standing ba_standing_of(const ba_collection *c, size_t row, size_t variant);

/* Benchmarks, series and comparisons of r, whose variants are set; the ledger's names
 * move into it. */
void ba_compare_unpaired(ba_result *r, ba_collection *c);

/* What has to be known beside the table: levels, claims, warnings. */
void ba_compare_notes(ba_result *r, const ba_collection *c);

#endif
