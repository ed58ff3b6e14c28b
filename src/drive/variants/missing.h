/* Files of a suite that a variant does not have. A new benchmark is not in old commits;
 * an overlay takes it there. */
#ifndef VARIANTS_MISSING_H
#define VARIANTS_MISSING_H

#include "config/config.h"

typedef struct ba_missing {
	size_t variant;
	const ba_suite_config *suite; /* whose command names the file; NULL: the build's */
	/* what the variant lacks, which tree has it, and the option and the line of the
	 * configuration that take it from there */
	char *sentence;
} ba_missing;

typedef struct ba_missing_list {
	ba_missing *items;
	size_t count;
} ba_missing_list;

void ba_missing_dispose(ba_missing_list *l);
/* Takes the sentence. One for each variant and suite is kept. */
void ba_missing_add(
	ba_missing_list *l, size_t variant, const ba_suite_config *suite, char *sentence);
/* The sentence, or NULL. */
const char *ba_missing_find(const ba_missing_list *l, size_t variant, const ba_suite_config *suite);

#endif
