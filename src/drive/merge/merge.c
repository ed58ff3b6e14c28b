#include "merge/merge.h"

#include "verify/verify.h"

/* A schedule, and the number of its invocation 0 in the merged result. */
typedef struct schedule {
	uint64_t seed;
	unsigned first, count;
} schedule;

/* The first input becomes the result, and takes the others' content. */
typedef struct merge {
	ba_merge_input *inputs;
	size_t count;
	schedule *schedules; /* one for each seed */
	size_t schedule_count;
	ba_result made; /* its origins and merged runs */
} merge;

BA_OWNS_HERE(merge, m, free(m->schedules), ba_result_dispose(&m->made))

/* ---- schedules ---- */

static schedule *schedule_of(merge *m, uint64_t seed)
{
	schedule *s = BA_FIND(m->schedules, m->schedule_count, one, one->seed == seed);
	if (s)
		return s;
	s = BA_APPEND(m->schedules, m->schedule_count);
	*s = (schedule){.seed = seed};
	return s;
}

/* Parts of one run share its schedule and keep their numbers; other runs follow. */
static int lay_out(merge *m, ba_error *err)
{
	unsigned next = 0;
	for (size_t i = 0; i < m->count; i++) {
		const ba_result *r = &m->inputs[i].r;
		for (size_t k = 0; k < r->series_count; k++)
			BA_EACH (const ba_samples, s, r->series[k].samples,
				r->series[k].sample_count) {
				schedule *x = schedule_of(m, ba_measured_seed(&r->run, s));
				unsigned number = ba_measured_drawn_as(&r->run, s);
				if (number >= x->count)
					x->count = number + 1;
			}
	}
	for (size_t i = 0; i < m->schedule_count; i++) {
		m->schedules[i].first = next;
		next += m->schedules[i].count;
	}
	if (next > BA_INVOCATIONS_MOST)
		return ba_fail(err, BA_EDATA,
			"together they have %u invocations: at most %d are allowed", next,
			BA_INVOCATIONS_MOST);
	return 0;
}

/* ---- origins and runs ---- */

static void add_origin(merge *m, ba_origin *o, size_t input, size_t runs_before)
{
	const ba_measured *made = &m->made.run;
	if (BA_ANY(made->origins, made->origin_count, one, strcmp(one->name, o->name) == 0))
		ba_text_own(&o->name, ba_xprintf("run %zu, %s", input + 1, o->name));
	o->first = schedule_of(m, o->seed)->first;
	o->run += (unsigned)runs_before;
	ba_measured_add_origin(&m->made.run, o);
}

static void add_run(ba_result *out, const ba_design *design, size_t done, const char *stopped)
{
	*BA_APPEND(out->run.merged, out->run.merged_count) = (ba_merged_run){
		.design = *design, .looks_done = done, .stopped = ba_xstrdup(stopped)};
}

/* A run without origins was measured by one process: the run becomes the origin. */
static void add_alone(merge *m, const ba_result *r, size_t input, size_t runs_before)
{
	BA_AUTO_FREE char *name = r->run.parts ? ba_xprintf("part %u", r->run.part)
					       : ba_xprintf("run %zu", input + 1);
	ba_origin o;
	ba_origin_init(&o, name, &r->run.env, r->run.seed);
	ba_text_replace(&o.started, r->run.started);
	add_origin(m, &o, input, runs_before);
}

static void add_origins(merge *m, const ba_result *r, size_t input)
{
	size_t runs = m->made.run.merged_count;
	for (size_t k = 0; k < r->run.merged_count; k++)
		add_run(&m->made, &r->run.merged[k].design, r->run.merged[k].looks_done,
			r->run.merged[k].stopped);
	if (!r->run.merged_count)
		add_run(&m->made, &r->decided.design, r->decided.looks_done, r->decided.stopped);
	for (size_t k = 0; k < r->run.origin_count; k++) {
		ba_origin o = {0};
		ba_origin_copy(&o, &r->run.origins[k]);
		add_origin(m, &o, input, runs);
	}
	if (!r->run.origin_count)
		add_alone(m, r, input, runs);
}

/* ---- samples ---- */

BA_DEFINE_ORDER(by_invocation, ba_samples, BA_ORDER(a->invocation, b->invocation))

static void take_text(char **into, char *const *from, size_t input)
{
	char *was = *into;
	if (!*from || (was && into != from))
		return;
	*into = ba_xprintf("run %zu: %s", input + 1, *from);
	free(was);
}

/* A benchmark that failed in one input has failed. */
static void take_summary(ba_summary *into, const ba_summary *from, size_t input)
{
	into->present = into->present || from->present;
	take_text(&into->failure, &from->failure, input);
	take_text(&into->skipped, &from->skipped, input);
	if (from->output && !into->output)
		into->output = ba_xstrdup(from->output);
}

/* A threshold in ns is a different ratio if the baseline's time differs: takes the
 * geometric mean. `weight`: number of inputs so far, including this one. */
static void take_threshold(ba_comparison *into, const ba_comparison *from, size_t weight)
{
	double part = 1 / (double)weight;
	if (!(into->threshold_given_ns > 0))
		return;
	into->threshold_slower *= pow(from->threshold_slower / into->threshold_slower, part);
	into->threshold_faster *= pow(from->threshold_faster / into->threshold_faster, part);
}

