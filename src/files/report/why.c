#include "report/why.h"

/* ---- which ---- */

/* Sets changed and layout from the series of the benchmark, which are adjacent. */
static void look_at_times(ba_why *w, const ba_result *r, const ba_series *counted)
{
	const ba_series *s = counted, *end = r->series + r->series_count;
	while (s > r->series && s[-1].benchmark == counted->benchmark)
		s--;
	w->changed = counted->info->starts ||
		     (counted->info->census && counted->role == BA_ROLE_REPORTED);
	for (; s < end && s->benchmark == counted->benchmark; s++) {
		ba_verdict v = s->comparisons[w->candidate - 1].verdict;
		w->changed |=
			!s->info->on_gpu && (v == BA_VERDICT_REGRESSED || v == BA_VERDICT_IMPROVED);
		w->layout |= !w->census && ba_result_is_layout(r, s, w->candidate);
	}
}

static double size_of(const ba_why *w)
{
	double a = (double)ba_explanation_baseline(w->e);
	double b = (double)ba_explanation_candidate(w->e);
	return fabs(log((b + 1) / (a + 1)));
}

BA_DEFINE_ORDER(by_size, ba_why,
	BA_ORDER(size_of(b), size_of(a)) ?: BA_ORDER(a->benchmark, b->benchmark)
		?: BA_ORDER(a->candidate, b->candidate))

/* ---- one cause ---- */

typedef struct cause {
	ba_why_rows functions, codes;
} cause;

/* Compares the difference of one row with that of another, modulo 2^64. */
static bool is_near(const ba_why_row *a, const ba_why_row *b, bool exact)
{
	uint64_t p = a->candidate - a->baseline, q = b->candidate - b->baseline;
	double x = (double)(int64_t)p, y = (double)(int64_t)q;
	return p == q || (!exact && fabs(x - y) <= fmax(1, 0.02 * fmax(fabs(x), fabs(y))));
}

/* Has b each changed row of a, with the same change? Notes compare counts, so only exact ones. */
static bool has_rows(const ba_why_rows *a, const ba_why_rows *b, bool exact)
{
	BA_EACH (const ba_why_row, x, a->items, a->count) {
		bool found = !x->differs && !*x->note;
		for (size_t k = 0; !found && k < b->count; k++) {
			const ba_why_row *y = &b->items[k];
			found = x->kind == y->kind && is_near(x, y, exact) &&
				strcmp(x->name, y->name) == 0 && strcmp(x->place, y->place) == 0 &&
				(!exact || strcmp(x->note, y->note) == 0);
		}
		if (!found)
			return false;
	}
	return true;
}

static bool is_same_cause(const ba_whys *w, const cause *causes, size_t i, size_t k)
{
	const ba_why *x = &w->items[i], *y = &w->items[k];
	const cause *p = &causes[i], *q = &causes[k];
	const char *a = x->e->parting, *b = y->e->parting;
	bool exact = x->counted->exact && y->counted->exact;
	return x->candidate == y->candidate && !x->census == !y->census &&
	       (!x->census || x->census->metric == y->census->metric) && x->changed == y->changed &&
	       x->layout == y->layout && x->e->same_path == y->e->same_path &&
	       strcmp(a ? a : "", b ? b : "") == 0 && !p->codes.count == !q->codes.count &&
	       has_rows(&p->functions, &q->functions, exact) &&
	       has_rows(&q->functions, &p->functions, exact) &&
	       has_rows(&p->codes, &q->codes, exact) && has_rows(&q->codes, &p->codes, exact);
}

static void join(ba_whys *w, size_t first, size_t item)
{
	ba_why *shown = &w->items[first], *mine = &w->items[item];
	mine->first = first;
	mine->repeated = true;
	shown->alike++;
	shown->varied |= ba_explanation_baseline(shown->e) != ba_explanation_baseline(mine->e) ||
			 ba_explanation_candidate(shown->e) != ba_explanation_candidate(mine->e);
}

/* Finds the earlier item with the cause of this one. */
static void group_one(ba_whys *w, const cause *causes, size_t i)
{
	/* how many earlier causes to try; causes of equal size are close together */
	enum { BACK = 64 };
	ba_why *mine = &w->items[i];
	size_t tried = 0;
	mine->first = i;
	mine->alike = 0;
	mine->repeated = mine->varied = false;
	for (size_t k = i; !mine->repeated && k > 0 && tried < BACK; k--) {
		tried += !w->items[k - 1].repeated;
		if (!w->items[k - 1].repeated && is_same_cause(w, causes, k - 1, i))
			join(w, k - 1, i);
	}
	w->changed += mine->changed && !mine->repeated;
}

