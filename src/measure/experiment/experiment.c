#include "experiment/experiment.h"

#include "session/invocation.h"
#include "verdict/explain.h"
#include "devicecode/inspect.h"
#include "instructions/count.h"
#include "verdict/estimate.h"
#include "verdict/identity.h"
#include "session/prepare.h"
#include "experiment/invoke.h"
#include "experiment/plan.h"

/* ---- the budget ---- */

/* Did the budget, rather than a signal, end a wait? */
static int end_by_budget(ba_session *s, int rc)
{
	const volatile sig_atomic_t *stop = s->suite_count ? s->suites[0].spec->engine.stop : NULL;
	if (rc != BA_EINTERRUPTED || !ba_session_has_end(s) || (stop && *stop))
		return rc;
	s->cut = true;
	return 0;
}

static double invocation_ns(const ba_session *s)
{
	double mean = (double)(ba_now_ns() - s->started_ns) / fmax(s->invocation, 1);
	double expected = ba_session_expected_ns(s);
	/* decided benchmarks have left, and the others may have more blocks, or go on in
	 * rotation */
	return expected > 0 ? expected : mean;
}

/* How many invocations come before the look, as far as the budget goes. */
static size_t affordable(const ba_session *s, size_t planned)
{
	size_t n = planned - s->invocation;
	while (n > 1 && ba_session_is_late(s, (double)n * invocation_ns(s)))
		n--;
	return n;
}

static void stop(ba_session *s, const char *why, const char *note)
{
	ba_text_replace(&s->result->decided.stopped, why);
	if (note)
		ba_strv_push(&s->result->run.notes, note);
}

/* Is the budget over before the look that comes next? Estimates need no look. */
static bool ends_before(ba_session *s, size_t target)
{
	bool first = s->invocation == ba_session_first(s);
	if (!s->cut &&
		(first || !ba_session_candidates(s) || !ba_session_is_late(s, invocation_ns(s))))
		return false;
	double needed = invocation_ns(s) * (double)target + s->result->run.spent.survey * 1e9;
	BA_AUTO_FREE char *note = ba_xprintf(
		"stopped by the budget (--budget) after %u of the %zu invocations that a verdict needs; --budget %.0fs is about enough",
		s->invocation, target, ceil(needed * 1e-9));
	stop(s, "budget", note);
	return true;
}

/* Reports the plan once: after two invocations, when their variation is known; after
 * one if there will be no verdicts. */
static void tell_plan(ba_session *s)
{
	ba_costs costs = {.budget_ns = (double)s->spec->budget_ns,
		.aims = s->spec->aims,
		.spent_ns = ba_session_spent_ns(s),
		.next_ns = invocation_ns(s),
		.done = s->invocation,
		.design = &s->spec->design};
	bool enough = costs.done && ba_budget_plan(&costs).invocations >= costs.design->at[0];
	if (s->plan_told || !costs.done || costs.budget_ns <= 0 || s->cut ||
		ba_session_is_resumed(s) || !ba_session_candidates(s) || s->spec->parts ||
		(costs.done < 2 && enough))
		return;
	s->plan_told = true;
	ba_costs_learn(&costs, s->result);
	BA_AUTO_FREE char *text = ba_budget_text(&costs);
	ba_log_printf(
		s->spec->log, BA_LOG_INFO, "%s--budget: %s", costs.aims ? "without " : "", text);
}

/* share of the budget until a look, because the rest takes time, too */
#define FIT 0.95
/* share of the blocks that a look is worth */
#define WORTH 0.5

static void fit(ba_session *s, size_t look)
{
	if (s->spec->budget_ns > 0 && s->invocation)
		ba_session_fit_blocks(s, look,
			FIT * (double)s->spec->budget_ns - ba_session_spent_ns(s),
			invocation_ns(s));
}

/* The shortest time until the look: processes that go on in rotation prepare while others
 * measure. */
static double until_ns(const ba_session *s, size_t look)
{
	double start = ba_session_start_ns(s), left = (double)(look - s->invocation);
	size_t turns = ba_rotation_turns(s, look - s->invocation);
	return left * (invocation_ns(s) - start + start / fmax((double)turns, 1));
}

