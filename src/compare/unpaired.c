#include "compare/unpaired.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "stats/apart.h"
#include "stats/sequential.h"

typedef struct comparing {
	ba_result *r;
	ba_collection *c;
	/* [rows * candidates]: first the `deciding`, which values can decide */
	ba_decision *decisions;
	ba_apart *apart;
	size_t *place; /* [rows * candidates] where a comparison is in them */
	size_t candidates, deciding;
	ba_policy policy;
	ba_t_table table;
} comparing;

ba_standing ba_standing_of(const ba_collection *c, size_t row, size_t variant)
{
	size_t i = row * c->ledger.variants + variant;
	const ba_entry *e = &c->ledger.entries[i];
	const ba_moments *files = c->ledger.files ? &c->ledger.files[i] : NULL;
	if (files && files->n)
		return (ba_standing){files, BA_LEVEL_PROCESS};
	return (ba_standing){&e->values, (ba_level)e->level};
}

static const ba_entry *entry_of(const comparing *j, size_t row, size_t variant)
{
	return &j->c->ledger.entries[row * j->c->ledger.variants + variant];
}

/* ---- one variant --------------------------------------------------------- */

static void summarise(const comparing *j, ba_summary *s, size_t row, size_t variant)
{
	ba_entry *e = &j->c->ledger.entries[row * j->c->ledger.variants + variant];
	ba_standing standing = ba_standing_of(j->c, row, variant);
	const ba_moments *m = standing.values;
	s->present = e->file != 0;
	s->median = s->iqr = s->p95 = s->p99 = NAN;
	s->failure = BA_TAKE(e->failure);
	if (m->n == 0 || s->failure)
		return;
	s->launches = e->samples;
	s->trimmed = exp(m->mean);
	s->mean = e->mean;
	s->min = e->min;
	s->stdev = m->n > 1 ? s->trimmed * sqrt(ba_moments_variance(m)) : NAN;
}

/* ---- one comparison ------------------------------------------------------ */

static ba_metric metric_of(const ba_collection *c, const ba_row *row)
{
	int known = ba_metric_from_name(c->ledger.metrics.items[row->metric]);
	return known >= 0     ? (ba_metric)known
	       : row->is_time ? BA_METRIC_TIME
			      : BA_METRIC_VALUE;
}

static void set_threshold(const comparing *j, ba_comparison *k, const char *id,
	ba_metric metric, double base_ns, bool is_time)
{
	const ba_compare_spec *spec = j->c->spec;
	ba_compare_threshold t = spec->threshold(spec->threshold_data, id, metric);
	double absolute_ns = is_time ? t.absolute_ns : 0;
	k->threshold_given = t.slower;
	k->threshold_given_ns = absolute_ns;
	k->threshold_slower = ba_threshold_of(t.slower, absolute_ns, base_ns);
	k->threshold_faster = ba_threshold_of(t.faster, absolute_ns, base_ns);
}

/* A threshold in time alone says nothing about a counter. */
static int check_thresholds(const ba_collection *c, ba_error *err)
{
	const ba_compare_spec *spec = c->spec;
	for (size_t i = 0; i < c->ledger.count; i++) {
		const ba_row *row = &c->ledger.rows[i];
		ba_compare_threshold t = spec->threshold(
			spec->threshold_data, row->id, metric_of(c, row));
		if (!row->is_time && !(t.slower > 0)) {
			BA_AUTO_FREE char *id = ba_text_safe(row->id);
			return ba_fail(err, BA_EINVAL,
				"'%.100s': '%.60s' is not a time, so its threshold cannot be %gns alone; give a ratio, as in '2%% and %gns'",
				id, c->ledger.metrics.items[row->metric], t.absolute_ns,
				t.absolute_ns);
		}
	}
	return 0;
}

static bool has_values(const comparing *j, size_t row, size_t variant)
{
	const ba_entry *e = entry_of(j, row, variant);
	return ba_standing_of(j->c, row, variant).values->n > 0 && !e->missing;
}

