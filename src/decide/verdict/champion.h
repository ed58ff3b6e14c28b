/* Decides about a candidate against a champion that was measured beside it, while
 * another variant was the run's baseline: with --untrusted the baseline owns inputs and
 * checks, and a champion may not. All three were measured in the same blocks. */
#pragma once

#include "verdict/decide.h"

/* Of baseline, champion and candidate, drops the baseline and its visits, and decides again
 * with the champion in its place. Does not set the answer. */
void ba_champion_decide(ba_result *r);
