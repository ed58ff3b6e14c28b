#include "engine/request.h"

static void code_dispose(ba_code_count *c)
{
	BA_FREE((char *)c->name, (char *)c->file);
}

void ba_count_answer_dispose(ba_count_answer *a)
{
	BA_FREE_ARRAY(code_dispose, a->codes, a->code_count);
	BA_FREE(a->instructions, a->why);
	*a = (ba_count_answer){0};
}
