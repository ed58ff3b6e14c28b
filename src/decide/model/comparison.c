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
