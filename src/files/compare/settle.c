/* Fills a comparison of a decided family: verdict, estimates, why it is inconclusive. */

#include "compare/comparing.h"

static ba_verdict verdict_of_ratio(const ba_comparison *k)
{
	return k->ratio >= 1 + k->threshold_slower	   ? BA_VERDICT_REGRESSED
	       : k->ratio <= 1 / (1 + k->threshold_faster) ? BA_VERDICT_IMPROVED
							   : BA_VERDICT_UNCHANGED;
}

/* How to get samples of the variant, rather than a summary. */
static char *hint_of_summaries(const ba_comparing *j, size_t variant)
{
	static const char or [] = ", or compare the summaries with --allow-summaries";
	const char *how = NULL;
	for (size_t i = 0; i < j->c->spec->source_count && !how; i++)
		if (j->c->files[i].variant == variant && j->c->files[i].format)
			how = ba_import_samples_hint(j->c->files[i].format);
	return how ? ba_xprintf("keep the samples with %s%s", how, or)
		   : ba_xprintf("export every value%s", or);
}

static void explain_provisional(const ba_comparing *j, ba_comparison *k, size_t candidate)
{
	ba_level level = ba_comparing_level_of(j, candidate);
	const ba_compare_spec *spec = j->c->spec;
	const ba_entry *a = ba_comparing_entry_of(j, 0), *b = ba_comparing_entry_of(j, candidate);
	if (level > BA_LEVEL_SUMMARY &&
		(ba_comparing_many_zeros(a) || ba_comparing_many_zeros(b))) {
		const ba_entry *e = ba_comparing_many_zeros(a) ? a : b;
		k->reason = ba_xprintf(
			"%u of %u values are 0, and have no ratio", e->zeros, e->samples);
		k->hint = ba_xstrdup("measure more work at a time");
	} else if (level == BA_LEVEL_SUMMARY) {
		bool base = j->standings[0].level == BA_LEVEL_SUMMARY;
		bool mine = j->standings[candidate].level == BA_LEVEL_SUMMARY;
		k->reason = ba_xprintf("%s%s%s %s without samples, which %s nothing",
			base ? j->r->run.variants[0].label : "", base && mine ? " and " : "",
			mine ? j->r->run.variants[candidate].label : "",
			base && mine ? "have summaries" : "has a summary",
			base && mine ? "decide" : "decides");
		k->hint = hint_of_summaries(j, base ? 0 : candidate);
	} else if (level < spec->require) {
		k->reason = ba_xprintf("values are %s, and --require %s asks for more",
			ba_level_words(level, 2), ba_level_name(spec->require));
	} else {
		k->reason = ba_xprintf("one %s on a side has no spread", ba_level_words(level, 1));
		k->hint = ba_xstrdup(
			"repeat the benchmark, give several files of a variant as LABEL=FILE LABEL=FILE, or decide by the ratio alone with --allow-summaries");
	}
}

/* How many values on each side would show a single change in this family, by either rule? */
static size_t count_needed(const ba_comparing *j, const ba_apart *x)
{
	size_t n = ba_unpaired_count_for(j->r->decided.family_size, j->family.policy.alpha);
	bool second = x->rank && j->family.second;
	size_t apart =
		second ? ba_apart_count_for(x->rank, j->candidates, j->family.policy.alpha) : n;
	return apart < n ? apart : n;
}

/* The interval lies beyond the threshold, which counts only if others vary less (`likely`). */
static void explain_beyond(const ba_comparing *j, ba_comparison *k, const ba_apart *x, bool faster)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	double bound = faster ? 1 - k->high : k->low - 1;
	ba_buf_printf(&text, "%s %s by at least ", k->likely ? "probably" : "by its interval",
		faster ? "faster" : "slower");
	ba_number_put(&text, 100 * bound, ba_percent_decimals(k->low, k->high), false);
	if (!k->likely && x->rank > 1)
		ba_buf_printf(&text,
			" %%, but the values of one side differ as much in %zu of %zu comparisons",
			x->rank - 1, j->family.ranges.count);
	else
		ba_buf_printf(&text,
			" %%, but %u values on each side cannot show a single change among %zu",
			k->invocations, j->r->decided.family_size);
	if (k->likely)
		ba_buf_puts(&text, " (at most 1 in 5 comparisons without a change has such a row)");
	k->reason = ba_buf_detach(&text);
}

