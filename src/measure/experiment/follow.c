/* A member of a run measures by the orders of the coordinator. */
#include "experiment/experiment.h"

#include "session/prepare.h"
#include "experiment/invoke.h"
#include "experiment/plan.h"

static int check_order(const ba_session *s, const ba_member_order *o, ba_error *err)
{
	if (!o->open || strlen(o->open) != s->task_count)
		return ba_fail(err, BA_EDATA,
			"the coordinator measures %zu benchmarks, and this process found %zu",
			o->open ? strlen(o->open) : 0, s->task_count);
	return 0;
}

static void change_engines(ba_session *s, const ba_member_order *o)
{
	for (size_t i = 0; i < s->suite_count; i++)
		if (ba_strv_has(&o->split, s->suites[i].spec->name) &&
			s->suites[i].engine_spec.kind == BA_ENGINE_DUET)
			ba_session_split(s, &s->suites[i], "another GPU needed that");
	if (s->epoch != o->epoch)
		s->restart = true;
	s->epoch = o->epoch;
}

static int follow(ba_session *s, const ba_member_order *o, ba_error *err)
{
	BA_TRY(check_order(s, o, err));
	change_engines(s, o);
	s->result->decided.looks_done = o->looks;
	ba_session_set_controls(s);
	for (;;) {
		if (s->restart)
			ba_session_begin_again(s);
		s->invocation = o->invocation;
		for (size_t i = 0; i < s->task_count; i++)
			ba_task_set_active(
				s, &s->tasks[i], s->tasks[i].active && o->open[i] == '1');
		int rc = ba_session_invoke_all(s, o->invocation + 1, 1, err);
		if (rc || !s->restart)
			return rc;
	}
}

int ba_experiment_follow(
	ba_result *result, const ba_session_spec *spec, const bool *has, ba_error *err)
{
	ba_session s;
	bool end = false;
	int rc = ba_session_plan(&s, result, spec, has, err);
	rc = rc ? rc : ba_session_check_gpu(&s, err);
	while (rc == 0 && !end) {
		BA_AUTO(ba_member_order) ba_member_order o = {0};
		rc = spec->members->next(spec->members->data, &o, err);
		end = o.end;
		if (rc == 0 && !end)
			rc = follow(&s, &o, err);
	}
	ba_session_dispose(&s);
	return rc;
}
