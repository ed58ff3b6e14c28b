/* What each benchmark executes of its suite's code, where only kernels differ: the kernels that it
 * launches are noted in processes of their own, before anything is measured. */
#include "instructions/count.h"
#include "instructions/process_set.h"
#include "session/task.h"

void ba_launched_keep(ba_process_set *q, ba_task *t, ba_count_answer *answers)
{
	const ba_measured_suite *m = ba_measured_suite_of(&q->s->result->run, t->benchmark);
	ba_strv_dispose(&t->benchmark->executes);
	for (size_t v = 0; v < ba_session_variants(q->s); v++) {
		char digest[65];
		ba_measured_suite_digest(digest, m, v, &answers[v].kernels);
		ba_strv_push(&t->benchmark->executes, answers[v].kernels_known ? digest : "");
	}
}

/* Has a candidate other kernels, and the same host code? */
static bool is_worth_it(const ba_session *s, const ba_session_suite *suite, const ba_task *t)
{
	const ba_measured_suite *m = ba_measured_suite_of(&s->result->run, t->benchmark);
	if (t->suite != suite || !suite->spec->census || !m || !m->host.count ||
		!m->executes.count || !*m->host.items[0] || !t->wanted[0])
		return false;
	for (size_t c = 1; c < ba_session_variants(s); c++)
		if (t->wanted[c] && strcmp(m->host.items[0], m->host.items[c]) == 0 &&
			strcmp(m->executes.items[0], m->executes.items[c]) != 0)
			return true;
	return false;
}

int ba_session_note_launched(ba_session *s, ba_error *err)
{
	BA_AUTO_FREE ba_task **tasks = ba_xcalloc(s->task_count + 1, sizeof(ba_task *));
	int rc = 0;
	if (!s->result->run.controls || s->spec->members)
		return 0;
	s->notes_launched = true;
	BA_EACH (ba_session_suite, suite, s->suites, s->suite_count) {
		ba_count_pass pass = {.census = true, .tasks = tasks};
		BA_EACH (ba_task, t, s->tasks, s->task_count)
			if (is_worth_it(s, suite, t))
				tasks[pass.count++] = t;
		if (rc == 0 && pass.count)
			rc = ba_session_count_pass(s, suite, &pass, err);
	}
	s->notes_launched = false;
	return rc;
}
