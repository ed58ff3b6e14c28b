#include "model/code_document.h"

const char *ba_code_verdict_name(ba_code_verdict v)
{
	static const char *const names[BA_CODE_VERDICT_COUNT] = {[BA_CODE_CHANGED] = "changed",
		[BA_CODE_OPEN] = "open",
		[BA_CODE_OTHER_LIMITS] = "same code, other limits",
		[BA_CODE_OTHER_DATA] = "same code, other data",
		[BA_CODE_RENAMED] = "renamed",
		[BA_CODE_ADDED] = "added",
		[BA_CODE_REMOVED] = "removed",
		[BA_CODE_SAME] = "same"};
	return names[v];
}

BA_OWNS(ba_code_pair, p,
	BA_FREE(p->name, p->whole_name, p->symbol, p->target, p->files[0], p->files[1], p->why,
		p->was, p->breaches),
	ba_block_changes_free(p->blocks))

BA_OWNS(ba_code_document, d, BA_FREE_ARRAY(ba_code_pair_dispose, d->pairs, d->pair_count),
	BA_FREE_EACH(s, d->sizes, d->size_count, free(s->name)),
	BA_FREE(d->sides[0].label, d->sides[1].label, d->answer),
	BA_DISPOSE(ba_strv, &d->sides[0].toolkits, &d->sides[1].toolkits, &d->notes))
