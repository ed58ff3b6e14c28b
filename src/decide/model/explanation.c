#include "model/explanation.h"

static const char *const scopes[BA_SCOPE_COUNT] = {"own", "runtime", "driver"};
static const char *const kinds[] = {"both", "new", "gone", "renamed", "others"};

const char *ba_scope_name(ba_scope scope)
{
	return scopes[scope];
}

const char *ba_row_kind_name(ba_row_kind kind)
{
	return kinds[kind];
}

uint64_t ba_explanation_baseline(const ba_explanation *e)
{
	return e->baseline[BA_SCOPE_OWN] + e->baseline[BA_SCOPE_RUNTIME];
}

uint64_t ba_explanation_candidate(const ba_explanation *e)
{
	return e->candidate[BA_SCOPE_OWN] + e->candidate[BA_SCOPE_RUNTIME];
}

/* ---- code objects ---- */

/* by file, name and line; equal ones keep their order */
BA_DEFINE_ORDER(by_place, ba_code_count,
	strcmp(a->file, b->file) ?: strcmp(a->name, b->name) ?: BA_ORDER(a->line, b->line))

/* One row for each (file, name, line), sorted; returns their number. */
static size_t sorted(ba_code_count **out, const ba_code_count *from, size_t n)
{
	ba_code_count *all = ba_xcalloc(n ? n : 1, sizeof(*all));
	size_t used = 0;
	if (n) {
		memcpy(all, from, n * sizeof(*all));
		qsort(all, n, sizeof(*all), by_place);
	}
	for (size_t i = 0; i < n; i++)
		if (used && by_place(&all[used - 1], &all[i]) == 0) {
			all[used - 1].count += all[i].count;
			all[used - 1].calls += all[i].calls;
		} else {
			all[used++] = all[i];
		}
	*out = all;
	return used;
}

static size_t group_end(const ba_code_count *all, size_t n, size_t at)
{
	size_t end = at;
	while (end < n && strcmp(all[end].file, all[at].file) == 0 &&
		strcmp(all[end].name, all[at].name) == 0)
		end++;
	return end;
}

static void add_code(
	ba_explanation *out, const ba_code_count *baseline, const ba_code_count *candidate)
{
	const ba_code_count *shown = candidate ? candidate : baseline;
	out->codes[out->code_count++] = (ba_explained_code){.kind = !baseline	 ? BA_ROW_NEW
								    : !candidate ? BA_ROW_GONE
										 : BA_ROW_BOTH,
		.name = ba_xstrdup(shown->name),
		.file = ba_xstrdup(shown->file),
		.line = shown->line,
		.baseline = baseline ? baseline->count : 0,
		.candidate = candidate ? candidate->count : 0,
		.calls_baseline = baseline ? baseline->calls : 0,
		.calls_candidate = candidate ? candidate->calls : 0,
		.count = 1};
}

/* The difference, with the bytecodes that other code executed for it. */
static uint64_t weight(const ba_explained_code *c)
{
	uint64_t before = c->baseline + c->calls_baseline, now = c->candidate + c->calls_candidate;
	return before > now ? before - now : now - before;
}

BA_DEFINE_ORDER(by_difference, ba_explained_code,
	BA_ORDER(weight(b), weight(a)) ?: strcmp(a->file, b->file) ?: BA_ORDER(a->line, b->line)
		?: strcmp(a->name, b->name))

/* Merges code objects that do not differ, or exceed the limit, into one row. */
static void limit_codes(ba_explanation *e)
{
	size_t kept = 0;
	ba_explained_code rest = {.kind = BA_ROW_OTHERS};
	BA_EACH (ba_explained_code, c, e->codes, e->code_count) {
		if (kept < BA_EXPLAINED_CODES && (c->baseline != c->candidate || weight(c))) {
			e->codes[kept++] = *c;
			continue;
		}
		rest.baseline += c->baseline;
		rest.candidate += c->candidate;
		rest.count++;
		BA_FREE(c->name, c->file);
	}
	if (rest.count) {
		rest.name = ba_xstrdup("other code objects");
		rest.file = ba_xstrdup("");
		e->codes[kept++] = rest;
	}
	e->code_count = kept;
}

static void dispose_codes(ba_explanation *e)
{
	BA_FREE_EACH(c, e->codes, e->code_count, BA_FREE(c->name, c->file));
	e->codes = NULL;
	e->code_count = 0;
}

void ba_explain_code(ba_explanation *out, const ba_code_count *baseline, size_t n,
	const ba_code_count *candidate, size_t m)
{
	ba_code_count *b, *c;
	n = sorted(&b, baseline, n);
	m = sorted(&c, candidate, m);
	dispose_codes(out);
	out->codes = ba_xcalloc(n + m + 1, sizeof(*out->codes));
	for (size_t i = 0, k = 0; i < n || k < m;) {
		/* lines apart: which group of code objects comes first */
		ba_code_count left = i < n ? b[i] : (ba_code_count){0};
		ba_code_count right = k < m ? c[k] : (ba_code_count){0};
		left.line = right.line = 0;
		int order = i == n ? 1 : k == m ? -1 : by_place(&left, &right);
		size_t i_end = order <= 0 ? group_end(b, n, i) : i;
		size_t k_end = order >= 0 ? group_end(c, m, k) : k;
		/* code objects with the same file and name (lambdas, comprehensions, functions made
		 * in a loop) are paired in the order of their lines, because lines move */
		while (i < i_end || k < k_end)
			add_code(out, i < i_end ? &b[i++] : NULL, k < k_end ? &c[k++] : NULL);
	}
	BA_FREE(b, c);
	qsort(out->codes, out->code_count, sizeof(*out->codes), by_difference);
	limit_codes(out);
}

/* ---- the end ---- */

BA_OWNS(ba_explanation, e,
	BA_FREE_EACH(f, e->functions, e->function_count,
		BA_FREE(f->name, f->was, f->object, f->file, f->through),
		BA_FREE_EACH(line, f->lines, f->line_count, free(line->file))),
	dispose_codes(e), free(e->parting))
BA_OWNS_HANDLE(ba_explanation, e, ba_explanation_dispose(e))
