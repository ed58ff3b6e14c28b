/* Lets a worker count what its variant executes, or asks of the driver, and takes its answer. */

#include "engine/engine.h"
#include "engine/row.h"

/* what a variant may report */
#define COUNTED_CALLS_MOST 1000u
#define COUNTED_INSTRUCTIONS_MOST (UINT64_C(1) << 40)
#define COUNTED_CENSUS_MOST (UINT64_C(1) << 53)
#define CODE_OBJECTS_MOST 20000u

BA_OWNS(ba_count_answer, a,
	BA_FREE_EACH(c, a->codes, a->code_count, BA_FREE((char *)c->name, (char *)c->file)),
	BA_FREE(a->instructions, a->why), ba_strv_dispose(&a->kernels))

static int read_codes(ba_count_answer *out, const ba_message *m, ba_error *err)
{
	size_t n = ba_message_count(m, "counts");
	BA_AUTO(ba_strv) ba_strv names = {0}, files = {0};
	BA_AUTO_FREE uint64_t *lines = ba_xcalloc(n + 1, sizeof(*lines));
	BA_AUTO_FREE uint64_t *counts = ba_xcalloc(n + 1, sizeof(*counts));
	BA_AUTO_FREE uint64_t *calls = ba_xcalloc(n + 1, sizeof(*calls));
	BA_AUTO_FREE uint64_t *whats = ba_xcalloc(n + 1, sizeof(*whats));
	BA_AUTO_FREE uint64_t *offsets = ba_xcalloc(n + 1, sizeof(*offsets));
	ba_message_texts(&names, m, "names");
	ba_message_texts(&files, m, "files");
	BA_TRY(ba_message_u64s(lines, n, m, "lines", err));
	BA_TRY(ba_message_u64s(counts, n, m, "counts", err));
	if (ba_message_count(m, "calls"))
		BA_TRY(ba_message_u64s(calls, n, m, "calls", err));
	if (out->census_calls)
		BA_TRY(ba_message_u64s(whats, n, m, "whats", err));
	if (ba_message_count(m, "offsets"))
		BA_TRY(ba_message_u64s(offsets, n, m, "offsets", err));
	if (BA_ANY(whats, n, what, *what >= BA_CENSUS_METRICS))
		return ba_fail(err, BA_EPROTOCOL, "counts something unknown");
	if (names.count != n || files.count != n || out->code_count + n > CODE_OBJECTS_MOST)
		return ba_fail(err, BA_EPROTOCOL,
			"reports %zu names and %zu files of %zu code objects", names.count,
			files.count, n);
	out->codes = ba_xreallocarray(out->codes, out->code_count + n + 1, sizeof(*out->codes));
	for (size_t i = 0; i < n; i++)
		out->codes[out->code_count++] =
			(ba_code_count){.name = ba_text_safe(names.items[i]),
				.file = ba_text_safe(files.items[i]),
				.line = (unsigned)lines[i],
				.count = counts[i],
				.calls = calls[i],
				.what = BA_CENSUS_FIRST + (unsigned)whats[i],
				.offset = offsets[i]};
	return 0;
}

static int read_census(ba_count_answer *out, const ba_message *m, ba_error *err)
{
	BA_TRY(ba_message_u64s(out->census, BA_CENSUS_METRICS, m, "census", err));
	BA_TRY(ba_message_u64(&out->census_calls, m, "calls_made", err));
	if (!out->census_calls || out->census_calls > COUNTED_CALLS_MOST)
		return ba_fail(err, BA_EPROTOCOL, "a census of %llu calls",
			(unsigned long long)out->census_calls);
	for (size_t i = 0; i < BA_CENSUS_METRICS; i++)
		if (out->census[i] > COUNTED_CENSUS_MOST)
			return ba_fail(err, BA_EPROTOCOL, "a census with %llu %s",
				(unsigned long long)out->census[i],
				ba_metric_get((ba_metric)(BA_CENSUS_FIRST + i))->name);
	ba_message_texts(&out->kernels, m, "kernels");
	out->kernels_known = ba_message_bool(m, "kernels_known");
	return read_codes(out, m, err);
}

static int read_answer(ba_count_answer *out, const ba_message *m, ba_error *err)
{
	size_t n = ba_message_count(m, "instructions");
	if (n > COUNTED_CALLS_MOST)
		return ba_fail(err, BA_EPROTOCOL, "counted %zu calls", n);
	out->instructions = ba_xcalloc(n + 1, sizeof(*out->instructions));
	int rc = ba_message_u64s(out->instructions, n, m, "instructions", err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (out->instructions[i] == 0 || out->instructions[i] > COUNTED_INSTRUCTIONS_MOST)
			rc = ba_fail(err, BA_EPROTOCOL, "counted %llu instructions of a call",
				(unsigned long long)out->instructions[i]);
	if (rc)
		return rc;
	out->calls = n;
	if (n)
		return 0;
	if (ba_message_count(m, "census"))
		return read_census(out, m, err);
	const char *why = ba_message_text(m, "text");
	out->why = ba_text_sentence(*why ? why : "counted nothing and did not say why");
	out->fault = ba_message_bool(m, "fault");
	out->broken = ba_message_bool(m, "broken");
	return 0;
}

static int hear_code(
	void *data, const ba_message *m, const size_t *variants, size_t n, ba_error *err)
{
	return strcmp(m->type, "code") == 0 ? read_codes(data, m, err) : 0;
}

int ba_engine_ask_count(ba_engine *e, const ba_count_request *q, ba_failure *f)
{
	BA_REQUIRE(!e->row->shares);
	for (size_t i = 0; i < e->slot_count; i++) {
		BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
		size_t v = e->slots[i].variants[0];
		BA_MESSAGE(&m, "count", BA_SAY_TEXT("mode", "submit"),
			BA_SAY_U64("calls", q->calls), BA_SAY_U64("warm_up", q->warm_up),
			BA_SAY_U64("most", q->most), BA_SAY_TEXT("way", q->way),
			BA_SAY_TEXT("trace", q->traces[v]), BA_SAY_BOOL("code", q->codes));
		if (q->wanted[v])
			BA_TRY(ba_worker_slot_send(&e->slots[i], &m, f));
	}
	return 0;
}

static int take_answer(ba_worker_slot *s, ba_count_answer *out, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_error why;
	BA_TRY(ba_worker_slot_await(s, "counted", &reply, (ba_hearer){hear_code, out}, f));
	return read_answer(out, &reply, &why) ? ba_worker_slot_reject(s, &why, f) : 0;
}

int ba_engine_counted(
	ba_engine *e, const ba_count_request *q, ba_count_answer *answers, ba_failure *f)
{
	for (size_t i = 0; i < e->slot_count; i++) {
		size_t v = e->slots[i].variants[0];
		if (q->wanted[v])
			BA_TRY(take_answer(&e->slots[i], &answers[v], f));
	}
	return 0;
}