static void take_samples(
	merge *m, ba_series *into, ba_series *from, const ba_result *r, size_t origins)
{
	BA_EACH (ba_samples, s, from->samples, from->sample_count) {
		const schedule *x = schedule_of(m, ba_measured_seed(&r->run, s));
		s->invocation = x->first + ba_measured_drawn_as(&r->run, s);
		s->origin += (unsigned)origins;
		if (into == from)
			continue;
		*ba_series_add_samples(into) = *s;
		*s = (ba_samples){0};
	}
	if (into != from)
		from->sample_count = 0;
}

static void take_series(merge *m, size_t input, size_t origins)
{
	ba_result *out = &m->inputs[0].r, *in = &m->inputs[input].r;
	BA_EACH (ba_series, from, in->series, in->series_count) {
		const char *id = in->run.benchmarks[from->benchmark].id;
		ba_series *into = BA_FIND(out->series, out->series_count, one,
			one->metric == from->metric &&
				strcmp(out->run.benchmarks[one->benchmark].id, id) == 0);
		BA_REQUIRE(into); /* ba_merge_check guarantees it */
		for (size_t v = 0; v < out->run.variant_count; v++)
			take_summary(&into->variants[v], &from->variants[v], input);
		for (size_t c = 0; c + 1 < out->run.variant_count; c++)
			take_threshold(&into->comparisons[c], &from->comparisons[c], input + 1);
		take_samples(m, into, from, in, origins);
	}
}

/* ---- the rest ---- */

static void add_spent(ba_spent *into, const ba_spent *from)
{
	into->build += from->build;
	into->survey += from->survey;
	into->count += from->count;
	into->start += from->start;
	into->prepare += from->prepare;
	into->measure += from->measure;
	into->cold += from->cold;
	into->judge += from->judge;
}

static void take_evidence(ba_evidence *into, const ba_evidence *from)
{
	into->visits += from->visits;
	into->launches += from->launches;
	into->fresh += from->fresh;
	into->checks += from->checks;
	into->overhead_ns = fmax(into->overhead_ns, from->overhead_ns);
	into->overhead_share = fmax(into->overhead_share, from->overhead_share);
	into->short_share = fmax(into->short_share, from->short_share);
	into->aside_share = fmax(into->aside_share, from->aside_share);
}

static void add_new(ba_strv *into, const ba_strv *from)
{
	for (size_t i = 0; i < from->count; i++)
		if (!ba_strv_has(into, from->items[i]))
			ba_strv_push(into, from->items[i]);
}

static void take_rest(ba_result *out, const ba_result *in)
{
	out->run.wall_seconds += in->run.wall_seconds;
	out->run.measure_seconds += in->run.measure_seconds;
	add_spent(&out->run.spent, &in->run.spent);
	take_evidence(&out->run.evidence, &in->run.evidence);
	ba_environment *into = &out->run.env;
	const ba_environment *from = &in->run.env;
	/* decisions depend on the steps of clocks: the coarsest is used */
	into->timer_tick_ns = fmax(into->timer_tick_ns, from->timer_tick_ns);
	into->event_tick_ns = fmax(into->event_tick_ns, from->event_tick_ns);
	add_new(&into->warnings, &from->warnings);
	add_new(&out->run.notes, &in->run.notes);
	if (strcmp(in->run.started, out->run.started) < 0)
		ba_text_replace(&out->run.started, in->run.started);
}

static void swap_origins(ba_result *out, ba_result *made)
{
	ba_result was = {.run.origins = out->run.origins,
		.run.origin_count = out->run.origin_count,
		.run.merged = out->run.merged,
		.run.merged_count = out->run.merged_count};
	out->run.origins = made->run.origins;
	out->run.origin_count = made->run.origin_count;
	out->run.merged = made->run.merged;
	out->run.merged_count = made->run.merged_count;
	*made = was;
}

/* One look at all invocations: planned, if each run's look was. */
static void set_looks(ba_result *r, const merge *m)
{
	size_t planned = 0, made = 0, least = 2;
	for (size_t i = 0; i < r->run.merged_count; i++)
		planned += r->run.merged[i].design.at[0];
	for (size_t i = 0; i < m->schedule_count; i++)
		made += m->schedules[i].count;
	/* identical variants may have no invocations */
	made = made < least ? least : made;
	r->decided.design = (ba_design){.looks = 1,
		.at = {ba_measured_is_combined(&r->run) ? made : planned},
		.weight = {1}};
	r->run.part = r->run.parts = 0;
	ba_text_replace(&r->decided.stopped, "");
}

static void join(merge *m)
{
	ba_result *out = &m->inputs[0].r;
	size_t origins = 0;
	for (size_t i = 0; i < m->count; i++)
		add_origins(m, &m->inputs[i].r, i);
	for (size_t i = 0; i < m->count; i++) {
		const ba_result *in = &m->inputs[i].r;
		take_series(m, i, origins);
		origins += in->run.origin_count ? in->run.origin_count : 1;
		if (i)
			take_rest(out, in);
	}
	BA_EACH (ba_series, s, out->series, out->series_count)
		BA_SORT(s->samples, s->sample_count, by_invocation);
	swap_origins(out, &m->made);
	set_looks(out, m);
}

int ba_merge(ba_result *out, ba_merge_input *inputs, size_t count, const ba_merge_rules *rules,
	ba_error *err)
{
	BA_AUTO(merge) merge m = {.inputs = inputs, .count = count};
	if (count < 2)
		return ba_fail(err, BA_EINVAL, "one result is not enough to merge");
	BA_TRY(ba_merge_check(inputs, count, rules, err));
	BA_TRY(lay_out(&m, err));
	join(&m);
	BA_TRY(ba_decide_again(&inputs[0].r, err));
	*out = inputs[0].r;
	out->decided.decided_apart = true;
	inputs[0].r = (ba_result){0};
	return 0;
}
