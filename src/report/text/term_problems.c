/* What was not measured and what was not decided, each with its reason, once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fold.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "report/text/term.h"
#include "report/view.h"

enum { OUTPUT_LINES = 8, SAID_MOST = 500 };

typedef struct problems {
	const ba_screen *s;
	size_t left;  /* not said for there being too many */
	ba_strv said; /* the same failure of several metrics is one row */
} problems;

static void heading(problems *p)
{
	if (p->said.count == 0)
		ba_buf_putc(p->s->out, '\n');
}

/* one row, unless it was said before */
static bool say(problems *p, ba_verdict kind, const char *sentence)
{
	BA_AUTO_FREE char *safe = ba_text_safe(sentence);
	if (ba_strv_has(&p->said, safe))
		return false;
	if (p->said.count >= SAID_MOST) {
		p->left++;
		return false;
	}
	heading(p);
	ba_strv_push(&p->said, safe);
	const char *symbol = ba_verdict_symbol(kind, p->s->unicode);
	ba_ink_put(p->s->out, p->s->colour, ba_verdict_ink(kind), symbol);
	ba_buf_putc(p->s->out, ' ');
	ba_text_fold(p->s->out, safe, p->s->width, 4, ba_text_width(symbol) + 1);
	ba_buf_putc(p->s->out, '\n');
	return true;
}

static void output_lines(const problems *p, const char *output)
{
	const char *line = ba_text_last_lines(output, OUTPUT_LINES);
	while (*line) {
		size_t length = strcspn(line, "\n");
		BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
		ba_text_sanitize(&safe, line, length, false);
		BA_AUTO_FREE char *cut =
			ba_text_cut(safe.data, p->s->width - 6, p->s->unicode);
		ba_ink_put(p->s->out, p->s->colour, BA_INK_DIM, "    | ");
		ba_buf_printf(p->s->out, "%s\n", cut);
		line += length + (line[length] == '\n');
	}
}

static const char *label_of(const problems *p, size_t variant)
{
	return p->s->r->variants[variant].label;
}

/* every variant, for the same reason: that is one thing to say */
static bool skipped_alike(const problems *p, const ba_series *series)
{
	const char *first = series->variants[0].skipped;
	for (size_t i = 0; i < p->s->r->variant_count; i++) {
		const char *reason = series->variants[i].skipped;
		if (!first || !reason || strcmp(first, reason) != 0)
			return false;
	}
	return true;
}

/* Of how many benchmarks `variant` has the failure of this one, and no other: 0 where
 * there is another. A library that cannot be loaded is one thing to say, too. */
static size_t failed_alike(const problems *p, const ba_series *series, size_t variant)
{
	const ba_result *r = p->s->r;
	const char *failure = series->variants[variant].failure;
	BA_AUTO_FREE bool *failed = ba_xcalloc(r->benchmark_count + 1, sizeof(*failed));
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *other = &r->series[i];
		const char *theirs = other->variants[variant].failure;
		if (!theirs)
			continue;
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): it has failed */
		if (strcmp(theirs, failure) != 0)
			return 0;
		count += !failed[other->benchmark];
		failed[other->benchmark] = true;
	}
	return count;
}

/* what another variant's failure left without anything to be compared with */
static bool lost_to_a_failure(const problems *p, const ba_series *series)
{
	for (size_t v = 0; v < p->s->r->variant_count; v++)
		if (series->variants[v].failure)
			return true;
	return false;
}