static void explain_undecided(const ba_comparing *j, ba_comparison *k, const ba_apart *x)
{
	size_t values = k->invocations, needed = count_needed(j, x);
	bool faster = k->ratio < 1 && k->high <= 1 / (1 + k->threshold_faster);
	bool slower = isfinite(k->high) && k->low >= 1 + k->threshold_slower;
	k->likely = x->likely && (faster || slower);
	if ((!slower && !faster) || needed <= values) {
		k->hint = ba_xstrdup("more values on each side would decide it");
		k->reason =
			ba_xstrdup("the values spread too much, or are too few, for its threshold");
		return;
	}
	explain_beyond(j, k, x, faster);
	k->hint = ba_xprintf("%zu more %s on each side would decide it", needed - values,
		ba_plural(needed - values, "value", "values"));
}

/* Sets the reason of a verdict by the second rule. */
static void explain_apart(const ba_comparing *j, ba_comparison *k, const ba_apart *x)
{
	k->reason = ba_xprintf(
		"all its values are %s than all of %s's, by more than the values of one side differ in %zu of %zu comparisons",
		k->ratio > 1 ? "slower" : "faster", j->r->run.variants[0].label,
		j->family.ranges.count - (x->rank - 1), j->family.ranges.count);
}

static void settle_absent(const ba_comparing *j, ba_comparison *k, size_t candidate)
{
	const ba_entry *a = ba_comparing_entry_of(j, 0), *b = ba_comparing_entry_of(j, candidate);
	const char *base = j->r->run.variants[0].label;
	const char *mine = j->r->run.variants[candidate].label;
	if (a->missing || b->missing) {
		/* a failure takes precedence over a skip */
		bool second = b->missing && (!b->skipped || !a->missing || a->skipped);
		const ba_entry *e = second ? b : a;
		const char *failure = ba_ledger_text(&j->c->ledger, e->failure);
		k->verdict = failure && e->skipped ? BA_VERDICT_SKIPPED : BA_VERDICT_FAILED;
		k->reason =
			ba_xprintf("%s: %s", second ? mine : base, failure ? failure : "no value");
	} else if (!a->file && !b->file) {
		k->verdict = BA_VERDICT_SKIPPED;
		k->reason = ba_xprintf("neither %s nor %s has it", base, mine);
	} else {
		k->verdict = a->file ? BA_VERDICT_REMOVED : BA_VERDICT_ADDED;
		k->reason = ba_xprintf("not in %s", a->file ? mine : base);
	}
}

/* ---- zeros --------------------------------------------------------------- */

static size_t count_of(const ba_comparing *j, size_t variant)
{
	size_t n = j->standings[variant].values->n;
	return n ? n : ba_comparing_entry_of(j, variant)->samples;
}

/* A time of 0 means no work or too coarse a clock, so it is not an improvement. */
static bool falls_to_no_time(const ba_comparing *j, size_t candidate)
{
	return j->row->is_time && ba_comparing_is_zero(j, candidate) && !ba_comparing_is_zero(j, 0);
}

/* Zeros have no logarithm, and changes from or to zero no ratio: a rank test's smallest
 * p-value, times the family's size, decides. */
static ba_verdict verdict_of_zeros(const ba_comparing *j, size_t candidate)
{
	const ba_compare_spec *spec = j->c->spec;
	ba_level level = ba_comparing_level_of(j, candidate);
	bool to_zero = ba_comparing_is_zero(j, candidate),
	     both = to_zero && ba_comparing_is_zero(j, 0);
	bool summary = level == BA_LEVEL_SUMMARY;
	double chance = ba_unpaired_floor(count_of(j, 0), count_of(j, candidate));
	if (level < spec->require || (summary && !spec->allow_summaries))
		return BA_VERDICT_PROVISIONAL;
	if (both)
		return BA_VERDICT_UNCHANGED;
	if (falls_to_no_time(j, candidate) ||
		(!summary && chance * (double)j->r->decided.family_size > j->family.policy.alpha))
		return BA_VERDICT_INCONCLUSIVE;
	return to_zero == j->row->higher_is_better ? BA_VERDICT_REGRESSED : BA_VERDICT_IMPROVED;
}

