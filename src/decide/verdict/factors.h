/* What code and environment contribute, where the variants are a grid of both
 * (model/effect.h, docs/statistics.md section 3.11). Call it when the comparisons are final:
 * it replaces the effects of all deciding series, and leaves everything else as it is. Pure. */
#pragma once

#include "model/effect.h"
#include "model/result.h"

void ba_factors_estimate(ba_result *r);
