/* The sentence about a grid of codes and environments: what each contributes, or how the
 * effect of the code depends on the environment. */

#include "gate/tally.h"
#include "model/effect.h"

/* "code HEAD~ to HEAD +3.1 % (+2.0 .. +4.2 %)" */
static void put_effect(
	ba_buf *out, const ba_result *r, const ba_series *s, const ba_effect *e, const char *before)
{
	BA_AUTO(ba_buf) ba_buf interval = BA_BUF_INIT;
	ba_buf_puts(out, before);
	ba_effect_put_name(out, &r->run, e);
	ba_buf_putc(out, ' ');
	ba_effect_put(out, &interval, s, e);
	ba_buf_printf(out, e->comparison.exact ? " %s" : " (%s)", interval.data);
}

static void put_each_environment(
	ba_buf *out, const ba_result *r, const ba_series *s, const ba_effect *both)
{
	const char *before = ", the effect of the code depends on the environment: ";
	BA_EACH (const ba_effect, e, s->effects, s->effect_count) {
		if (e->of != BA_EFFECT_OF_CODE_WITHIN || e->code != both->code)
			continue;
		put_effect(out, r, s, e, before);
		before = ", ";
	}
}

static void put_contributions(
	ba_buf *out, const ba_result *r, const ba_series *s, const ba_effect *both)
{
	put_effect(out, r, s, ba_effect_first(s, BA_EFFECT_OF_CODE), ", ");
	put_effect(out, r, s, ba_effect_first(s, BA_EFFECT_OF_ENVIRONMENT), ", ");
	if (both->comparison.verdict != BA_VERDICT_UNCHANGED) {
		put_effect(out, r, s, both, "; whether they interact is inconclusive: ");
		return;
	}
	ba_buf_puts(out, "; they do not interact by more than ");
	ba_comparison_put_threshold(out, &both->comparison);
}

/* A shown interaction weighs most, then the largest effect of a factor. */
static double weight_of(const ba_series *s)
{
	const ba_effect *both = ba_effect_first(s, BA_EFFECT_OF_BOTH);
	return ba_effect_is_shown(both)
		       ? 1e9 * ba_effect_weight(both)
		       : fmax(ba_effect_weight(ba_effect_first(s, BA_EFFECT_OF_CODE)),
				 ba_effect_weight(ba_effect_first(s, BA_EFFECT_OF_ENVIRONMENT)));
}

void ba_gate_put_factors(ba_buf *out, const ba_result *r, bool several_metrics)
{
	const ba_series *most = NULL;
	size_t count = 0, depend = 0;
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		if (!s->effect_count)
			continue;
		count++;
		depend += ba_effect_is_shown(ba_effect_first(s, BA_EFFECT_OF_BOTH));
		most = !most || weight_of(s) > weight_of(most) ? s : most;
	}
	if (!most)
		return;
	ba_buf_printf(out, " %s %s", count > 1 ? "Most of all in" : "In",
		r->run.benchmarks[most->benchmark].id);
	if (several_metrics)
		ba_buf_printf(out, " (%s)", most->info->name);
	(depend ? put_each_environment : put_contributions)(
		out, r, most, ba_effect_first(most, BA_EFFECT_OF_BOTH));
	if (depend && count > 1)
		ba_buf_printf(out, " (in %zu of %zu)", depend, count);
	ba_buf_putc(out, '.');
}
