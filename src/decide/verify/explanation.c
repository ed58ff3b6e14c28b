/* Checks that the rows of an explanation add up, and agree with the counts. */
#include "verify/verify.h"

typedef struct side {
	const char *name;
	const uint64_t *totals; /* [BA_SCOPE_COUNT] */
	uint64_t rows[BA_SCOPE_COUNT];
	const ba_summary *counted;
} side;

static void check_rows(ba_verification *v, const char *where, const side *s)
{
	for (int scope = 0; scope < BA_SCOPE_COUNT; scope++) {
		v->compared++;
		if (s->rows[scope] == s->totals[scope])
			continue;
		ba_verify_say(v, where,
			"why: the functions of the %s in %s have %llu instructions, and the total is %llu",
			s->name, ba_scope_name((ba_scope)scope), (unsigned long long)s->rows[scope],
			(unsigned long long)s->totals[scope]);
	}
}

static uint64_t compared_total(const side *s)
{
	return s->totals[BA_SCOPE_OWN] + s->totals[BA_SCOPE_RUNTIME];
}

/* One call was explained; if calls differ, its count must be among theirs. */
static void check_count(ba_verification *v, const char *where, const side *s)
{
	uint64_t total = compared_total(s);
	v->compared++;
	if ((double)total < s->counted->min || (double)total > s->counted->max)
		ba_verify_say(v, where,
			"why: %llu instructions of the %s are explained, and %g to %g were counted",
			(unsigned long long)total, s->name, s->counted->min, s->counted->max);
}

static void check_lines(ba_verification *v, const char *where, const ba_explained_function *f)
{
	uint64_t baseline = 0, candidate = 0;
	for (size_t i = 0; i < f->line_count; i++) {
		baseline += f->lines[i].baseline;
		candidate += f->lines[i].candidate;
	}
	v->compared++;
	if (baseline > f->baseline || candidate > f->candidate)
		ba_verify_say(v, where,
			"why: the lines of %s have more instructions than the function", f->name);
}

/* compared without overflow, because the file may contain any number */
static bool is_more(uint64_t own, uint64_t calls, const side *s)
{
	uint64_t total = compared_total(s);
	return calls && (own > total || calls > total - own);
}

/* The instructions executed because of a function are a part of the total. */
static void check_calls(ba_verification *v, const char *where, const ba_explained_function *f,
	const side *b, const side *c)
{
	v->compared++;
	if (is_more(f->baseline, f->calls_baseline, b) ||
		is_more(f->candidate, f->calls_candidate, c))
		ba_verify_say(v, where,
			"why: %s has more instructions with its calls than the total", f->name);
}

void ba_verify_explanation(ba_verification *v, const char *where, const ba_explanation *why,
	bool census, const ba_summary *baseline, const ba_summary *candidate)
{
	if (!why)
		return;
	side b = {"baseline", why->baseline, {0}, baseline};
	side c = {"candidate", why->candidate, {0}, candidate};
	BA_EACH (const ba_explained_function, f, why->functions, why->function_count) {
		b.rows[f->scope] += f->baseline;
		c.rows[f->scope] += f->candidate;
		check_lines(v, where, f);
		if (f->scope == BA_SCOPE_OWN && f->kind != BA_ROW_OTHERS)
			check_calls(v, where, f, &b, &c);
	}
	check_rows(v, where, &b);
	check_rows(v, where, &c);
	/* a census is of several calls, and explains the last one */
	if (census)
		return;
	check_count(v, where, &b);
	check_count(v, where, &c);
}
