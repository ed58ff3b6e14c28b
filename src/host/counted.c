#include "host/counted.h"

#include <stdlib.h>

#include "base/mem.h"

void ba_counted_free(ba_counted_call *all, size_t n)
{
	for (size_t v = 0; v < n; v++) {
		ba_trace_dispose(&all[v].trace);
		free(all[v].tree);
	}
	free(all);
}

/* A file that the variant's process wrote: if it makes no sense, that is the variant's
 * failure. */
static int read_trace(ba_counted_call *out, const ba_count_source *from, const ba_count_answer *a,
	ba_failure *f, ba_error *err)
{
	ba_error why;
	int rc = ba_trace_read(&out->trace, from->trace, &why);
	if (rc == 0 && out->trace.calls != a->calls)
		rc = ba_fail(&why, BA_EDATA, "the trace has %zu calls, and the answer %zu",
			out->trace.calls, a->calls);
	if (rc) {
		ba_failure_dispose(f);
		*f = (ba_failure){.variant = from->variant,
			.code = BA_EVARIANT,
			.text = ba_xstrdup(why.text)};
		return ba_fail(err, BA_EVARIANT, "%s", why.text);
	}
	out->tree = from->tree && *from->tree ? realpath(from->tree, NULL) : NULL;
	out->traced = out->trace.address_count > 0;
	out->side = (ba_profile_side){
		.trace = &out->trace, .tree = out->tree, .exclude = from->exclude};
	return 0;
}

/* The instructions that decide, of the call with the fewest: the driver's are not among
 * them, unless nobody can tell them apart. */
int ba_counted_read(ba_counted_call *out, const ba_count_source *from, const ba_count_answer *a,
	ba_failure *f, ba_error *err)
{
	int rc = read_trace(out, from, a, f, err);
	out->count = UINT64_MAX;
	for (size_t i = 0; rc == 0 && i < a->calls; i++) {
		uint64_t scopes[BA_SCOPE_COUNT] = {a->instructions[i]};
		ba_profile_side side = out->side;
		side.call = i;
		if (out->traced)
			rc = ba_profile_scopes(scopes, &side, err);
		uint64_t own = scopes[BA_SCOPE_OWN] + scopes[BA_SCOPE_RUNTIME];
		if (rc || own >= out->count)
			continue;
		out->count = own;
		out->side.call = i;
	}
	if (rc == 0 && out->count == 0)
		out->count = 1; /* logarithms follow */
	return rc;
}

ba_explanation *ba_counted_explain(ba_profile **profile, const ba_counted_call *baseline,
	const ba_counted_call *candidate, const ba_count_answer *a, const ba_count_answer *b,
	const ba_log *log)
{
	ba_error why;
	if (!baseline->traced || !candidate->traced)
		return NULL;
	ba_explanation *e = ba_xcalloc(1, sizeof(*e));
	int rc = *profile ? 0 : ba_profile_open(profile, &baseline->side, &why);
	if (rc || ba_profile_explain(*profile, e, &candidate->side, &why)) {
		ba_log_printf(log, BA_LOG_INFO, "%s", why.text);
		ba_explanation_free(e);
		return NULL;
	}
	if (a->code_count && b->code_count)
		ba_explain_code(e, a->codes, a->code_count, b->codes, b->code_count);
	return e;
}
