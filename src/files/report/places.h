/* Reports the GPUs or hosts of a run one by one, if there are several. */
#pragma once

#include "model/result.h"

/* Does the result have several places? */
bool ba_places_are_several(const ba_result *r);
/* Appends "GPU 0, GPU 1 agree (p = 0.31, the least of 4)", or a sentence for each
 * comparison in which they differ. every: a sentence for each other comparison, too. */
void ba_places_sentences(ba_strv *out, const ba_result *r, bool every);
/* "GPU 0 +0.1 %; GPU 1 +3.1 %"; nothing if no place was estimated */
void ba_places_put(ba_buf *out, const ba_result *r, const ba_comparison *c);
