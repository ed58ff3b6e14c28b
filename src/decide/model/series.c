#include "model/series.h"

BA_OWNS(ba_comparison, c,
	BA_FREE(c->y, c->z, c->within, c->origin, c->places, c->reason, c->hint, c->level),
	ba_explanation_free(c->why))

ba_comparison ba_comparison_open(const ba_comparison *from)
{
	return (ba_comparison){.threshold_slower = from->threshold_slower,
		.threshold_faster = from->threshold_faster,
		.threshold_given = from->threshold_given,
		.threshold_given_ns = from->threshold_given_ns,
		.counted = from->counted};
}

double ba_comparison_worst(const ba_comparison *c)
{
	double worst = c->mean_suspicious && c->mean_high > c->high ? c->mean_high : c->high;
	for (size_t i = 0; c->places_differ && isfinite(worst) && i < c->place_count; i++)
		worst = fmax(worst, c->places[i].high);
	return worst;
}

bool ba_place_has_verdict(const ba_comparison *c, const ba_place_estimate *p)
{
	return c->places_differ && p->verdict == c->verdict && ba_verdict_is_decided(p->verdict) &&
	       p->verdict != BA_VERDICT_UNCHANGED;
}

ba_shift ba_comparison_probably(const ba_comparison *c)
{
	if (c->verdict != BA_VERDICT_INCONCLUSIVE || !c->likely || !isfinite(c->high))
		return BA_SHIFT_NONE;
	if (c->threshold_slower > 0 && c->low >= 1 + c->threshold_slower)
		return BA_SHIFT_SLOWER;
	return c->threshold_faster > 0 && c->low > 0 && c->high <= 1 / (1 + c->threshold_faster)
		       ? BA_SHIFT_FASTER
		       : BA_SHIFT_NONE;
}

ba_shift ba_comparison_shift(const ba_comparison *c)
{
	if (c->verdict != BA_VERDICT_UNCHANGED)
		return BA_SHIFT_NONE;
	if (c->low > 1)
		return BA_SHIFT_SLOWER;
	return c->high > 0 && c->high < 1 ? BA_SHIFT_FASTER : BA_SHIFT_NONE;
}

const char *ba_shift_name(ba_shift shift)
{
	static const char *const names[] = {NULL, "slower", "faster"};
	return names[shift];
}

void ba_comparison_put_verdict(ba_buf *out, const ba_comparison *c)
{
	ba_shift probably = ba_comparison_probably(c);
	ba_shift shift = probably ? probably : ba_comparison_shift(c);
	const char *word = !c->counted		      ? ba_shift_name(shift)
			   : shift == BA_SHIFT_SLOWER ? "more"
						      : "fewer";
	if (shift == BA_SHIFT_NONE) {
		ba_buf_puts(out, ba_verdict_name(c->verdict));
	} else if (probably) {
		ba_buf_printf(out, "probably %s", word);
	} else {
		ba_buf_printf(out, "%s, within ", word);
		ba_percent_plain(
			out, shift == BA_SHIFT_SLOWER ? c->threshold_slower : c->threshold_faster);
	}
}

void ba_comparison_put_absolute(ba_buf *out, const ba_comparison *c, double most)
{
	bool ms = !c->counted && c->threshold_given_ns >= BA_MS;
	if (c->threshold_given_ns > 0 && most > c->threshold_given)
		ba_buf_printf(out, " (at least %g %s)",
			ms ? c->threshold_given_ns / BA_MS : c->threshold_given_ns,
			c->counted ? "instructions"
			: ms	   ? "ms"
				   : "ns");
}

void ba_comparison_put_threshold(ba_buf *out, const ba_comparison *c)
{
	if (!(c->ratio > 0) || !(c->threshold_slower > 0))
		return;
	ba_percent_plain(out, c->threshold_slower);
	ba_comparison_put_absolute(out, c, c->threshold_slower);
}

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
