/* Files of a suite that a variant lacks. Old commits lack new benchmarks; an overlay
 * adds them. */
#pragma once

#include "config/config.h"

typedef struct ba_missing {
	size_t variant;
	/* the suite whose command names the file; NULL: the build names it */
	const ba_suite_config *suite;
	/* the missing file, which tree has it, and the option and configuration line
	 * that would take it from there */
	char *sentence;
} ba_missing;

typedef struct ba_missing_list {
	ba_missing *items;
	size_t count;
} ba_missing_list;

void ba_missing_dispose(ba_missing_list *l);
/* Takes the sentence. Keeps one for each variant and suite. */
void ba_missing_add(
	ba_missing_list *l, size_t variant, const ba_suite_config *suite, char *sentence);
/* The sentence, or NULL. */
const char *ba_missing_find(const ba_missing_list *l, size_t variant, const ba_suite_config *suite);
