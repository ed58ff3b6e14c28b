/* Verdicts that something else which was measured contradicts, or may explain. */

#include "verdict/explain.h"
#include "verdict/identity.h"

/* The layout of code and data changes a time by less than this (docs/gate.md). */
#define BEYOND_LAYOUT 0.25

/* The reason why the elapsed time contradicts a verdict that is not `slower`, or NULL.
 * A program that waits longer uses no more processor time, and a count misses work of
 * other threads or of the kernel. */
static char *elapsed_against(const ba_result *r, const ba_series *series, size_t candidate)
{
	bool counted = series->metric == BA_METRIC_INSTRUCTIONS &&
		       r->document.schema_revision >= BA_REVISION_REPLICATES;
	const ba_series *beside = counted ? ba_result_beside(r, series, BA_METRIC_HOST)
				  : series->metric == BA_METRIC_CPU_TIME
					  ? ba_result_beside(r, series, BA_METRIC_TIME)
					  : NULL;
	if (counted && !beside)
		beside = ba_result_beside(r, series, BA_METRIC_SUBMIT);
	const ba_comparison *k = beside ? &beside->comparisons[candidate - 1] : NULL;
	double margin = k ? fmax(k->threshold_slower, counted ? BEYOND_LAYOUT : 0) : 0;
	if (!k || beside->role != BA_ROLE_REPORTED || !(k->low > 1 + margin))
		return NULL;
	return ba_xprintf("%s not slower, but the elapsed time moved by %s (%s): %s",
		counted ? "the instructions are" : "the processor time is",
		ba_percent_of(k->ratio, k->low, k->high).text, ba_interval_of(k->low, k->high).text,
		counted ? "work that the count does not see" : "it waits for longer");
}

/* Work that only some calls do is not in the call with the fewest instructions, but in the
 * mean. It contradicts a verdict if it does so in each invocation. */
static char *calls_against(const ba_series *series, const ba_comparison *k)
{
	double least = INFINITY;
	if (!series->info->counted || !series->sample_count || series->samples[0].readings == 1)
		return NULL;
	for (size_t i = 0; i < k->z_count; i++)
		least = fmin(least, k->z[i]);
	if (!(least > log1p(k->threshold_slower)) || !isfinite(least))
		return NULL;
	return ba_xprintf(
		"the call with the fewest instructions is not slower, but the mean of %u consecutive calls moved by %s: some calls do more work",
		series->samples[0].readings,
		ba_percent_of(exp(least), exp(least), exp(least)).text);
}

/* Readings are at least 1 ns (model/sample.h): a variant of only such took no time. */
static bool takes_no_time(const ba_series *s, size_t variant)
{
	BA_EACH (const ba_samples, x, s->samples, s->sample_count) {
		size_t readings = (size_t)x->blocks * x->positions * x->readings;
		for (size_t k = 0; x->ns && k < readings; k++)
			if (x->order[k / x->readings] == variant && x->ns[k] > 1)
				return false;
	}
	return s->sample_count > 0;
}

static const char *no_work(const ba_result *r, const ba_series *s, size_t candidate)
{
	if (r->document.schema_revision < BA_REVISION_REPLICATES || !ba_metric_is_time(s->metric) ||
		!takes_no_time(s, candidate) || takes_no_time(s, 0))
		return NULL;
	return "every reading is 1 ns, the shortest there is: it did no work, or its clock is too coarse";
}

/* Withholds a verdict that is not `slower`, for the given reason. */
static void withhold(ba_comparison *k, const char *reason, const char *hint)
{
	if (!reason || ba_verdict_is_slower(k->verdict))
		return;
	k->likely = k->likely && k->ratio > 1;
	ba_identity_replace(k, BA_VERDICT_INCONCLUSIVE, ba_xstrdup(reason));
	ba_text_replace(&k->hint, hint);
}

#define SAME_COUNT 1e-3

/* Is the place of code in memory another possible reason for a change of time? Both variants execute
 * as many instructions, from other files. 0: no; else the instructions. */
static double placed(
	const ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate)
{
	const ba_benchmark *b = &r->run.benchmarks[series->benchmark];
	bool on_host = series->metric == BA_METRIC_HOST || series->metric == BA_METRIC_SUBMIT;
	const ba_series *counts = ba_result_beside(r, series, BA_METRIC_INSTRUCTIONS);
	double before = counts ? counts->variants[0].mean : 0;
	double after = counts ? counts->variants[candidate].mean : 0;
	if (!on_host || !ba_identity_is_elsewhere(r, b, candidate) || !(before > 0) ||
		!(fabs(after - before) <= SAME_COUNT * before) || k->low > 1 + BEYOND_LAYOUT ||
		k->high < 1 / (1 + BEYOND_LAYOUT))
		return 0;
	return after;
}

static void withhold_placement(
	ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate)
{
	double count = placed(k, r, series, candidate);
	if (!(count > 0) || !(ba_verdict_is_slower(k->verdict) || ba_verdict_is_faster(k->verdict)))
		return;
	k->likely = false;
	ba_identity_replace(k, BA_VERDICT_INCONCLUSIVE,
		ba_xprintf(
			"both execute %.0f instructions, but the time moved by %s: the place of the code in memory may be the reason",
			count, ba_percent_of(k->ratio, k->low, k->high).text));
	ba_text_replace(&k->hint,
		"--verdict-on instructions decides by the count; -falign-functions=64 makes the place matter less");
}

bool ba_is_withheld(const ba_result *r, const ba_series *series, size_t candidate)
{
	const ba_comparison *k = &series->comparisons[candidate - 1];
	BA_AUTO_FREE char *elapsed = elapsed_against(r, series, candidate);
	BA_AUTO_FREE char *calls = calls_against(series, k);
	return elapsed || calls || no_work(r, series, candidate) ||
	       ba_series_unconfirmed(series, &r->run) || placed(k, r, series, candidate) > 0;
}

void ba_withhold(ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate)
{
	static const char by_time[] = "--verdict-on host or submit decides by the time";
	BA_AUTO_FREE char *elapsed = elapsed_against(r, series, candidate);
	BA_AUTO_FREE char *calls = calls_against(series, k);
	withhold(k, calls, by_time);
	withhold(k, no_work(r, series, candidate),
		"check its results, and measure more work at a time");
	withhold(k, elapsed,
		series->info->counted ? by_time : "--metrics time decides by the elapsed time");
	withhold(k, ba_series_unconfirmed(series, &r->run), NULL);
	withhold_placement(k, r, series, candidate);
}
