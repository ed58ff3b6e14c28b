#include "engine/worker_slot.h"
#include "engine/spec.h"
#include "model/series.h"

/* the most messages before one answer, with and without a hearer. A survey may list
 * 20000 benchmarks; otherwise there are a few notes and failures for each variant */
#define HEARD_MOST 1000000u
#define UNHEARD_MOST 10000u

/* Translates the worker's index of a variant: to the run's index, or to nobody. */
static int global_index(const ba_worker_slot *s, int64_t local)
{
	return local >= 0 && (size_t)local < s->count ? (int)s->variants[local] : BA_BEACON_NOBODY;
}

/* Codes that a worker may report. BA_EVARIANT needs a variant, and interruptions are
 * only known to the host. */
static int own_code(int64_t code)
{
	static const int known[] = {
		BA_EIO, BA_EINVAL, BA_ELIBRARY, BA_EGPU, BA_ESIMULATED, BA_EUNSUPPORTED};
	return BA_ANY(known, BA_COUNT(known), one, *one == code) ? (int)code : BA_EPROTOCOL;
}

/* A worker that died, as a failure of the variant whose code ran. */
static int failure_of_death(ba_worker_slot *s, ba_failure *f)
{
	ba_link_end end = ba_link_end_of(s->link);
	ba_failure_dispose(f);
	*f = (ba_failure){.err = f->err,
		.variant = end.file_limit ? BA_BEACON_NOBODY : global_index(s, end.variant),
		.code = BA_EWORKER,
		.gone = true,
		.text = ba_link_end_text(s->link),
		.output = ba_link_output(s->link)};
	const char *output = f->output;
	if (f->variant != BA_BEACON_NOBODY)
		return ba_fail(f->err, BA_EVARIANT, "%s", f->text);
	return ba_fail(f->err, ba_link_is_program(s->link) ? BA_EIO : BA_EWORKER,
		"the worker was lost: %s%s%s", f->text, output ? "; its last output:\n" : "",
		output ? ba_text_last_lines(output, 4) : "");
}

int ba_worker_slot_fail(ba_worker_slot *s, int rc, ba_failure *f)
{
	return rc == BA_EWORKER ? failure_of_death(s, f) : rc;
}

int ba_worker_slot_reject(ba_worker_slot *s, const ba_error *why, ba_failure *f)
{
	if (!ba_link_is_program(s->link))
		return ba_fail(f->err, why->code, "%s", why->text);
	return ba_worker_slot_fail(s, ba_link_reject(s->link, f->err, "%s", why->text), f);
}

static int failure_of_message(ba_worker_slot *s, const ba_message *m, ba_failure *f)
{
	int64_t variant = BA_BEACON_NOBODY, code = BA_EPROTOCOL;
	const char *text = ba_message_text(m, "text");
	ba_message_i64(&variant, m, "variant", NULL);
	ba_message_i64(&code, m, "code", NULL);
	ba_failure_dispose(f);
	*f = (ba_failure){.err = f->err,
		.variant = global_index(s, ba_link_is_program(s->link) ? 0 : variant),
		.code = own_code(code),
		.gone = ba_message_bool(m, "lost"),
		.certain = ba_message_bool(m, "certain"),
		.text = ba_text_sentence(*text ? text : "it failed and did not say why"),
		.output = ba_link_output(s->link)};
	bool variants = f->variant != BA_BEACON_NOBODY;
	return ba_fail(f->err, variants ? BA_EVARIANT : f->code, "%s", f->text);
}

static int hear_survey(
	void *data, const ba_message *m, const size_t *variants, size_t n, ba_error *err)
{
	ba_survey_hear(data, m, variants, n);
	return 0;
}

ba_hearer ba_survey_hearer(ba_survey *survey)
{
	return survey ? (ba_hearer){hear_survey, survey} : (ba_hearer){0};
}

/* Keeps the first failure in *failure and its code in *result. Does it end the request?
 * A failure of the tool and a lost context do, even if another failure came first. A
 * program has nothing else to say. */
static bool hear_failure(ba_worker_slot *s, const ba_message *m, int *result, ba_failure *f)
{
	bool first = *result == 0;
	ba_error ignored;
	BA_AUTO(ba_failure) ba_failure this = {.err = first ? f->err : &ignored};
	int rc = failure_of_message(s, m, &this);
	bool ends = this.variant == BA_BEACON_NOBODY || this.gone || ba_link_is_program(s->link);
	if (first) {
		*result = rc;
		ba_failure_dispose(f);
		*f = BA_MOVE(this);
	}
	f->gone = f->gone || this.gone;
	return ends;
}

