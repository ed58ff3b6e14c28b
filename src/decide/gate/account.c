#include "gate/status.h"

#include "gate/tally.h"

#define SHOWN 20 /* most sentences of one kind */
#define NAMED 5	 /* most names in one sentence */
/* most pairs of names that are compared to find a renamed benchmark */
#define GUESSES 40000

/* ---- what was measured ---------------------------------------------------- */

static bool *measured_of(const ba_result *r)
{
	bool *measured = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*measured));
	for (size_t i = 0; i < r->series_count; i++)
		if (ba_gate_measured(r, &r->series[i]))
			measured[r->series[i].benchmark] = true;
	return measured;
}

/* The ids that were measured, sorted, and their number. The caller frees them. */
static const char **measured_ids(size_t *count, const ba_result *r)
{
	BA_AUTO_FREE bool *measured = measured_of(r);
	const char **ids = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*ids));
	*count = 0;
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		if (measured[i])
			ids[(*count)++] = r->run.benchmarks[i].id;
	ba_sort_strings(ids, *count);
	return ids;
}

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

/* Globs stand for all that the baseline has and did not skip; no candidate changes that. */
static bool *owed_of(const ba_result *r)
{
	bool *owed = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*owed));
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_summary *base = &r->series[i].variants[0];
		if (base->present && !base->skipped)
			owed[r->series[i].benchmark] = true;
	}
	return owed;
}

typedef struct account {
	const ba_result *r;
	bool *measured, *owed; /* [benchmark_count] */
	const char **ids;      /* the ids that were measured, sorted */
	size_t count;
} account;

BA_OWNS_HERE(account, a, BA_FREE(a->measured, a->owed, a->ids))

static account account_of(const ba_result *r)
{
	account a = {.r = r, .measured = measured_of(r), .owed = owed_of(r)};
	a.ids = measured_ids(&a.count, r);
	return a;
}

/* The first unmeasured benchmark from `from` on that the glob matches, or benchmark_count. */
static size_t next_owed(const account *a, const char *glob, size_t from)
{
	size_t i = from;
	while (i < a->r->run.benchmark_count &&
		!(a->owed[i] && !a->measured[i] && ba_text_glob(glob, a->r->run.benchmarks[i].id)))
		i++;
	return i;
}

static bool is_met(const account *a, const char *pattern)
{
	bool any = false;
	if (!is_glob(pattern))
		return ba_sorted_has(a->ids, a->count, pattern);
	for (size_t i = 0; i < a->count && !any; i++)
		any = ba_text_glob(pattern, a->ids[i]);
	return any && next_owed(a, pattern, 0) == a->r->run.benchmark_count;
}

const char *ba_gate_first_missing(const ba_result *r, const ba_gate_policy *p)
{
	if (!p->expected || !p->expected->count)
		return NULL;
	BA_AUTO(account) account a = account_of(r);
	for (size_t k = 0; k < p->expected->count; k++) {
		const char *pattern = p->expected->items[k];
		if (is_met(&a, pattern))
			continue;
		size_t i = is_glob(pattern) ? next_owed(&a, pattern, 0) : r->run.benchmark_count;
		return i < r->run.benchmark_count ? r->run.benchmarks[i].id : pattern;
	}
	return NULL;
}

/* ---- what became of what is missing ---------------------------------------- */

static const char *label_of(const ba_result *r, size_t variant)
{
	return r->run.variants[variant].label;
}

/* The reason that matters most to the user, or NULL. */
static char *fate_text(const ba_result *r, const ba_series *s)
{
	for (size_t v = 0; v < r->run.variant_count; v++) {
		const ba_summary *x = &s->variants[v];
		if (x->failure)
			return ba_xprintf("it failed in %s: %s", label_of(r, v), x->failure);
		if (x->skipped)
			return ba_xprintf("it was skipped in %s: %s", label_of(r, v), x->skipped);
	}
	for (size_t v = 0; v < r->run.variant_count; v++) {
		const ba_summary *x = &s->variants[v];
		if (!x->present)
			return ba_xprintf("%s does not have it", label_of(r, v));
		if (!x->launches)
			return ba_xprintf("it came without samples from %s", label_of(r, v));
	}
	return NULL;
}

static char *what_became(const ba_result *r, const char *name)
{
	for (size_t i = 0; i < r->series_count; i++) {
		const char *id = r->run.benchmarks[r->series[i].benchmark].id;
		char *text = ba_text_glob(name, id) ? fate_text(r, &r->series[i]) : NULL;
		if (text)
			return text;
	}
	const char **ids = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*ids));
	for (size_t i = 0; i < r->run.benchmark_count && i < GUESSES / SHOWN; i++)
		ids[i] = r->run.benchmarks[i].id;
	const char *near = ba_text_nearest(name, ids);
	free(ids);
	return near ? ba_xprintf("there is no such benchmark; is it '%s' now?", near)
		    : ba_xstrdup("there is no such benchmark");
}

/* What happened to a benchmark. `name` is exact, even with glob characters. */
static char *what_became_of(const ba_result *r, size_t benchmark)
{
	for (size_t i = 0; i < r->series_count; i++) {
		char *text =
			r->series[i].benchmark == benchmark ? fate_text(r, &r->series[i]) : NULL;
		if (text)
			return text;
	}
	return ba_xstrdup("it was not measured");
}