static void missing(problems *p, const ba_series *series, size_t variant)
{
	const ba_summary *v = &series->variants[variant];
	const char *id = p->s->r->benchmarks[series->benchmark].id;
	const char *label = label_of(p, variant);
	size_t alike;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	switch (ba_presence_of(p->s->r, series, variant)) {
	case BA_PRESENCE_FAILED:
		alike = failed_alike(p, series, variant);
		if (alike > 1)
			ba_buf_printf(&text, "%zu benchmarks failed in %s: %s", alike,
				label, v->failure);
		else
			ba_buf_printf(
				&text, "%s failed in %s: %s", id, label, v->failure);
		if (say(p, BA_VERDICT_FAILED, text.data) && v->output)
			output_lines(p, v->output);
		break;
	case BA_PRESENCE_SKIPPED:
		if (skipped_alike(p, series))
			ba_buf_printf(&text, "%s skipped: %s", id, v->skipped);
		else
			ba_buf_printf(
				&text, "%s skipped in %s: %s", id, label, v->skipped);
		say(p, BA_VERDICT_SKIPPED, text.data);
		break;
	case BA_PRESENCE_EMPTY:
		if (lost_to_a_failure(p, series))
			break;
		ba_buf_printf(&text, "%s has no samples of %s in %s", id,
			ba_metric_get(series->metric)->name, label);
		say(p, BA_VERDICT_FAILED, text.data);
		break;
	case BA_PRESENCE_ABSENT:
	case BA_PRESENCE_MEASURED:
	case BA_PRESENCE_IDENTICAL:
		break;
	}
}

/* "it could be up to 2.4 % slower" says more than "don't know" */
static void could_be(ba_buf *text, const ba_comparison *c)
{
	double worst = ba_comparison_worst(c);
	int decimals = ba_percent_decimals(c->low, worst);
	if (!isfinite(worst) || !(worst > 0))
		return;
	if (worst > 1) {
		ba_buf_puts(text, "could be up to ");
		ba_number_put(text, 100 * (worst - 1), decimals, false);
		ba_buf_puts(text, " % slower");
	} else {
		ba_buf_puts(text, "is not slower, by how much it is faster is open");
	}
}

/* a verdict that the figures of its row do not show */
static void of_tail(problems *p, const ba_series *series, size_t variant)
{
	const ba_comparison *c = &series->comparisons[variant - 1];
	BA_AUTO_FREE char *text = ba_xprintf("%s %s in %s: %s",
		p->s->r->benchmarks[series->benchmark].id, ba_verdict_name(c->verdict),
		label_of(p, variant), c->reason ? c->reason : "its mean changed");
	say(p, c->verdict, text);
}

static void undecided(problems *p, const ba_series *series, size_t variant)
{
	const ba_comparison *c = &series->comparisons[variant - 1];
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text,
		"%s undecided in %s: ", p->s->r->benchmarks[series->benchmark].id,
		label_of(p, variant));
	if (!c->reason || !strstr(c->reason, "could be"))
		could_be(&text, c);
	if (c->reason)
		ba_buf_printf(&text, "%s%s", ba_text_ends(text.data, ": ") ? "" : "; ",
			c->reason);
	if (c->hint)
		ba_buf_printf(&text, "; %s", c->hint);
	if (!ba_text_ends(text.data, ": "))
		say(p, BA_VERDICT_INCONCLUSIVE, text.data);
}

static void one_sided(problems *p, const ba_series *series, size_t variant)
{
	const ba_comparison *c = &series->comparisons[variant - 1];
	bool added = c->verdict == BA_VERDICT_ADDED;
	BA_AUTO_FREE char *text =
		ba_xprintf("%s is %s %s%s%s", p->s->r->benchmarks[series->benchmark].id,
			added ? "new in" : "gone from", label_of(p, variant),
			c->reason ? ": " : "", c->reason ? c->reason : "");
	say(p, c->verdict, text);
}

typedef bool doubt(const ba_comparison *c);

static bool is_reshaped(const ba_comparison *c)
{
	/* beside a verdict as loud as that, it is no news */
	return c->shape_changed && !ba_verdict_is_slower(c->verdict) &&
	       c->verdict != BA_VERDICT_TAIL_IMPROVED && !c->mean_suspicious;
}

static bool is_unstable(const ba_comparison *c)
{
	return c->unstable && !ba_verdict_is_slower(c->verdict);
}

/* What the flags mean is in docs/results.md. One row for all benchmarks of a candidate.
 */
static void doubts(problems *p, size_t variant, doubt *has, const char *meaning)
{
	enum { NAMED = 3 };
	const ba_result *r = p->s->r;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (s->role != BA_ROLE_VERDICT || !has(&s->comparisons[variant - 1]))
			continue;
		if (count++ < NAMED)
			ba_buf_printf(&text, "%s%s", count > 1 ? ", " : "",
				r->benchmarks[s->benchmark].id);
	}
	if (!count)
		return;
	if (count > NAMED)
		ba_buf_printf(&text, " and %zu more", count - NAMED);
	BA_AUTO_FREE char *sentence =
		ba_xprintf("%s, %s: %s", label_of(p, variant), text.data, meaning);
	say(p, BA_VERDICT_INCONCLUSIVE, sentence);
}

