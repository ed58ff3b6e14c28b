#include "engine/program_talk.h"

ba_talk ba_talk_with(const ba_worker_slot *s, ba_failure *f)
{
	return (ba_talk){.link = s->link, .spec = s->spec, .variant = s->variants[0], .f = f};
}

int ba_talk_fail_variant(const ba_talk *t, char *text, bool gone)
{
	int rc = ba_failure_blame(t->f, t->variant, text);
	t->f->gone = gone;
	t->f->output = t->link ? ba_link_output(t->link) : NULL;
	return rc;
}

/* What the link reports is the variant's failure, except a signal to this process and
 * the tool's own limits. */
int ba_talk_fail_link(const ba_talk *t, int rc)
{
	if (rc == BA_EWORKER && ba_link_end_of(t->link).file_limit)
		return ba_error_as(t->f->err, BA_EIO);
	if (rc == BA_EWORKER)
		return ba_talk_fail_variant(t, ba_link_end_text(t->link), true);
	return rc;
}

int ba_talk_send(const ba_talk *t, ba_buf *request)
{
	return ba_talk_fail_link(t, ba_link_send(t->link, request, t->f->err));
}

static int fail_message(const ba_talk *t, const ba_message *m)
{
	const char *text = ba_message_text(m, "text");
	return ba_talk_fail_variant(t, ba_text_sentence(*text ? text : "failed without a message"),
		ba_message_bool(m, "lost"));
}

static void note(const ba_talk *t, const ba_message *m)
{
	BA_AUTO_FREE char *text = ba_text_sentence(ba_message_text(m, "text"));
	ba_log_printf(
		t->spec->log, BA_LOG_INFO, "%s: %s", t->spec->variants[t->variant].label, text);
}

int ba_talk_reject(const ba_talk *t, const ba_error *why)
{
	return ba_talk_fail_link(t, ba_link_reject(t->link, t->f->err, "%s", why->text));
}

/* Receives messages until the one that ends the answer. */
int ba_talk_hear(const ba_talk *t, const char *ends_with, ba_message *reply)
{
	int rc = 0;
	while (rc == 0) {
		BA_AUTO(ba_message) ba_message m = {0};
		ba_error why;
		rc = ba_link_receive(&m, t->link, t->f->err);
		if (rc)
			break;
		if (strcmp(m.type, ends_with) == 0) {
			*reply = BA_MOVE(m);
			return 0;
		}
		if (strcmp(m.type, "failed") == 0)
			return fail_message(t, &m);
		if (strcmp(m.type, "note") == 0)
			note(t, &m);
		else if (t->hear && t->hear(t->data, &m, &why))
			return ba_talk_reject(t, &why);
	}
	return ba_talk_fail_link(t, rc);
}

int ba_talk_ask(const ba_talk *t, ba_buf *request, const char *ends_with, ba_message *reply)
{
	int rc = ba_talk_send(t, request);
	return rc ? rc : ba_talk_hear(t, ends_with, reply);
}
