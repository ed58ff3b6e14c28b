/* Benchmarks not measured, inconclusive or identical, each reason once. */

#include "report/remarks.h"
#include "report/text/term.h"

enum { OUTPUT_LINES = 8, NAMES_SHOWN = 8 };

typedef struct problems {
	const ba_screen *s;
	bool begun;
} problems;

static void say(problems *p, ba_verdict kind, const char *sentence)
{
	BA_AUTO_FREE char *safe = ba_text_safe(sentence);
	const char *symbol = ba_verdict_symbol(kind, p->s->o->unicode);
	if (!p->begun)
		ba_buf_putc(p->s->out, '\n');
	p->begun = true;
	ba_ink_put(p->s->out, p->s->o->colour, ba_verdict_ink(kind), symbol);
	ba_buf_putc(p->s->out, ' ');
	ba_text_fold(p->s->out, safe, ba_format_width(p->s->o), 4, ba_text_width(symbol) + 1);
	ba_buf_putc(p->s->out, '\n');
}

static void output_lines(const problems *p, const char *output)
{
	const char *line = ba_text_last_lines(output, OUTPUT_LINES);
	while (*line) {
		size_t length = strcspn(line, "\n");
		BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
		ba_text_sanitize(&safe, line, length, false);
		BA_AUTO_FREE char *cut =
			ba_text_cut(safe.data, ba_format_width(p->s->o) - 6, p->s->o->unicode);
		ba_ink_put(p->s->out, p->s->o->colour, BA_INK_DIM, "    | ");
		ba_buf_printf(p->s->out, "%s\n", cut);
		line += length + (line[length] == '\n');
	}
}

static const char *label_of(const problems *p, size_t variant)
{
	return p->s->r->run.variants[variant].label;
}

static void names(const problems *p, const ba_remark *m)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (m->count < 2)
		return;
	ba_names_put(&text, p->s->r, m->benchmarks, m->count, p->s->o->verbose ? 0 : NAMES_SHOWN);
	ba_format_remark(p->s->out, p->s->o, 4, BA_INK_PLAIN, "    ", text.data);
}

static void remarks(problems *p)
{
	BA_AUTO(ba_remarks) ba_remarks all = {0};
	ba_remarks_of(&all, p->s->r, p->s->o->verbose);
	BA_EACH (const ba_remark, m, all.items, all.count) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_remark_put(&text, p->s->r, m);
		say(p, m->verdict, text.data);
		names(p, m);
		if (m->output)
			output_lines(p, m->output);
	}
}

typedef bool doubt(const ba_series *s, size_t variant);

static bool is_reshaped(const ba_series *s, size_t variant)
{
	const ba_comparison *c = variant ? &s->comparisons[variant - 1] : NULL;
	/* beside these verdicts, a changed shape adds nothing */
	return c && s->role == BA_ROLE_VERDICT && c->shape_changed &&
	       !ba_verdict_is_slower(c->verdict) && c->verdict != BA_VERDICT_TAIL_IMPROVED &&
	       !c->mean_suspicious;
}

static bool is_unstable(const ba_series *s, size_t variant)
{
	const ba_comparison *c = variant ? &s->comparisons[variant - 1] : NULL;
	return c && s->role == BA_ROLE_VERDICT && c->unstable && !ba_verdict_is_slower(c->verdict);
}

/* number of consecutive calls in a process; 0: the metric is not a count */
static unsigned calls_of(const ba_series *s)
{
	return s->info->counted && s->sample_count ? s->samples[0].readings : 0;
}

static bool has_calls_that_differ(const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	return calls_of(s) > 1 && v->present && v->mean > v->min;
}

/* One row for all benchmarks of a variant. docs/results.md explains the flags. */
static void doubts(problems *p, size_t variant, doubt *has, const char *meaning)
{
	const ba_result *r = p->s->r;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE size_t *named = ba_xcalloc(r->series_count + 1, sizeof(*named));
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++)
		if (has(&r->series[i], variant))
			named[count++] = r->series[i].benchmark;
	if (!count)
		return;
	ba_buf_printf(&text, "%s, ", label_of(p, variant));
	ba_names_put(&text, r, named, count, p->s->o->verbose ? 0 : NAMES_SHOWN);
	ba_buf_printf(&text, ": %s", meaning);
	say(p, BA_VERDICT_INCONCLUSIVE, text.data);
}

