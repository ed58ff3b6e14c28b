#include "model/resumed.h"

BA_OWNS_HERE(ba_benchmark_state, s, free(s->id),
	BA_FREE_EACH(v, s->variants, s->variant_count, BA_FREE(v->failure, v->output, v->skipped)))

BA_OWNS(ba_checkpoint, c,
	BA_FREE_ARRAY(ba_benchmark_state_dispose, c->benchmarks, c->benchmark_count),
	BA_FREE_ARRAY(ba_measured_suite_dispose, c->suites, c->suite_count),
	BA_DISPOSE(ba_strv, &c->notes, &c->opened))

BA_OWNS_HERE(ba_resumed_samples, s, free(s->benchmark), ba_samples_dispose(&s->samples))

BA_OWNS(ba_resumed, p, BA_FREE_ARRAY(ba_resumed_samples_dispose, p->samples, p->sample_count),
	BA_FREE_ARRAY(ba_checkpoint_dispose, p->checkpoints, p->count),
	BA_FREE_ARRAY(ba_origin_dispose, p->origins, p->origin_count))

void ba_resumed_drop_incomplete(ba_resumed *p)
{
	while (p->sample_count &&
		p->samples[p->sample_count - 1].samples.invocation >= p->first + p->count)
		ba_resumed_samples_dispose(&p->samples[--p->sample_count]);
}

int64_t ba_resumed_elapsed_ns(const ba_resumed *p)
{
	return p->count ? p->checkpoints[p->count - 1].elapsed_ns : 0;
}
