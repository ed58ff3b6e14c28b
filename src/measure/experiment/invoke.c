#include "experiment/invoke.h"

#include "instructions/count.h"
#include "verdict/estimate.h"
#include "session/prepare.h"
#include "session/invocation.h"
#include "experiment/plan.h"
#include "stats/schedule.h"

/* ---- of a run of several processes ---- */

/* A child process of this run that has just ended may still be listed. */
#define ASKED_MOST 5u
#define ASKED_EVERY_NS 100000000

/* ---- the coordinator ---- */

static void describe(ba_member_order *out, const ba_session *s, size_t planned)
{
	*out = (ba_member_order){.invocation = s->invocation,
		.planned = planned,
		.most = ba_design_last(&s->spec->design),
		.epoch = s->epoch,
		.looks = (unsigned)s->result->decided.looks_done,
		.open = ba_xcalloc(s->task_count + 1, 1)};
	for (size_t i = 0; i < s->task_count; i++)
		out->open[i] = s->tasks[i].active ? '1' : '0';
	for (size_t i = 0; i < s->suite_count; i++)
		if (ba_result_is_split(s->result, s->suites[i].spec->name))
			ba_strv_push(&out->split, s->suites[i].spec->name);
}

/* A member could not measure with the engine of the others, so all start again. */
static bool changes_engine(ba_session *s, const ba_checkpoint *c)
{
	if (!BA_ANY(c->suites, c->suite_count, theirs,
		    strcmp(theirs->engine, "split") == 0 &&
			    !ba_result_is_split(s->result, theirs->name)))
		return false;
	const ba_resumed from = {.checkpoints = (ba_checkpoint *)(uintptr_t)c, .count = 1};
	ba_resume_engines(s->result, &from);
	s->epoch++;
	s->restart = true;
	return true;
}

/* The coordinator's next invocation, measured by a member. May set s->restart. */
static int fetch_next(ba_session *s, size_t planned, ba_error *err)
{
	const ba_members *members = s->spec->members;
	BA_AUTO(ba_member_order) ba_member_order what = {0};
	BA_AUTO(ba_resumed) ba_resumed from = {0};
	describe(&what, s, planned);
	int64_t start = ba_now_ns();
	int rc = members->fetch(members->data, &what, &from, err);
	s->result->run.spent.measure += ba_seconds_since(start);
	if (rc || changes_engine(s, &from.checkpoints[0]))
		return rc;
	for (size_t i = 0; i < s->task_count; i++)
		s->tasks[i].took_part = false;
	BA_TRY(ba_resume_take(s, from.samples, from.sample_count, &from.checkpoints[0], true, err));
	ba_session_take_opened(s);
	ba_session_checkpoint(s);
	return 0;
}

/* ---- is a member's GPU still fit? ---- */

static bool any_failed(const ba_session *s)
{
	for (size_t i = 0; i < s->task_count; i++)
		for (size_t v = 0; v < ba_session_variants(s); v++)
			if (s->tasks[i].took_part && s->tasks[i].failure[v])
				return true;
	return false;
}

static int check_alone(ba_session *s, ba_error *err)
{
	ba_gpu_watch_report now = {0};
	const ba_engine_spec *engine = &s->suites[0].engine_spec;
	if (!engine->pci_bus_id)
		return 0;
	if (!s->watch)
		s->watch = ba_gpu_watch_new(engine);
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < ASKED_MOST; i++) {
		const struct timespec pause = {.tv_nsec = i ? ASKED_EVERY_NS : 0};
		nanosleep(&pause, NULL);
		rc = ba_gpu_watch_ask(&now, s->watch, err);
		free(now.unfit);
		if (now.others <= 0)
			return rc;
	}
	if (rc == 0)
		rc = ba_fail(err, BA_EGPU, "%d other %s the GPU", now.others,
			ba_plural((size_t)now.others, "process uses", "processes use"));
	return rc;
}

int ba_session_check_gpu(ba_session *s, ba_error *err)
{
	if (!s->spec->members || !s->spec->members->next || s->suite_count == 0)
		return 0;
	int rc = check_alone(s, err);
	/* did the variant fail, or the GPU? */
	if (rc == 0 && any_failed(s)) {
		BA_AUTO(ba_survey) ba_survey now = {0};
		rc = ba_engine_look(&now, &s->suites[0].engine_spec, err);
	}
	return rc;
}

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
		return fetch_next(s, planned, err);
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
