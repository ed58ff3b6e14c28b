/* Lets a variant's program count instructions, and takes its answer. */

#include "engine/program_talk.h"

#define CODE_OBJECTS_MOST 20000u

int ba_count_read_codes(ba_count_answer *out, const ba_message *m, ba_error *err)
{
	size_t n = ba_message_count(m, "counts");
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_AUTO(ba_strv) ba_strv files = {0};
	BA_AUTO_FREE uint64_t *lines = ba_xcalloc(n + 1, sizeof(*lines));
	BA_AUTO_FREE uint64_t *counts = ba_xcalloc(n + 1, sizeof(*counts));
	BA_AUTO_FREE uint64_t *calls = ba_xcalloc(n + 1, sizeof(*calls));
	BA_AUTO_FREE uint64_t *whats = ba_xcalloc(n + 1, sizeof(*whats));
	ba_message_texts(&names, m, "names");
	ba_message_texts(&files, m, "files");
	int rc = ba_message_u64s(lines, n, m, "lines", err);
	rc = rc ? rc : ba_message_u64s(counts, n, m, "counts", err);
	if (rc == 0 && ba_message_count(m, "calls"))
		rc = ba_message_u64s(calls, n, m, "calls", err);
	if (rc == 0 && out->census_calls)
		rc = ba_message_u64s(whats, n, m, "whats", err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (whats[i] >= BA_CENSUS_METRICS)
			rc = ba_fail(err, BA_EPROTOCOL, "counts something unknown");
	if (rc)
		return rc;
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
				.what = BA_CENSUS_FIRST + (unsigned)whats[i]};
	return 0;
}

static int hear_code(void *data, const ba_message *m, ba_error *err)
{
	return strcmp(m->type, "code") == 0 ? ba_count_read_codes(data, m, err) : 0;
}

int ba_program_count(ba_worker_slot *s, const ba_count_request *q, ba_failure *f)
{
	const ba_talk t = ba_talk_with(s, f);
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_count_put(&m, q, t.variant);
	return ba_talk_send(&t, &m);
}

int ba_program_counted(ba_worker_slot *s, ba_count_answer *out, ba_failure *f)
{
	ba_talk t = ba_talk_with(s, f);
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_error why;
	t.hear = hear_code;
	t.data = out;
	int rc = ba_talk_hear(&t, "counted", &reply);
	if (rc == 0 && ba_count_read(out, &reply, &why))
		rc = ba_talk_reject(&t, &why);
	return rc;
}
