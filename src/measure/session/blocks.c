/*
 * How many blocks a benchmark has in an invocation (docs/statistics.md section 2).
 *
 * Before the first invocation a trial tells how much the blocks scatter, which gives the
 * first number (ba_blocks_first), within the limits of sizes.c. The readings of the trial
 * are not used again.
 *
 * After each look a benchmark that is still open gets the number that leads to its
 * verdict in the least time (stats/blocks.h), by the costs and variances that were
 * measured: never fewer than before, at most BLOCKS_GROWTH times the first number.
 */
#include "session/invocation.h"

#include "verdict/estimate.h"
#include "stats/blocks.h"
#include "stats/quantile.h"

#define TRIAL_BLOCKS 8u
#define BLOCKS_MOST 4000u
#define TRIAL_WORTH 1.5 /* times the least time: with less, a trial is not worthwhile */

/* The sizes of a metric whose number of blocks may grow; NULL for others. */
static ba_metric_state *growing(ba_task *t, const ba_series *series)
{
	const ba_metric_info *info = ba_metric_get(series->metric);
	bool runs = ba_metric_is_of_runs(series->metric) && series->role == BA_ROLE_VERDICT;
	/* an invocation is long and has its own processes: more invocations are better */
	return info->trusted && (runs || info->paced) ? &t->rounds[series->metric] : NULL;
}

static void tell(const ba_session *s, const ba_task *t, unsigned before, unsigned after)
{
	if (after != before)
		ba_log_printf(s->spec->log, BA_LOG_DEBUG,
			"%s: %u blocks an invocation from here on, not %u", t->benchmark->id, after,
			before);
}

/* ---- before the first invocation ---- */

/* The largest variance of a block among the candidates. */
static double scatter_of(const ba_session *s, const ba_samples *trial)
{
	double most = 0;
	for (unsigned c = 1; c < ba_session_variants(s); c++)
		most = fmax(most, ba_estimate_within(trial, c));
	return most;
}

/* The median over visits of the relative excess of the first reading over the others. */
static double first_reading_excess(const ba_samples *trial)
{
	size_t visits = (size_t)trial->blocks * trial->positions;
	BA_AUTO_FREE double *excess = ba_xcalloc(visits + 1, sizeof(*excess));
	BA_AUTO_FREE double *others = ba_xcalloc(trial->readings, sizeof(*others));
	if (trial->readings < 3)
		return 0;
	for (size_t i = 0; i < visits; i++) {
		const uint64_t *ns = trial->ns + i * trial->readings;
		for (unsigned k = 1; k < trial->readings; k++)
			others[k - 1] = (double)ns[k];
		excess[i] = (double)ns[0] / ba_median(others, trial->readings - 1) - 1;
	}
	return ba_median(excess, visits);
}

/* A program that shares its core finds the caches full of others' data. If the first
 * reading exceeds the rest by more than the threshold, it is discarded from then on. */
static void set_discard(
	const ba_session *s, ba_task *t, ba_metric m, double theta, const ba_samples *trial)
{
	double excess = first_reading_excess(trial);
	if (!t->suite->ops->discards_first || excess <= theta)
		return;
	t->rounds[m].discard = trial->batch;
	ba_log_printf(s->spec->log, BA_LOG_DEBUG,
		"%s, %s: the first reading of a visit takes %.0f %% longer than the others, and is left out",
		t->benchmark->id, ba_metric_get(m)->name, 100 * excess);
}

