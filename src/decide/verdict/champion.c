#include "verdict/decide.h"

#include "verdict/estimate.h"

/* Drops the visits of participant 0; the others move up by one. */
static void drop_visits(ba_samples *s)
{
	size_t visits = (size_t)s->blocks * s->positions, n = 0;
	for (size_t i = 0; i < visits; i++) {
		if (s->order[i] == 0)
			continue;
		memmove(&s->ns[n * s->readings], &s->ns[i * s->readings],
			s->readings * sizeof(*s->ns));
		if (s->khz)
			s->khz[n] = s->khz[i];
		s->order[n++] = (uint8_t)(s->order[i] - 1);
	}
	s->positions = s->blocks ? (unsigned)(n / s->blocks) : 0;
	s->participants--;
}

static bool is_measured(ba_verdict v)
{
	return v != BA_VERDICT_ADDED && v != BA_VERDICT_REMOVED && v != BA_VERDICT_SKIPPED &&
	       v != BA_VERDICT_REPORTED;
}

static void drop_baseline(const ba_result *r, ba_series *s)
{
	ba_comparison open = ba_comparison_open(&s->comparisons[1]);
	if (!is_measured(s->comparisons[1].verdict))
		open.verdict = s->comparisons[1].verdict;
	for (size_t c = 0; c < 2; c++)
		ba_comparison_dispose(&s->comparisons[c]);
	s->comparisons[0] = open;
	BA_FREE(s->variants[0].failure, s->variants[0].output, s->variants[0].skipped);
	memmove(s->variants, s->variants + 1, 2 * sizeof(*s->variants));
	s->variants[2] = (ba_summary){0};
	BA_FREE(s->net_ns);
	ba_estimate_forget(r, s);
	for (size_t i = 0; i < s->sample_count; i++) {
		drop_visits(&s->samples[i]);
		ba_estimate_add(r, s, &s->samples[i]);
	}
}

void ba_champion_decide(ba_result *r)
{
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	BA_REQUIRE(r->run.variant_count == 3);
	ba_variant_dispose(&r->run.variants[0]);
	memmove(r->run.variants, r->run.variants + 1, 2 * sizeof(*r->run.variants));
	r->run.variant_count = 2;
	for (size_t i = 0; i < r->series_count; i++)
		drop_baseline(r, &r->series[i]);
	ba_decisions_init(&d, r);
	if (r->decided.design.looks)
		ba_decisions_look(&d, r);
	ba_decisions_finish(&d, r);
}
