#include "compare/comparing.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "stats/apart.h"
#include "stats/sequential.h"

ba_standing ba_standing_of(const ba_collection *c, size_t row, size_t variant)
{
	size_t i = row * c->ledger.variants + variant;
	const ba_entry *e = &c->ledger.entries[i];
	const ba_moments *files = c->ledger.files ? &c->ledger.files[i] : NULL;
	if (files && files->n)
		return (ba_standing){files, BA_LEVEL_PROCESS};
	return (ba_standing){&e->values, (ba_level)e->level};
}

const ba_entry *ba_comparing_entry_of(const ba_comparing *j, size_t row, size_t variant)
{
	return &j->c->ledger.entries[row * j->c->ledger.variants + variant];
}

/* ---- one variant --------------------------------------------------------- */

static void summarise(const ba_comparing *j, ba_summary *s, size_t row, size_t variant)
{
	ba_entry *e = &j->c->ledger.entries[row * j->c->ledger.variants + variant];
	ba_standing standing = ba_standing_of(j->c, row, variant);
	const ba_moments *m = standing.values;
	s->present = e->file != 0;
	s->median = s->iqr = s->p95 = s->p99 = s->max = s->sm_mhz = NAN;
	s->trimmed = s->mean = s->min = s->stdev = NAN;
	*(e->skipped ? &s->skipped : &s->failure) = BA_TAKE(e->failure);
	if (e->missing || e->samples == 0)
		return;
	s->launches = e->samples;
	s->trimmed = m->n ? exp(m->mean) : 0;
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

static void set_threshold(const ba_comparing *j, ba_comparison *k, const char *id,
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

bool ba_comparing_has_values(const ba_comparing *j, size_t row, size_t variant)
{
	const ba_entry *e = ba_comparing_entry_of(j, row, variant);
	return ba_standing_of(j->c, row, variant).values->n > 0 && !e->missing;
}

bool ba_comparing_many_zeros(const ba_entry *e)
{
	return e->zeros > e->samples / 10;
}

bool ba_comparing_is_zero(const ba_comparing *j, size_t row, size_t variant)
{
	const ba_entry *e = ba_comparing_entry_of(j, row, variant);
	return e->zeros && e->zeros == e->samples && !e->missing;
}

ba_level ba_comparing_level_of(const ba_comparing *j, size_t row, size_t candidate)
{
	ba_level a = ba_standing_of(j->c, row, 0).level;
	ba_level b = ba_standing_of(j->c, row, candidate).level;
	return a < b ? a : b;
}

/* A time that is smaller and a rate that is larger are better: the sign of y says
 * slower. */
static ba_moments moments_of(const ba_comparing *j, size_t row, size_t variant)
{
	const ba_moments *m = ba_standing_of(j->c, row, variant).values;
	return j->c->ledger.rows[row].higher_is_better ? ba_moments_negated(m) : *m;
}

static void estimate(ba_comparing *j, ba_decision *d, size_t row, size_t candidate)
{
	ba_moments a = moments_of(j, row, 0), b = moments_of(j, row, candidate);
	ba_decision_unpaired(d, &j->policy, &j->table, &a, &b);
}

static ba_apart apart_of(const ba_comparing *j, size_t row, size_t candidate)
{
	ba_moments a = moments_of(j, row, 0), b = moments_of(j, row, candidate);
	return ba_apart_of(&a, &b);
}

bool ba_comparing_may_decide(const ba_comparing *j, size_t row, size_t candidate)
{
	return ba_comparing_has_values(j, row, 0) &&
	       ba_comparing_has_values(j, row, candidate) &&
	       !ba_comparing_many_zeros(ba_comparing_entry_of(j, row, 0)) &&
	       !ba_comparing_many_zeros(ba_comparing_entry_of(j, row, candidate)) &&
	       ba_comparing_level_of(j, row, candidate) >= j->c->spec->require &&
	       ba_comparing_level_of(j, row, candidate) > BA_LEVEL_SUMMARY;
}

/* ---- all of them --------------------------------------------------------- */

static void make_series(ba_comparing *j)
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
		s->more_is_better = l->rows[row].higher_is_better;
		for (size_t v = 0; v < l->variants; v++)
			summarise(j, &s->variants[v], row, v);
	}
}

/* Returns where the decision is: from the front if values can decide it, else from the
 * back. */
static size_t prepare(ba_comparing *j, size_t row, size_t candidate, size_t back)
{
	ba_series *s = &j->r->series[row];
	ba_comparison *k = &s->comparisons[candidate - 1];
	ba_decision d;
	set_threshold(j, k, j->r->benchmarks[row].id, s->metric, s->variants[0].trimmed,
		j->c->ledger.rows[row].is_time);
	ba_decision_init(&d, k->threshold_slower, k->threshold_faster);
	j->r->family_size += ba_comparing_entry_of(j, row, 0)->file &&
			     ba_comparing_entry_of(j, row, candidate)->file;
	if (ba_comparing_has_values(j, row, 0) &&
		ba_comparing_has_values(j, row, candidate))
		estimate(j, &d, row, candidate);
	bool may = ba_comparing_may_decide(j, row, candidate) && d.invocations;
	size_t at = may ? j->deciding++ : back;
	j->decisions[at] = d;
	if (may)
		j->apart[at] = apart_of(j, row, candidate);
	return at;
}

static void decide(ba_comparing *j)
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
	ba_comparing j = {.r = r,
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
			ba_comparing_settle(&j, row, v);
	free(j.decisions);
	free(j.apart);
	free(j.place);
	ba_t_table_dispose(&j.table);
	return 0;
}
