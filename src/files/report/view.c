#include "report/view.h"

static const ba_comparison *comparison_of(const ba_series *s, size_t variant)
{
	return variant && s->comparisons ? &s->comparisons[variant - 1] : NULL;
}

ba_presence ba_presence_of(const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	if (v->failure)
		return BA_PRESENCE_FAILED;
	if (v->skipped)
		return BA_PRESENCE_SKIPPED;
	if (v->launches)
		return BA_PRESENCE_MEASURED;
	const ba_comparison *c = comparison_of(s, variant);
	if (c && c->verdict == BA_VERDICT_IDENTICAL)
		return BA_PRESENCE_IDENTICAL;
	/* if all candidates are identical, the baseline is not run either */
	if (variant == 0 && r->run.variant_count > 1 &&
		BA_ALL(s->comparisons, r->run.variant_count - 1, x,
			x->verdict == BA_VERDICT_IDENTICAL))
		return BA_PRESENCE_IDENTICAL;
	return v->present ? BA_PRESENCE_EMPTY : BA_PRESENCE_ABSENT;
}

bool ba_is_left_uncounted(const ba_result *r, const ba_series *s, size_t variant)
{
	return s->info->counted && s->role != BA_ROLE_VERDICT &&
	       ba_presence_of(r, s, variant) == BA_PRESENCE_EMPTY;
}

bool ba_is_nothing(const ba_result *r, const ba_series *s)
{
	bool any = false;
	for (size_t v = 0; v < r->run.variant_count; v++) {
		bool measured = ba_presence_of(r, s, v) == BA_PRESENCE_MEASURED;
		if (!s->info->census || s->variants[v].failure || s->variants[v].max > 0)
			return false;
		any = any || measured;
	}
	return any;
}

const char *ba_presence_name(ba_presence p)
{
	static const char *const names[] = {
		[BA_PRESENCE_MEASURED] = "",
		[BA_PRESENCE_FAILED] = "failed",
		[BA_PRESENCE_SKIPPED] = "skipped",
		[BA_PRESENCE_ABSENT] = "absent",
		[BA_PRESENCE_IDENTICAL] = "identical",
		[BA_PRESENCE_EMPTY] = "not measured",
	};
	return names[p];
}

static double own_level(const ba_summary *v)
{
	return v->trimmed > 0 ? v->trimmed : v->mean;
}

double ba_central_ns(const ba_series *s, const ba_summary *v)
{
	const ba_comparison *c = comparison_of(s, (size_t)(v - s->variants));
	const ba_summary *base = &s->variants[0];
	if (s->info->census)
		return v->mean;
	if (c && c->ratio > 0 && base->launches && v->launches)
		return own_level(base) * (s->more_is_better ? 1 / c->ratio : c->ratio);
	return own_level(v);
}

/* files from before quartiles were recorded have none, which reads as 0 */
bool ba_has_quartiles(const ba_summary *v)
{
	return v->trimmed > 0 && v->iqr > 0;
}

double ba_spread_ns(const ba_summary *v)
{
	return ba_has_quartiles(v) ? v->iqr / 2 : v->stdev;
}

void ba_levels_text(ba_buf *out, const ba_result *r)
{
	bool iqr = false, sd = false;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t k = 0; k < r->run.variant_count; k++) {
			const ba_summary *v = &r->series[i].variants[k];
			if (r->series[i].info->counted ||
				ba_presence_of(r, &r->series[i], k) != BA_PRESENCE_MEASURED)
				continue;
			iqr = iqr || ba_has_quartiles(v);
			sd = sd || !ba_has_quartiles(v);
		}
	if (!iqr && !sd)
		return;
	ba_buf_puts(out,
		ba_measured_is_of_files(&r->run)
			? "Times are geometric means of the values in the files. "
			: "Times are trimmed means, of the middle half of the readings in each invocation. ");
	ba_buf_printf(out, "\u00b1 is %s%s%s.",
		iqr ? "half the distance between the quartiles of all readings (iqr/2)" : "",
		iqr && sd ? " or, without quartiles, " : "",
		sd ? "the standard deviation (sd)" : "");
}