/* If the counts of calls differ, the smallest is compared. Shows how far it is from the
 * mean, in one row for all benchmarks of a variant. */
static void calls(problems *p, size_t variant)
{
	const ba_result *r = p->s->r;
	const ba_series *most = NULL;
	double ratio = 1;
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_summary *v = &r->series[i].variants[variant];
		if (!has_calls_that_differ(&r->series[i], variant))
			continue;
		count++;
		if (!most || v->mean / v->min > ratio) {
			most = &r->series[i];
			ratio = v->mean / v->min;
		}
	}
	if (!most)
		return;
	const ba_summary *v = &most->variants[variant];
	BA_AUTO_FREE char *where =
		count > 1 ? ba_xprintf(", most of all in %s", r->run.benchmarks[most->benchmark].id)
			  : ba_xstrdup("");
	BA_AUTO_FREE char *text = ba_xprintf(
		"calls differ%s: %.0f instructions at least, %.1f in the mean of %u consecutive calls",
		where, v->min, v->mean, calls_of(most));
	doubts(p, variant, has_calls_that_differ, text);
}

static bool is_identical(const ba_result *r, const ba_series *series, size_t variant, bool by_work)
{
	const ba_comparison *c = &series->comparisons[variant - 1];
	return series->role == BA_ROLE_VERDICT && c->verdict == BA_VERDICT_IDENTICAL &&
	       ba_benchmark_is_same_work(&r->run.benchmarks[series->benchmark], variant) == by_work;
}

/* The result of the controls, instead of "not measured". count: of the identical ones */
static void controls_text(
	ba_buf *out, const ba_result *r, size_t variant, bool by_work, size_t count)
{
	double low = INFINITY, high = 0, least = INFINITY, most = 0;
	size_t measured = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_comparison *c = &r->series[i].comparisons[variant - 1];
		if (!is_identical(r, &r->series[i], variant, by_work) || !(c->ratio > 0))
			continue;
		ba_widen(&low, &high, c->ratio, c->ratio);
		ba_widen(&least, &most, c->low, c->high);
		measured++;
	}
	if (!(high > 0)) {
		ba_buf_puts(out, "not measured");
		return;
	}
	int decimals = ba_percent_decimals(least, most);
	if (measured < count)
		ba_buf_printf(out, "not measured, except %zu as a control (", measured);
	else
		ba_buf_puts(out, "measured only as a control (");
	ba_percent_put(out, low, decimals);
	if (high > low) {
		ba_buf_puts(out, " to ");
		ba_percent_put(out, high, decimals);
	}
	ba_buf_putc(out, ')');
}

/* by_work: those with the same device code; else those with the same built files */
static void identical(problems *p, size_t variant, bool by_work)
{
	const ba_result *r = p->s->r;
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	const char *reason = NULL;
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		if (!is_identical(r, &r->series[i], variant, by_work))
			continue;
		reason = count++ ? reason : r->series[i].comparisons[variant - 1].reason;
	}
	if (!count)
		return;
	controls_text(&how, r, variant, by_work, count);
	BA_AUTO_FREE char *same =
		ba_xprintf("its build is byte for byte that of %s", label_of(p, 0));
	BA_AUTO_FREE char *text = ba_xprintf("%zu %s of %s%s %s: %s", count,
		ba_plural(count, "benchmark", "benchmarks"), label_of(p, variant),
		by_work ? " on the GPU's clock" : "", how.data, reason ? reason : same);
	say(p, BA_VERDICT_IDENTICAL, text);
}

void ba_term_problems(const ba_screen *s)
{
	problems p = {.s = s};
	remarks(&p);
	for (size_t v = 0; v < s->r->run.variant_count; v++)
		calls(&p, v);
	for (size_t v = 1; v < s->r->run.variant_count; v++) {
		doubts(&p, v, is_reshaped,
			"the mean moved differently from the trimmed mean, so the shape of the distribution changed");
		doubts(&p, v, is_unstable,
			"the Hodges-Lehmann estimate differs by more than half the threshold, so invocations differ too much");
		identical(&p, v, false);
		identical(&p, v, true);
	}
}
