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
