/* Makes the commands that messages suggest for this run. They have its target,
 * configuration and whatever else the suggested command accepts, quoted for the shell. */
#pragma once

#include "cli/options.h"

/* Fills o->job.suggest. rows: as parsed into o. Does nothing if it is filled, so that a
 * resumed run suggests the options of its first start. */
void ba_suggest_fill(ba_options *o, const ba_opt *rows, const ba_strv *operands);
