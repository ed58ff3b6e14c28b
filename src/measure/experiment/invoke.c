#include "experiment/invoke.h"

#include "instructions/count.h"
#include "verdict/estimate.h"
#include "session/failure.h"
#include "session/invocation.h"
#include "experiment/plan.h"
#include "experiment/rotation.h"
#include "session/sizes.h"
#include "stats/schedule.h"

static void report_progress(const ba_session *s, double done, double planned)
{
	if (!s->spec->progress)
		return;
	BA_AUTO_FREE char *text = ba_xprintf("invocation %u", s->invocation + 1);
	s->spec->progress(s->spec->progress_data, planned > 0 ? done / planned : 0, text);
}

/* Of the time for starting and preparing, what a later invocation takes at least: in rotation that
 * goes on while others measure. 0: no benchmark may be left out now. */
static double start_share(const ba_session *s)
{
	if (!ba_session_may_leave_out(s) || s->invocation != ba_session_first(s))
		return 0;
	return ba_rotation_foreseen(s->spec, s->result) > 1 ? 0.5 : 1;
}

/* What the benchmark takes of a later invocation at least, which may have half of its blocks. */
static double least_ns(const ba_session *s, ba_task *t, double share)
{
	double blocks = ba_session_task_ns(s, t) - ba_sizes_start_ns(t);
	return share * t->prepare_ns + 0.5 * blocks;
}

/* Would the benchmarks of this first invocation take the rest of the budget until the first look? */
static bool is_full(const ba_session *s, double share)
{
	double each = s->later_ns;
	for (size_t i = 0; i < s->suite_count; i++)
		each += share * s->suites[i].start_ns;
	return share > 0 && s->kept &&
	       ba_session_is_late(s, each * (double)(s->spec->design.at[0] - 1));
}

/* The suite's benchmarks in the drawn order, in new workers. */
static int invoke_suite(ba_session *s, ba_session_suite *suite, const size_t *order, size_t *done,
	size_t planned, ba_error *err)
{
	int rc = 0;
	double share = start_share(s);
	const ba_kind_ops *ops = suite->ops;
	if (ops->invoke) {
		report_progress(s, s->invocation, (double)planned);
		int64_t start = ba_now_ns();
		rc = ops->invoke(s, suite, err);
		s->result->run.spent.measure += ba_seconds_since(start);
		return rc;
	}
	for (size_t i = 0; rc == 0 && i < s->task_count && !s->restart; i++) {
		s->cut = s->cut || ba_session_is_late(s, 0);
		if (s->cut)
			break;
		ba_task *t = &s->tasks[order[i]];
		if (t->suite != suite)
			continue;
		double part = (double)(*done)++ / (double)s->task_count;
		report_progress(s, s->invocation + part, (double)planned);
		if (!t->active || !ba_task_is_timed(t) || !ba_task_is_due_now(s, t))
			continue;
		if (is_full(s, share)) {
			ba_task_leave_out(s, t);
			continue;
		}
		rc = ba_session_invoke(s, t, err);
		s->later_ns += share > 0 && t->active ? least_ns(s, t, share) : 0;
	}
	if (rc == 0 && suite->engine) {
		suite->peak_bytes = ba_engine_peak_bytes(suite->engine);
		ba_engine_close(suite->engine);
	}
	ba_engine_free(suite->engine);
	suite->engine = NULL;
	return rc;
}

int ba_session_invoke_all(ba_session *s, size_t planned, size_t most, ba_error *err)
{
	BA_AUTO_FREE size_t *order = ba_xcalloc(s->task_count, sizeof(*order));
	size_t done = 0;
	int rc = 0;
	s->later_ns = 0;
	if (ba_session_is_resumed(s)) {
		int repeated = ba_resume_invocation(s, err);
		ba_session_set_controls(s);
		return repeated;
	}
	if (s->spec->members && s->spec->members->fetch) {
		report_progress(s, s->invocation, (double)planned);
		return ba_members_fetch(s, planned, err);
	}
	for (size_t i = 0; i < s->task_count; i++)
		s->tasks[i].took_part = s->tasks[i].active;
	ba_schedule_shuffle(order, s->task_count, s->spec->seed, s->invocation);
	int64_t start = ba_now_ns();
	size_t counts = ba_counts_together(s, most);
	rc = counts > 1 ? ba_rotation_count(s, counts, err) : ba_session_count(s, 1, err);
	s->result->run.spent.count += ba_seconds_since(start);
	if (counts > 1)
		return rc;
	size_t turns = rc ? 1 : ba_rotation_turns(s, most);
	if (turns > 1) {
		report_progress(s, s->invocation, (double)planned);
		return ba_rotation_invoke(s, turns, err);
	}
	ba_rotation_start(s, most);
	for (size_t i = 0; rc == 0 && i < s->suite_count && !s->restart; i++)
		rc = invoke_suite(s, &s->suites[i], order, &done, planned, err);
	ba_session_take_opened(s);
	if (rc == 0 && !s->restart)
		rc = ba_session_check_gpu(s, err);
	if (rc == 0 && !s->restart && !s->cut)
		ba_session_checkpoint(s);
	return rc;
}

/* Also discards what was decided. */
void ba_session_begin_again(ba_session *s)
{
	ba_result *r = s->result;
	BA_EACH (ba_series, series, r->series, r->series_count) {
		for (size_t k = 0; k < series->sample_count; k++)
			ba_samples_dispose(&series->samples[k]);
		series->sample_count = 0;
		ba_estimate_forget(r, series);
	}
	for (size_t i = 0; i < s->task_count; i++) {
		ba_task_set_active(s, &s->tasks[i], ba_task_is_measurable(s, &s->tasks[i]));
		s->tasks[i].sized = s->tasks[i].prepared = false;
		s->tasks[i].repeats_done = 0;
	}
	ba_decisions_init(&s->decisions, r);
	ba_session_set_controls(s);
	s->restart = s->cut = false;
	s->left_out = 0;
	s->again = true;
	s->invocation = ba_session_first(s);
	s->kept = 0;
	if (s->spec->restarted)
		s->spec->restarted(s->spec->stored_data);
}
