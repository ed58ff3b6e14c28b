#include "verify/verify.h"

#include "gate/status.h"
#include "verdict/decide.h"
#include "verdict/identity.h"
#include "verdict/estimate.h"

/* ---- what the document said, put aside ---- */

typedef struct document {
	ba_series *series; /* without samples */
	size_t series_count, variant_count;
	ba_decided decided; /* owns the answer alone */
} document;

static void document_dispose(document *d)
{
	for (size_t i = 0; i < d->series_count; i++)
		ba_series_dispose(&d->series[i], d->variant_count);
	BA_FREE(d->series, d->decided.answer);
}
BA_DEFINE_AUTO(document, document_dispose)

/* Sets stated values aside. The series keeps thresholds, presence, failures. */
static void put_aside(ba_series *aside, ba_series *s, size_t variant_count)
{
	*aside = *s;
	aside->samples = NULL;
	aside->sample_count = 0;
	s->comparisons = ba_xcalloc(variant_count, sizeof(*s->comparisons));
	s->variants = ba_xcalloc(variant_count, sizeof(*s->variants));
	s->floor = (ba_summary){0};
	s->net_ns = NULL;
	s->effects = NULL;
	s->effect_count = 0;
	for (size_t c = 0; c + 1 < variant_count; c++)
		s->comparisons[c] = ba_comparison_open(&aside->comparisons[c]);
	for (size_t v = 0; v < variant_count; v++) {
		const ba_summary *from = &aside->variants[v];
		s->variants[v] = (ba_summary){.present = from->present,
			.failure = ba_xstrdup(from->failure),
			.output = ba_xstrdup(from->output),
			.skipped = ba_xstrdup(from->skipped)};
	}
}

static void put_all_aside(document *d, ba_result *r)
{
	*d = (document){.series = ba_xcalloc(r->series_count + 1, sizeof(*d->series)),
		.series_count = r->series_count,
		.variant_count = r->run.variant_count,
		.decided = r->decided};
	r->decided.answer = NULL;
	for (size_t i = 0; i < r->series_count; i++)
		put_aside(&d->series[i], &r->series[i], r->run.variant_count);
}

/* ---- found again ---- */

/* Reports open comparisons that have too few values for the next look: the run cannot
 * have taken it, unless the budget had no time for them until the first look. */
static void check_look(ba_verification *v, const ba_result *r, ba_decisions *d)
{
	BA_AUTO(ba_count_ranges) ba_count_ranges ranges = ba_count_ranges_of(r);
	bool budget = strcmp(r->decided.stopped, "budget") == 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c <= d->candidates; c++) {
			const ba_series *s = &r->series[i];
			size_t has = s->comparisons[c - 1].y_count;
			bool open = ba_decisions_at(d, i, c)->verdict == BA_VERDICT_UNDECIDED;
			if (!open || s->variants[0].failure || s->variants[c].failure ||
				s->variants[0].skipped || s->variants[c].skipped ||
				has >= r->decided.design.at[r->decided.looks_done] ||
				(budget && has < r->decided.design.at[0]) ||
				ba_measured_is_combined(&r->run) ||
				ba_decision_is_exact(&ranges, r, s, c))
				continue;
			BA_AUTO_FREE char *where = ba_verify_place(r, s, (int)c);
			ba_verify_say(v, where,
				"there are samples of %zu invocations, and look %zu needs %zu", has,
				r->decided.looks_done + 1,
				r->decided.design.at[r->decided.looks_done]);
		}
}

/* Checks the stated reason for the end of the run. */
static void check_end(ba_verification *v, const ba_result *r, ba_decisions *d)
{
	if (ba_decisions_has(d, BA_VERDICT_UNDECIDED) &&
		r->decided.looks_done < r->decided.design.looks && r->decided.stopped[0] == '\0')
		ba_verify_say(v, "decision",
			"%zu of %zu looks were taken, some comparisons are open, and the file does not say why it ended there",
			r->decided.looks_done, r->decided.design.looks);
}

static void find_again(ba_verification *v, ba_result *r, const document *d)
{
	BA_AUTO(ba_decisions) ba_decisions decisions = {0};
	ba_identity_settle(r);
	BA_EACH (ba_series, s, r->series, r->series_count)
		for (size_t k = 0; k < s->sample_count; k++)
			ba_estimate_add(r, s, &s->samples[k]);
	ba_decisions_init(&decisions, r);
	size_t open = 1;
	while (r->decided.looks_done < d->decided.looks_done && open) {
		check_look(v, r, &decisions);
		open = ba_decisions_look(&decisions, r);
	}
	ba_verify_number(v, "decision", "looks_done", (double)d->decided.looks_done,
		(double)r->decided.looks_done);
	check_end(v, r, &decisions);
	ba_decisions_finish(&decisions, r);
	const ba_gate_policy policy = {.strict = r->decided.gate_strict,
		.undecided_fails = r->decided.undecided_fails,
		.likely_fails = r->decided.likely_fails,
		.expected = &r->decided.expected};
	ba_gate_set_status(r, &policy);
	if (r->run.interrupted && r->run.signal > 0)
		r->decided.exit_status = 128 + r->run.signal;
}

/* ---- compared ---- */

