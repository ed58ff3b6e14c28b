#include "gate/account.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "gate/tally.h"

#define SHOWN 20      /* sentences of a kind */
#define NAMED 5	      /* names in a sentence */
#define GUESSES 40000 /* pairs of names that are compared to guess a new name */

/* ---- what was measured ---------------------------------------------------- */

static bool *measured_of(const ba_result *r)
{
	bool *measured = ba_xcalloc(r->benchmark_count + 1, sizeof(*measured));
	for (size_t i = 0; i < r->series_count; i++)
		if (ba_gate_measured(r, &r->series[i]))
			measured[r->series[i].benchmark] = true;
	return measured;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* the ids, sorted; *count of them; caller frees */
static const char **measured_ids(size_t *count, const ba_result *r)
{
	BA_AUTO_FREE bool *measured = measured_of(r);
	const char **ids = ba_xcalloc(r->benchmark_count + 1, sizeof(*ids));
	*count = 0;
	for (size_t i = 0; i < r->benchmark_count; i++)
		if (measured[i])
			ids[(*count)++] = r->benchmarks[i].id;
	qsort(ids, *count, sizeof(*ids), by_name);
	return ids;
}

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

static bool matches_any(const char *pattern, const char *const *ids, size_t count)
{
	if (!is_glob(pattern))
		return bsearch(&pattern, ids, count, sizeof(*ids), by_name) != NULL;
	for (size_t i = 0; i < count; i++)
		if (ba_text_glob(pattern, ids[i]))
			return true;
	return false;
}

size_t ba_gate_missing(bool *missing, const ba_result *r, const ba_gate_policy *p)
{
	size_t count, total = 0;
	if (!p->expected || !p->expected->count)
		return 0;
	BA_AUTO_FREE const char **ids = measured_ids(&count, r);
	for (size_t k = 0; k < p->expected->count; k++) {
		missing[k] = !matches_any(p->expected->items[k], ids, count);
		total += missing[k];
	}
	return total;
}

/* ---- what became of what is missing ---------------------------------------- */

static const char *label_of(const ba_result *r, size_t variant)
{
	return r->variants[variant].label;
}

/* the reason that a person would want to hear first, or NULL */
static char *fate_text(const ba_result *r, const ba_series *s)
{
	for (size_t v = 0; v < r->variant_count; v++) {
		const ba_summary *x = &s->variants[v];
		if (x->failure)
			return ba_xprintf(
				"it failed in %s: %s", label_of(r, v), x->failure);
		if (x->skipped)
			return ba_xprintf(
				"it was skipped in %s: %s", label_of(r, v), x->skipped);
	}
	for (size_t v = 0; v < r->variant_count; v++) {
		const ba_summary *x = &s->variants[v];
		if (!x->present)
			return ba_xprintf("%s does not have it", label_of(r, v));
		if (!x->launches)
			return ba_xprintf(
				"it came without samples from %s", label_of(r, v));
	}
	return NULL;
}

static char *what_became(const ba_result *r, const char *pattern)
{
	for (size_t i = 0; i < r->series_count; i++) {
		const char *id = r->benchmarks[r->series[i].benchmark].id;
		char *text =
			ba_text_glob(pattern, id) ? fate_text(r, &r->series[i]) : NULL;
		if (text && is_glob(pattern)) {
			char *named = ba_xprintf("%s: %s", id, text);
			free(text);
			return named;
		}
		if (text)
			return text;
	}
	const char **ids = ba_xcalloc(r->benchmark_count + 1, sizeof(*ids));
	for (size_t i = 0; i < r->benchmark_count && i < GUESSES / SHOWN; i++)
		ids[i] = r->benchmarks[i].id;
	const char *near = ba_text_nearest(pattern, ids);
	free(ids);
	return near ? ba_xprintf("there is no such benchmark; is it '%s' now?", near)
		    : ba_xstrdup("there is no such benchmark");
}

static void account_missing(ba_strv *out, const ba_result *r, const ba_gate_policy *p)
{
	size_t n = p->expected ? p->expected->count : 0, shown = 0;
	BA_AUTO_FREE bool *missing = ba_xcalloc(n + 1, sizeof(*missing));
	size_t total = ba_gate_missing(missing, r, p);
	for (size_t k = 0; k < n && shown < SHOWN; k++) {
		if (!missing[k])
			continue;
		BA_AUTO_FREE char *why = what_became(r, p->expected->items[k]);
		ba_strv_push_take(out, ba_xprintf("expected and not measured: '%s': %s",
					       p->expected->items[k], why));
		shown++;
	}
	if (total > shown)
		ba_strv_push_take(
			out, ba_xprintf("and %zu more that were expected and not "
					"measured",
				     total - shown));
}

/* ---- lists of names ---------------------------------------------------------- */

static void put_names(ba_buf *out, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count && i < NAMED; i++)
		ba_buf_printf(out, "%s%s", i ? ", " : "", names[i]);
	if (count > NAMED)
		ba_buf_printf(out, " and %zu more", count - NAMED);
}

static void account_unexpected(
	ba_strv *out, const ba_result *r, const ba_gate_policy *p)
{
	size_t count, unexpected = 0, globs = 0;
	if (!p->expected || !p->expected->count)
		return;
	BA_AUTO_FREE const char **ids = measured_ids(&count, r);
	BA_AUTO_FREE const char **exact =
		ba_xcalloc(p->expected->count + 1, sizeof(*exact));
	BA_AUTO_FREE const char **glob =
		ba_xcalloc(p->expected->count + 1, sizeof(*glob));
	size_t exacts = 0;
	for (size_t k = 0; k < p->expected->count; k++) {
		const char *pattern = p->expected->items[k];
		*(is_glob(pattern) ? &glob[globs++] : &exact[exacts++]) = pattern;
	}
	qsort(exact, exacts, sizeof(*exact), by_name);
	for (size_t i = 0; i < count; i++) {
		bool known = bsearch(&ids[i], exact, exacts, sizeof(*exact), by_name);
		for (size_t k = 0; k < globs && !known; k++)
			known = ba_text_glob(glob[k], ids[i]);
		if (!known)
			ids[unexpected++] = ids[i];
	}
	if (!unexpected)
		return;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text,
		"measured, and in no expected set, so that nobody would "
		"miss %s: ",
		unexpected == 1 ? "it" : "them");
	put_names(&text, ids, unexpected);
	ba_buf_puts(&text, " (bench-against list --expected)");
	ba_strv_push(out, text.data);
}

/* gone from a candidate and something much like it is new there: a guess, said as one
 */
static void account_renamed(ba_strv *out, const ba_result *r, size_t candidate)
{
	BA_AUTO_FREE const char **gone = ba_xcalloc(r->series_count + 1, sizeof(*gone));
	BA_AUTO_FREE const char **added =
		ba_xcalloc(r->series_count + 1, sizeof(*added));
	size_t gone_count = 0, added_count = 0, shown = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		const char *id = r->benchmarks[s->benchmark].id;
		ba_fate fate = s->role == BA_ROLE_VERDICT ? ba_fate_of(s, candidate)
							  : BA_FATE_ABSENT;
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
		ba_strv_push_take(out,
			ba_xprintf("%s: '%s' is gone and '%s' is new: if that is a new "
				   "name, the two can be compared only under one name",
				label_of(r, candidate), gone[i], near));
		shown++;
		/* one new name is one */
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
	for (size_t c = 1; c < r->variant_count; c++)
		account_renamed(out, r, c);
	account_unexpected(out, r, p);
}
