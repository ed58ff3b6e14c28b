/* The variants of a run may be a grid: each of at least two codes in each of at least two
 * environments. Then a series has effects: of the code, of the environment, and how far the
 * two depend on each other (docs/statistics.md section 3.11). The first code and the first
 * environment are the baseline's; the effect of another is against them. */
#pragma once

#include "model/limits.h"
#include "model/series.h"

extern const char *const ba_effect_names[BA_EFFECTS_OF]; /* "code", ... */

typedef struct ba_grid {
	size_t codes, environments; /* 0: the variants are not a grid */
	/* the first variant that has it */
	uint8_t code[BA_VARIANTS_MOST], environment[BA_VARIANTS_MOST];
	uint8_t cell[BA_VARIANTS_MOST]; /* [codes * environments]: the variant */
} ba_grid;

ba_grid ba_grid_of(const ba_measured *m);

/* Was it tested, and shown to differ from none by more than the threshold? */
bool ba_effect_is_shown(const ba_effect *e);
/* Shown effects weigh most, inconclusive ones more than those within the threshold; of
 * these the largest. */
double ba_effect_weight(const ba_effect *e);
/* the one of that kind that weighs most; NULL: there are no effects */
const ba_effect *ba_effect_first(const ba_series *s, ba_effect_of of);
/* "code HEAD~ to HEAD", "code HEAD~ to HEAD in speed==2.0" */
void ba_effect_put_name(ba_buf *out, const ba_measured *m, const ba_effect *e);
/* "+3.1 %"; and "+2.0 .. +4.2 %", or "exactly". Rates are shown as rates. */
void ba_effect_put(ba_buf *size, ba_buf *interval, const ba_series *s, const ba_effect *e);
