#include "verdict/estimate.h"

#include "stats/quantile.h"

ba_policy ba_policy_of(const ba_result *r, double s_floor)
{
	ba_policy policy = {.alpha = r->decided.alpha,
		.s_floor = s_floor,
		.strict = r->decided.strict,
		.rule = r->decided.rule ? r->decided.rule : BA_RULE_FIRST,
		.candidates = r->run.variant_count ? r->run.variant_count - 1 : 0,
		.counts = ba_result_decides_by_counts(r)};
	ba_multiplicity_parse(&policy.multiplicity, r->decided.multiplicity);
	return policy;
}

/* with this many calls or more, one may be an outlier */
#define RUN_LEAST 4u

static size_t visits_in_block(const ba_samples *s, unsigned participant)
{
	size_t n = 0;
	for (unsigned k = 0; s->blocks && k < s->positions; k++)
		n += s->order[k] == participant;
	return n;
}

bool ba_estimate_has_means(const ba_result *r)
{
	return r->document.schema_revision >= BA_REVISION_MEANS;
}

static bool has_both(const ba_samples *s, unsigned candidate)
{
	return visits_in_block(s, 0) > 0 && visits_in_block(s, candidate) > 0;
}

/* One invocation's readings, and the value of each of their visits. */
typedef struct reduction {
	ba_readings r;
	double *v;    /* [blocks * positions] */
	double drift; /* drift of the placebo, in log units */
	double cut;   /* of the mean */
} reduction;

static void add_ratio(ba_comparison *c, const reduction *q, unsigned candidate, unsigned origin)
{
	const ba_readings *r = &q->r;
	size_t n = c->y_count++;
	ba_logratio ratio = ba_logratio_of_visits(q->v, r, 0, candidate);
	c->y = ba_xreallocarray(c->y, n + 1, sizeof(*c->y));
	c->z = ba_xreallocarray(c->z, n + 1, sizeof(*c->z));
	c->within = ba_xreallocarray(c->within, n + 1, sizeof(*c->within));
	c->origin = ba_xreallocarray(c->origin, n + 1, sizeof(*c->origin));
	c->origin[n] = origin;
	c->z_count = c->y_count;
	c->y[n] = ratio.y;
	c->z[n] = ba_mean_logratio(r, 0, candidate, q->cut);
	c->within[n] = (ba_within){ratio.s1_sq, q->drift, r->blocks};
}

double ba_estimate_within(const ba_samples *s, unsigned candidate)
{
	BA_AUTO_FREE double *v = ba_xcalloc((size_t)s->blocks * s->positions + 1, sizeof(*v));
	const ba_readings r = ba_samples_readings(s);
	if (!has_both(s, candidate))
		return 0;
	ba_visits_of(v, &r);
	return ba_logratio_of_visits(v, &r, 0, candidate).s1_sq;
}

/* Visits with an unknown clock are left out. */
static void add_clock(ba_levels *l, const ba_samples *s, unsigned participant)
{
	size_t visits = (size_t)s->blocks * s->positions;
	for (size_t k = 0; s->khz && k < visits; k++)
		if (s->order[k] == participant && s->khz[k]) {
			l->mhz_sum += (double)s->khz[k] * 1e-3;
			l->mhz_count++;
		}
}

static void add_levels(
	ba_summary *out, const reduction *q, const ba_samples *s, unsigned participant)
{
	const ba_readings *r = &q->r;
	double level = ba_level_of_visits(q->v, r, participant), layout;
	if (isnan(level))
		return;
	ba_levels *l = &out->levels;
	if (ba_layout_variance_of_visits(&layout, q->v, r, participant)) {
		l->layout_sum += layout;
		l->layout_count++;
	}
	l->log_least = l->count ? fmin(l->log_least, level) : level;
	l->log_most = l->count ? fmax(l->log_most, level) : level;
	l->log_sum += level;
	l->count++;
	add_clock(&out->levels, s, participant);
}

