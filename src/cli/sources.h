/* "[LABEL=]FILE[#PART]" on the command line: which file, of which variant. */
#ifndef CLI_SOURCES_H
#define CLI_SOURCES_H

#include "base/error.h"
#include "base/strv.h"
#include "compare/compare.h"

typedef struct ba_sources {
	ba_compare_source *items; /* strings are owned */
	size_t count;
} ba_sources;

void ba_sources_dispose(ba_sources *s);
BA_DEFINE_AUTO(ba_sources, ba_sources_dispose)

/* One an operand. What is a file's name as a whole is one, '=' and '#' in it or not.
 * Without a label a file's is its name without its end, numbered where two would be
 * equal; equal labels that were given are one variant. */
int ba_sources_parse(ba_sources *out, const ba_strv *operands, ba_error *err);
void ba_sources_parse_one(ba_sources *out, const char *operand);

#endif
