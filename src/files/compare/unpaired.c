#include "compare/comparing.h"

ba_standing ba_standing_of(const ba_collection *c, size_t row, size_t variant)
{
	const ba_entry *e = ba_ledger_entry(&c->ledger, row, variant);
	const ba_moments *files = ba_ledger_files(&c->ledger, row, variant);
	if (files && files->n)
		return (ba_standing){files, BA_LEVEL_PROCESS};
	return (ba_standing){&e->values, (ba_level)e->level};
}

/* Selects the current row, and keeps its values, which other functions need often. */
static const ba_row *look_at(ba_comparing *j, size_t row)
{
	j->row = ba_ledger_at(&j->c->ledger, row);
	for (size_t v = 0; v <= j->candidates; v++)
		j->standings[v] = ba_standing_of(j->c, row, v);
	return j->row;
}

/* ---- one variant --------------------------------------------------------- */

static void summarise(const ba_comparing *j, ba_summary *s, size_t variant)
{
	const ba_entry *e = ba_comparing_entry_of(j, variant);
	ba_standing standing = j->standings[variant];
	const ba_moments *m = standing.values;
	s->present = e->file != 0;
	s->median = s->iqr = s->p95 = s->p99 = s->max = s->sm_mhz = NAN;
	s->trimmed = s->mean = s->min = s->stdev = NAN;
	*(e->skipped ? &s->skipped : &s->failure) =
		ba_xstrdup(ba_ledger_text(&j->c->ledger, e->failure));
	if (e->missing || e->samples == 0)
		return;
	s->launches = e->samples;
	s->trimmed = m->n ? exp(m->mean) : 0;
	s->mean = e->mean;
	s->min = e->min;
	s->median = e->median > 0 ? e->median : NAN;
	s->stdev = m->n > 1 ? s->trimmed * sqrt(ba_moments_variance(m)) : NAN;
}

/* ---- one comparison ------------------------------------------------------ */

static ba_metric metric_of(const ba_comparing *j)
{
	int known = j->row->has_metric_name ? j->metrics[j->row->metric] : -1;
	return known >= 0 ? (ba_metric)known : j->row->is_time ? BA_METRIC_TIME : BA_METRIC_VALUE;
}

static ba_compare_threshold threshold_of(const ba_comparing *j)
{
	const ba_compare_spec *spec = j->c->spec;
	return spec->threshold(
		spec->threshold_data, ba_ledger_text(&j->c->ledger, j->row->id), metric_of(j));
}

/* Sets the thresholds of a comparison: as given, and as ratios. */
static void set_threshold(const ba_comparing *j, ba_comparison *k)
{
	const ba_moments *base = j->standings[0].values;
	bool known = base->n && !ba_comparing_entry_of(j, 0)->missing;
	ba_compare_threshold t = threshold_of(j);
	double absolute_ns = j->row->is_time ? t.absolute_ns : 0;
	double base_ns = known && absolute_ns > 0 ? exp(base->mean) : 0;
	k->threshold_given = t.slower;
	k->threshold_given_ns = absolute_ns;
	k->threshold_slower = ba_threshold_of(t.slower, absolute_ns, base_ns);
	k->threshold_faster = ba_threshold_of(t.faster, absolute_ns, base_ns);
}

/* A threshold in time alone says nothing about a counter. */
static int check_threshold(const ba_comparing *j, ba_error *err)
{
	const ba_ledger *l = &j->c->ledger;
	if (j->row->is_time)
		return 0;
	ba_compare_threshold t = threshold_of(j);
	if (t.slower > 0)
		return 0;
	BA_AUTO_FREE char *id = ba_text_safe(ba_ledger_text(l, j->row->id));
	return ba_fail(err, BA_EINVAL,
		"'%.100s': '%.60s' is not a time, so its threshold cannot be %gns alone; give a ratio, as in '2%% and %gns'",
		id, l->metrics.items[j->row->metric], t.absolute_ns, t.absolute_ns);
}