/* The benchmarks of a sweep often have the same cause, which is shown once. */
void ba_whys_group(ba_whys *w)
{
	BA_AUTO_FREE cause *causes = ba_xcalloc(w->count + 1, sizeof(*causes));
	w->changed = 0;
	for (size_t i = 0; i < w->count; i++) {
		ba_why_functions(&causes[i].functions, &w->items[i]);
		ba_why_codes(&causes[i].codes, &w->items[i]);
		group_one(w, causes, i);
	}
	for (size_t i = 0; i < w->count; i++)
		BA_DISPOSE(ba_why_rows, &causes[i].functions, &causes[i].codes);
}

void ba_whys_of(ba_whys *out, const ba_result *r)
{
	*out = (ba_whys){0};
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		for (size_t c = 1; c < r->run.variant_count; c++) {
			const ba_comparison *k = &s->comparisons[c - 1];
			if (!k->why)
				continue;
			ba_why *w = BA_PUSH(out->items, out->count, out->capacity);
			*w = (ba_why){.benchmark = s->benchmark,
				.candidate = c,
				.e = k->why,
				.counted = k,
				.census = s->info->census || s->info->starts ? s : NULL};
			look_at_times(w, r, s);
		}
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_size);
	ba_whys_group(out);
}

BA_OWNS(ba_whys, w, free(w->items))

/* ---- words ---- */

static void put_signed(ba_buf *out, uint64_t baseline, uint64_t candidate)
{
	if (candidate >= baseline)
		ba_buf_printf(
			out, "%s%" PRIu64, candidate > baseline ? "+" : "", candidate - baseline);
	else
		ba_buf_printf(out, "-%" PRIu64, baseline - candidate);
}

/* A first call does more than to load modules. */
static void put_modules(ba_buf *out, const ba_why *w)
{
	double us = 0;
	BA_EACH (const ba_explained_code, c, w->e->codes, w->e->code_count)
		us += (double)c->candidate - (double)c->baseline;
	ba_time_unit unit = ba_time_unit_of(us * 1e3);
	if (w->census->info->starts & BA_OF_CALL)
		ba_buf_printf(out, ", of which loading device code %+.3g %s", us * 1e3 / unit.ns,
			unit.ascii);
}

void ba_why_put_sentence(ba_buf *out, const ba_why *w)
{
	uint64_t b = ba_explanation_baseline(w->e), c = ba_explanation_candidate(w->e);
	const ba_summary *v = w->census ? w->census->variants : NULL;
	if (w->census && w->census->info->starts) {
		double ns = v[w->candidate].trimmed - v[0].trimmed;
		ba_time_unit unit = ba_time_unit_of(ns);
		ba_buf_printf(out, "%s %+.3g %s", w->census->info->name, ns / unit.ns, unit.ascii);
		put_modules(out, w);
		return;
	}
	if (w->census) {
		ba_buf_printf(out, "%s %+.10g per call", w->census->info->name,
			v[w->candidate].mean - v[0].mean);
		return;
	}
	if (w->layout) {
		ba_buf_puts(out,
			"the same instructions, so the time differs by the layout of code or data: alignment, pages, the order of objects");
		return;
	}
	if (b == c) {
		ba_buf_puts(out, w->e->same_path ? "the same instructions"
						 : "as many instructions, by another path");
		return;
	}
	put_signed(out, b, c);
	ba_buf_printf(out, " instruction%s", c + 1 == b || b + 1 == c ? "" : "s");
	if (b > 0) {
		ba_buf_puts(out, w->varied ? " (up to " : " (");
		ba_percent_put(out, (double)c / (double)b, 1);
		ba_buf_putc(out, ')');
	}
	if (w->counted->exact)
		ba_buf_puts(out, ", exactly");
}

void ba_why_put_scopes(ba_buf *out, const ba_why *w)
{
	if (w->census)
		ba_buf_printf(out, "%s", w->census->info->help);
	for (int s = 0; s < BA_SCOPE_COUNT && !w->census; s++) {
		uint64_t b = w->e->baseline[s], c = w->e->candidate[s];
		ba_buf_printf(out, "%s%s ", s ? ", " : "", ba_scope_name((ba_scope)s));
		put_signed(out, b, c);
		if (b || c)
			ba_buf_printf(out, " (%" PRIu64 " to %" PRIu64 ")", b, c);
	}
	if (w->e->baseline[BA_SCOPE_DRIVER] || w->e->candidate[BA_SCOPE_DRIVER])
		ba_buf_puts(out, ", which decides nothing");
}

