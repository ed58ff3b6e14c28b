/* The part of the answer about one candidate. */

#include "gate/tally.h"

/* The words for a change: one set for times, one for counts. */
typedef struct words {
	const char *slower, *not_slower, *faster, *adjective, *opposite;
} words;
static const words of_times = {"got slower", "did not get slower", "got faster", "slower",
			   "faster"},
		   of_counts = {"grew", "did not grow", "shrank", "larger", "smaller"};

typedef struct clause {
	ba_buf *out;
	const ba_result *r;
	const ba_tally *t;
	bool several_metrics; /* one benchmark can be counted once per metric */
	bool begun;
	const words *w;
} clause;

/* "launch/args=2", "launch/args=2 (submit)" */
static void put_name(const clause *c, const ba_series *s)
{
	ba_buf_puts(c->out, c->r->run.benchmarks[s->benchmark].id);
	if (c->several_metrics)
		ba_buf_printf(c->out, " (%s)", ba_metric_get(s->metric)->name);
}

static const char *things(const clause *c, size_t count)
{
	return c->several_metrics ? ba_plural(count, "comparison", "comparisons")
				  : ba_plural(count, "benchmark", "benchmarks");
}

/* "3", or "3 of 5 benchmarks" at the start of a clause */
static void put_count(const clause *c, size_t n, bool first)
{
	ba_buf_printf(c->out, "%zu", n);
	if (first)
		ba_buf_printf(c->out, " of %zu %s", c->t->total, things(c, c->t->total));
}

/* "launch/args=2", "all 5 benchmarks", or a count */
static void put_subject(const clause *c, size_t n, const ba_series *one, bool first)
{
	if (n == 1)
		put_name(c, one);
	else if (n == c->t->total)
		ba_buf_printf(c->out, "all %zu %s", n, things(c, n));
	else
		put_count(c, n, first);
}

static void part(clause *c)
{
	if (c->begun)
		ba_buf_puts(c->out, "; ");
	c->begun = true;
}

/* "3.6 .. 4.7 %", whether slower or faster */
static void put_range(const clause *c, double low, double high)
{
	int decimals = ba_percent_decimals(low, high);
	double a = fabs(low - 1), b = fabs(high - 1);
	ba_number_put(c->out, 100 * fmin(a, b), decimals, false);
	ba_buf_puts(c->out, " .. ");
	ba_number_put(c->out, 100 * fmax(a, b), decimals, false);
	ba_buf_puts(c->out, " %");
}

/* "4.1 % (3.6 .. 4.7 %)" slower or faster. The interval has signs only if it has both. */
static void put_size(const clause *c, double ratio, double low, double high)
{
	ba_number_put(c->out, 100 * fabs(ratio - 1), ba_percent_decimals(low, high), false);
	ba_buf_puts(c->out, " %");
	if (!isfinite(low) || !isfinite(high))
		return; /* summaries and exact counts have no interval */
	ba_buf_puts(c->out, " (");
	if (low >= 1 || high <= 1)
		put_range(c, low, high);
	else
		ba_buf_puts(c->out, ba_interval_of(low, high).text);
	ba_buf_putc(c->out, ')');
}

static void put_size_of(const clause *c, const ba_series *s, double ratio, double low, double high)
{
	if (s->more_is_better)
		put_size(c, 1 / ratio, 1 / high, 1 / low);
	else
		put_size(c, ratio, low, high);
}

static void put_place(const clause *c, const char *before, unsigned place)
{
	const ba_result *r = c->r;
	BA_AUTO_FREE char *name = ba_origins_place_name(r->run.origins, r->run.origin_count, place);
	ba_buf_printf(c->out, "%s%s", before, name);
}

