#include "model/sample.h"

#include <stdlib.h>

#include "base/mem.h"

void ba_samples_alloc(ba_samples *s)
{
	size_t visits = (size_t)s->blocks * s->positions;
	s->order = ba_xcalloc(visits, sizeof(*s->order));
	s->ns = ba_xcalloc(visits * s->readings, sizeof(*s->ns));
	s->block_at_ns = ba_xcalloc(s->blocks, sizeof(*s->block_at_ns));
}

void ba_samples_dispose(ba_samples *s)
{
	free(s->order);
	free(s->ns);
	free(s->block_at_ns);
	free(s->khz);
	free(s->clock_events);
	*s = (ba_samples){0};
}