static void note(const ba_worker_slot *s, const ba_message *m)
{
	BA_AUTO_FREE char *text = ba_text_sentence(ba_message_text(m, "text"));
	bool program = ba_link_is_program(s->link);
	ba_log_printf(s->spec->log, BA_LOG_INFO, "%s%s%s",
		program ? s->spec->variants[s->variants[0]].label : "", program ? ": " : "", text);
}

/* Receives until the message of that type. The first "failed" is kept in *failure and
 * decides the result; if the worker continues after it, so does this function. */
int ba_worker_slot_await(
	ba_worker_slot *s, const char *type, ba_message *out, ba_hearer h, ba_failure *f)
{
	unsigned most = h.hear ? HEARD_MOST : UNHEARD_MOST;
	int result = 0;
	for (unsigned news = 0;; news++) {
		BA_AUTO(ba_message) ba_message m = {0};
		ba_error trouble;
		int rc = ba_link_receive(&m, s->link, &trouble);
		if (rc == BA_EWORKER && result) {
			f->gone = true;
			return result;
		}
		if (rc)
			return rc == BA_EWORKER ? failure_of_death(s, f)
						: ba_fail(f->err, rc, "%s", trouble.text);
		if (strcmp(m.type, type) == 0) {
			*out = BA_MOVE(m);
			return result;
		}
		if (news == most)
			return ba_fail(f->err, BA_EPROTOCOL,
				"the worker sent more than %u messages before it answered '%s'",
				most, type);
		if (strcmp(m.type, "note") == 0) {
			note(s, &m);
		} else if (strcmp(m.type, "failed") == 0) {
			if (hear_failure(s, &m, &result, f))
				return result;
		} else if (h.hear && h.hear(h.data, &m, s->variants, s->count, &trouble)) {
			return ba_worker_slot_reject(s, &trouble, f);
		}
	}
}

int ba_worker_slot_send(ba_worker_slot *s, ba_buf *message, ba_failure *f)
{
	return ba_worker_slot_fail(s, ba_link_send(s->link, message, f->err), f);
}

int ba_worker_slot_request(ba_worker_slot *s, const char *type, const ba_say *fields, size_t count,
	const char *reply_type, ba_message *reply, ba_hearer h, ba_failure *f)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, type);
	ba_message_add(&m, fields, count);
	BA_TRY(ba_worker_slot_send(s, &m, f));
	return ba_worker_slot_await(s, reply_type, reply, h, f);
}

int ba_worker_slot_ask(ba_worker_slot *s, const char *type, const char *reply_type,
	ba_survey *survey, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	return ba_worker_slot_request(
		s, type, NULL, 0, reply_type, &reply, ba_survey_hearer(survey), f);
}

void ba_worker_slot_end(ba_worker_slot *s)
{
	ba_link_free(s->link);
	if (s->socket > 0)
		close(s->socket);
	s->link = NULL;
	s->socket = 0;
	s->last_visit = SIZE_MAX;
}

int ba_worker_slot_ask_device(ba_worker_slot *s, ba_failure *f)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_MESSAGE(&m, "open", BA_SAY_TEXT("target", s->spec->target),
		BA_SAY_TEXT("driver", s->spec->driver), BA_SAY_TEXT("observer", s->spec->observer),
		BA_SAY_I64("device", s->spec->device), BA_SAY_I64("cpu", s->spec->cpu),
		BA_SAY_TEXT("flush", s->spec->flush),
		BA_SAY_IF(s->spec->kind == BA_ENGINE_UNTRUSTED, BA_SAY_TEXT("witness", "host")));
	return ba_worker_slot_send(s, &m, f);
}

int ba_worker_slot_hear_device(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = ba_worker_slot_await(s, "opened", &reply, (ba_hearer){0}, f);
	if (rc == 0 && survey)
		ba_text_replace(&survey->driver_path, ba_message_text(&reply, "driver"));
	return rc;
}

int ba_worker_slot_open_device(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	BA_TRY(ba_worker_slot_ask_device(s, f));
	return ba_worker_slot_hear_device(s, survey, f);
}

int ba_failure_blame(ba_failure *f, size_t variant, char *text)
{
	ba_failure_dispose(f);
	f->variant = (int)variant;
	f->code = BA_EVARIANT;
	f->text = text;
	return ba_fail(f->err, BA_EVARIANT, "%s", text);
}

int ba_failure_accuse(ba_failure *f, size_t variant, char *text)
{
	BA_AUTO_FREE char *mine = text;
	return ba_failure_blame(
		f, variant, ba_xprintf("%s%s", variant ? BA_FAULT_WORDS_CHEATED ": " : "", mine));
}

void ba_failure_dispose(ba_failure *f)
{
	BA_FREE(f->text, f->output);
	*f = (ba_failure){.err = f->err};
}