static int try_metric(ba_session *s, ba_task *t, ba_metric m, ba_failure *f)
{
	const ba_kind_ops *ops = t->suite->ops;
	const ba_series *series = ba_task_series(s, t, m);
	ba_metric_state *z = series ? growing(t, series) : NULL;
	double longest = ba_sizes_task_ns(s, t), theta = ba_task_threshold(s, t, m);
	BA_AUTO(ba_samples) ba_samples trial = {0};
	double least = ba_sizes_least_ns(s, t);
	if (!z || longest < TRIAL_WORTH * least || longest < TRIAL_BLOCKS * least / z->blocks)
		return 0;
	unsigned before = z->blocks;
	unsigned tried = z->blocks = ba_sizes_rounds(t, TRIAL_BLOCKS);
	int rc = ops->measure(s, t, m, &trial, f);
	z->blocks = before;
	if (rc)
		return rc;
	double block_ns = (double)trial.wall_ns / tried;
	double needed = ba_blocks_first(
		scatter_of(s, &trial), log1p(theta), ba_sizes_start_ns(t), fmax(block_ns, 1));
	double affordable = longest / fmax(block_ns, 1);
	double wanted = fmin(fmin(needed, affordable), BLOCKS_MOST);
	z->blocks = ba_sizes_rounds(t, wanted > before ? (unsigned)wanted : before);
	z->blocks_most =
		ba_sizes_blocks_most(s, (unsigned)fmax(z->blocks, fmin(affordable, BLOCKS_MOST)));
	tell(s, t, before, z->blocks);
	set_discard(s, t, m, theta, &trial);
	return 0;
}

int ba_session_first_blocks(ba_session *s, ba_task *t, ba_failure *f)
{
	if (s->spec->blocks || ba_session_candidates(s) == 0 || t->control_only ||
		ba_task_wanted_count(s, t) < 2)
		return 0;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (ba_task_is_due(s, t, (ba_metric)m) && s->spec->verdict[m])
			BA_TRY(try_metric(s, t, (ba_metric)m, f));
	return 0;
}

/* ---- after a look ---- */

/* The duration of a block in its last measurement; 0: not measured. */
static double block_ns(const ba_series *series)
{
	if (series->sample_count == 0)
		return 0;
	const ba_samples *last = &series->samples[series->sample_count - 1];
	return last->blocks ? (double)last->wall_ns / last->blocks : 0;
}

double ba_session_task_ns(const ba_session *s, ba_task *t)
{
	double sum = ba_sizes_start_ns(t);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_series *series = ba_task_series(s, t, (ba_metric)m);
		if (!series || !ba_task_is_due(s, t, (ba_metric)m))
			continue;
		const ba_metric_state *z = growing(t, series);
		size_t n = series->sample_count;
		if (n)
			sum += block_ns(series) * (z ? z->blocks : series->samples[n - 1].blocks);
	}
	return sum;
}

double ba_session_expected_ns(const ba_session *s)
{
	double sum = 0;
	BA_EACH (ba_task, t, s->tasks, s->task_count) {
		if (!t->active)
			continue;
		if (ba_sizes_start_ns(t) <= 0)
			return 0;
		sum += ba_session_task_ns(s, t);
	}
	return sum;
}

static unsigned blocks_for(const ba_session *s, const ba_task *t, const ba_metric_state *z,
	const ba_series *series, size_t candidate, const ba_decision *d)
{
	const ba_result *r = s->result;
	double cost = block_ns(series);
	if (d->verdict != BA_VERDICT_UNDECIDED || d->invocations < 2 || !(cost > 0))
		return z->blocks;
	ba_policy policy = ba_policy_of(r, series->s_floor);
	ba_components noise = ba_estimate_components(&series->comparisons[candidate - 1]);
	const ba_blocks_plan plan = {.now = z->blocks,
		.most = z->blocks_most,
		.invocation_cost = ba_sizes_start_ns(t),
		.block_cost = cost,
		.s1_sq = noise.s1_sq,
		.s2_sq = noise.s2_sq};
	double level = ba_multiple_level(
		0, r->decided.family_size, ba_family_alpha(&policy), policy.multiplicity);
	return (unsigned)ba_blocks_next(&plan, d, &policy, &s->spec->design, level);
}

void ba_session_next_blocks(ba_session *s)
{
	const ba_result *r = s->result;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *series = &r->series[i];
		ba_task *t = &s->tasks[series->benchmark];
		ba_metric_state *z = growing(t, series);
		if (!z || !t->active || s->spec->blocks)
			continue;
		unsigned before = z->blocks, after = before;
		for (size_t c = 1; c < r->run.variant_count; c++) {
			unsigned mine = blocks_for(
				s, t, z, series, c, ba_decisions_at(&s->decisions, i, c));
			after = mine > after ? mine : after;
		}
		z->blocks = ba_sizes_rounds(t, after);
		tell(s, t, before, z->blocks);
	}
}