static void compared(problems *p, const ba_series *series, size_t variant)
{
	switch (series->comparisons[variant - 1].verdict) {
	case BA_VERDICT_UNDECIDED:
	case BA_VERDICT_PROVISIONAL:
	case BA_VERDICT_INCONCLUSIVE:
		undecided(p, series, variant);
		break;
	case BA_VERDICT_TAIL_REGRESSED:
	case BA_VERDICT_TAIL_IMPROVED:
		of_tail(p, series, variant);
		break;
	case BA_VERDICT_ADDED:
	case BA_VERDICT_REMOVED:
		one_sided(p, series, variant);
		break;
	default:
		break;
	}
}

static bool is_identical(
	const ba_result *r, const ba_series *series, size_t variant, bool by_work)
{
	const ba_comparison *c = &series->comparisons[variant - 1];
	return series->role == BA_ROLE_VERDICT && c->verdict == BA_VERDICT_IDENTICAL &&
	       ba_benchmark_is_same_work(&r->benchmarks[series->benchmark], variant) ==
		       by_work;
}

/* What the controls found, in the place of "not measured". */
static void controls_text(ba_buf *out, const ba_result *r, size_t variant, bool by_work)
{
	double low = INFINITY, high = 0, least = INFINITY, most = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_comparison *c = &r->series[i].comparisons[variant - 1];
		if (!is_identical(r, &r->series[i], variant, by_work) ||
			!(c->ratio > 0))
			continue;
		low = fmin(low, c->ratio);
		high = fmax(high, c->ratio);
		least = fmin(least, c->low);
		most = fmax(most, c->high);
	}
	if (!(high > 0)) {
		ba_buf_puts(out, "not measured");
		return;
	}
	int decimals = ba_percent_decimals(least, most);
	ba_buf_puts(out, "measured only as a control (");
	ba_percent_put(out, low, decimals);
	if (high > low) {
		ba_buf_puts(out, " to ");
		ba_percent_put(out, high, decimals);
	}
	ba_buf_putc(out, ')');
}

/* by_work: found in the device code, else in what was built */
static void identical(problems *p, size_t variant, bool by_work)
{
	const ba_result *r = p->s->r;
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	const char *reason = NULL;
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		if (!is_identical(r, &r->series[i], variant, by_work))
			continue;
		reason =
			count++ ? reason : r->series[i].comparisons[variant - 1].reason;
	}
	if (!count)
		return;
	controls_text(&how, r, variant, by_work);
	BA_AUTO_FREE char *same = ba_xprintf(
		"what it built is byte for byte what %s built", label_of(p, 0));
	BA_AUTO_FREE char *text = ba_xprintf("%zu benchmark%s of %s%s %s: %s", count,
		count == 1 ? "" : "s", label_of(p, variant),
		by_work ? " on the GPU's clock" : "", how.data, reason ? reason : same);
	say(p, BA_VERDICT_IDENTICAL, text);
}

void ba_term_problems(const ba_screen *s)
{
	problems p = {.s = s};
	for (size_t i = 0; i < s->r->series_count; i++) {
		const ba_series *series = &s->r->series[i];
		for (size_t v = 0; v < s->r->variant_count; v++)
			missing(&p, series, v);
		for (size_t v = 1; v < s->r->variant_count; v++)
			if (series->role == BA_ROLE_VERDICT)
				compared(&p, series, v);
	}
	for (size_t v = 1; v < s->r->variant_count; v++) {
		doubts(&p, v, is_reshaped,
			"the plain mean moved otherwise than the trimmed one, so the shape of the distribution changed");
		doubts(&p, v, is_unstable,
			"a rank estimate disagrees by over half the threshold, so invocations differ too much");
		identical(&p, v, false);
		identical(&p, v, true);
	}
	if (p.left)
		ba_buf_printf(s->out,
			"... and %zu more of these; --format csv has all of them\n",
			p.left);
	ba_strv_dispose(&p.said);
}
