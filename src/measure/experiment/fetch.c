#include "experiment/invoke.h"

#include "experiment/plan.h"

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

int ba_members_fetch(ba_session *s, size_t planned, ba_error *err)
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
