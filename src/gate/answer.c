/*
 * The sentence that answers "did this change make it slower?".
 *
 *     Yes: 3 of 5 benchmarks got slower, the worst launch/args=2 by +4.1 %
 *     (+3.6 .. +4.7 %), +105 ns per launch; 1 got faster.
 *
 * With several candidates each has its own: "Yes for contextvar: ...; no for v2: ...".
 */
#include <string.h>

#include "gate/tally.h"

typedef enum word { WORD_YES, WORD_REFUSED, WORD_CANNOT, WORD_NO, WORD_COUNT } word;

static bool several_metrics(const ba_result *r)
{
	int metric = -1;
	for (size_t i = 0; i < r->series_count; i++) {
		if (r->series[i].role != BA_ROLE_VERDICT)
			continue;
		if (metric >= 0 && metric != (int)r->series[i].metric)
			return true;
		metric = (int)r->series[i].metric;
	}
	return false;
}

static word word_of(const ba_result *r, const ba_gate_policy *p, const ba_tally *t)
{
	if (t->count[BA_FATE_REGRESSED])
		return WORD_YES;
	if (p->strict && ba_tally_refused(t))
		return WORD_REFUSED;
	bool open = ba_tally_lacking(t) || !ba_tally_known(t) ||
		    t->count[BA_FATE_UNDECIDED];
	return open || r->interrupted ? WORD_CANNOT : WORD_NO;
}

static void put_end(ba_buf *out, const ba_result *r)
{
	ba_buf_putc(out, '.');
	if (r->interrupted)
		ba_buf_puts(out, " The run was interrupted before it was complete.");
	if (r->env.target && strcmp(r->env.target, "fake") == 0)
		ba_buf_puts(
			out, " These are a fake driver's figures: they mean nothing.");
}

/* Does any candidate say so? With one it goes without its name. */
static void put_word(ba_buf *out, word w, const char *label, bool named, bool first)
{
	static const char *const words[WORD_COUNT][2] = {
		[WORD_YES] = {"Yes", "yes"},
		[WORD_REFUSED] = {"Refused", "refused"},
		[WORD_CANNOT] = {"Cannot tell", "cannot tell"},
		[WORD_NO] = {"No", "no"},
	};
	ba_buf_puts(out, words[w][first ? 0 : 1]);
	if (named)
		ba_buf_printf(out, " for %s", label);
	ba_buf_puts(out, ": ");
}

char *ba_gate_answer(const ba_result *r, const ba_gate_policy *p,
	const ba_tally *tallies, const char *missing)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool several = several_metrics(r), first = true;
	size_t count = r->variant_count - 1;
	bool regressed = false;
	for (size_t i = 0; i < count; i++)
		regressed = regressed || tallies[i].count[BA_FATE_REGRESSED];
	if (missing && !regressed) {
		ba_buf_printf(&out,
			"Cannot tell: no benchmark that matches '%s' was measured, and one is expected; otherwise: ",
			missing);
		first = false;
	}
	bool lead = !first;
	for (int w = 0; w < WORD_COUNT; w++) {
		for (size_t i = 0; i < count; i++) {
			if ((int)word_of(r, p, &tallies[i]) != w)
				continue;
			if (!first && !lead)
				ba_buf_puts(&out, "; ");
			put_word(&out, (word)w, r->variants[i + 1].label, count > 1,
				first);
			ba_gate_put_clause(&out, r, &tallies[i], several);
			first = lead = false;
		}
	}
	if (missing && regressed)
		ba_buf_printf(&out, "; expected and not measured: '%s'", missing);
	put_end(&out, r);
	return ba_buf_detach(&out);
}

char *ba_gate_answer_one(const ba_result *r, size_t measured, size_t total,
	const ba_series *problem, const char *missing)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	const char *label = r->variant_count ? r->variants[0].label : "nothing";
	bool several = several_metrics(r);
	const char *noun = several ? "figures" : "benchmarks";
	if (!measured)
		ba_buf_printf(&out, "Nothing was measured of %s", label);
	else if (total == 1)
		ba_buf_printf(&out, "Measured 1 %s of %s",
			several ? "figure" : "benchmark", label);
	else if (measured == total)
		ba_buf_printf(&out, "Measured %zu %s of %s", measured, noun, label);
	else
		ba_buf_printf(&out, "Measured %zu of %zu %s of %s", measured, total,
			noun, label);
	if (problem) {
		const ba_summary *v = &problem->variants[0];
		ba_buf_printf(&out, "; %s %s%s", r->benchmarks[problem->benchmark].id,
			v->failure ? "failed: " : "has no samples",
			v->failure ? v->failure : "");
	}
	if (missing)
		ba_buf_printf(&out, "; expected and not measured: '%s'", missing);
	put_end(&out, r);
	return ba_buf_detach(&out);
}