/* " only on GPU 1, by 4.1 % (3.6 .. 4.7 %), and the mean of 4 places moved by +1.2 %" */
static bool put_places(const clause *c, const ba_series *s, const ba_comparison *x)
{
	const ba_place_estimate *most = NULL;
	size_t named = 0;
	BA_EACH (const ba_place_estimate, p, x->places, x->place_count) {
		if (!ba_place_has_verdict(x, p))
			continue;
		named++;
		if (!most || fabs(log(p->ratio)) > fabs(log(most->ratio)))
			most = p;
	}
	if (!most)
		return false;
	if (named > 1)
		ba_buf_printf(c->out, " on %zu of %zu places, most of all", named, x->place_count);
	put_place(c, named > 1 ? " on " : " only on ", most->place);
	ba_buf_puts(c->out, named > 1 ? " by " : ", by ");
	put_size_of(c, s, most->ratio, most->low, most->high);
	ba_buf_printf(c->out, ", and the mean of %zu places moved by %s", x->place_count,
		ba_percent_of(x->ratio, x->low, x->high).text);
	return true;
}

/* " by 4.1 % (3.6 .. 4.7 %), 105 ns per launch", or " by 40 % (31 .. 49 %) in the mean (...)" */
static void put_change(const clause *c, const ba_series *s)
{
	const ba_comparison *x = &s->comparisons[c->t->candidate - 1];
	double half = (x->high - x->low) / 2 * s->variants[0].trimmed;
	if (!(x->ratio > 0)) {
		ba_buf_printf(c->out, ": %s", x->reason ? x->reason : "from or to 0");
		return;
	}
	if (put_places(c, s, x))
		return;
	if (s->info->census) {
		ba_buf_printf(c->out, " from %.10g to %.10g %s", s->variants[0].mean,
			s->variants[c->t->candidate].mean, s->info->name);
		return;
	}
	ba_buf_puts(c->out, " by ");
	if (x->verdict == BA_VERDICT_TAIL_REGRESSED || x->verdict == BA_VERDICT_TAIL_IMPROVED) {
		put_size(c, x->mean_ratio, x->mean_low, x->mean_high);
		ba_buf_printf(c->out, " in the mean (typical time %s)",
			ba_percent_of(x->ratio, x->low, x->high).text);
		return;
	}
	if (x->exact)
		put_size(c, x->ratio, -INFINITY, INFINITY);
	else
		put_size_of(c, s, x->ratio, x->low, x->high);
	ba_buf_puts(c->out, ", ");
	ba_time_unit unit = ba_metric_time_unit(s->info, x->delta_ns);
	double delta = fabs(x->delta_ns) / unit.ns;
	int digits = ba_number_decimals(delta, half / unit.ns);
	int three = ba_number_decimals(delta, 0);
	ba_number_put(c->out, delta, x->exact ? 0 : digits < three ? digits : three, false);
	if (s->info->counted)
		ba_buf_printf(c->out, " %s%s", s->info->name, x->exact ? ", exactly" : "");
	else
		ba_buf_printf(c->out, "%s%s%s", *unit.name ? " " : "", unit.name,
			ba_metric_per_words(s->info));
}

static void put_threshold(const clause *c)
{
	BA_AUTO(ba_buf) ba_buf given = BA_BUF_INIT;
	ba_result_put_thresholds(&given, c->r, -1, c->t->candidate);
	if (!given.len)
		return;
	bool long_one = strstr(given.data, " to ") || strstr(given.data, " and ");
	ba_buf_printf(
		c->out, " by more than %s%s", long_one ? "the threshold of " : "", given.data);
}

/* regressed or improved: how many, and the one that moved most */
static void put_moved(clause *c, ba_fate fate, const char *verb)
{
	size_t n = c->t->count[fate];
	if (!n)
		return;
	bool first = !c->begun;
	part(c);
	if (c->t->total == 1) {
		put_name(c, c->t->first[fate]);
		ba_buf_printf(c->out, " %s", verb);
	} else {
		put_count(c, n, first);
		ba_buf_printf(c->out, " %s%s", verb, n == 1 ? ": " : ", most of all ");
		put_name(c, c->t->first[fate]);
	}
	put_change(c, c->t->first[fate]);
}

/* ", so there was nothing to measure", or what the controls say */
static void put_controls(clause *c)
{
	double low = INFINITY, high = 0;
	BA_EACH (const ba_series, s, c->r->series, c->r->series_count) {
		const ba_comparison *x = &s->comparisons[c->t->candidate - 1];
		if (s->role != BA_ROLE_VERDICT || !(x->ratio > 0))
			continue;
		ba_widen(&low, &high, x->low, x->high);
	}
	if (!(high > 0)) {
		ba_buf_puts(c->out, ", so there was nothing to measure");
		return;
	}
	ba_buf_printf(c->out, ", and the intervals, measured as a control, are within %s",
		ba_interval_of(low, high).text);
}