/* NULL: none. A whole program takes as long with fewer benchmarks. */
static ba_task *longest(const ba_session *s)
{
	ba_task *found = NULL;
	double most = 0;
	BA_EACH (ba_task, t, s->tasks, s->task_count) {
		double ns = t->active && !t->suite->ops->invoke ? ba_session_task_ns(s, t) : 0;
		if (ns > most) {
			most = ns;
			found = t;
		}
	}
	return found;
}

static bool is_too_long(const ba_session *s, size_t look)
{
	return s->active_count &&
	       ba_session_spent_ns(s) + until_ns(s, look) > (double)s->spec->budget_ns;
}

/* Before the first look, and with blocks that are as few as possible: leaves out the longest
 * benchmarks, so that the others have a verdict. If even the shortest does not fit, all stay. */
static void leave_out(ba_session *s, size_t look)
{
	double all = (double)(s->active_count + s->left_out), n = (double)s->active_count;
	if (!ba_session_may_leave_out(s) || s->invocation >= look || s->cut || !n)
		return;
	double enough = (ba_session_spent_ns(s) + until_ns(s, look)) * all / n;
	BA_AUTO_FREE ba_task **out = ba_xcalloc(s->active_count, sizeof(ba_task *));
	size_t count = 0;
	while (is_too_long(s, look) && (out[count] = longest(s)))
		ba_task_set_active(s, out[count++], false);
	bool none = is_too_long(s, look) || !s->active_count;
	for (size_t i = 0; i < count && none; i++)
		ba_task_set_active(s, out[i], true);
	s->left_out += none ? 0 : count;
	if (!s->left_out || (s->left_out_note && (none || !count)))
		return;
	ba_text_own(&s->left_out_note,
		ba_xprintf(
			"%zu of %zu benchmarks do not fit into the budget and are left out; --budget %.0fs is about enough for all",
			s->left_out, s->task_count, ceil(enough * 1e-9)));
	ba_log_printf(s->spec->log, BA_LOG_INFO, "%s", s->left_out_note);
}

/* planned: for the progress; at least target */
static int invoke_until(ba_session *s, size_t target, size_t planned, ba_error *err)
{
	while (s->invocation < target) {
		if (s->active_count == 0 || ends_before(s, target))
			return 0;
		BA_TRY(end_by_budget(
			s, ba_session_invoke_all(s, planned, affordable(s, planned), err)));
		if (s->restart && !s->cut)
			ba_session_begin_again(s);
		else
			s->invocation += ba_session_step(s);
		fit(s, target);
		leave_out(s, target);
		tell_plan(s);
		if (s->cut)
			return ends_before(s, target), 0;
	}
	return 0;
}

/* ---- the looks ---- */

static bool budget_ends(const ba_session *s, size_t next)
{
	if (s->spec->budget_ns <= 0 || s->invocation == 0 || ba_session_is_resumed(s))
		return false;
	double each = invocation_ns(s), start = ba_session_start_ns(s);
	/* with fewer blocks, if they have a number of their own */
	if (ba_session_candidates(s) && start > 0 && start < each && !s->spec->blocks)
		each = start + WORTH * (each - start);
	return ba_session_spent_ns(s) + each * (double)(next - s->invocation) >
	       (double)s->spec->budget_ns;
}

/* Could one of the looks so far have shown a change? */
static bool could_flag(const ba_session *s)
{
	ba_policy policy = ba_policy_of(s->result, 0);
	for (size_t k = 0; k < s->result->decided.looks_done; k++)
		if (ba_design_can_flag(
			    &s->spec->design, k, &policy, s->result->decided.family_size))
			return true;
	return false;
}

/* Is there a reason to end before the design's next look? */
static bool ends_early(ba_session *s)
{
	if (s->spec->fail_fast &&
		(ba_decisions_has(&s->decisions, BA_VERDICT_REGRESSED) ||
			ba_decisions_has(&s->decisions, BA_VERDICT_TAIL_REGRESSED))) {
		stop(s, "fail-fast", "stopped at the first regression (--fail-fast)");
		return true;
	}
	if (budget_ends(s, s->spec->design.at[s->result->decided.looks_done]) &&
		(!s->spec->aims || could_flag(s))) {
		stop(s, "budget",
			s->spec->aims
				? NULL
				: "stopped by the budget (--budget) before every comparison was conclusive");
		return true;
	}
	return false;
}