static ba_level level_of(const comparing *j, size_t row, size_t candidate)
{
	ba_level a = ba_standing_of(j->c, row, 0).level;
	ba_level b = ba_standing_of(j->c, row, candidate).level;
	return a < b ? a : b;
}

/* A time that is smaller and a rate that is larger are better: the sign of y says
 * slower. */
static ba_moments moments_of(const comparing *j, size_t row, size_t variant)
{
	const ba_moments *m = ba_standing_of(j->c, row, variant).values;
	return j->c->ledger.rows[row].higher_is_better ? ba_moments_negated(m) : *m;
}

static void estimate(comparing *j, ba_decision *d, size_t row, size_t candidate)
{
	ba_moments a = moments_of(j, row, 0), b = moments_of(j, row, candidate);
	ba_decision_unpaired(d, &j->policy, &j->table, &a, &b);
}

static ba_apart apart_of(const comparing *j, size_t row, size_t candidate)
{
	ba_moments a = moments_of(j, row, 0), b = moments_of(j, row, candidate);
	return ba_apart_of(&a, &b);
}

/* Hypotheses that cannot be decided by these data stay out of the judgement, and count
 * in the family all the same. */
static bool may_decide(const comparing *j, size_t row, size_t candidate)
{
	return has_values(j, row, 0) && has_values(j, row, candidate) &&
	       level_of(j, row, candidate) >= j->c->spec->require &&
	       level_of(j, row, candidate) > BA_LEVEL_SUMMARY;
}

static ba_verdict verdict_of_ratio(const ba_comparison *k)
{
	return k->ratio >= 1 + k->threshold_slower	   ? BA_VERDICT_REGRESSED
	       : k->ratio <= 1 / (1 + k->threshold_faster) ? BA_VERDICT_IMPROVED
							   : BA_VERDICT_UNCHANGED;
}

static void explain_provisional(
	const comparing *j, ba_comparison *k, size_t row, size_t candidate)
{
	ba_level level = level_of(j, row, candidate);
	const ba_compare_spec *spec = j->c->spec;
	if (level == BA_LEVEL_SUMMARY) {
		bool base = ba_standing_of(j->c, row, 0).level == BA_LEVEL_SUMMARY;
		bool mine =
			ba_standing_of(j->c, row, candidate).level == BA_LEVEL_SUMMARY;
		k->reason = ba_xprintf("%s%s%s %s without samples, which %s nothing",
			base ? j->r->variants[0].label : "",
			base && mine ? " and " : "",
			mine ? j->r->variants[candidate].label : "",
			base && mine ? "have summaries" : "has a summary",
			base && mine ? "decide" : "decides");
		k->hint = ba_xstrdup(
			"export every value, or compare the summaries with --allow-summaries");
	} else if (level < spec->require) {
		k->reason = ba_xprintf("values are %s, and --require %s asks for more",
			ba_level_words(level, 2), ba_level_name(spec->require));
	} else {
		k->reason = ba_xprintf(
			"one %s on a side has no spread", ba_level_words(level, 1));
		k->hint = ba_xstrdup(
			"repeat the benchmark, give several files of a variant as LABEL=FILE LABEL=FILE, or decide by the ratio alone with --allow-summaries");
	}
}

/* How many values a side would show a single change of this family, by either rule? */
static size_t count_needed(const comparing *j, const ba_apart *x)
{
	size_t n = ba_unpaired_count_for(j->r->family_size, j->policy.alpha);
	size_t apart =
		x->rank ? ba_apart_count_for(x->rank, j->candidates, j->policy.alpha)
			: n;
	return apart < n ? apart : n;
}