/* All were identical: that is the proof. Measurements, if any, were controls. */
static void put_identical(clause *c)
{
	const ba_tally *t = c->t;
	const ba_series *one = t->first[BA_FATE_IDENTICAL];
	bool by_work =
		ba_benchmark_is_same_work(&c->r->run.benchmarks[one->benchmark], t->candidate);
	part(c);
	ba_buf_printf(c->out,
		by_work ? "%s has the GPU run the same machine code in the same way as %s"
		: c->r->run.controls ? "%s executes the same host code and kernels as %s"
				     : "%s was built byte for byte like %s",
		c->r->run.variants[t->candidate].label, c->r->run.variants[0].label);
	put_controls(c);
}

/* " (95 % intervals within -0.08 .. +0.11 %)" */
static void put_intervals(const clause *c)
{
	const ba_tally *t = c->t;
	BA_AUTO(ba_buf) ba_buf level = BA_BUF_INIT;
	if (!(t->high >= t->low))
		return;
	ba_percent_plain(&level, 1 - (c->r->decided.alpha > 0 ? c->r->decided.alpha : 0.05));
	ba_buf_printf(c->out, " (%s %s %s)", level.data,
		t->total == 1 ? "interval" : "intervals within",
		ba_interval_of(t->low, t->high).text);
}

/* "none of 5 benchmarks got slower by more than 2 % (...), 3 got slower by less" */
static void put_none(clause *c)
{
	const ba_tally *t = c->t;
	size_t known = t->count[BA_FATE_UNCHANGED] + t->count[BA_FATE_IDENTICAL];
	if (!known || t->count[BA_FATE_REGRESSED])
		return;
	if (t->count[BA_FATE_IDENTICAL] == t->total) {
		put_identical(c);
		return;
	}
	bool others = c->begun;
	part(c);
	if (t->total == 1) {
		put_name(c, t->first[BA_FATE_UNCHANGED]);
		ba_buf_printf(c->out, t->slower_within ? " %s, but not" : " %s",
			t->slower_within ? c->w->slower : c->w->not_slower);
	} else if (others || known < t->total) {
		ba_buf_printf(c->out, "%zu %s", known, c->w->not_slower);
	} else {
		ba_buf_printf(
			c->out, "none of %zu %s %s", t->total, things(c, t->total), c->w->slower);
	}
	put_threshold(c);
	/* the intervals of the others are beside them */
	if (!others)
		put_intervals(c);
	if (t->slower_within && t->total > 1) {
		part(c);
		ba_buf_printf(c->out, "%zu %s by less", t->slower_within, c->w->slower);
	}
}

static void put_undecided(clause *c)
{
	size_t n = c->t->count[BA_FATE_UNDECIDED];
	if (!n)
		return;
	const ba_series *s = c->t->first[BA_FATE_UNDECIDED];
	const ba_comparison *x = &s->comparisons[c->t->candidate - 1];
	bool first = !c->begun;
	part(c);
	if (c->t->total > 1) {
		put_count(c, n, first);
		ba_buf_printf(c->out, " %s inconclusive: ", ba_plural(n, "is", "are"));
	}
	put_name(c, s);
	double worst = ba_comparison_worst(x);
	ba_shift probably = ba_comparison_probably(x);
	if (probably) {
		ba_buf_printf(c->out, " is probably %s by ",
			probably == BA_SHIFT_SLOWER ? c->w->adjective : c->w->opposite);
		put_range(c, x->low, x->high);
	} else if (x->verdict == BA_VERDICT_PROVISIONAL && x->ratio >= 1 + x->threshold_slower) {
		ba_buf_printf(c->out, " was %s by ", c->w->adjective);
		ba_number_put(c->out, 100 * (x->ratio - 1), 1, false);
		ba_buf_puts(c->out, " %, in too few values to tell");
	} else if (isfinite(worst) && worst > 1) {
		ba_buf_puts(c->out, " could be up to ");
		ba_number_put(c->out, 100 * (worst - 1), ba_percent_decimals(x->low, worst), false);
		ba_buf_printf(c->out, " %% %s", c->w->adjective);
		for (size_t i = 0; x->places_differ && i < x->place_count; i++)
			if (x->places[i].high == worst)
				put_place(c, " on ", x->places[i].place);
	} else {
		ba_buf_puts(c->out, c->t->total > 1 ? " among them" : " is inconclusive");
	}
}

