/* Compares result files for commands other than `compare`. */
#pragma once

#include "cli/options.h"

/* Compares files, "[LABEL=]FILE[#PART]", as `compare` does with these options; all
 * benchmarks stay in memory. r is empty before; the caller disposes of it. */
int ba_compare_files(ba_result *r, const ba_options *o, const ba_strv *operands, ba_error *err);
