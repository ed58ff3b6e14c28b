#include "experiment/fetch.h"

#include <time.h>

#include "base/clock.h"
#include "base/base.h"
#include "base/names.h"
#include "base/number.h"
#include "engine/engine.h"
#include "verdict/identity.h"
#include "experiment/opened_files.h"
#include "experiment/plan.h"
#include "experiment/resume.h"
#include "session/task.h"
#include "engine/gpu_watch.h"

/* A process of our own that has just ended may still be listed. */
#define ASKED_MOST 5u
#define ASKED_EVERY_NS 100000000

/* ---- the coordinator ---- */

static bool is_split(const ba_result *r, const char *suite)
{
	for (size_t i = 0; i < r->run.suite_count; i++)
		if (strcmp(r->run.suites[i].name, suite) == 0)
			return strcmp(r->run.suites[i].engine, "split") == 0;
	return false;
}

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
		if (is_split(s->result, s->suites[i].spec->name))
			ba_strv_push(&out->split, s->suites[i].spec->name);
}

/* A member could not measure with the engine of the others: all begin again. */
static bool changes_engine(ba_session *s, const ba_checkpoint *c)
{
	bool any = false;
	for (size_t i = 0; i < c->suite_count; i++) {
		const ba_measured_suite *theirs = &c->suites[i];
		any = any ||
		      (strcmp(theirs->engine, "split") == 0 && !is_split(s->result, theirs->name));
	}
	if (!any)
		return false;
	const ba_resumed from = {.checkpoints = (ba_checkpoint *)(uintptr_t)c, .count = 1};
	ba_resume_engines(s->result, &from);
	s->epoch++;
	s->restart = true;
	return true;
}

static ba_task *task_of(ba_session *s, ba_names *ids, const char *id)
{
	size_t at = ba_names_find(ids, id);
	return at == BA_NAMES_NONE ? NULL : &s->tasks[at];
}

static int unknown(const ba_session *s, const char *id, ba_error *err)
{
	return ba_fail(err, BA_EDATA,
		"invocation %u, which a member measured, has benchmark '%s', which is not of this run",
		s->invocation, id);
}

/* Those that are decided since the member began are left out, as if nobody had measured
 * them: so what counts does not depend on who was how fast. */
static int take_samples(ba_session *s, ba_names *ids, ba_resumed *from, ba_error *err)
{
	for (size_t i = 0; i < from->sample_count; i++) {
		ba_resumed_samples *p = &from->samples[i];
		ba_task *t = task_of(s, ids, p->benchmark);
		ba_series *x = t ? ba_task_series(s, t, p->metric) : NULL;
		if (!x)
			return unknown(s, p->benchmark, err);
		if (t->active)
			ba_session_keep(s, t, p->metric, &p->samples);
	}
	return 0;
}

/* What failed once has failed. */
static void take_failures(ba_session *s, ba_task *t, const ba_benchmark_state *b)
{
	for (size_t v = 0; v < b->variant_count; v++) {
		if (b->wanted[v] || !t->wanted[v])
			continue;
		t->wanted[v] = false;
		ba_text_replace(&t->failure[v], b->failure[v]);
		ba_text_replace(&t->output[v], b->output[v]);
		ba_text_replace(&t->skipped[v], b->skipped[v]);
		if (b->failure[v])
			ba_log_printf(s->spec->log, BA_LOG_WARNING, "%s: %s failed: %s", b->id,
				s->result->run.variants[v].label, b->failure[v]);
	}
}

static int take_states(ba_session *s, ba_names *ids, const ba_checkpoint *c, ba_error *err)
{
	for (size_t i = 0; i < c->benchmark_count; i++) {
		const ba_benchmark_state *b = &c->benchmarks[i];
		ba_task *t = task_of(s, ids, b->id);
		if (!t || !ba_resume_fits(t, b))
			return unknown(s, b->id, err);
		if (!t->active)
			continue;
		t->took_part = true;
		take_failures(s, t, b);
		ba_resume_sizes(s, t, b, !t->sized);
		ba_task_set_active(s, t, b->active);
	}
	return 0;
}

static int take(ba_session *s, ba_resumed *from, ba_error *err)
{
	const ba_checkpoint *c = &from->checkpoints[0];
	BA_AUTO(ba_names) ba_names ids = {0};
	for (size_t i = 0; i < s->task_count; i++) {
		s->tasks[i].took_part = false;
		ba_names_add(&ids, s->tasks[i].benchmark->id);
	}
	int rc = take_samples(s, &ids, from, err);
	rc = rc ? rc : take_states(s, &ids, c, err);
	if (rc)
		return rc;
	if (ba_opened_files_recall(s->opened_files, s->result, &c->opened))
		ba_identity_withdraw(s->result);
	for (size_t i = 0; i < c->notes.count; i++)
		if (!ba_strv_has(&s->result->run.notes, c->notes.items[i]))
			ba_strv_push(&s->result->run.notes, c->notes.items[i]);
	ba_session_take_opened(s);
	ba_session_checkpoint(s);
	return 0;
}

int ba_members_fetch(ba_session *s, size_t planned, ba_error *err)
{
	const ba_members *members = s->spec->members;
	BA_AUTO(ba_member_order) ba_member_order what = {0};
	BA_AUTO(ba_resumed) ba_resumed from = {0};
	describe(&what, s, planned);
	int64_t start = ba_now_ns();
	int rc = members->fetch(members->data, &what, &from, err);
	s->result->run.spent.measure += ba_seconds_since(start);
	if (rc == 0 && !changes_engine(s, &from.checkpoints[0]))
		rc = take(s, &from, err);
	return rc;
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
	/* is it the variant that failed, or the GPU? */
	if (rc == 0 && any_failed(s)) {
		BA_AUTO(ba_survey) ba_survey now = {0};
		rc = ba_engine_look(&now, &s->suites[0].engine_spec, err);
	}
	return rc;
}
