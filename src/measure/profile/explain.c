#include "profile/walk.h"

/* A function that the candidate calls `number` and the baseline `gone`. */
typedef struct row {
	const ba_function *shown;
	uint32_t number, gone;
	uint64_t baseline, candidate;
} row;

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* its instructions, and those that it caused */
static uint64_t weight(const row *r)
{
	const uint64_t *calls = r->shown->calls;
	return apart(
		r->baseline + calls[BA_SIDE_BASELINE], r->candidate + calls[BA_SIDE_CANDIDATE]);
}

BA_DEFINE_ORDER(by_difference, row,
	BA_ORDER(weight(b), weight(a))
		?: BA_ORDER(a->shown->scope, b->shown->scope)
		?: strcmp(a->shown->object, b->shown->object)
		?: strcmp(a->shown->name, b->shown->name))

static row *rows_of(const ba_walks *w, size_t *count)
{
	row *rows = ba_xcalloc(w->count ? w->count : 1, sizeof(*rows));
	size_t used = 0;
	for (uint32_t i = 0; i < w->count; i++)
		rows[i] = (row){.shown = &w->functions[i],
			.number = i,
			.gone = i,
			.baseline = w->functions[i].counts[BA_SIDE_BASELINE],
			.candidate = w->functions[i].counts[BA_SIDE_CANDIDATE]};
	for (uint32_t i = 0; i < w->count; i++)
		if (w->functions[i].same != i) {
			rows[w->functions[i].same].gone = i;
			rows[w->functions[i].same].baseline = rows[i].baseline;
			rows[i].baseline = 0;
		}
	for (uint32_t i = 0; i < w->count; i++)
		if (rows[i].baseline || rows[i].candidate)
			rows[used++] = rows[i];
	*count = used;
	BA_SORT(rows, used, by_difference);
	return rows;
}

/* The same code under another name. If neither side has a name for it, it is not
 * renamed. */
static bool is_renamed(const row *r)
{
	return r->gone != r->number && r->shown->kind == BA_ELF_FUNCTION;
}

static void put_place(ba_walks *w, const ba_function *f, ba_explained_function *out)
{
	for (int side = BA_SIDE_CANDIDATE; side >= 0 && !out->file; side--) {
		const char *file;
		if (f->counts[side] == 0 || !f->elf[side] || f->kind == BA_ELF_UNKNOWN ||
			!ba_elf_definition(f->elf[side], f->start[side], &file, &out->line))
			continue;
		out->file = ba_walk_source(&w->side[side], file);
	}
}

static ba_explained_function function_of(ba_walks *w, const row *r)
{
	const ba_function *f = r->shown;
	ba_explained_function out = {.scope = f->scope,
		.name = ba_function_name(f),
		.object = ba_xstrdup(f->object),
		.baseline = r->baseline,
		.candidate = r->candidate,
		.calls_baseline = f->calls[BA_SIDE_BASELINE],
		.calls_candidate = f->calls[BA_SIDE_CANDIDATE],
		.count = 1};
	if (f->through != BA_FUNCTION_NONE)
		out.through = ba_function_name(&w->functions[f->through]);
	out.kind = is_renamed(r)       ? BA_ROW_RENAMED
		   : r->baseline == 0  ? BA_ROW_NEW
		   : r->candidate == 0 ? BA_ROW_GONE
				       : BA_ROW_BOTH;
	if (out.kind == BA_ROW_RENAMED)
		out.was = ba_function_name(&w->functions[r->gone]);
	put_place(w, f, &out);
	if (f->scope == BA_SCOPE_OWN && out.kind == BA_ROW_BOTH)
		ba_walks_put_lines(w, r->gone, r->number, &out);
	return out;
}

static void add_others(ba_explanation *e, ba_explained_function *others)
{
	for (int s = 0; s < BA_SCOPE_COUNT; s++) {
		if (!others[s].count)
			continue;
		others[s].kind = BA_ROW_OTHERS;
		others[s].scope = (ba_scope)s;
		others[s].name = ba_xstrdup("other functions");
		others[s].object = ba_xstrdup("");
		e->functions[e->function_count++] = others[s];
	}
}

static void put_functions(ba_explanation *e, ba_walks *w)
{
	size_t n;
	row *rows = rows_of(w, &n);
	ba_explained_function others[BA_SCOPE_COUNT] = {0};
	e->functions = ba_xcalloc(BA_EXPLAINED_FUNCTIONS + BA_SCOPE_COUNT, sizeof(*e->functions));
	for (size_t i = 0; i < n; i++) {
		ba_scope scope = rows[i].shown->scope;
		e->baseline[scope] += rows[i].baseline;
		e->candidate[scope] += rows[i].candidate;
		if (e->function_count < BA_EXPLAINED_FUNCTIONS &&
			(apart(rows[i].baseline, rows[i].candidate) || weight(&rows[i]) ||
				is_renamed(&rows[i]))) {
			e->functions[e->function_count++] = function_of(w, &rows[i]);
			continue;
		}
		others[scope].baseline += rows[i].baseline;
		others[scope].candidate += rows[i].candidate;
		others[scope].count++;
	}
	add_others(e, others);
	free(rows);
}

struct ba_profile {
	ba_walks w;
};

int ba_profile_open(ba_profile **out, const ba_profile_side *baseline, ba_error *err)
{
	*out = NULL;
	BA_TRY(ba_profile_check(baseline, err));
	*out = ba_xcalloc(1, sizeof(**out));
	ba_walks_begin(&(*out)->w, baseline);
	return 0;
}

void ba_profile_close(ba_profile *p)
{
	if (p)
		ba_walks_dispose(&p->w);
	free(p);
}

int ba_profile_explain(
	ba_profile *p, ba_explanation *out, const ba_profile_side *candidate, ba_error *err)
{
	BA_TRY(ba_profile_check(candidate, err));
	ba_walks *w = &p->w;
	ba_walks_compare(w, candidate);
	ba_explanation e = {.codes = out->codes, .code_count = out->code_count};
	out->codes = NULL;
	out->code_count = 0;
	ba_explanation_dispose(out);
	ba_walks_find_renamed(w);
	ba_walks_find_reasons(w);
	put_functions(&e, w);
	e.parting = ba_walks_parting(w, &e.same_path);
	*out = e;
	return 0;
}
