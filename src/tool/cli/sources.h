/* Parses "[LABEL=]FILE[#PART]" on the command line: which file belongs to which variant. */
#pragma once

#include "compare/compare.h"

BA_LIST(ba_sources, ba_compare_source); /* strings are owned */

BA_DECLARE_DISPOSE(ba_sources)

/* Parses one source from each operand; the name of an existing file is that file, even if it
 * contains '=' or '#'. Without a label, a file's label is its name without the extension,
 * numbered where two would be equal. Equal explicit labels are one variant. */
void ba_sources_parse(ba_sources *out, const ba_strv *operands);
