#include "session/task.h"

#include "verdict/estimate.h"
#include "session/session.h"

BA_OWNS(ba_member_order, o, free(o->open), ba_strv_dispose(&o->split))

double ba_session_spent_ns(const ba_session *s)
{
	return (double)(ba_now_ns() - s->started_ns) + s->result->run.spent.survey * 1e9;
}

bool ba_session_has_end(const ba_session *s)
{
	bool ordered = s->spec->members && s->spec->members->next;
	return s->spec->budget_ns > 0 && !s->spec->aims && !ordered;
}

bool ba_session_is_late(const ba_session *s, double more_ns)
{
	return ba_session_has_end(s) && !ba_session_is_resumed(s) &&
	       ba_session_spent_ns(s) + more_ns > BA_BUDGET_LIMIT_NS(s->spec->budget_ns);
}

bool ba_session_may_leave_out(const ba_session *s)
{
	return ba_session_has_end(s) && !ba_session_is_resumed(s) && ba_session_candidates(s) &&
	       !s->result->decided.looks_done && !s->spec->parts && !s->spec->members;
}

size_t ba_task_wanted_count(const ba_session *s, const ba_task *t)
{
	size_t n = 0;
	for (size_t v = 0; v < ba_session_variants(s); v++)
		n += t->wanted[v];
	return n;
}

ba_series *ba_task_series(const ba_session *s, const ba_task *t, ba_metric metric)
{
	size_t i = t->series[metric];
	return i == BA_NO_SERIES ? NULL : &s->result->series[i];
}

void ba_task_drop_metric(ba_session *s, ba_task *t, ba_metric m)
{
	for (size_t c = 1; c <= ba_session_candidates(s); c++) {
		ba_decision *d = ba_decisions_at(&s->decisions, t->series[m], c);
		s->result->decided.family_size -= d->verdict == BA_VERDICT_UNDECIDED;
		d->verdict = BA_VERDICT_REPORTED;
	}
	ba_task_series(s, t, m)->role = BA_ROLE_REPORTED;
	t->series[m] = BA_NO_SERIES;
}

void ba_task_set_active(ba_session *s, ba_task *t, bool active)
{
	s->active_count += active;
	s->active_count -= t->active;
	t->suite->active_count += active;
	t->suite->active_count -= t->active;
	t->active = active;
}

void ba_task_leave_out(ba_session *s, ba_task *t)
{
	ba_task_set_active(s, t, false);
	s->left_out++;
}

/* The answer is known, from a look or without one, and its control has been measured. */
static bool is_answered(const ba_session *s, const ba_task *t, ba_metric metric, size_t candidate)
{
	/* a mode may have no series */
	const ba_series *x = ba_task_series(s, t, metric);
	if (!x)
		return false;
	const ba_decision *d = ba_decisions_at(&s->decisions, t->series[metric], candidate);
	/* of a grid, a benchmark is measured in all cells, so that its effects are known */
	bool stays = s->is_grid && d->looks > 0 && ba_task_is_undecided(s, t, metric);
	bool judged = x->role == BA_ROLE_VERDICT && d->looks > 0;
	bool identical = x->comparisons[candidate - 1].verdict == BA_VERDICT_IDENTICAL;
	return !stays && (judged || identical) && d->verdict != BA_VERDICT_UNDECIDED;
}

bool ba_task_is_undecided(const ba_session *s, const ba_task *t, ba_metric metric)
{
	size_t n = s->decisions.candidates, i = t->series[metric];
	return i != BA_NO_SERIES && n > 0 &&
	       BA_ANY(&s->decisions.items[i * n], n, d, d->verdict == BA_VERDICT_UNDECIDED);
}

bool ba_task_takes_part(const ba_session *s, const ba_task *t, ba_metric metric, size_t variant)
{
	if (variant > 0 || !t->wanted[0])
		return t->wanted[variant] && (variant == 0 || !is_answered(s, t, metric, variant));
	return !ba_task_is_settled(s, t, metric);
}

bool ba_task_needs(const ba_session *s, const ba_task *t, size_t variant)
{
	if (!t->active || !t->wanted[variant])
		return false;
	if (!t->prepared)
		return true;
	return BA_ANY_METRIC(m, t->series[m] != BA_NO_SERIES && s->spec->measure[m] &&
					!ba_metric_get(m)->counted &&
					ba_task_takes_part(s, t, m, variant));
}

bool ba_task_is_settled(const ba_session *s, const ba_task *t, ba_metric metric)
{
	bool any = false;
	for (size_t c = 1; c < ba_session_variants(s); c++) {
		if (t->wanted[c] && !is_answered(s, t, metric, c))
			return false;
		any = any || t->wanted[c];
	}
	return any;
}

/* A comparison needs the baseline and another variant. */
bool ba_task_is_measurable(const ba_session *s, const ba_task *t)
{
	if (ba_session_variants(s) == 1)
		return t->wanted[0];
	/* benchmarks of only one side are measured for display */
	if (!t->baseline_has || t->has_count == 1)
		return ba_task_wanted_count(s, t) >= 1;
	return t->wanted[0] && ba_task_wanted_count(s, t) >= 2;
}