static void explain_undecided(const comparing *j, ba_comparison *k, const ba_apart *x)
{
	size_t values = k->invocations, needed = count_needed(j, x);
	bool faster = k->ratio < 1 && k->high <= 1 / (1 + k->threshold_faster);
	if ((!ba_comparison_is_probably_slower(k) && !faster) || needed <= values) {
		k->hint = ba_xstrdup("more values a side would decide it");
		k->reason = ba_xstrdup(
			"the values spread too much, or are too few, for its threshold");
		return;
	}
	BA_AUTO(ba_buf) ba_buf least = BA_BUF_INIT;
	double bound = faster ? 1 - k->high : k->low - 1;
	ba_number_put(&least, 100 * bound, ba_percent_decimals(k->low, k->high), false);
	k->reason = ba_xprintf(
		"probably %s by at least %s %%, but %zu values a side cannot show a single change among %zu",
		faster ? "faster" : "slower", least.data, values, j->r->family_size);
	k->hint = ba_xprintf("%zu more %s a side would decide it", needed - values,
		ba_plural(needed - values, "value", "values"));
}

/* A verdict of the second rule says why. */
static void explain_apart(const comparing *j, ba_comparison *k, const ba_apart *x)
{
	k->reason = ba_xprintf(
		"all its values are %s than all of %s's, by more than the values of one side differ in %zu of %zu comparisons",
		k->ratio > 1 ? "slower" : "faster", j->r->variants[0].label,
		j->deciding - (x->rank - 1), j->deciding);
}

static void settle_absent(
	const comparing *j, ba_comparison *k, size_t row, size_t candidate)
{
	const ba_entry *a = entry_of(j, row, 0), *b = entry_of(j, row, candidate);
	const char *base = j->r->variants[0].label;
	const char *mine = j->r->variants[candidate].label;
	if (a->missing || b->missing) {
		const ba_summary *s =
			&j->r->series[row].variants[b->missing ? candidate : 0];
		k->verdict = BA_VERDICT_FAILED;
		k->reason = ba_xprintf("%s: %s", b->missing ? mine : base,
			s->failure ? s->failure : "no value");
	} else if (!a->file && !b->file) {
		k->verdict = BA_VERDICT_SKIPPED;
		k->reason = ba_xprintf("neither %s nor %s has it", base, mine);
	} else {
		k->verdict = a->file ? BA_VERDICT_REMOVED : BA_VERDICT_ADDED;
		k->reason = ba_xprintf("not in %s", a->file ? mine : base);
	}
}

static size_t fewer_values(const comparing *j, size_t row, size_t candidate)
{
	size_t a = ba_standing_of(j->c, row, 0).values->n;
	size_t b = ba_standing_of(j->c, row, candidate).values->n;
	return a < b ? a : b;
}

static void settle(comparing *j, size_t row, size_t candidate)
{
	ba_series *s = &j->r->series[row];
	ba_comparison *k = &s->comparisons[candidate - 1];
	size_t at = j->place[row * j->candidates + candidate - 1];
	ba_decision *d = &j->decisions[at];
	if (!has_values(j, row, 0) || !has_values(j, row, candidate)) {
		settle_absent(j, k, row, candidate);
		return;
	}
	k->level = ba_xstrdup(ba_level_name(level_of(j, row, candidate)));
	k->ratio = exp(d->ybar);
	k->low = exp(d->lo);
	k->high = exp(d->hi);
	k->delta_ns = s->variants[candidate].trimmed - s->variants[0].trimmed;
	k->p_regressed = d->p_reg;
	k->p_improved = d->p_imp;
	k->p_unchanged = d->p_eq;
	k->s = d->s;
	k->invocations = (unsigned)fewer_values(j, row, candidate);
	k->verdict = d->verdict;
	if (may_decide(j, row, candidate) && d->invocations) {
		const ba_apart *x = &j->apart[at];
		if (x->flagged)
			explain_apart(j, k, x);
		else if (k->verdict == BA_VERDICT_INCONCLUSIVE)
			explain_undecided(j, k, x);
		return;
	}
	k->low = 0;
	k->high = INFINITY;
	bool summary = level_of(j, row, candidate) == BA_LEVEL_SUMMARY;
	if (j->c->spec->allow_summaries && (summary || k->invocations < 2)) {
		k->verdict = verdict_of_ratio(k);
		k->reason = ba_xprintf("by %s alone, without an error rate",
			summary ? "the summaries" : "one value on a side");
		return;
	}
	k->verdict = BA_VERDICT_PROVISIONAL;
	explain_provisional(j, k, row, candidate);
}