const char *ba_why_head(const ba_why *w, const char *otherwise)
{
	return !w->census ? otherwise : w->census->info->starts ? "module (us)" : "call";
}

/* ---- rows ---- */

static void add_row(ba_why_rows *rows, ba_why_row row)
{
	row.name = row.name ? row.name : ba_xstrdup("");
	row.where = row.where ? row.where : ba_xstrdup("");
	*BA_PUSH(rows->items, rows->count, rows->capacity) = row;
}

/* For a file outside the tree, only its name is useful. */
static char *place_of(const char *file, unsigned line)
{
	if (file && (*file == '/' || ba_text_starts(file, "..")))
		file = ba_path_base(file);
	return file && *file && line ? ba_xprintf("%s:%u", file, line)
				     : ba_xstrdup(file ? file : "");
}

/* "new, calls +190", "through take_lock"; through: NULL, or without its parameters */
static char *note_of(ba_row_kind kind, uint64_t baseline, uint64_t candidate, const char *through)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	if (kind != BA_ROW_BOTH && kind != BA_ROW_OTHERS)
		ba_buf_puts(&out, ba_row_kind_name(kind));
	if (baseline != candidate) {
		ba_buf_puts(&out, out.len ? ", calls " : "calls ");
		put_signed(&out, baseline, candidate);
	}
	if (through)
		ba_buf_printf(&out, "%sthrough %s", out.len ? ", " : "", through);
	return ba_buf_detach(&out);
}

/* "6 other functions, own" */
static char *function_name(const ba_explained_function *f)
{
	if (f->kind == BA_ROW_OTHERS)
		return ba_xprintf("%" PRIu64 " other function%s, %s", f->count,
			f->count == 1 ? "" : "s", ba_scope_name(f->scope));
	BA_AUTO_FREE char *name = ba_demangle_short(f->name);
	BA_AUTO_FREE char *was = f->was ? ba_demangle_short(f->was) : NULL;
	return was ? ba_xprintf("%s, was %s", name, was) : BA_TAKE(name);
}

static char *code_name(const ba_explained_code *c)
{
	if (c->kind == BA_ROW_OTHERS)
		return ba_xprintf("%" PRIu64 " other%s", c->count, c->count == 1 ? "" : "s");
	return ba_xstrdup(c->name);
}

void ba_why_functions(ba_why_rows *out, const ba_why *w)
{
	*out = (ba_why_rows){0};
	BA_EACH (const ba_explained_function, f, w->e->functions, w->e->function_count) {
		bool whole = f->scope == BA_SCOPE_OWN || !f->file;
		BA_AUTO_FREE char *through = f->through ? ba_demangle_short(f->through) : NULL;
		add_row(out,
			(ba_why_row){BA_WHY_FUNCTION, f->baseline, f->candidate,
				.name = function_name(f), .where = ba_xstrdup(f->object),
				.place = place_of(whole ? f->file : ba_path_base(f->file), f->line),
				.note = note_of(
					f->kind, f->calls_baseline, f->calls_candidate, through),
				.differs = f->baseline != f->candidate ||
					   f->calls_baseline != f->calls_candidate});
		BA_EACH (const ba_explained_line, l, f->lines, f->line_count) {
			add_row(out, (ba_why_row){BA_WHY_LINE, l->baseline, l->candidate,
					     .place = place_of(l->file, l->line),
					     .note = ba_xstrdup(l->gone ? "gone" : ""),
					     .differs = l->baseline != l->candidate});
		}
	}
}

void ba_why_codes(ba_why_rows *out, const ba_why *w)
{
	*out = (ba_why_rows){0};
	BA_EACH (const ba_explained_code, c, w->e->codes, w->e->code_count)
		add_row(out, (ba_why_row){BA_WHY_CODE, c->baseline, c->candidate,
				     .name = code_name(c), .place = place_of(c->file, c->line),
				     .note = note_of(
					     c->kind, c->calls_baseline, c->calls_candidate, NULL),
				     .differs = c->baseline != c->candidate ||
						c->calls_baseline != c->calls_candidate});
}

BA_OWNS(ba_why_rows, rows,
	BA_FREE_EACH(x, rows->items, rows->count, BA_FREE(x->name, x->where, x->place, x->note)))

void ba_why_put_difference(ba_buf *out, const ba_why_row *row)
{
	put_signed(out, row->baseline, row->candidate);
}