/* Every missing benchmark that the glob matches; the glob itself if it matches none. */
static void account_glob(ba_strv *out, size_t *total, const account *a, const char *glob)
{
	size_t end = a->r->run.benchmark_count, before = *total;
	for (size_t i = next_owed(a, glob, 0); i < end; i = next_owed(a, glob, i + 1)) {
		if ((*total)++ >= SHOWN)
			continue;
		BA_AUTO_FREE char *why = what_became_of(a->r, i);
		ba_strv_printf(out, "expected and not measured: '%s': %s: %s", glob,
			a->r->run.benchmarks[i].id, why);
	}
	if (*total > before || (*total)++ >= SHOWN)
		return;
	BA_AUTO_FREE char *why = what_became(a->r, glob);
	ba_strv_printf(out, "expected and not measured: '%s': %s", glob, why);
}

static void account_missing(ba_strv *out, const ba_result *r, const ba_gate_policy *p)
{
	size_t n = p->expected ? p->expected->count : 0, total = 0;
	if (!n)
		return;
	BA_AUTO(account) account a = account_of(r);
	for (size_t k = 0; k < n; k++) {
		const char *pattern = p->expected->items[k];
		if (is_met(&a, pattern))
			continue;
		if (is_glob(pattern)) {
			account_glob(out, &total, &a, pattern);
		} else if (total++ < SHOWN) {
			BA_AUTO_FREE char *why = what_became(r, pattern);
			ba_strv_printf(out, "expected and not measured: '%s': %s", pattern, why);
		}
	}
	if (total > SHOWN)
		ba_strv_printf(
			out, "and %zu more that were expected and not measured", total - SHOWN);
}

/* ---- lists of names ---------------------------------------------------------- */

static void put_names(ba_buf *out, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count && i < NAMED; i++)
		ba_buf_printf(out, "%s%s", i ? ", " : "", names[i]);
	if (count > NAMED)
		ba_buf_printf(out, " and %zu more", count - NAMED);
}

static void account_unexpected(ba_strv *out, const ba_result *r, const ba_gate_policy *p)
{
	size_t count, unexpected = 0, globs = 0;
	if (!p->expected || !p->expected->count)
		return;
	BA_AUTO_FREE const char **ids = measured_ids(&count, r);
	BA_AUTO_FREE const char **exact = ba_xcalloc(p->expected->count + 1, sizeof(*exact));
	BA_AUTO_FREE const char **glob = ba_xcalloc(p->expected->count + 1, sizeof(*glob));
	size_t exacts = 0;
	for (size_t k = 0; k < p->expected->count; k++) {
		const char *pattern = p->expected->items[k];
		*(is_glob(pattern) ? &glob[globs++] : &exact[exacts++]) = pattern;
	}
	ba_sort_strings(exact, exacts);
	for (size_t i = 0; i < count; i++) {
		bool known = ba_sorted_has(exact, exacts, ids[i]);
		for (size_t k = 0; k < globs && !known; k++)
			known = ba_text_glob(glob[k], ids[i]);
		if (!known)
			ids[unexpected++] = ids[i];
	}
	if (!unexpected)
		return;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "measured, but not expected, so that a gate would not miss %s: ",
		ba_plural(unexpected, "it", "them"));
	put_names(&text, ids, unexpected);
	ba_buf_printf(&text, "; to expect all: %s",
		p->list_command ? p->list_command : "bench-against list --expected");
	ba_strv_push(out, text.data);
}

/* Benchmarks missing in a candidate in which a similar name is new: a guess, and called one. */
static void account_renamed(ba_strv *out, const ba_result *r, size_t candidate)
{
	BA_AUTO_FREE const char **gone = ba_xcalloc(r->series_count + 1, sizeof(*gone));
	BA_AUTO_FREE const char **added = ba_xcalloc(r->series_count + 1, sizeof(*added));
	size_t gone_count = 0, added_count = 0, shown = 0;
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		const char *id = r->run.benchmarks[s->benchmark].id;
		ba_fate fate =
			s->role == BA_ROLE_VERDICT ? ba_fate_of(s, candidate) : BA_FATE_ABSENT;
		if (fate == BA_FATE_REMOVED)
			gone[gone_count++] = id;
		else if (fate == BA_FATE_ADDED)
			added[added_count++] = id;
	}
	if (!added_count || gone_count > GUESSES / added_count)
		return;
	for (size_t i = 0; i < gone_count && added_count && shown < SHOWN; i++) {
		const char *near = ba_text_nearest(gone[i], added);
		if (!near)
			continue;
		ba_strv_printf(out,
			"%s: '%s' was removed and '%s' is new: if that is one benchmark with a new name, only equal names can be compared",
			label_of(r, candidate), gone[i], near);
		shown++;
		/* each new name is used for one missing name only */
		for (size_t k = 0; k < added_count; k++)
			if (added[k] == near) {
				added[k] = added[--added_count];
				added[added_count] = NULL;
				break;
			}
	}
}

void ba_gate_account(ba_strv *out, const ba_result *r, const ba_gate_policy *p)
{
	account_missing(out, r, p);
	for (size_t c = 1; c < r->run.variant_count; c++)
		account_renamed(out, r, c);
	account_unexpected(out, r, p);
}
