#include "variants/missing.h"

void ba_missing_dispose(ba_missing_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->items[i].sentence);
	free(l->items);
	*l = (ba_missing_list){0};
}

const char *ba_missing_find(const ba_missing_list *l, size_t variant, const ba_suite_config *suite)
{
	ba_missing *m =
		BA_FIND(l->items, l->count, one, one->variant == variant && one->suite == suite);
	return m ? m->sentence : NULL;
}

void ba_missing_add(
	ba_missing_list *l, size_t variant, const ba_suite_config *suite, char *sentence)
{
	if (ba_missing_find(l, variant, suite)) {
		free(sentence);
		return;
	}
	*BA_APPEND(l->items, l->count) = (ba_missing){variant, suite, sentence};
}