/* ---- thresholds ---- */

double ba_task_threshold(const ba_session *s, const ba_task *t, ba_metric metric)
{
	ba_session_threshold theta =
		s->spec->threshold(s->spec->threshold_data, t->benchmark->id, metric);
	double least = theta.slower < theta.faster ? theta.slower : theta.faster;
	/* with both, plan for the ratio, because the effect of the time is uncertain */
	return least > 0 ? least : ba_threshold_of(least, theta.absolute_ns, t->ns[0]);
}

void ba_task_apply_absolute_to(ba_session *s, const ba_task *t, ba_metric metric)
{
	ba_series *series = ba_task_series(s, t, metric);
	if (!series)
		return;
	bool counted = series->info->counted;
	double base = metric == BA_METRIC_INSTRUCTIONS ? (double)t->instructions : t->ns[0];
	if ((series->role != BA_ROLE_VERDICT && !counted) || series->info->census)
		return;
	ba_session_threshold theta =
		s->spec->threshold(s->spec->threshold_data, t->benchmark->id, metric);
	if (theta.absolute_ns <= 0 || base <= 0)
		return;
	for (size_t c = 0; c + 1 < ba_session_variants(s); c++) {
		ba_comparison *k = &series->comparisons[c];
		k->threshold_slower = ba_threshold_of(theta.slower, theta.absolute_ns, base);
		k->threshold_faster = ba_threshold_of(theta.faster, theta.absolute_ns, base);
	}
}

void ba_task_apply_absolute(ba_session *s, const ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		ba_task_apply_absolute_to(s, t, (ba_metric)m);
}

/* ---- what is due ---- */

bool ba_task_is_due(const ba_session *s, const ba_task *t, ba_metric m)
{
	return s->spec->measure[m] && !ba_metric_get(m)->counted &&
	       ba_benchmark_has_metric(t->benchmark, m) && !ba_task_is_settled(s, t, m) &&
	       t->suite->ops->is_due(s, t, m);
}

bool ba_task_is_due_now(const ba_session *s, const ba_task *t)
{
	return !t->prepared || BA_ANY_METRIC(m, ba_task_is_due(s, t, m));
}

bool ba_task_is_timed(const ba_task *t)
{
	return BA_ANY_METRIC(m, t->series[m] != BA_NO_SERIES && !ba_metric_get(m)->counted);
}

bool ba_task_is_warm(const ba_session *s, const ba_task *t)
{
	return BA_ANY_METRIC(m, t->series[m] != BA_NO_SERIES && s->spec->measure[m] &&
					!ba_metric_get(m)->counted && !ba_metric_get(m)->starts);
}

bool ba_task_needs_start(const ba_session *s, const ba_task *t)
{
	return BA_ANY_METRIC(
		m, (ba_metric_get(m)->starts & ~BA_OF_PROCESS) && ba_task_is_due(s, t, m));
}

bool ba_suite_is_on_host(const ba_suite_spec *suite)
{
	const char *target = suite->engine.target;
	return target && strcmp(target, "host") == 0;
}

bool ba_task_executes_nothing(const ba_task *t)
{
	return t->benchmark->gpu && ba_suite_is_on_host(t->suite->spec);
}

/* ---- samples ---- */

double ba_task_take_fastest(const ba_session *s, ba_task *t, const ba_samples *rehearsal)
{
	double fastest = 0;
	size_t visits = (size_t)rehearsal->blocks * rehearsal->positions;
	for (size_t v = 0; v <= s->result->run.variant_count; v++)
		t->ns[v] = 0;
	for (size_t i = 0; i < visits * rehearsal->readings; i++) {
		double ns = (double)rehearsal->ns[i] / rehearsal->batch;
		double *mine = &t->ns[rehearsal->order[i / rehearsal->readings]];
		*mine = *mine == 0 || ns < *mine ? ns : *mine;
		fastest = fastest == 0 || ns < fastest ? ns : fastest;
	}
	return fastest;
}

void ba_session_keep(ba_session *s, ba_task *t, ba_metric metric, ba_samples *samples)
{
	ba_held *h = s->held;
	if (h) {
		*BA_PUSH(h->items, h->count, h->capacity) =
			(struct ba_held_sample){t, metric, BA_MOVE(*samples)};
		return;
	}
	ba_series *series = ba_task_series(s, t, metric);
	BA_REQUIRE(series);
	ba_samples *kept = ba_series_add_samples(series);
	*kept = *samples;
	*samples = (ba_samples){0};
	if (metric == BA_METRIC_SUSTAINED)
		t->repeats_done += kept->blocks;
	ba_estimate_add(s->result, series, kept);
	s->kept++;
	if (s->spec->stored && !s->explains && !ba_session_is_resumed(s))
		s->spec->stored(s->spec->stored_data, s->result, series, kept);
}
