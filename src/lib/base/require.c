/* The end of a broken requirement: the only function of base that prints. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

void ba_require_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "bench-against: internal error at %s:%d: '%s' does not hold; report it\n",
		file, line, condition);
	abort();
}
