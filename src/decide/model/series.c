#include "model/series.h"

void ba_series_init(ba_series *s, const ba_measured *m, size_t benchmark, ba_metric metric)
{
	size_t candidates = m->variant_count > 1 ? m->variant_count - 1 : 0;
	*s = (ba_series){.benchmark = benchmark,
		.metric = metric,
		.info = ba_metric_of(metric, m->benchmarks[benchmark].kind),
		.role = ba_metric_get(metric)->role,
		.variants = ba_xcalloc(m->variant_count, sizeof(ba_summary)),
		.comparisons = ba_xcalloc(candidates, sizeof(ba_comparison))};
	for (size_t c = 0; c < candidates; c++)
		s->comparisons[c].counted = s->info->counted;
}

ba_samples *ba_series_add_samples(ba_series *s)
{
	s->samples = BA_GROW(s->samples, &s->sample_capacity, s->sample_count + 1);
	s->samples[s->sample_count] = (ba_samples){0};
	return &s->samples[s->sample_count++];
}

const char *ba_series_unconfirmed(const ba_series *s, const ba_measured *m)
{
	bool checked = s->metric == BA_METRIC_FRESH && m->evidence.checks > 0;
	bool witnessed = checked || m->benchmarks[s->benchmark].kind == BA_SUITE_LAUNCHER;
	if (!m->evidence.untrusted || witnessed)
		return NULL;
	return "nothing outside of the candidate's own process saw its runs, so --untrusted can call it slower, and no more";
}

ba_fault ba_fault_of(const char *failure)
{
	static const char *const words[] = {[BA_FAULT_BROKEN] = NULL,
		[BA_FAULT_DRIFTED] = BA_FAULT_WORDS_DRIFTED,
		[BA_FAULT_WRONG] = BA_FAULT_WORDS_WRONG,
		[BA_FAULT_CHEATED] = BA_FAULT_WORDS_CHEATED};
	size_t i = BA_COUNT(words) - 1;
	while (i && !ba_text_starts(failure, words[i]))
		i--;
	return (ba_fault)i;
}

static void summary_dispose(ba_summary *s)
{
	BA_FREE(s->failure, s->output, s->skipped);
}

void ba_series_drop_effects(ba_series *s)
{
	BA_FREE_EACH(x, s->effects, s->effect_count, ba_comparison_dispose(&x->comparison));
	s->effects = NULL;
	s->effect_count = 0;
}

void ba_series_dispose(ba_series *s, size_t variant_count)
{
	for (size_t i = 0; i < s->sample_count; i++)
		ba_samples_dispose(&s->samples[i]);
	for (size_t i = 0; s->variants && i < variant_count; i++)
		summary_dispose(&s->variants[i]);
	summary_dispose(&s->floor);
	for (size_t i = 0; s->comparisons && i + 1 < variant_count; i++)
		ba_comparison_dispose(&s->comparisons[i]);
	ba_series_drop_effects(s);
	BA_FREE(s->samples, s->variants, s->net_ns, s->comparisons);
}

void ba_series_release(ba_series *own)
{
	BA_FREE_ARRAY(ba_samples_dispose, own->samples, own->sample_count);
	own->samples = NULL;
	own->sample_count = own->sample_capacity = 0;
}