ba_change ba_change_of(const ba_series *s, size_t candidate)
{
	ba_change change = {.low = NAN, .high = NAN};
	const ba_summary *a = &s->variants[0], *b = &s->variants[candidate];
	const ba_comparison *c = comparison_of(s, candidate);
	bool both = a->launches && b->launches && !a->failure && !b->failure;
	if (!both || (!(ba_central_ns(s, a) > 0) && !s->info->census))
		return change;
	change.known = true;
	bool estimated = c && c->ratio > 0 && !c->exact;
	if (estimated && c->low > 0 && c->high >= c->low) {
		change.low = s->more_is_better ? 1 / c->high : c->low;
		change.high = s->more_is_better ? 1 / c->low : c->high;
	}
	change.delta_ns = ba_central_ns(s, b) - ba_central_ns(s, a);
	/* from 0 it is infinite */
	change.ratio = change.delta_ns == 0 ? 1 : ba_central_ns(s, b) / ba_central_ns(s, a);
	return change;
}

const char *ba_benchmark_axis(const ba_benchmark *b, const char *name)
{
	const ba_axis *axis = BA_FIND(b->axes, b->axis_count, x, strcmp(x->name, name) == 0);
	return axis ? axis->value : NULL;
}

bool ba_benchmark_matches(const ba_benchmark *b, const ba_strv *globs)
{
	return !globs || !globs->count ||
	       BA_ANY(globs->items, globs->count, x, ba_text_glob(*x, b->id));
}

void ba_number_put_4(ba_buf *out, double value)
{
	ba_number_put(out, value, ba_number_decimals(value, 0.01 * value), false);
}

char *ba_interval_heading(const ba_result *r)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_percent_plain(&text, 1 - (r->decided.alpha > 0 ? r->decided.alpha : 0.05));
	ba_buf_puts(&text, " interval");
	return ba_buf_detach(&text);
}

void ba_invocations_text(ba_buf *out, const ba_result *r)
{
	unsigned least = 0, most = 0;
	/* metrics without verdicts do not count if others have verdicts */
	bool decides = BA_ANY(r->series, r->series_count, x, x->role == BA_ROLE_VERDICT);
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		unsigned n = 0;
		for (size_t c = 0; c + 1 < r->run.variant_count; c++)
			if (s->comparisons[c].invocations > n)
				n = s->comparisons[c].invocations;
		if (!n)
			n = (unsigned)s->sample_count;
		if (!n || (decides && s->role != BA_ROLE_VERDICT))
			continue;
		least = least && least < n ? least : n;
		most = most > n ? most : n;
	}
	if (least != most)
		ba_buf_printf(out, "%u to ", least);
	if (ba_measured_is_of_files(&r->run) && !most)
		ba_buf_puts(out, "no values to compare");
	else if (ba_measured_is_of_files(&r->run))
		ba_buf_printf(out, "%u %s a side", most, ba_plural(most, "value", "values"));
	else
		ba_buf_printf(out, "%u %s", most, ba_plural(most, "invocation", "invocations"));
}

static void put_safe(ba_buf *out, const char *before, const char *text)
{
	if (!text || !*text)
		return;
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_buf_printf(out, "%s%s", before, safe);
}

void ba_device_text(ba_buf *out, const ba_result *r)
{
	const ba_environment *env = &r->run.env;
	if (ba_environment_is_host(env)) {
		ba_buf_puts(out, "host target");
		put_safe(out, ": ", env->cpu_model);
		if (env->pinned_cpu >= 0)
			ba_buf_printf(out, ", CPU %d", env->pinned_cpu);
		ba_buf_printf(out, "; %sno GPU runs anything",
			ba_measured_is_of_launches(&r->run) ? "launch code only, " : "");
		return;
	}
	if (ba_environment_is_fake(env))
		ba_buf_puts(out, "TEST DRIVER with a simulated clock, not a GPU: ");
	put_safe(out, "",
		env->device_name && *env->device_name ? env->device_name : "unknown device");
	put_safe(out, ", driver ", env->driver_version);
	put_safe(out, ", CUDA ", env->cuda_version);
}