static void retire_decided(ba_session *s)
{
	BA_EACH (ba_task, t, s->tasks, s->task_count)
		ba_task_set_active(s, t,
			t->active && ba_task_is_measurable(s, t) &&
				BA_ANY_METRIC(m, ba_task_is_undecided(s, t, m)));
}

/* One variant: no looks, nothing to decide. */
static int measure_alone(ba_session *s, ba_error *err)
{
	size_t planned = s->spec->design.at[0];
	int rc = 0;
	while (rc == 0 && s->invocation < planned && !*s->result->decided.stopped) {
		size_t before = s->invocation;
		if (budget_ends(s, before + 1)) {
			stop(s, "budget",
				"stopped by the budget (--budget) before all invocations were made");
			return 0;
		}
		rc = invoke_until(s, before + 1, planned, err);
		if (s->invocation == before)
			return rc; /* nothing is left to measure */
	}
	return rc;
}

/* If a control of equal code is not equally fast, the run begins again, with all
 * benchmarks. */
static bool begin_again_with_all(ba_session *s)
{
	const ba_benchmark *b = ba_identity_doubted(s->result);
	if (!b)
		return false;
	ba_strv_printf(&s->result->run.notes,
		"%s was a control: its variants have the same host code and kernels, and are not equally fast. The comparison of code missed something, so every benchmark is measured",
		b->id);
	ba_session_distrust(s);
	s->epoch++;
	ba_session_begin_again(s);
	return true;
}

/* After a restart the looks begin anew, too: r->looks_done is 0 again. */
static int measure_looks(ba_session *s, ba_error *err)
{
	const ba_design *design = &s->spec->design;
	ba_result *r = s->result;
	if (ba_session_candidates(s) == 0)
		return measure_alone(s, err);
	while (r->decided.looks_done < design->looks) {
		size_t look = r->decided.looks_done;
		int rc = invoke_until(s, design->at[look], design->at[look], err);
		if (rc || *r->decided.stopped)
			return rc;
		if (r->decided.looks_done < look)
			continue;
		int64_t start = ba_now_ns();
		ba_session_note_failures(s);
		size_t open = ba_decisions_look(&s->decisions, r);
		if (begin_again_with_all(s))
			continue;
		ba_session_set_controls(s);
		retire_decided(s);
		r->run.spent.judge += ba_seconds_since(start);
		if (open == 0 || r->decided.looks_done == design->looks || ends_early(s))
			return 0;
		ba_session_next_blocks(s);
		fit(s, design->at[r->decided.looks_done]);
	}
	return 0;
}

/* ---- the end ---- */

static void finish(ba_session *s)
{
	ba_result *r = s->result;
	int64_t start = ba_now_ns();
	r->run.measure_seconds = ba_seconds_since(s->started_ns);
	if (s->left_out_note)
		stop(s, "budget", s->left_out_note);
	ba_session_note_failures(s);
	ba_decisions_finish(&s->decisions, r);
	ba_explain_run(r);
	if (s->spec->aims && strcmp(r->decided.stopped, "budget") == 0)
		ba_strv_push_take(&r->run.notes, ba_budget_more(r, &s->decisions.prospect));
	r->run.spent.judge += ba_seconds_since(start);
}

int ba_experiment_run(
	ba_result *result, const ba_session_spec *spec, const bool *has, ba_error *err)
{
	ba_session s;
	int rc = ba_session_plan(&s, result, spec, has, err);
	double left = BA_BUDGET_LIMIT_NS(spec->budget_ns) - ba_session_spent_ns(&s);
	if (ba_session_has_end(&s))
		ba_proc_end_waits_at(ba_now_ns() + (int64_t)left);
	rc = end_by_budget(&s, rc ? rc : measure_looks(&s, err));
	rc = end_by_budget(&s, rc ? rc : ba_session_explain(&s, err));
	ba_proc_end_waits_at(0);
	if (spec->members)
		spec->members->dismiss(spec->members->data);
	if (rc == BA_EINTERRUPTED) {
		result->run.interrupted = true;
		stop(&s, "signal", NULL);
		rc = 0;
	}
	if (rc == 0)
		finish(&s);
	if (rc == 0 && !result->run.interrupted) {
		ba_session_read_counters(&s);
		ba_session_disassemble(&s);
	}
	if (rc == 0)
		ba_session_drop_uncounted(&s);
	ba_session_dispose(&s);
	return rc;
}
