/* Checks the schedule, and the values without which nothing can be recomputed. */

#include "model/measured.h"
#include "verify/verify.h"
#include "stats/schedule.h"

/* ---- the rule ---- */

static void check_looks(ba_verification *v, const ba_design *d, const char *where)
{
	double sum = 0;
	if (d->looks == 0)
		ba_verify_say(
			v, where, "there are no looks: 1 to %d are allowed", BA_RESULT_LOOKS_MOST);
	for (size_t k = 0; k < d->looks; k++) {
		if (d->at[k] < 2 || (k && d->at[k] <= d->at[k - 1]))
			ba_verify_say(v, where,
				"look %zu is after %zu invocations: looks begin at 2 and ascend",
				k + 1, d->at[k]);
		if (!(d->weight[k] >= BA_LOOK_WEIGHT_LEAST))
			ba_verify_say(v, where,
				"look %zu has the weight %g: it must be at least %g", k + 1,
				d->weight[k], BA_LOOK_WEIGHT_LEAST);
		sum += d->weight[k];
	}
	if (!(sum <= 1 + 1e-9))
		ba_verify_say(v, where, "the looks spend %g of alpha: at most 1 is allowed", sum);
}

static void check_designs(ba_verification *v, const ba_result *r)
{
	if (r->decided.design.looks > BA_RESULT_LOOKS_MOST) {
		ba_verify_say(v, "decision", "%zu looks: 1 to %d are allowed",
			r->decided.design.looks, BA_RESULT_LOOKS_MOST);
		return;
	}
	check_looks(v, &r->decided.design, "decision");
	for (size_t i = 0; i < r->run.merged_count; i++) {
		BA_AUTO_FREE char *where = ba_xprintf("decision, merged run %zu", i + 1);
		check_looks(v, &r->run.merged[i].design, where);
	}
}

static bool check_thresholds(ba_verification *v, const ba_result *r)
{
	size_t before = v->disagreements.count;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 0; c + 1 < r->run.variant_count; c++) {
			const ba_series *s = &r->series[i];
			const ba_comparison *k = &s->comparisons[c];
			if (k->threshold_slower > 0 && k->threshold_faster > 0 &&
				isfinite(k->threshold_slower) && isfinite(k->threshold_faster))
				continue;
			BA_AUTO_FREE char *where = ba_verify_place(r, s, (int)c + 1);
			ba_verify_say(v, where,
				"the thresholds are %g and %g: both must be above 0",
				k->threshold_slower, k->threshold_faster);
		}
	return v->disagreements.count == before;
}

bool ba_verify_rule(ba_verification *v, const ba_result *r)
{
	size_t before = v->disagreements.count;
	ba_multiplicity how;
	if (r->run.variant_count < 2)
		return true;
	if (!(r->decided.alpha >= BA_ALPHA_LEAST && r->decided.alpha <= 0.5))
		ba_verify_say(v, "decision", "alpha is %g: it must lie between %g and 0.5",
			r->decided.alpha, BA_ALPHA_LEAST);
	if (!ba_multiplicity_parse(&how, r->decided.multiplicity))
		ba_verify_say(
			v, "decision", "no multiplicity is called '%s'", r->decided.multiplicity);
	if (r->decided.rule > BA_RULE_NOW)
		ba_verify_say(v, "decision", "rule %u is of a later version: this one knows %u",
			r->decided.rule, BA_RULE_NOW);
	check_designs(v, r);
	check_thresholds(v, r);
	return v->disagreements.count == before;
}

/* ---- the samples ---- */

static void count_visits(unsigned counts[256], const ba_samples *s, unsigned block)
{
	memset(counts, 0, 256 * sizeof(counts[0]));
	for (unsigned k = 0; k < s->positions; k++)
		counts[s->order[(size_t)block * s->positions + k]]++;
}

/* Blocks have the same participants, or one might have nothing to compare. */
static bool blocks_are_alike(const ba_samples *s, unsigned *odd)
{
	unsigned first[256], other[256];
	if (s->blocks == 0)
		return true;
	count_visits(first, s, 0);
	for (unsigned b = 1; b < s->blocks; b++) {
		count_visits(other, s, b);
		if (memcmp(first, other, sizeof(first)) != 0) {
			*odd = b;
			return false;
		}
	}
	return true;
}

BA_DEFINE_ORDER(by_number, unsigned, BA_ORDER(*a, *b))

/* A part has only every n-th number. */
static size_t count_invocations(const ba_result *r)
{
	BA_AUTO_FREE unsigned *numbers = NULL;
	size_t count = 0, capacity = 0, distinct = 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t k = 0; k < r->series[i].sample_count; k++) {
			numbers = BA_GROW(numbers, &capacity, count + 1);
			numbers[count++] = r->series[i].samples[k].invocation;
		}
	if (count)
		qsort(numbers, count, sizeof(*numbers), by_number);
	for (size_t i = 0; i < count; i++)
		distinct += i == 0 || numbers[i] != numbers[i - 1];
	return distinct;
}

