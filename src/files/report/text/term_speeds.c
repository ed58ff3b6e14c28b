/* A line for each benchmark that ran at one speed in some invocations and at another in
 * the rest. A single level and interval do not show this. */

#include "report/text/term.h"

enum { LINES_MOST = 3, LEAST_INVOCATIONS = 3 };
#define APART 1.1

/* levels in ns: the smallest and the largest at each speed */
typedef struct speeds {
	size_t invocations;
	size_t fewer; /* number of invocations at the less frequent speed */
	double fewer_least, fewer_most;
	double others_least, others_most;
} speeds;

/* Logs of the level in each invocation at that place, ascending; returns how many. */
static size_t levels_of(
	double *out, const ba_result *r, const ba_series *s, size_t variant, unsigned place)
{
	size_t count = 0;
	BA_EACH (const ba_samples, x, s->samples, s->sample_count) {
		ba_readings readings = ba_samples_readings(x);
		readings.least = s->info->counted;
		double level = x->ns ? ba_level_of(&readings, (unsigned)variant) : NAN;
		if (isfinite(level) &&
			(!r->run.origin_count || r->run.origins[x->origin].place == place))
			out[count++] = level;
	}
	ba_sort_doubles(out, count);
	return count;
}

/* Where the slower levels begin. */
static size_t widest_gap(const double *level, size_t count)
{
	size_t at = 1;
	for (size_t i = 2; i < count; i++)
		if (level[i] - level[i - 1] > level[at] - level[at - 1])
			at = i;
	return at;
}

static bool differ(speeds *out, const double *level, size_t count)
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
	*out = (speeds){
		.invocations = count,
		.fewer = few_are_slower ? count - slower : slower,
		.fewer_least = exp(level[fewer]),
		.fewer_most = exp(level[few_are_slower ? last : slower - 1]),
		.others_least = exp(level[others]),
		.others_most = exp(level[few_are_slower ? slower - 1 : last]),
	};
	return true;
}

/* False with fewer than 3 invocations, without readings, or if the levels lie together. Two
 * speeds differ by at least a tenth, and by twice the range of levels at one speed. Places are
 * examined one by one, up to the first with two speeds. */
static bool speeds_of(speeds *out, const ba_result *r, const ba_series *s, size_t variant)
{
	BA_AUTO_FREE double *level = ba_xcalloc(s->sample_count + 1, sizeof(*level));
	size_t places = ba_origins_places(r->run.origins, r->run.origin_count);
	bool any = false;
	for (unsigned p = 0; !any && (p == 0 || p < places); p++)
		any = differ(out, level, levels_of(level, r, s, variant, p));
	return any;
}

/* "48.6", "15.6 to 16.0" */
static void put_range(ba_buf *out, double least, double most, double per_ns)
{
	int decimals = ba_number_decimals(least * per_ns, 0);
	BA_AUTO(ba_buf) ba_buf low = BA_BUF_INIT, high = BA_BUF_INIT;
	ba_number_put(&low, least * per_ns, decimals, false);
	ba_number_put(&high, most * per_ns, decimals, false);
	if (strcmp(low.data, high.data) != 0)
		ba_buf_printf(out, "%s to ", low.data);
	ba_buf_puts(out, high.data);
}

/* Appends ", v2" if that variant ran at two speeds, too. */
static void put_other(ba_buf *out, const ba_result *r, const ba_series *series, size_t variant)
{
	speeds two;
	if (!speeds_of(&two, r, series, variant))
		return;
	ba_buf_printf(out, "%s%s", out->len ? ", " : "", r->run.variants[variant].label);
}

static void put_line(const ba_screen *s, const ba_series *series, size_t variant, const speeds *two)
{
	const ba_result *r = s->r;
	ba_unit unit = ba_unit_of_series(r, series, s->o->unicode);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, others = BA_BUF_INIT;
	ba_buf_printf(&text, "%s of %s ran at two speeds: %zu of %zu invocations took ",
		r->run.benchmarks[series->benchmark].id, r->run.variants[variant].label, two->fewer,
		two->invocations);
	put_range(&text, two->fewer_least, two->fewer_most, unit.per_ns);
	ba_buf_printf(&text, " %s, the others ", unit.name);
	put_range(&text, two->others_least, two->others_most, unit.per_ns);
	ba_buf_printf(&text, " %s", unit.name);
	for (size_t v = variant + 1; v < r->run.variant_count; v++)
		put_other(&others, r, series, v);
	if (others.len)
		ba_buf_printf(&text, "; so did %s", others.data);
	ba_format_remark(s->out, s->o, 4, BA_INK_DOUBT, "? ", text.data);
}

/* Finds the first variant that ran at two speeds; false if none did. */
static bool find(speeds *out, size_t *variant, const ba_result *r, const ba_series *s)
{
	for (*variant = 0; *variant < r->run.variant_count; (*variant)++)
		if (speeds_of(out, r, s, *variant))
			return true;
	return false;
}

void ba_term_speeds(const ba_screen *s)
{
	const ba_result *r = s->r;
	const ba_ranking *k = s->ranking;
	BA_AUTO_FREE bool *seen = ba_xcalloc(r->series_count + 1, sizeof(*seen));
	size_t lines = 0, variant;
	for (size_t i = 0; i < k->deciding; i++) {
		const ba_series *series = k->rows[i].series;
		speeds two;
		if (seen[series - r->series])
			continue;
		seen[series - r->series] = true;
		if (!find(&two, &variant, r, series))
			continue;
		if (lines++ == 0)
			ba_buf_putc(s->out, '\n');
		if (lines <= LINES_MOST)
			put_line(s, series, variant, &two);
	}
	if (lines > LINES_MOST)
		ba_buf_printf(s->out,
			"  %zu more like these; the figure 'invocations' shows each\n",
			lines - LINES_MOST);
}