bool ba_comparing_has_values(const ba_comparing *j, size_t variant)
{
	const ba_entry *e = ba_comparing_entry_of(j, variant);
	return j->standings[variant].values->n > 0 && !e->missing;
}

bool ba_comparing_many_zeros(const ba_entry *e)
{
	return e->zeros > e->samples / 10;
}

bool ba_comparing_is_zero(const ba_comparing *j, size_t variant)
{
	const ba_entry *e = ba_comparing_entry_of(j, variant);
	return e->zeros && e->zeros == e->samples && !e->missing;
}

ba_level ba_comparing_level_of(const ba_comparing *j, size_t candidate)
{
	ba_level a = j->standings[0].level;
	ba_level b = j->standings[candidate].level;
	return a < b ? a : b;
}

/* Smaller times and larger rates are better; y > 0 always means slower. */
static ba_moments moments_of(const ba_comparing *j, size_t variant)
{
	const ba_moments *m = j->standings[variant].values;
	return j->row->higher_is_better ? ba_moments_negated(m) : *m;
}

bool ba_comparing_may_decide(const ba_comparing *j, size_t candidate)
{
	return ba_comparing_has_values(j, 0) && ba_comparing_has_values(j, candidate) &&
	       !ba_comparing_many_zeros(ba_comparing_entry_of(j, 0)) &&
	       !ba_comparing_many_zeros(ba_comparing_entry_of(j, candidate)) &&
	       ba_comparing_level_of(j, candidate) >= j->c->spec->require &&
	       ba_comparing_level_of(j, candidate) > BA_LEVEL_SUMMARY;
}

/* Thresholds are usually those of the previous comparison, so reuse its result. */
static const ba_decision *open_decision(ba_comparing *j, const ba_comparison *k)
{
	if (j->open_slower != k->threshold_slower || j->open_faster != k->threshold_faster) {
		j->open_slower = k->threshold_slower;
		j->open_faster = k->threshold_faster;
		ba_decision_init(&j->open, j->open_slower, j->open_faster);
	}
	return &j->open;
}

/* Computes the estimate. True if values can decide it: then the family judges d and x. */
static bool estimate(ba_comparing *j, ba_t_table *table, ba_decision *d, ba_apart *x,
	const ba_comparison *k, size_t candidate)
{
	*d = *open_decision(j, k);
	*x = (ba_apart){0};
	if (!ba_comparing_has_values(j, 0) || !ba_comparing_has_values(j, candidate))
		return false;
	ba_moments a = moments_of(j, 0), b = moments_of(j, candidate);
	ba_decision_unpaired(d, &j->family.policy, table, &a, &b);
	if (!ba_comparing_may_decide(j, candidate) || !d->invocations)
		return false;
	*x = ba_apart_of(&a, &b, table);
	return true;
}

/* First pass: collects the family, on which each verdict depends. */
static int survey(ba_comparing *j, ba_error *err)
{
	j->r->decided.family_size = 0;
	for (size_t row = 0; row < j->c->ledger.count; row++) {
		ba_comparison k = {0};
		look_at(j, row);
		BA_TRY(check_threshold(j, err));
		set_threshold(j, &k);
		for (size_t v = 1; v <= j->candidates; v++) {
			ba_decision d;
			ba_apart x;
			j->r->decided.family_size += ba_comparing_entry_of(j, 0)->file &&
						     ba_comparing_entry_of(j, v)->file;
			if (estimate(j, &j->floors, &d, &x, &k, v))
				ba_apart_join(&j->family, &d, &x);
		}
	}
	ba_apart_close(&j->family, j->r->decided.family_size);
	return 0;
}

static void compare_one(ba_comparing *j, ba_series *s, size_t candidate)
{
	ba_comparison *k = &s->comparisons[candidate - 1];
	ba_decision d;
	ba_apart x;
	set_threshold(j, k);
	if (estimate(j, &j->table, &d, &x, k, candidate))
		ba_apart_decide(&j->family, &d, &x);
	ba_comparing_settle(j, s, candidate, &d, &x);
	ba_level level = ba_comparing_level_of(j, candidate);
	if (k->level && ba_verdict_is_decided(k->verdict) && level < j->c->claim)
		j->c->claim = level;
	const char *forced = j->r->run.notes.count ? j->r->run.notes.items[0] : NULL;
	if (forced) /* each row says --force, because a reader may see only one */
		ba_text_own(&k->reason,
			k->reason ? ba_xprintf("%s (%s)", k->reason, forced) : ba_xstrdup(forced));
}

