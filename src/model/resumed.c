#include "model/resumed.h"

#include <stdlib.h>

#include "base/mem.h"

void ba_benchmark_state_init(ba_benchmark_state *s, size_t variant_count)
{
	*s = (ba_benchmark_state){.variant_count = variant_count,
		.wanted = ba_xcalloc(variant_count, sizeof(*s->wanted)),
		.failure = ba_xcalloc(variant_count, sizeof(*s->failure)),
		.output = ba_xcalloc(variant_count, sizeof(*s->output)),
		.skipped = ba_xcalloc(variant_count, sizeof(*s->skipped))};
}

static void state_dispose(ba_benchmark_state *s)
{
	for (size_t v = 0; v < s->variant_count; v++) {
		free(s->failure[v]);
		free(s->output[v]);
		free(s->skipped[v]);
	}
	free(s->wanted);
	free(s->failure);
	free(s->output);
	free(s->skipped);
	free(s->id);
	*s = (ba_benchmark_state){0};
}

void ba_checkpoint_dispose(ba_checkpoint *c)
{
	for (size_t i = 0; i < c->benchmark_count; i++)
		state_dispose(&c->benchmarks[i]);
	free(c->benchmarks);
	for (size_t i = 0; i < c->suite_count; i++) {
		free(c->suites[i].name);
		free(c->suites[i].engine);
		free(c->suites[i].engine_reason);
	}
	free(c->suites);
	ba_strv_dispose(&c->notes);
	ba_strv_dispose(&c->opened);
	*c = (ba_checkpoint){0};
}

static void samples_dispose(ba_resumed_samples *s)
{
	free(s->benchmark);
	ba_samples_dispose(&s->samples);
}

void ba_resumed_dispose(ba_resumed *p)
{
	for (size_t i = 0; i < p->sample_count; i++)
		samples_dispose(&p->samples[i]);
	free(p->samples);
	for (size_t i = 0; i < p->count; i++)
		ba_checkpoint_dispose(&p->checkpoints[i]);
	free(p->checkpoints);
	for (size_t i = 0; i < p->origin_count; i++)
		ba_origin_dispose(&p->origins[i]);
	free(p->origins);
	*p = (ba_resumed){0};
}

void ba_resumed_drop_incomplete(ba_resumed *p)
{
	while (p->sample_count &&
		p->samples[p->sample_count - 1].samples.invocation >= p->first + p->count)
		samples_dispose(&p->samples[--p->sample_count]);
}

int64_t ba_resumed_elapsed_ns(const ba_resumed *p)
{
	return p->count ? p->checkpoints[p->count - 1].elapsed_ns : 0;
}
