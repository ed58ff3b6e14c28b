#include "report/speeds.h"

#include <math.h>

#include "base/mem.h"
#include "base/sort.h"
#include "stats/logratio.h"

#define APART 1.1
enum { LEAST_INVOCATIONS = 3 };

/* logs of the level in each invocation at that place, ascending; returns how many */
static size_t levels_of(
	double *out, const ba_result *r, const ba_series *s, size_t variant, unsigned place)
{
	size_t count = 0;
	for (size_t i = 0; i < s->sample_count; i++) {
		const ba_samples *x = &s->samples[i];
		ba_readings readings = ba_samples_readings(x);
		readings.least = s->info->counted;
		double level = x->ns ? ba_level_of(&readings, (unsigned)variant) : NAN;
		if (isfinite(level) && (!r->origin_count || r->origins[x->origin].place == place))
			out[count++] = level;
	}
	ba_sort_doubles(out, count);
	return count;
}

/* where the slower ones begin */
static size_t widest_gap(const double *level, size_t count)
{
	size_t at = 1;
	for (size_t i = 2; i < count; i++)
		if (level[i] - level[i - 1] > level[at] - level[at - 1])
			at = i;
	return at;
}

static bool differ(ba_speeds *out, const double *level, size_t count)
{
	if (count < LEAST_INVOCATIONS)
		return false;
	size_t slower = widest_gap(level, count), last = count - 1;
	double gap = level[slower] - level[slower - 1];
	double spread = fmax(level[slower - 1] - level[0], level[last] - level[slower]);
	if (!(gap > log(APART)) || gap < 2 * spread)
		return false;
	bool few_are_slower = count - slower <= slower;
	size_t fewer = few_are_slower ? slower : 0, others = few_are_slower ? 0 : slower;
	*out = (ba_speeds){
		.invocations = count,
		.fewer = few_are_slower ? count - slower : slower,
		.fewer_least = exp(level[fewer]),
		.fewer_most = exp(level[few_are_slower ? last : slower - 1]),
		.others_least = exp(level[others]),
		.others_most = exp(level[few_are_slower ? slower - 1 : last]),
	};
	return true;
}

bool ba_speeds_of(ba_speeds *out, const ba_result *r, const ba_series *s, size_t variant)
{
	BA_AUTO_FREE double *level = ba_xcalloc(s->sample_count + 1, sizeof(*level));
	size_t places = ba_origins_places(r->origins, r->origin_count);
	bool any = false;
	for (unsigned p = 0; !any && (p == 0 || p < places); p++)
		any = differ(out, level, levels_of(level, r, s, variant, p));
	return any;
}
