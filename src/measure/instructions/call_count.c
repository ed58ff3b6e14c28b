#include "instructions/process_set.h"

#include "proc/aside.h"
#include "store/parts.h"

/* limit for one explanation, far above the time for large libraries with debug
 * information */
#define EXPLAIN_LIMIT_NS (60 * BA_SECOND)
#define EXPLAIN_MEMORY ((uint64_t)8 << 30)
#define ANSWER_MOST ((size_t)16 << 20)

void ba_call_counts_free(ba_call_count *all, size_t n)
{
	BA_FREE_EACH(x, all, n, ba_trace_dispose(&x->trace), BA_FREE(x->calls, x->tree));
}

/* The variant's process wrote the file: if it makes no sense, the variant has failed. */
static int read_trace(
	ba_call_count *out, const ba_count_source *from, const ba_count_answer *a, ba_failure *f)
{
	ba_error why;
	int rc = ba_trace_read(&out->trace, from->trace, &why);
	if (rc == 0 && out->trace.calls != a->calls)
		rc = ba_fail(&why, BA_EDATA, "the trace has %zu calls, and the answer %zu",
			out->trace.calls, a->calls);
	if (rc)
		return ba_failure_blame(f, from->variant, ba_xstrdup(why.text));
	out->tree = from->tree && *from->tree ? realpath(from->tree, NULL) : NULL;
	out->traced = out->trace.address_count > 0;
	out->side = (ba_profile_side){
		.trace = &out->trace, .tree = out->tree, .exclude = from->exclude};
	return 0;
}

/* The deciding instructions of the call with the fewest. The driver's are excluded if
 * they can be distinguished. */
int ba_call_count_read(
	ba_call_count *out, const ba_count_source *from, const ba_count_answer *a, ba_failure *f)
{
	int rc = read_trace(out, from, a, f);
	out->count = UINT64_MAX;
	out->calls = ba_xcalloc(a->calls + 1, sizeof(*out->calls));
	for (size_t i = 0; rc == 0 && i < a->calls; i++) {
		uint64_t scopes[BA_SCOPE_COUNT] = {a->instructions[i]};
		ba_profile_side side = out->side;
		side.call = i;
		if (out->traced)
			rc = ba_profile_scopes(scopes, &side, f->err);
		uint64_t own = scopes[BA_SCOPE_OWN] + scopes[BA_SCOPE_RUNTIME];
		out->calls[i] = own ? own : 1; /* logarithms follow */
		out->differ = out->differ || out->calls[i] != out->calls[0];
		if (rc || out->calls[i] >= out->count)
			continue;
		out->count = out->calls[i];
		out->side.call = i;
	}
	return rc;
}

/* ---- explanations ---- */

typedef struct pair {
	const ba_call_count *baseline, *candidate;
} pair;

int ba_explain_aside(ba_buf *answer, void (*work)(ba_buf *, void *), void *data,
	const volatile sig_atomic_t *stop, ba_error *err)
{
	const ba_aside aside = {.work = work,
		.data = data,
		.confine = ba_sandbox_become_reader,
		.limit_ns = EXPLAIN_LIMIT_NS,
		.more_memory = EXPLAIN_MEMORY,
		.ceiling = ANSWER_MOST,
		.stop = stop};
	return ba_aside_run(answer, &aside, err);
}

static void explain_aside(ba_buf *answer, void *data)
{
	const pair *p = data;
	ba_json_writer w;
	ba_error why;
	ba_profile *profile = NULL;
	ba_explanation e = {0};
	int rc = ba_profile_open(&profile, &p->baseline->side, &why);
	rc = rc ? rc : ba_profile_explain(profile, &e, &p->candidate->side, &why);
	w = ba_json_writer_to_buf(answer, 0);
	ba_json_open_object(&w, NULL);
	if (rc)
		ba_json_write_string(&w, "error", why.text);
	else
		ba_fields_write_object(&w, "why", &ba_explanation_fields, &e);
	ba_json_close(&w);
	ba_explanation_dispose(&e);
	ba_profile_close(profile);
}

static int take_explanation(ba_explanation **out, const ba_buf *answer, ba_error *err)
{
	const ba_json_options options = {.name = "its answer", .ceiling = ANSWER_MOST};
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_TRY(ba_json_parse(&doc, answer->data, answer->len, &options, err));
	const char *error = NULL;
	ba_json_value root = ba_json_root(doc);
	if (ba_json_is(ba_json_find(root, "error"))) {
		BA_TRY(ba_json_get_string(&error, root, "error", err));
		return ba_fail(err, BA_EDATA, "%s", error);
	}
	*out = ba_xcalloc(1, sizeof(**out));
	return ba_fields_read_object(*out, &ba_explanation_fields, root, "why", err);
}

ba_explanation *ba_call_counts_explain(const ba_call_count *baseline,
	const ba_call_count *candidate, const ba_count_answer *a, const ba_count_answer *b,
	const volatile sig_atomic_t *stop, const ba_log *log)
{
	ba_error why;
	ba_explanation *e = NULL;
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT;
	pair both = {baseline, candidate};
	if (!baseline->traced || !candidate->traced)
		return NULL;
	int rc = ba_explain_aside(&answer, explain_aside, &both, stop, &why);
	rc = rc ? rc : take_explanation(&e, &answer, &why);
	if (rc) {
		ba_log_printf(log, BA_LOG_INFO, "no explanation of the instructions: %s", why.text);
		ba_explanation_free(e);
		return NULL;
	}
	if (a->code_count && b->code_count)
		ba_explain_code(e, a->codes, a->code_count, b->codes, b->code_count);
	return e;
}