/* Appends the next benchmark and series to r. */
static void add_row(ba_comparing *j, size_t row)
{
	ba_result *r = j->r;
	const ba_row *of = look_at(j, row);
	size_t at = r->run.benchmark_count++;
	ba_series *s = &r->series[r->series_count++];
	/* the id comes from a file, and the reports show it: make it safe */
	r->run.benchmarks[at] =
		(ba_benchmark){.id = ba_text_safe(ba_ledger_text(&j->c->ledger, of->id)),
			.suite = ba_xstrdup("files")};
	ba_series_init(s, &r->run, at, metric_of(j));
	s->role = BA_ROLE_VERDICT;
	s->s_floor = BA_S_FLOOR;
	s->more_is_better = of->higher_is_better;
	for (size_t v = 0; v <= j->candidates; v++)
		summarise(j, &s->variants[v], v);
	for (size_t v = 1; v <= j->candidates; v++)
		compare_one(j, s, v);
}

static void make_room(ba_result *r, size_t rows)
{
	r->run.benchmarks =
		ba_xreallocarray(r->run.benchmarks, rows + 1, sizeof(*r->run.benchmarks));
	r->series = ba_xreallocarray(r->series, rows + 1, sizeof(*r->series));
}

static void hand_over_rows(ba_comparing *j, size_t rows)
{
	ba_result *r = j->r;
	const ba_compare_spec *spec = j->c->spec;
	make_room(r, BA_COMPARE_ROWS);
	for (size_t row = 0; row < rows;) {
		size_t first = row;
		while (row < rows && row - first < BA_COMPARE_ROWS)
			add_row(j, row++);
		spec->take_rows(spec->take_data, r, first);
		ba_result_drop_series(r);
	}
}

/* Decides the hypotheses in blocks, then the remaining ones. */
static void make_rows(ba_comparing *j)
{
	ba_result *r = j->r;
	const ba_compare_spec *spec = j->c->spec;
	size_t rows = j->c->ledger.count, stay = 0;
	BA_AUTO_FREE bool *stays = ba_xcalloc(rows + 1, sizeof(*stays));
	if (spec->take_rows) {
		hand_over_rows(j, rows);
		spec->choose(spec->take_data, stays);
	}
	for (size_t row = 0; row < rows; row++) {
		stays[row] = stays[row] || !spec->take_rows;
		stay += stays[row];
	}
	make_room(r, stay);
	for (size_t row = 0; row < rows; row++)
		if (stays[row])
			add_row(j, row);
}

int ba_compare_unpaired(ba_result *r, ba_collection *c, ba_error *err)
{
	ba_comparing j = {.r = r,
		.c = c,
		.candidates = c->ledger.variants - 1,
		.family = {.policy = {.alpha = c->spec->alpha,
				   .s_floor = BA_S_FLOOR,
				   .strict = c->spec->strict,
				   .multiplicity = c->spec->multiplicity,
				   .rule = BA_RULE_NOW},
			.candidates = c->ledger.variants - 1},
		.table = {.bounds.p = c->spec->alpha / 2}};
	j.metrics = ba_xcalloc(c->ledger.metrics.count, sizeof(*j.metrics));
	for (size_t i = 0; i < c->ledger.metrics.count; i++)
		j.metrics[i] = ba_metric_from_name(c->ledger.metrics.items[i]);
	c->claim = BA_LEVEL_COUNT;
	int rc = survey(&j, err);
	if (rc == 0)
		make_rows(&j);
	free(j.metrics);
	ba_apart_family_dispose(&j.family);
	ba_t_table_dispose(&j.table);
	return rc;
}