static void settle_zeros(const ba_comparing *j, ba_comparison *k, size_t candidate)
{
	double from = ba_comparing_entry_of(j, 0)->mean;
	double to = ba_comparing_entry_of(j, candidate)->mean;
	k->level = ba_xstrdup(ba_level_name(ba_comparing_level_of(j, candidate)));
	k->verdict = verdict_of_zeros(j, candidate);
	k->delta_ns = to - from;
	bool no_time = falls_to_no_time(j, candidate);
	k->reason = ba_comparing_is_zero(j, 0) && ba_comparing_is_zero(j, candidate)
			    ? ba_xstrdup("0 on both sides")
			    : ba_xprintf("from %.6g to %.6g: %s", from, to,
				      no_time ? "it did no work, or its clock is too coarse"
					      : "a change without a ratio");
	if (k->verdict == BA_VERDICT_INCONCLUSIVE)
		k->hint = ba_xstrdup(no_time ? "check its results, and measure more work at a time"
					     : "more values on each side would decide it");
	else if (k->verdict == BA_VERDICT_PROVISIONAL)
		k->hint = ba_xstrdup("export every value, or compare with --allow-summaries");
}

static void forget(ba_comparison *k)
{
	k->ratio = k->low = k->high = k->delta_ns = NAN;
	k->p_regressed = k->p_improved = k->p_unchanged = NAN;
	k->mean_ratio = k->mean_low = k->mean_high = NAN;
	k->p_mean_regressed = k->p_mean_improved = NAN;
	k->s = k->s_within = k->drift_per_block = NAN;
}

static void take_estimate(
	ba_comparison *k, const ba_decision *d, const ba_series *s, size_t candidate)
{
	k->ratio = exp(d->ybar);
	k->low = exp(d->lo);
	k->high = exp(d->hi);
	k->delta_ns = s->variants[candidate].trimmed - s->variants[0].trimmed;
	k->p_regressed = d->p_reg;
	k->p_improved = d->p_imp;
	k->p_unchanged = d->p_eq;
	k->s = d->s;
	k->verdict = d->verdict;
}

/* Values that cannot decide get an estimate without an interval. */
static void settle_provisional(const ba_comparing *j, ba_comparison *k, size_t candidate)
{
	bool summary = ba_comparing_level_of(j, candidate) == BA_LEVEL_SUMMARY;
	k->low = 0;
	k->high = INFINITY;
	if (j->c->spec->allow_summaries && (summary || k->invocations < 2)) {
		k->verdict = verdict_of_ratio(k);
		k->reason = ba_xprintf("by %s alone, without an error rate",
			summary ? "the summaries" : "one value on a side");
		return;
	}
	k->verdict = BA_VERDICT_PROVISIONAL;
	explain_provisional(j, k, candidate);
}

void ba_comparing_settle(
	ba_comparing *j, ba_series *s, size_t candidate, const ba_decision *d, const ba_apart *x)
{
	ba_comparison *k = &s->comparisons[candidate - 1];
	bool zero = ba_comparing_is_zero(j, 0) || ba_comparing_is_zero(j, candidate);
	forget(k);
	if (zero && s->variants[0].launches && s->variants[candidate].launches) {
		settle_zeros(j, k, candidate);
		return;
	}
	if (!ba_comparing_has_values(j, 0) || !ba_comparing_has_values(j, candidate)) {
		settle_absent(j, k, candidate);
		return;
	}
	k->level = ba_xstrdup(ba_level_name(ba_comparing_level_of(j, candidate)));
	size_t base = j->standings[0].values->n, mine = j->standings[candidate].values->n;
	k->invocations = (unsigned)(base < mine ? base : mine);
	take_estimate(k, d, s, candidate);
	if (!ba_comparing_may_decide(j, candidate) || !d->invocations)
		settle_provisional(j, k, candidate);
	else if (x->flagged)
		explain_apart(j, k, x);
	else if (k->verdict == BA_VERDICT_INCONCLUSIVE)
		explain_undecided(j, k, x);
}
