/*
 * The sentence that answers "did this change make it slower?", for a reader who does
 * not know the question: its first words are the verdict.
 *
 *     Regressed: 3 of 5 benchmarks got slower, most of all launch/args=2 by 4.1 %
 *     (3.6 .. 4.7 %), 105 ns per launch; 1 got faster.
 *
 * With several candidates each has its own: "Regressed in contextvar: ...; no
 * regression in v2: ...".
 */

#include "gate/tally.h"

/* the worst verdict first: candidates are named in this order */
typedef enum word {
	WORD_REGRESSED,
	WORD_LIKELY, /* likely, and the policy lets the gate fail for it */
	WORD_REFUSED,
	WORD_UNMEASURED,
	WORD_INCOMPLETE,
	WORD_PROBABLE,
	WORD_INCONCLUSIVE,
	WORD_HOPEFUL,
	WORD_IMPROVED,
	WORD_NO_REGRESSION,
	WORD_COUNT
} word;

static const char *const words[WORD_COUNT] = {
	[WORD_REGRESSED] = "Regressed",
	[WORD_LIKELY] = "Probably regressed",
	[WORD_REFUSED] = "Fails the strict gate",
	[WORD_UNMEASURED] = "Not measured",
	[WORD_INCOMPLETE] = "Not fully measured",
	[WORD_PROBABLE] = "Probably regressed",
	[WORD_INCONCLUSIVE] = "Inconclusive",
	[WORD_HOPEFUL] = "Probably improved",
	[WORD_IMPROVED] = "Improved",
	[WORD_NO_REGRESSION] = "No regression",
};

static bool several_metrics(const ba_result *r)
{
	const ba_series *first = BA_FIND(r->series, r->series_count, x, x->role == BA_ROLE_VERDICT);
	return first && BA_ANY(r->series, r->series_count, x,
				x->role == BA_ROLE_VERDICT && x->metric != first->metric);
}

static word word_of(const ba_result *r, const ba_gate_policy *p, const ba_tally *t)
{
	ba_shift probably = ba_tally_probably(t);
	if (t->count[BA_FATE_REGRESSED])
		return WORD_REGRESSED;
	if (p->likely_fails && probably == BA_SHIFT_SLOWER)
		return WORD_LIKELY;
	if (p->strict && ba_tally_refused(t))
		return WORD_REFUSED;
	if (!ba_tally_known(t))
		return WORD_UNMEASURED;
	if (ba_tally_lacking(t) || r->run.interrupted)
		return WORD_INCOMPLETE;
	if (t->count[BA_FATE_UNDECIDED])
		return probably == BA_SHIFT_SLOWER   ? WORD_PROBABLE
		       : probably == BA_SHIFT_FASTER ? WORD_HOPEFUL
						     : WORD_INCONCLUSIVE;
	return t->count[BA_FATE_IMPROVED] ? WORD_IMPROVED : WORD_NO_REGRESSION;
}

static void put_end(ba_buf *out, const ba_result *r)
{
	ba_buf_putc(out, '.');
	ba_gate_put_factors(out, r, several_metrics(r));
	if (r->run.interrupted)
		ba_buf_puts(out, " The run was interrupted before it was complete.");
	if (ba_environment_is_fake(&r->run.env))
		ba_buf_printf(out, " %s.", ba_test_driver_warning);
}

/* With a single candidate the clause does not name it. */
static void put_word(ba_buf *out, word w, const char *label, bool named, bool first)
{
	size_t from = out->len;
	ba_buf_puts(out, words[w]);
	if (!first)
		out->data[from] = (char)tolower((unsigned char)out->data[from]);
	if (named)
		ba_buf_printf(out, " in %s", label);
	ba_buf_puts(out, ": ");
}

char *ba_gate_answer(
	const ba_result *r, const ba_gate_policy *p, const ba_tally *tallies, const char *missing)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool several = several_metrics(r);
	size_t count = r->run.variant_count - 1;
	const char *between = "";
	bool regressed = BA_ANY(tallies, count, x, x->count[BA_FATE_REGRESSED]);
	if (missing && !regressed) {
		ba_buf_printf(&out, "%s: the expected '%s' was not measured",
			words[WORD_INCOMPLETE], missing);
		between = "; otherwise ";
	}
	for (int w = 0; w < WORD_COUNT; w++) {
		for (size_t i = 0; i < count; i++) {
			if ((int)word_of(r, p, &tallies[i]) != w)
				continue;
			ba_buf_puts(&out, between);
			put_word(&out, (word)w, r->run.variants[i + 1].label, count > 1, !*between);
			ba_gate_put_clause(&out, r, &tallies[i], several);
			between = "; ";
		}
	}
	if (missing && regressed)
		ba_buf_printf(&out, "; the expected '%s' was not measured", missing);
	put_end(&out, r);
	return ba_buf_detach(&out);
}

/* How many benchmarks of one variant have values that decide nothing? */
static size_t reported_of(const ba_result *r)
{
	size_t n = 0, last = SIZE_MAX;
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		if (!s->variants[0].launches || s->benchmark == last)
			continue;
		n++;
		last = s->benchmark;
	}
	return n;
}

char *ba_gate_answer_one(const ba_result *r, size_t measured, size_t total,
	const ba_series *problem, const char *missing)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	const char *label = r->run.variant_count ? r->run.variants[0].label : "nothing";
	bool several = several_metrics(r);
	const char *noun = several ? ba_plural(total, "value", "values")
				   : ba_plural(total, "benchmark", "benchmarks");
	size_t reported = measured ? 0 : reported_of(r);
	if (reported)
		ba_buf_printf(&out,
			"Only reported metrics of %zu %s were measured of %s, and none that decides",
			reported, ba_plural(reported, "benchmark", "benchmarks"), label);
	else if (!measured)
		ba_buf_printf(&out, "Nothing was measured of %s", label);
	else if (measured == total)
		ba_buf_printf(&out, "Measured %zu %s of %s", measured, noun, label);
	else
		ba_buf_printf(&out, "Measured %zu of %zu %s of %s", measured, total, noun, label);
	if (problem) {
		const ba_summary *v = &problem->variants[0];
		ba_buf_printf(&out, "; %s %s%s", r->run.benchmarks[problem->benchmark].id,
			v->failure ? "failed: " : "has no samples", v->failure ? v->failure : "");
	}
	if (missing)
		ba_buf_printf(&out, "; the expected '%s' was not measured", missing);
	put_end(&out, r);
	return ba_buf_detach(&out);
}