/* "launch/args=4 failed in v2", "all 5 benchmarks failed in v2 (for example ...)" */
static void put_lack(clause *c, ba_fate fate, const char *what)
{
	size_t n = c->t->count[fate];
	if (!n)
		return;
	part(c);
	const ba_series *s = c->t->first[fate];
	const char *base = c->r->run.variants[0].label;
	const char *mine = c->r->run.variants[c->t->candidate].label;
	/* either of the two files may be the summary */
	bool either = fate == BA_FATE_EMPTY && s->variants[0].launches &&
		      s->variants[c->t->candidate].launches;
	put_subject(c, n, s, true);
	ba_buf_printf(c->out, " %s %s%s%s", what, either || fate == BA_FATE_NO_BASE ? base : mine,
		either ? " or " : "", either ? mine : "");
	if (n > 1) {
		ba_buf_puts(c->out, " (for example ");
		put_name(c, s);
		ba_buf_putc(c->out, ')');
	}
}

static void put_counts(clause *c)
{
	static const struct {
		ba_fate fate;
		const char *one, *many;
	} rows[] = {
		{BA_FATE_REMOVED, "was removed", "were removed"},
		{BA_FATE_LOST, "was skipped in the candidate only",
			"were skipped in the candidate only"},
		{BA_FATE_ADDED, "is new", "are new"},
		{BA_FATE_SKIPPED, "was skipped", "were skipped"},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		size_t n = c->t->count[rows[i].fate];
		if (!n)
			continue;
		part(c);
		const ba_series *s = c->t->first[rows[i].fate];
		put_subject(c, n, s, false);
		ba_buf_printf(c->out, " %s", n == 1 ? rows[i].one : rows[i].many);
		const char *reason = s->variants[c->t->candidate].skipped;
		if (n == c->t->total && reason)
			ba_buf_printf(c->out, " (%s)", reason);
	}
}

/* Are all deciding metrics instruction counts? */
static bool is_of_counts(const ba_result *r)
{
	return BA_ANY(r->series, r->series_count, s, s->role == BA_ROLE_VERDICT) &&
	       BA_ALL(r->series, r->series_count, s,
		       s->role != BA_ROLE_VERDICT || s->info->counted);
}

void ba_gate_put_clause(ba_buf *out, const ba_result *r, const ba_tally *t, bool several_metrics)
{
	const words *w = is_of_counts(r) ? &of_counts : &of_times;
	clause *c = &(clause){out, r, t, several_metrics, false, w};
	put_moved(c, BA_FATE_REGRESSED, c->w->slower);
	put_lack(c, BA_FATE_FAILED, "failed in");
	put_lack(c, BA_FATE_NO_BASE, "failed in");
	put_lack(c, BA_FATE_EMPTY,
		ba_plural(t->count[BA_FATE_EMPTY], "has no samples of", "have no samples of"));
	put_lack(c, BA_FATE_CUT,
		ba_plural(t->count[BA_FATE_CUT], "was not measured to the end in",
			"were not measured to the end in"));
	put_undecided(c);
	if (!t->count[BA_FATE_REGRESSED])
		put_moved(c, BA_FATE_IMPROVED, c->w->faster);
	put_none(c);
	if (t->count[BA_FATE_REGRESSED] && t->count[BA_FATE_IMPROVED]) {
		part(c);
		ba_buf_printf(c->out, "%zu %s", t->count[BA_FATE_IMPROVED], c->w->faster);
	}
	put_counts(c);
	if (!c->begun)
		ba_buf_puts(c->out, "there is no benchmark to compare");
}