/* The baseline's shortest reading; 0 if the baseline was not measured. */
static uint64_t shortest_of_baseline(const ba_samples *s)
{
	size_t readings = (size_t)s->blocks * s->positions * s->readings;
	uint64_t shortest = 0;
	for (size_t i = 0; i < readings; i++)
		if (s->order[i / s->readings] == 0 && (shortest == 0 || s->ns[i] < shortest))
			shortest = s->ns[i];
	return shortest;
}

void ba_estimate_add(const ba_result *r, ba_series *series, const ba_samples *s)
{
	size_t visits = (size_t)s->blocks * s->positions;
	BA_AUTO_FREE double *v = ba_xcalloc(visits + 1, sizeof(*v));
	reduction q = {.r = ba_samples_readings(s), .v = v};
	q.r.least = series->info->counted;
	ba_visits_of(v, &q.r);
	q.drift = ba_placebo_drift(v, s->order, s->blocks, s->positions);
	/* plain means in revisions that used them only to detect a changed shape */
	q.cut = ba_estimate_has_means(r) ? BA_MEAN_CUT : 0;
	/* of a series of calls, cap the one with the most: malloc() may have taken another path */
	q.cut = q.r.least && s->readings >= RUN_LEAST ? 0.5 / s->readings : q.cut;
	for (unsigned i = 0; i < r->run.variant_count; i++) {
		add_levels(&series->variants[i], &q, s, i);
		if (i && has_both(s, i))
			add_ratio(&series->comparisons[i - 1], &q, i, s->origin);
	}
	if (s->has_floor)
		add_levels(&series->floor, &q, s, (unsigned)r->run.variant_count);
	if (s == &series->samples[0])
		series->shortest_ns = shortest_of_baseline(s);
}

void ba_estimate_forget(const ba_result *r, ba_series *series)
{
	for (size_t v = 0; v < r->run.variant_count; v++)
		series->variants[v].levels = (ba_levels){0};
	for (size_t c = 0; c + 1 < r->run.variant_count; c++)
		series->comparisons[c].y_count = series->comparisons[c].z_count = 0;
	series->floor.levels = (ba_levels){0};
	series->shortest_ns = 0;
}

/* Collects one participant's readings of all invocations, in ns per launch. */
static double *collect(
	size_t *count, uint64_t *launches, const ba_series *series, unsigned participant)
{
	size_t capacity = 0, n = 0;
	for (size_t i = 0; i < series->sample_count; i++)
		capacity += (size_t)series->samples[i].blocks *
			    visits_in_block(&series->samples[i], participant) *
			    series->samples[i].readings;
	double *all = ba_xcalloc(capacity, sizeof(*all));
	*launches = 0;
	BA_EACH (const ba_samples, s, series->samples, series->sample_count) {
		size_t visits = (size_t)s->blocks * s->positions;
		for (size_t v = 0; v < visits; v++)
			for (unsigned k = 0;
				s->order[v] == participant && k < s->readings && n < capacity;
				k++) {
				all[n++] = (double)s->ns[v * s->readings + k] / s->batch;
				*launches += s->batch;
			}
	}
	*count = n;
	return all;
}

static void set_layouts(ba_summary *out, const ba_series *series)
{
	const ba_levels *l = &out->levels;
	out->layouts = l->layout_count ? series->samples[0].layouts : 0;
	out->layout_sd =
		l->layout_count ? sqrt(fmax(l->layout_sum / (double)l->layout_count, 0)) : 0;
}

static void summarise(ba_summary *out, const ba_series *series, unsigned participant)
{
	size_t n;
	BA_AUTO_FREE double *all = collect(&n, &out->launches, series, participant);
	if (n == 0)
		return;
	ba_distribution d = ba_distribution_of(all, n);
	out->present = true;
	out->mean = d.mean;
	out->stdev = d.stdev;
	out->iqr = d.iqr;
	out->min = d.min;
	out->median = d.median;
	out->p95 = d.p95;
	out->p99 = d.p99;
	out->max = d.max;
	out->trimmed = d.trimmed;
	const ba_levels *l = &out->levels;
	out->sm_mhz = l->mhz_count ? l->mhz_sum / (double)l->mhz_count : 0;
}

