#include "report/why.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"

/* ---- which ---- */

/* Sets changed and layout from the series of the benchmark, which lie beside each
 * other. */
static void look_at_times(ba_why *w, const ba_result *r, const ba_series *counted)
{
	const ba_series *s = counted, *end = r->series + r->series_count;
	while (s > r->series && s[-1].benchmark == counted->benchmark)
		s--;
	for (; s < end && s->benchmark == counted->benchmark; s++) {
		ba_verdict v = s->comparisons[w->candidate - 1].verdict;
		w->changed |=
			!s->info->on_gpu && (v == BA_VERDICT_REGRESSED || v == BA_VERDICT_IMPROVED);
		w->layout |= ba_result_is_layout(r, s, w->candidate);
	}
}

static double size_of(const ba_why *w)
{
	double a = (double)ba_explanation_baseline(w->e);
	double b = (double)ba_explanation_candidate(w->e);
	return fabs(log((b + 1) / (a + 1)));
}

static int by_size(const void *a, const void *b)
{
	const ba_why *x = a, *y = b;
	double p = size_of(x), q = size_of(y);
	if (p < q || p > q)
		return p < q ? 1 : -1;
	if (x->benchmark != y->benchmark)
		return x->benchmark < y->benchmark ? -1 : 1;
	return (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

static bool is_same_code(const ba_explanation *a, const ba_explanation *b)
{
	if (a->code_count != b->code_count)
		return false;
	for (size_t i = 0; i < a->code_count; i++)
		if (strcmp(a->codes[i].name, b->codes[i].name) != 0 ||
			a->codes[i].baseline != b->codes[i].baseline ||
			a->codes[i].candidate != b->codes[i].candidate)
			return false;
	return true;
}

static bool is_same_reason(const ba_why *x, const ba_why *y)
{
	const ba_explanation *a = x->e, *b = y->e;
	if (x->candidate != y->candidate || x->layout != y->layout ||
		a->function_count != b->function_count)
		return false;
	for (size_t i = 0; i < a->function_count; i++)
		if (strcmp(a->functions[i].name, b->functions[i].name) != 0 ||
			a->functions[i].baseline != b->functions[i].baseline ||
			a->functions[i].candidate != b->functions[i].candidate)
			return false;
	return is_same_code(a, b);
}

/* The benchmarks of a sweep often have one explanation: it is shown once. */
static void find_alike(ba_whys *w)
{
	enum { BACK = 64 }; /* those of one size lie near each other */
	for (size_t i = 0; i < w->count; i++) {
		ba_why *mine = &w->items[i];
		for (size_t k = i; mine->changed && k > 0 && k + BACK > i; k--) {
			ba_why *other = &w->items[k - 1];
			if (!other->changed || other->repeated || !is_same_reason(other, mine))
				continue;
			other->alike++;
			mine->repeated = true;
			break;
		}
		w->changed += mine->changed && !mine->repeated;
	}
}

void ba_whys_of(ba_whys *out, const ba_result *r)
{
	*out = (ba_whys){0};
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		for (size_t c = 1; c < r->variant_count; c++) {
			const ba_comparison *k = &s->comparisons[c - 1];
			if (s->metric != BA_METRIC_INSTRUCTIONS || !k->why)
				continue;
			out->items = BA_GROW(out->items, &out->capacity, out->count + 1);
			ba_why *w = &out->items[out->count++];
			*w = (ba_why){.benchmark = s->benchmark,
				.candidate = c,
				.e = k->why,
				.counted = k};
			look_at_times(w, r, s);
		}
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_size);
	find_alike(out);
}

void ba_whys_dispose(ba_whys *w)
{
	free(w->items);
	*w = (ba_whys){0};
}

/* ---- words ---- */

static void put_signed(ba_buf *out, uint64_t baseline, uint64_t candidate)
{
	if (candidate >= baseline)
		ba_buf_printf(
			out, "%s%" PRIu64, candidate > baseline ? "+" : "", candidate - baseline);
	else
		ba_buf_printf(out, "-%" PRIu64, baseline - candidate);
}

void ba_why_put_sentence(ba_buf *out, const ba_why *w)
{
	uint64_t b = ba_explanation_baseline(w->e), c = ba_explanation_candidate(w->e);
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
	uint64_t apart = b > c ? b - c : c - b;
	ba_buf_printf(out, " instruction%s", apart == 1 ? "" : "s");
	if (b > 0) {
		ba_buf_puts(out, " (");
		ba_percent_put(out, (double)c / (double)b, 1);
		ba_buf_putc(out, ')');
	}
	if (w->counted->exact)
		ba_buf_puts(out, ", exactly");
}

void ba_why_put_scopes(ba_buf *out, const ba_why *w)
{
	for (int s = 0; s < BA_SCOPE_COUNT; s++) {
		uint64_t b = w->e->baseline[s], c = w->e->candidate[s];
		ba_buf_printf(out, "%s%s ", s ? ", " : "", ba_scope_name((ba_scope)s));
		put_signed(out, b, c);
		if (b || c)
			ba_buf_printf(out, " (%" PRIu64 " to %" PRIu64 ")", b, c);
	}
	if (w->e->baseline[BA_SCOPE_DRIVER] || w->e->candidate[BA_SCOPE_DRIVER])
		ba_buf_puts(out, ", which decides nothing");
}

/* ---- rows ---- */

static ba_why_row *add_row(
	ba_why_rows *rows, ba_why_kind kind, uint64_t baseline, uint64_t candidate)
{
	rows->items = BA_GROW(rows->items, &rows->capacity, rows->count + 1);
	ba_why_row *row = &rows->items[rows->count++];
	*row = (ba_why_row){.kind = kind, .baseline = baseline, .candidate = candidate};
	return row;
}

/* What is not in the tree has no path that helps. */
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

/* "queue::push(int, std::less<int>) const": without its parameters */
static char *short_name(const char *name)
{
	size_t end = strlen(name), depth = 0;
	if (ba_text_ends(name, ") const"))
		end -= strlen(" const");
	if (end == 0 || name[end - 1] != ')')
		return ba_xstrdup(name);
	for (size_t i = end; i > 0; i--) {
		depth += name[i - 1] == ')';
		depth -= name[i - 1] == '(' && depth > 0;
		if (depth == 0)
			return ba_xstrndup(name, i > 1 ? i - 1 : end);
	}
	return ba_xstrdup(name);
}

/* "6 other functions, own" */
static char *function_name(const ba_explained_function *f)
{
	if (f->kind == BA_ROW_OTHERS)
		return ba_xprintf("%" PRIu64 " other function%s, %s", f->count,
			f->count == 1 ? "" : "s", ba_scope_name(f->scope));
	BA_AUTO_FREE char *name = short_name(f->name);
	BA_AUTO_FREE char *was = f->was ? short_name(f->was) : NULL;
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
	for (size_t i = 0; i < w->e->function_count; i++) {
		const ba_explained_function *f = &w->e->functions[i];
		ba_why_row *row = add_row(out, BA_WHY_FUNCTION, f->baseline, f->candidate);
		row->name = function_name(f);
		row->where = ba_xstrdup(f->object);
		bool own = f->scope == BA_SCOPE_OWN;
		row->place = place_of(own || !f->file ? f->file : ba_path_base(f->file), f->line);
		BA_AUTO_FREE char *through = f->through ? short_name(f->through) : NULL;
		row->differs =
			f->baseline != f->candidate || f->calls_baseline != f->calls_candidate;
		row->note = note_of(f->kind, f->calls_baseline, f->calls_candidate, through);
		for (size_t k = 0; k < f->line_count; k++) {
			const ba_explained_line *l = &f->lines[k];
			row = add_row(out, BA_WHY_LINE, l->baseline, l->candidate);
			row->name = ba_xstrdup("");
			row->where = ba_xstrdup("");
			row->place = place_of(l->file, l->line);
			row->note = ba_xstrdup(l->gone ? "gone" : "");
		}
	}
}

void ba_why_codes(ba_why_rows *out, const ba_why *w)
{
	*out = (ba_why_rows){0};
	for (size_t i = 0; i < w->e->code_count; i++) {
		const ba_explained_code *c = &w->e->codes[i];
		ba_why_row *row = add_row(out, BA_WHY_CODE, c->baseline, c->candidate);
		row->name = code_name(c);
		row->where = ba_xstrdup("");
		row->place = place_of(c->file, c->line);
		row->differs =
			c->baseline != c->candidate || c->calls_baseline != c->calls_candidate;
		row->note = note_of(c->kind, c->calls_baseline, c->calls_candidate, NULL);
	}
}

void ba_why_rows_dispose(ba_why_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->items[i].name);
		free(rows->items[i].where);
		free(rows->items[i].place);
		free(rows->items[i].note);
	}
	free(rows->items);
	*rows = (ba_why_rows){0};
}

void ba_why_put_difference(ba_buf *out, const ba_why_row *row)
{
	put_signed(out, row->baseline, row->candidate);
}
