#include "engine/program_talk.h"

#include "base/base.h"

ba_talk ba_talk_with(const ba_engine *e, const ba_worker_slot *s, ba_failure *failure)
{
	return (ba_talk){
		.link = s->link, .spec = e->spec, .variant = s->variants[0], .failure = failure};
}

int ba_talk_fail_variant(const ba_talk *t, char *text, bool gone, ba_error *err)
{
	ba_failure_dispose(t->failure);
	*t->failure = (ba_failure){.variant = (int)t->variant,
		.code = BA_EVARIANT,
		.gone = gone,
		.text = text,
		.output = t->link ? ba_link_output(t->link) : NULL};
	return ba_fail(err, BA_EVARIANT, "%s", text);
}

/* What the link says of it is the variant's, but for a signal to us and a limit of ours. */
int ba_talk_fail_link(const ba_talk *t, int rc, ba_error *err)
{
	if (rc == BA_EWORKER && ba_link_end_of(t->link).file_limit)
		return ba_error_as(err, BA_EIO);
	if (rc == BA_EWORKER)
		return ba_talk_fail_variant(t, ba_link_end_text(t->link), true, err);
	return rc;
}

int ba_talk_send(const ba_talk *t, ba_buf *request, ba_error *err)
{
	return ba_talk_fail_link(t, ba_link_send(t->link, request, err), err);
}

static int fail_message(const ba_talk *t, const ba_message *m, ba_error *err)
{
	const char *text = ba_message_text(m, "text");
	return ba_talk_fail_variant(t, ba_text_sentence(*text ? text : "failed without a message"),
		ba_message_bool(m, "lost"), err);
}

static void note(const ba_talk *t, const ba_message *m)
{
	BA_AUTO_FREE char *text = ba_text_sentence(ba_message_text(m, "text"));
	ba_log_printf(
		t->spec->log, BA_LOG_INFO, "%s: %s", t->spec->variants[t->variant].label, text);
}

int ba_talk_reject(const ba_talk *t, const ba_error *why, ba_error *err)
{
	return ba_talk_fail_link(t, ba_link_reject(t->link, err, "%s", why->text), err);
}

/* Hears until the message that ends the answer. */
int ba_talk_hear(const ba_talk *t, const char *ends_with, ba_message *reply, ba_error *err)
{
	int rc = 0;
	while (rc == 0) {
		BA_AUTO(ba_message) ba_message m = {0};
		ba_error why;
		rc = ba_link_receive(&m, t->link, err);
		if (rc)
			break;
		if (strcmp(m.type, ends_with) == 0) {
			*reply = m;
			m = (ba_message){0};
			return 0;
		}
		if (strcmp(m.type, "failed") == 0)
			return fail_message(t, &m, err);
		if (strcmp(m.type, "note") == 0)
			note(t, &m);
		else if (t->hear && t->hear(t->data, &m, &why))
			return ba_talk_reject(t, &why, err);
	}
	return ba_talk_fail_link(t, rc, err);
}

int ba_talk_ask(
	const ba_talk *t, ba_buf *request, const char *ends_with, ba_message *reply, ba_error *err)
{
	int rc = ba_talk_send(t, request, err);
	return rc ? rc : ba_talk_hear(t, ends_with, reply, err);
}