/* Sets the times without the bare driver call. */
static void set_net(ba_series *series, size_t variant)
{
	const ba_summary *v = &series->variants[variant];
	if (series->net_ns)
		series->net_ns[variant] = v->present ? v->trimmed - series->floor.trimmed : 0;
}

static void set_level(ba_summary *s)
{
	if (s->levels.count)
		s->trimmed = exp(s->levels.log_sum / (double)s->levels.count);
	if (s->max == 0)
		s->trimmed = 0;
}

void ba_estimate_summaries(const ba_result *r, ba_series *series)
{
	bool has_floor = series->sample_count && series->samples[0].has_floor;
	size_t count = r->run.variant_count;
	for (size_t v = 0; v < count; v++) {
		summarise(&series->variants[v], series, (unsigned)v);
		set_layouts(&series->variants[v], series);
		if (ba_estimate_has_means(r))
			set_level(&series->variants[v]);
	}
	if (!has_floor)
		return;
	summarise(&series->floor, series, (unsigned)count);
	if (ba_estimate_has_means(r))
		set_level(&series->floor);
	free(series->net_ns);
	series->net_ns = ba_xcalloc(count, sizeof(*series->net_ns));
	for (size_t v = 0; v < count; v++)
		set_net(series, v);
}

double ba_estimate_s_floor(const ba_series *series, double tick_ns)
{
	uint64_t shortest = series->shortest_ns;
	return shortest ? ba_s_floor(tick_ns, (double)shortest) : BA_S_FLOOR;
}

bool ba_estimate_is_exact(const ba_series *series, unsigned candidate)
{
	const ba_levels *base = &series->variants[0].levels,
			*mine = &series->variants[candidate].levels;
	return ba_metric_repeats(series->metric) && base->count >= BA_EXACT_LEAST &&
	       mine->count >= BA_EXACT_LEAST && base->log_least == base->log_most &&
	       mine->log_least == mine->log_most;
}

/* The counts repeat exactly: the remaining difference is rounding. */
static void set_exact(ba_comparison *c, bool exact)
{
	c->exact = exact;
	if (!c->exact)
		return;
	c->low = c->high = c->mean_low = c->mean_high = c->ratio;
	c->s = 0;
}

ba_components ba_estimate_components(const ba_comparison *c)
{
	BA_AUTO_FREE double *s1_sq = ba_xcalloc(c->y_count + 1, sizeof(*s1_sq));
	BA_AUTO_FREE size_t *blocks = ba_xcalloc(c->y_count + 1, sizeof(*blocks));
	if (c->y_count == 0 || !c->within)
		return (ba_components){.blocks = 1};
	for (size_t i = 0; i < c->y_count; i++) {
		s1_sq[i] = c->within[i].s1_sq;
		blocks[i] = c->within[i].blocks;
	}
	return ba_components_of(c->y, s1_sq, blocks, c->y_count);
}

static void set_noise(ba_comparison *c)
{
	BA_AUTO_FREE double *shape = ba_xcalloc(c->y_count + 1, sizeof(*shape));
	double s1 = 0, drift = 0;
	size_t n = c->within ? c->y_count : 0;
	for (size_t i = 0; i < n; i++) {
		s1 += c->within[i].s1_sq;
		drift += c->within[i].drift_log;
		shape[i] = c->z[i] - c->y[i];
	}
	if (n) {
		c->s_within = sqrt(s1 / (double)n);
		c->drift_per_block = drift / (double)n;
	}
	c->shape_changed = ba_shape_changed(shape, n, log1p(c->threshold_slower));
}

/* All values in a row come from one estimate: the candidate's level is the baseline's
 * times the ratio, so that their difference has the same sign as the change. */