static void compare_net(ba_verification *v, const char *where, const double *said,
	const double *found, size_t count)
{
	if (!said != !found) {
		ba_verify_say(
			v, where, "net_ns is %s", said ? "present without a floor" : "missing");
		return;
	}
	for (size_t i = 0; said && i < count; i++) {
		BA_AUTO_FREE char *name = ba_xprintf("net_ns[%zu]", i);
		ba_verify_number(v, where, name, said[i], found[i]);
	}
}

static void compare_series(ba_verification *v, const ba_result *r, size_t index,
	const ba_series *before, bool complete)
{
	const ba_series *s = &r->series[index];
	BA_AUTO_FREE char *place = ba_verify_place(r, s, -1);
	BA_AUTO_FREE char *floor = ba_xprintf("%s, floor", place);
	BA_AUTO_FREE char *floor_path = ba_xprintf("$.series[%zu].floor", index);
	ba_verify_number(v, place, "s_floor", before->s_floor, s->s_floor);
	ba_verify_summary(v, floor, floor_path, &before->floor, &s->floor, complete);
	compare_net(v, place, before->net_ns, s->net_ns, r->run.variant_count);
	BA_AUTO_FREE char *series_path = ba_xprintf("$.series[%zu]", index);
	ba_verify_effects(v, place, series_path, before, s, r);
	for (size_t i = 0; i < r->run.variant_count; i++) {
		BA_AUTO_FREE char *where = ba_verify_place(r, s, (int)i);
		BA_AUTO_FREE char *path = ba_xprintf("$.series[%zu].variants[%zu]", index, i);
		BA_AUTO_FREE char *against =
			ba_xprintf("$.series[%zu].comparisons[%zu]", index, i - 1);
		const ba_throughput rates = ba_throughput_of(r, s, i);
		ba_verify_summary(v, where, path, &before->variants[i], &s->variants[i], complete);
		ba_verify_throughput(v, where, path, &before->variants[i].said, &rates, complete);
		if (i == 0)
			continue;
		ba_verify_comparison(
			v, where, against, &before->comparisons[i - 1], &s->comparisons[i - 1], r);
		ba_verify_explanation(v, where, before->comparisons[i - 1].why,
			s->info->census || s->info->starts, &s->variants[0], &s->variants[i]);
	}
}

static void compare(ba_verification *v, const ba_result *r, const document *d)
{
	bool complete = r->document.schema_revision >= 1;
	for (size_t i = 0; i < r->series_count; i++)
		compare_series(v, r, i, &d->series[i], complete);
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		ba_verify_code(v, &r->run.benchmarks[i]);
	if (r->run.variant_count > 1)
		ba_verify_number(v, "decision", "family_size", (double)d->decided.family_size,
			(double)r->decided.family_size);
	ba_verify_text(v, "run", "verdict", ba_verdict_name(d->decided.verdict),
		ba_verdict_name(r->decided.verdict));
	if (r->document.schema_revision >= BA_REVISION_WORDS)
		ba_verify_text(v, "run", "answer", d->decided.answer, r->decided.answer);
	ba_verify_number(v, "run", "exit_status", d->decided.exit_status, r->decided.exit_status);
}

/* Explanations are kept: they belong to one call and do not depend on the decision. */
static void keep_explanations(ba_result *r, document *d)
{
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 0; c + 1 < r->run.variant_count; c++) {
			ba_comparison *was = &d->series[i].comparisons[c];
			r->series[i].comparisons[c].why = was->why;
			was->why = NULL;
		}
}

void ba_verify(ba_verification *out, ba_result *r)
{
	*out = (ba_verification){0};
	bool rule = ba_verify_rule(out, r);
	bool samples = ba_verify_samples(out, r);
	if (samples)
		ba_verify_schedule(out, r);
	if (!rule || !samples)
		return;
	BA_AUTO(document) document before;
	put_all_aside(&before, r);
	find_again(out, r, &before);
	compare(out, r, &before);
	keep_explanations(r, &before);
}

int ba_decide_again(ba_result *r, ba_error *err)
{
	BA_AUTO(ba_verification) ba_verification v = {0};
	if (r->run.variant_count < 2)
		return ba_fail(err, BA_EDATA, "there is one variant: nothing to compare");
	if (!ba_verify_rule(&v, r) || !ba_verify_samples(&v, r))
		return ba_fail(err, BA_EDATA, "%s", v.disagreements.items[0]);
	BA_AUTO(document) document before;
	put_all_aside(&before, r);
	/* a merged result is complete: runs also look after a failure */
	before.decided.looks_done =
		r->run.merged_count ? r->decided.design.looks
				    : ba_design_looks_within(&r->decided.design, v.invocations);
	find_again(&v, r, &before);
	keep_explanations(r, &before);
	return 0;
}

BA_OWNS(ba_verification, v, ba_strv_dispose(&v->disagreements), ba_strv_dispose(&v->missing_names))

void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	ba_strv_printf(&v->disagreements, "%s: %s", where, text);
}

char *ba_verify_place(const ba_result *r, const ba_series *series, int variant)
{
	const char *id = r->run.benchmarks[series->benchmark].id;
	const char *metric = ba_metric_get(series->metric)->name;
	return variant < 0 ? ba_xprintf("%s, %s", id, metric)
			   : ba_xprintf("%s, %s, %s", id, metric, r->run.variants[variant].label);
}
