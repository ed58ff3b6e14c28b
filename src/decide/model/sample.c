#include "model/sample.h"

void ba_samples_alloc(ba_samples *s)
{
	size_t visits = (size_t)s->blocks * s->positions;
	s->order = ba_xcalloc(visits, sizeof(*s->order));
	s->ns = ba_xcalloc(visits * s->readings, sizeof(*s->ns));
	s->block_at_ns = ba_xcalloc(s->blocks, sizeof(*s->block_at_ns));
}

size_t ba_samples_bytes(const ba_samples *s)
{
	size_t visits = (size_t)s->blocks * s->positions;
	size_t per_visit =
		sizeof(*s->order) + s->readings * sizeof(*s->ns) + (s->khz ? sizeof(*s->khz) : 0);
	size_t per_block = (s->block_at_ns ? sizeof(*s->block_at_ns) : 0) +
			   (s->clock_events ? sizeof(*s->clock_events) : 0);
	return visits * per_visit + s->blocks * per_block;
}

void ba_samples_forget(ba_samples *s)
{
	BA_FREE(s->order, s->ns, s->block_at_ns, s->khz, s->clock_events);
	s->order = NULL;
	s->ns = s->khz = s->clock_events = NULL;
	s->block_at_ns = NULL;
}

BA_OWNS(ba_samples, s, ba_samples_forget(s))

ba_readings ba_samples_readings(const ba_samples *s)
{
	return (ba_readings){.blocks = s->blocks,
		.positions = s->positions,
		.readings = s->readings,
		.batch = s->batch,
		.order = s->order,
		.ns = s->ns,
		.layouts = s->layouts};
}
