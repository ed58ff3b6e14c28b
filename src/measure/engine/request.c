#include "engine/request.h"

void ba_count_answer_dispose(ba_count_answer *a)
{
	for (size_t i = 0; i < a->code_count; i++) {
		free((char *)a->codes[i].name);
		free((char *)a->codes[i].file);
	}
	free(a->codes);
	free(a->instructions);
	free(a->why);
	*a = (ba_count_answer){0};
}