/* ---- all of them --------------------------------------------------------- */

static void make_series(comparing *j)
{
	ba_result *r = j->r;
	ba_ledger *l = &j->c->ledger;
	r->benchmark_count = r->series_count = l->count;
	r->benchmarks = ba_xcalloc(l->count + 1, sizeof(*r->benchmarks));
	r->series = ba_xcalloc(l->count + 1, sizeof(*r->series));
	for (size_t row = 0; row < l->count; row++) {
		ba_series *s = &r->series[row];
		/* the reports show it, and it is foreign */
		r->benchmarks[row] = (ba_benchmark){.id = ba_text_safe(l->rows[row].id),
			.suite = ba_xstrdup("files")};
		ba_series_init(s, r, row, metric_of(j->c, &l->rows[row]));
		s->role = BA_ROLE_VERDICT;
		s->s_floor = BA_S_FLOOR;
		for (size_t v = 0; v < l->variants; v++)
			summarise(j, &s->variants[v], row, v);
	}
}

/* Returns where the decision is: from the front if values can decide it, else from the
 * back. */
static size_t prepare(comparing *j, size_t row, size_t candidate, size_t back)
{
	ba_series *s = &j->r->series[row];
	ba_comparison *k = &s->comparisons[candidate - 1];
	ba_decision d;
	set_threshold(j, k, j->r->benchmarks[row].id, s->metric, s->variants[0].trimmed,
		j->c->ledger.rows[row].is_time);
	ba_decision_init(&d, k->threshold_slower, k->threshold_faster);
	j->r->family_size +=
		entry_of(j, row, 0)->file && entry_of(j, row, candidate)->file;
	if (has_values(j, row, 0) && has_values(j, row, candidate))
		estimate(j, &d, row, candidate);
	bool may = may_decide(j, row, candidate) && d.invocations;
	size_t at = may ? j->deciding++ : back;
	j->decisions[at] = d;
	if (may)
		j->apart[at] = apart_of(j, row, candidate);
	return at;
}

static void decide(comparing *j)
{
	size_t count = j->c->ledger.count * j->candidates, back = count;
	j->r->family_size = 0;
	for (size_t i = 0; i < count; i++) {
		j->place[i] =
			prepare(j, i / j->candidates, i % j->candidates + 1, back - 1);
		back -= j->place[i] == back - 1;
	}
	ba_family_decide(
		j->decisions, j->deciding, j->r->family_size, &j->policy, true);
	ba_family_decide_apart(j->decisions, j->apart, j->deciding, j->r->family_size,
		j->candidates, &j->policy);
}

int ba_compare_unpaired(ba_result *r, ba_collection *c, ba_error *err)
{
	int rc = check_thresholds(c, err);
	if (rc)
		return rc;
	comparing j = {.r = r,
		.c = c,
		.candidates = c->ledger.variants - 1,
		.policy = {.alpha = c->spec->alpha,
			.s_floor = BA_S_FLOOR,
			.strict = c->spec->strict,
			.multiplicity = c->spec->multiplicity},
		.table = {.p = c->spec->alpha / 2}};
	size_t count = c->ledger.count * j.candidates + 1;
	j.decisions = ba_xcalloc(count, sizeof(*j.decisions));
	j.apart = ba_xcalloc(count, sizeof(*j.apart));
	j.place = ba_xcalloc(count, sizeof(*j.place));
	make_series(&j);
	decide(&j);
	for (size_t row = 0; row < c->ledger.count; row++)
		for (size_t v = 1; v <= j.candidates; v++)
			settle(&j, row, v);
	free(j.decisions);
	free(j.apart);
	free(j.place);
	ba_t_table_dispose(&j.table);
	return 0;
}
