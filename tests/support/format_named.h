/* A format by its name, or NULL. */
#ifndef TESTS_SUPPORT_FORMAT_NAMED_H
#define TESTS_SUPPORT_FORMAT_NAMED_H

#include <string.h>

#include "report/format.h"

static inline const ba_format *format_named(const char *name)
{
	for (const ba_format *f = ba_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

#endif
