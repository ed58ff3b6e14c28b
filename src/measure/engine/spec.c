#include "engine/spec.h"

#include <stdlib.h>

void ba_failure_dispose(ba_failure *f)
{
	free(f->text);
	free(f->output);
	*f = (ba_failure){0};
}