bool ba_verify_samples(ba_verification *v, const ba_result *r)
{
	size_t before = v->disagreements.count;
	v->invocations = count_invocations(r);
	BA_EACH (const ba_series, series, r->series, r->series_count) {
		BA_AUTO_FREE char *where = ba_verify_place(r, series, -1);
		for (size_t k = 0; k < series->sample_count; k++) {
			const ba_samples *s = &series->samples[k];
			unsigned odd = 0;
			if (k && s->invocation <= series->samples[k - 1].invocation)
				ba_verify_say(v, where,
					"the samples of invocation %u come after those of %u",
					s->invocation, series->samples[k - 1].invocation);
			if (!blocks_are_alike(s, &odd))
				ba_verify_say(v, where,
					"in invocation %u, the visits of block %u differ from those of block 0",
					s->invocation, odd);
			v->readings += (size_t)s->blocks * s->positions * s->readings;
		}
	}
	return v->disagreements.count == before;
}

/* ---- origins ---- */

/* Places follow from GPUs and hosts, and all GPUs must be of one model. */
static void check_origins(ba_verification *v, const ba_result *r)
{
	for (size_t i = 0; i < r->run.origin_count; i++) {
		const ba_origin *o = &r->run.origins[i];
		unsigned place = 0;
		for (size_t k = 0; k < i; k++) {
			bool beside = ba_origin_is_beside(&r->run.origins[k], o);
			unsigned at = r->run.origins[k].place;
			if (beside || at >= place)
				place = beside ? at : at + 1;
			if (beside)
				break;
		}
		v->compared++;
		if (o->place != place)
			ba_verify_say(v, o->name,
				"its place is %u in the file, %u by its GPU and host", o->place,
				place);
		if (strcmp(o->device_name, r->run.origins[0].device_name) != 0)
			ba_verify_say(v, o->name,
				"it measured on '%s' and %s on '%s': GPUs of different models are not pooled",
				o->device_name, r->run.origins[0].name,
				r->run.origins[0].device_name);
	}
}

/* ---- the schedule ---- */

/* The order of all of a suite's programs, without those that lack the benchmark. */
static void draw_programs(
	ba_samples *s, const unsigned *counts, const ba_result *r, const ba_benchmark *b)
{
	uint8_t all[BA_PARTICIPANTS_MAX];
	size_t n = r->run.variant_count < BA_PARTICIPANTS_MAX ? r->run.variant_count
							      : BA_PARTICIPANTS_MAX;
	ba_order_of_programs(all, n, ba_measured_seed(&r->run, s), b->suite, s->invocation);
	for (size_t k = 0, at = 0; k < n; k++)
		if (counts[all[k]] && at < s->positions)
			s->order[at++] = all[k];
}

static void check_order(ba_verification *v, const ba_result *r, const ba_samples *s,
	const ba_benchmark *b, const char *where)
{
	uint8_t present[BA_PARTICIPANTS_MAX];
	unsigned counts[256];
	size_t n = 0, visits = s->positions - s->has_floor;
	count_visits(counts, s, 0);
	for (size_t k = 0; k < r->run.variant_count && n < BA_PARTICIPANTS_MAX; k++)
		if (counts[k])
			present[n++] = (uint8_t)k;
	ba_samples drawn = *s;
	drawn.invocation = ba_measured_drawn_as(&r->run, s);
	drawn.order = ba_xcalloc((size_t)s->blocks * s->positions, 1);
	bool programs = b->kind == BA_SUITE_COMMAND;
	/* a block with the floor alone measured no variant */
	bool fits = n && (visits == n || (!programs && visits == 2 * n));
	if (fits && programs)
		draw_programs(&drawn, counts, r, b);
	else if (fits)
		ba_order_fill(&drawn, present, n, (uint8_t)r->run.variant_count,
			ba_measured_seed(&r->run, s), b->id);
	if (!fits || memcmp(drawn.order, s->order, (size_t)s->blocks * s->positions) != 0)
		ba_verify_say(v, where,
			"the order of visits in invocation %u is not what the run's seed gives",
			s->invocation);
	free(drawn.order);
}

void ba_verify_schedule(ba_verification *v, const ba_result *r)
{
	check_origins(v, r);
	BA_EACH (const ba_series, series, r->series, r->series_count) {
		const ba_benchmark *b = &r->run.benchmarks[series->benchmark];
		const char *key = ba_order_key(b);
		BA_AUTO_FREE char *where = ba_verify_place(r, series, -1);
		BA_EACH (const ba_samples, s, series->samples, series->sample_count) {
			v->compared += 2;
			if (s->seed != ba_schedule_seed(ba_measured_seed(&r->run, s), key,
					       ba_measured_drawn_as(&r->run, s), 0))
				ba_verify_say(v, where,
					"the seed of invocation %u is not what the run's seed gives",
					s->invocation);
			if (s->blocks)
				check_order(v, r, s, b, where);
		}
	}
}