static void set_candidate_level(const ba_result *r, ba_series *series, unsigned candidate)
{
	ba_comparison *c = &series->comparisons[candidate - 1];
	ba_summary *base = &series->variants[0], *mine = &series->variants[candidate];
	if (series->info->census) { /* a count may be 0, and is a mean */
		c->delta_ns = mine->mean - base->mean;
		return;
	}
	if (ba_estimate_has_means(r) && base->levels.count && c->ratio > 0) {
		mine->trimmed = base->trimmed * c->ratio;
		set_net(series, candidate);
	}
	c->delta_ns = base->trimmed * (c->ratio - 1);
}

static void set_means(ba_comparison *c, const ba_decision *d)
{
	if (!d->mean.known)
		return;
	c->mean_ratio = exp(d->mean.zbar);
	c->mean_low = exp(d->mean.lo);
	c->mean_high = exp(d->mean.hi);
	c->p_mean_regressed = d->mean.p_reg;
	c->p_mean_improved = d->mean.p_imp;
	c->mean_suspicious = ba_decision_mean_is_slower(d) || ba_decision_mean_is_faster(d);
}

void ba_estimate_decided(ba_comparison *c, const ba_decision *d)
{
	c->ratio = exp(d->ybar);
	c->low = exp(d->lo);
	c->high = exp(d->hi);
	c->s = d->s;
	c->p_regressed = d->p_reg;
	c->p_improved = d->p_imp;
	c->p_unchanged = d->p_eq;
	c->invocations = (unsigned)d->invocations;
	c->unstable = ba_decision_is_unstable(d);
	set_means(c, d);
	ba_origin_groups_estimate(c, d);
	set_exact(c, d->exact);
}

void ba_estimate_comparison(
	const ba_result *r, ba_series *series, const ba_decision *d, unsigned candidate)
{
	ba_comparison *c = &series->comparisons[candidate - 1];
	if (d->invocations == 0) {
		ba_estimate_reported(r, series, candidate);
		return;
	}
	ba_estimate_decided(c, d);
	set_noise(c);
	c->shape_changed = c->shape_changed && !series->info->counted; /* decide.c says it */
	set_candidate_level(r, series, candidate);
}

void ba_estimate_reported(const ba_result *r, ba_series *series, unsigned candidate)
{
	ba_comparison *c = &series->comparisons[candidate - 1];
	if (c->y_count == 0)
		return;
	c->p_regressed = c->p_improved = c->p_unchanged = 1;
	c->p_mean_regressed = c->p_mean_improved = 1;
	c->invocations = (unsigned)c->y_count;
	c->ratio = exp(ba_mean(c->y, c->y_count));
	c->mean_ratio = exp(ba_mean(c->z, c->z_count));
	c->low = c->mean_low = 0;
	c->high = c->mean_high = INFINITY;
	if (c->y_count >= 2) {
		double theta = c->threshold_slower > 0 ? c->threshold_slower : 0.02;
		ba_design design = ba_design_fixed(c->y_count);
		const ba_policy policy = {.alpha = 0.05, .s_floor = 2e-4};
		BA_AUTO_FREE unsigned *at = ba_origin_groups_of(r, c);
		BA_AUTO_FREE ba_place_decision *places =
			ba_xcalloc(BA_PLACES_MOST, sizeof(*places));
		ba_decision d;
		ba_decision_init(&d, theta, theta);
		ba_decision_set_places(&d, places,
			at ? ba_origins_places(r->run.origins, r->run.origin_count) : 0);
		ba_decision_look_at(&d, &policy, &design, 0, c->y, at);
		ba_decision_look_mean_at(&d, &policy, &design, 0, c->z, at);
		c->low = exp(d.lo);
		c->high = exp(d.hi);
		c->mean_low = exp(d.mean.lo);
		c->mean_high = exp(d.mean.hi);
		c->s = d.s;
		ba_origin_groups_estimate(c, &d);
	}
	set_noise(c);
	c->shape_changed = c->shape_changed && !series->info->counted; /* decide.c says it */
	set_exact(c, ba_estimate_is_exact(series, candidate));
	set_candidate_level(r, series, candidate);
}