void ba_variant_about(ba_buf *out, const ba_variant *v)
{
	if (v->dirty)
		ba_buf_puts(out, "with uncommitted changes; ");
	if (v->kind == BA_VARIANT_PATH)
		put_safe(out, "", v->tree_dir && *v->tree_dir ? v->tree_dir : v->spec);
	else
		put_safe(out, "", v->subject);
	if (ba_text_ends(out->data, "; "))
		ba_buf_truncate(out, out->len - 2);
}

void ba_variants_table(ba_table *t, const ba_result *r, bool with_roles)
{
	static const ba_column columns[] = {
		{.left = true},
		{"variant", BA_HOLDS_NAME, .left = true, .shrink_to = 12},
		{"commit", .left = true, .drop = 1},
		{.holds = BA_HOLDS_SENTENCE, .left = true, .shrink_to = 24, .shrink_end = true},
	};
	ba_table_columns(t, columns, BA_COUNT(columns));
	for (size_t i = 0; i < r->run.variant_count; i++) {
		const ba_variant *v = &r->run.variants[i];
		ba_table_row(t);
		if (with_roles)
			ba_table_put(t, 0, BA_INK_DIM, i ? "candidate" : "baseline");
		ba_table_put(t, 1, BA_INK_BOLD, v->label);
		ba_buf_printf(ba_table_cell(t, 2, BA_INK_PLAIN), "%.9s", v->commit);
		ba_variant_about(ba_table_cell(t, 3, BA_INK_DIM), v);
	}
}

void ba_spent_text(ba_buf *out, const ba_result *r)
{
	const ba_spent *t = &r->run.spent;
	const struct {
		const char *word;
		double seconds;
	} rows[] = {{"building", t->build}, {"examining", t->survey}, {"counting", t->count},
		{"starting", t->start}, {"preparing", t->prepare}, {"measuring", t->measure},
		{"starting for first calls", t->cold}, {"judging", t->judge}};
	double least = ba_spent_total(t) / 100;
	const char *lead = "";
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		if (rows[i].seconds <= 0 || rows[i].seconds < least)
			continue;
		ba_buf_printf(out, "%s%s %.3g s", lead, rows[i].word, rows[i].seconds);
		lead = ", ";
	}
}

/* ---- units ---- */

ba_unit ba_unit_for(const ba_metric_info *info, double ns, bool unicode)
{
	ba_time_unit unit = ba_metric_time_unit(info, ns);
	return (ba_unit){unicode ? unit.name : unit.ascii, 1 / unit.ns};
}

ba_unit ba_unit_of_range(const ba_metric_info *info, double least, double most, bool unicode)
{
	ba_unit unit = ba_unit_for(info, least, unicode);
	while (most * unit.per_ns >= 1e5 && least > 0 && least < 1e9)
		unit = ba_unit_for(info, least *= 10, unicode);
	return unit;
}

static void widen(double *least, double *most, const ba_result *r, const ba_series *s)
{
	for (size_t i = 0; i < r->run.variant_count; i++) {
		if (ba_presence_of(r, s, i) != BA_PRESENCE_MEASURED)
			continue;
		double ns = ba_central_ns(s, &s->variants[i]);
		ba_widen(least, most, ns, ns);
	}
}

ba_unit ba_unit_of_series(const ba_result *r, const ba_series *s, bool unicode)
{
	double least = INFINITY, most = 0;
	widen(&least, &most, r, s);
	return ba_unit_for(s->info, isfinite(least) ? least : 0, unicode);
}

ba_unit ba_unit_of_all(const ba_result *r, const ba_series *const *s, size_t count, bool unicode)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < count; i++)
		widen(&least, &most, r, s[i]);
	if (!count || !isfinite(least))
		return (ba_unit){"", 1};
	ba_unit unit = ba_unit_for(s[0]->info, least, unicode);
	if (*unit.name && most * unit.per_ns >= 1e5)
		unit.name = NULL;
	return unit;
}

const char *ba_unit_per(const ba_metric_info *info)
{
	const char *per = strchr(info->unit, '/');
	return per ? per : "";
}

char *ba_unit_axis(const ba_metric_info *info, const char *unit)
{
	return ba_xprintf("%s%s%s", info->name, *unit ? ", " : "", unit);
}

char *ba_unit_words(const ba_unit *unit, const ba_metric_info *info)
{
	return ba_xprintf("%s%s", unit->name, *unit->name ? ba_unit_per(info) : "");
}
