/* A run without a worker: samples from a generator, decided with verdict/decide.h. What it
 * leaves must verify; whatever is changed afterwards must be named. */
#include "test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"
#include "gate/status.h"
#include "verdict/decide.h"
#include "verdict/identity.h"
#include "verdict/explain.h"
#include "verdict/estimate.h"
#include "model/effect.h"
#include "model/measured.h"
#include "verify/verify.h"
#include "series_of.h"
#include "stats/schedule.h"
#include "store/results.h"

#define SEED 7
enum { BLOCKS = 6, READINGS = 4, BATCH = 16 };

typedef struct machine {
	double slowdown[4]; /* of each variant */
	double noise;	    /* of a reading, uniform, +- */
	double wander;	    /* of a variant in an invocation, uniform, +- */
	double speed;	    /* of all in one invocation and not in the next: +- */
	double tail;	    /* two visits in ten of the last variant: so many times */
	double drift;	    /* of each visit of a block after the one before */
	uint64_t state;
} machine;

static double draw(machine *m, double size)
{
	uint64_t x = ba_splitmix64(&m->state) >> 11;
	return size * (2 * (double)x / (double)(UINT64_C(1) << 53) - 1);
}

static void begin(ba_result *r, size_t variants, size_t benchmarks)
{
	static const char *const labels[] = {"old", "new", "newer", "newest"};
	*r = (ba_result){.decided.alpha = 0.05,
		.document.schema_revision = BA_RESULTS_REVISION,
		.decided.rule = BA_RULE_NOW,
		.run.seed = SEED,
		.decided.multiplicity = ba_xstrdup("bh"),
		.decided.stopped = ba_xstrdup(""),
		.run.engine = ba_xstrdup("duet"),
		.decided.design.at = {4, 6, 8},
		.decided.design.weight = {.4, .3, .3},
		.decided.design.looks = 3,
		.run.measure_seconds = 9,
		.run.variants = ba_xcalloc(variants, sizeof(ba_variant)),
		.run.variant_count = variants,
		.run.benchmarks = ba_xcalloc(benchmarks, sizeof(ba_benchmark)),
		.run.benchmark_count = benchmarks,
		.run.env.timer_tick_ns = 1,
		.run.env.target = ba_xstrdup("gpu")};
	for (size_t v = 0; v < variants; v++)
		r->run.variants[v].label = ba_xstrdup(labels[v]);
	for (size_t b = 0; b < benchmarks; b++) {
		r->run.benchmarks[b] = (ba_benchmark){.suite = ba_xstrdup("launch"),
			.id = ba_xprintf("launch/args=%zu", b),
			.path = ba_xstrdup("p")};
		ba_series *s = series_of(r, b, BA_METRIC_SUBMIT);
		for (size_t v = 0; v < variants; v++)
			s->variants[v].present = true;
		for (size_t c = 0; c + 1 < variants; c++)
			s->comparisons[c].threshold_slower = s->comparisons[c].threshold_faster =
				0.02;
	}
}

/* two directories with the same files */
static void make_equal_builds(ba_result *r)
{
	char sum[65] = "ab";
	for (size_t v = 0; v < r->run.variant_count; v++) {
		ba_variant *x = &r->run.variants[v];
		ba_variant_add_artefact(x, "lib.so", sum);
		x->build_key = ba_xprintf("key %zu", v);
		snprintf(x->tree_sha256, sizeof(x->tree_sha256), "cd");
		snprintf(x->used_sha256, sizeof(x->used_sha256), "cd");
	}
}

static void add_samples(ba_result *r, ba_series *s, machine *m, unsigned invocation)
{
	uint8_t present[4];
	double wander[5] = {0};
	size_t n = 0;
	for (size_t v = 0; v < r->run.variant_count; v++) {
		wander[v] = draw(m, m->wander);
		if (s->variants[v].present && !s->variants[v].failure)
			present[n++] = (uint8_t)v;
	}
	ba_samples *x = ba_series_add_samples(s);
	const char *id = r->run.benchmarks[s->benchmark].id;
	*x = (ba_samples){.invocation = invocation,
		.seed = ba_schedule_seed(r->run.seed, id, invocation, 0),
		.participants = (unsigned)r->run.variant_count + 1,
		.has_floor = true,
		.positions = (unsigned)(2 * n + 1),
		.blocks = BLOCKS,
		.readings = READINGS,
		.batch = BATCH,
		.wall_ns = 1000000};
	ba_samples_alloc(x);
	ba_order_fill(x, present, n, (uint8_t)r->run.variant_count, r->run.seed, id);
	size_t visits[5] = {0};
	for (size_t i = 0; i < (size_t)BLOCKS * x->positions * READINGS; i++) {
		size_t visit = i / READINGS;
		unsigned who = x->order[visit];
		double times = who < r->run.variant_count ? m->slowdown[who] : 0.5;
		visits[who] += i % READINGS == 0;
		if (m->tail > 0 && who + 1 == r->run.variant_count && (visits[who] + 5) % 10 < 2)
			times *= m->tail;
		times *= 1 + (invocation % 2 ? m->speed : -m->speed);
		times *= pow(1 + m->drift, (double)(visit % x->positions));
		x->ns[i] =
			(uint64_t)(2600e0 * BATCH * times * (1 + draw(m, m->noise) + wander[who]));
	}
	ba_estimate_add(r, s, x);
}

static bool is_open(ba_result *r, ba_decisions *d, size_t series)
{
	for (size_t c = 1; c < r->run.variant_count; c++)
		if (ba_decisions_at(d, series, c)->verdict == BA_VERDICT_UNDECIDED)
			return true;
	return r->decided.looks_done == 0;
}

static void finish(ba_result *r, ba_decisions *d)
{
	ba_decisions_finish(d, r);
	ba_explain_run(r);
	ba_gate_set_status(r, &(ba_gate_policy){0});
}

/* as experiment/experiment.c does it */
static void run(ba_result *r, machine *m, size_t looks)
{
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	unsigned invocation = 0;
	size_t open = 1;
	ba_identity_settle(r);
	ba_decisions_init(&d, r);
	while (open && r->decided.looks_done < looks) {
		for (; invocation < r->decided.design.at[r->decided.looks_done]; invocation++)
			for (size_t i = 0; i < r->series_count; i++)
				if (is_open(r, &d, i))
					add_samples(r, &r->series[i], m, invocation);
		open = ba_decisions_look(&d, r);
	}
	finish(r, &d);
}

/* two candidates, three benchmarks, decided at the first look */
static void example(ba_result *r)
{
	machine m = {.slowdown = {1, 1.041, 1.0003}, .noise = 0.004, .state = 1};
	begin(r, 3, 3);
	run(r, &m, 3);
}

static void it_agrees(ba_result *r)
{
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, r);
	for (size_t i = 0; i < v.disagreements.count; i++)
		fprintf(stderr, "%s\n", v.disagreements.items[i]);
	assert_int_equal(v.disagreements.count, 0);
	assert_true(v.compared > 20);
}

TEST(what_a_run_leaves_agrees_with_its_samples)
{
	BA_AUTO(ba_result) ba_result r;
	example(&r);
	assert_int_equal(r.series[0].comparisons[0].verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(r.series[0].comparisons[1].verdict, BA_VERDICT_UNCHANGED);
	assert_int_equal(r.decided.family_size, 6);
	assert_int_equal(r.decided.exit_status, 1);
	it_agrees(&r);
	/* and what was recomputed is the same again */
	it_agrees(&r);
}

TEST(invocations_after_a_decision_do_not_enter_it)
{
	/* unchanged at the first look; the other candidate keeps the benchmark open */
	machine m = {.slowdown = {1, 1, 1.04}, .noise = 0.01, .state = 3};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 3, 1);
	r.decided.rule = BA_RULE_FIRST;
	/* what the first look may spend is enough for one of two, not for one alone */
	r.decided.design.weight[0] = 0.2;
	run(&r, &m, 3);
	const ba_comparison *k = r.series[0].comparisons;
	assert_int_equal(k[0].verdict, BA_VERDICT_UNCHANGED);
	assert_true(k[0].invocations < k[0].y_count);
	assert_int_equal(r.series[0].sample_count, k[0].y_count);
	it_agrees(&r);
}

/* Two processes with seeds of their own: the order of the second's visits follows from its
 * seed and its own numbers. */
TEST(orders_follow_from_the_seed_of_their_origin)
{
	machine m = {.slowdown = {1, 1.041}, .noise = 0.004, .state = 1};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 1);
	r.decided.design.looks = 1;
	r.decided.design.weight[0] = 1;
	for (unsigned i = 0; i < 2; i++) {
		ba_origin o;
		ba_origin_init(&o, i ? "run 2" : "run 1", &r.run.env, SEED + i);
		ba_text_replace(&o.device_name, "H200");
		o.first = 2 * i;
		ba_measured_add_origin(&r.run, &o);
	}
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	ba_decisions_init(&d, &r);
	for (unsigned i = 0; i < 4; i++) {
		r.run.seed = r.run.origins[i / 2].seed;
		add_samples(&r, &r.series[0], &m, i % 2);
		r.series[0].samples[i].invocation = i;
		r.series[0].samples[i].origin = i / 2;
	}
	r.run.seed = SEED;
	ba_decisions_look(&d, &r);
	finish(&r, &d);
	it_agrees(&r);
	r.run.origins[1].first = 1;
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, &r);
	assert_int_equal(v.disagreements.count, 4);
	r.run.origins[1].first = 2;
	r.run.origins[1].place = 1;
	r.run.origins[1].device_name[0] = 'X';
	ba_verification_dispose(&v);
	ba_verify(&v, &r);
	/* and all that follows from places */
	assert_true(v.disagreements.count > 2);
	assert_has(v.disagreements.items[0], "run 2: its place is 1 in the file, 0 by");
	assert_has(v.disagreements.items[1], "GPUs of different models");
}

/* `count` runs of `each` invocations, one after the other; run i slower by slower[i] */
static void run_at_origins(
	ba_result *r, const double *slower, unsigned count, unsigned each, bool apart)
{
	machine m = {.slowdown = {1, 1}, .noise = 0.004, .state = 5};
	begin(r, 2, 1);
	for (unsigned i = 0; i < count; i++) {
		ba_origin o;
		BA_AUTO_FREE char *name = ba_xprintf("run %u", i + 1);
		ba_origin_init(&o, name, &r->run.env, SEED + i);
		if (apart) {
			free(o.device_uuid);
			o.device_uuid = ba_xprintf("GPU-%u", i);
			o.device = (int)i;
		}
		o.first = each * i;
		o.run = i;
		ba_measured_add_origin(&r->run, &o);
		r->run.seed = SEED + i;
		m.slowdown[1] = slower[i];
		for (unsigned k = 0; k < each; k++) {
			add_samples(r, &r->series[0], &m, k);
			ba_series *s = &r->series[0];
			s->samples[s->sample_count - 1].invocation = each * i + k;
			s->samples[s->sample_count - 1].origin = i;
			s->comparisons[0].origin[s->comparisons[0].y_count - 1] = i;
		}
	}
	r->run.seed = SEED;
}

static void decide_merged(ba_result *r, unsigned each, const ba_design *design)
{
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	r->decided.design.looks = 1;
	r->decided.design.at[0] = r->run.origin_count * each;
	r->decided.design.weight[0] = 1;
	r->run.merged_count = r->run.origin_count;
	r->run.merged = ba_xcalloc(r->run.merged_count, sizeof(*r->run.merged));
	for (size_t i = 0; i < r->run.merged_count; i++)
		r->run.merged[i] = (ba_merged_run){.design = *design,
			.looks_done = ba_design_looks_within(design, each),
			.stopped = ba_xstrdup("")};
	ba_decisions_init(&d, r);
	ba_decisions_look(&d, r);
	finish(r, &d);
}

TEST(what_places_say_is_verified)
{
	static const double slower[] = {1, 1.05};
	const ba_design fixed = ba_design_fixed(8);
	BA_AUTO(ba_result) ba_result r;
	run_at_origins(&r, slower, 2, 8, true);
	decide_merged(&r, 8, &fixed);
	ba_comparison *k = r.series[0].comparisons;
	assert_int_equal(k->verdict, BA_VERDICT_REGRESSED);
	assert_true(k->places_differ);
	assert_int_equal(k->place_count, 2);
	assert_int_equal(k->places[0].verdict, BA_VERDICT_UNCHANGED);
	assert_int_equal(k->places[1].verdict, BA_VERDICT_REGRESSED);
	assert_has(k->reason, "slower only on GPU 1: +4.99 %");
	assert_has(k->reason, "; GPU 0: ");
	it_agrees(&r);
	r.series[0].comparisons[0].places[1].ratio *= 1.01;
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, &r);
	assert_int_equal(v.disagreements.count, 1);
	assert_has(v.disagreements.items[0], "place 1: ratio is");
}

/* Runs that stopped at the second of seven looks: combined, not pooled. */
TEST(merged_runs_are_verified_by_their_own_looks)
{
	static const double slower[] = {1.05, 1.05, 1.05};
	const ba_design looks = ba_design_sequential();
	BA_AUTO(ba_result) ba_result r;
	run_at_origins(&r, slower, 3, 6, false);
	decide_merged(&r, 6, &looks);
	const ba_comparison *k = r.series[0].comparisons;
	assert_true(ba_measured_is_combined(&r.run));
	assert_int_equal(k->verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(k->invocations, 18);
	assert_int_equal(k->place_count, 0);
	it_agrees(&r);
	/* as if one of them had looked once less */
	r.run.merged[2].looks_done = 1;
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, &r);
	assert_true(v.disagreements.count > 0);
	r.run.merged[2].design.at[1] = 3;
	ba_verification_dispose(&v);
	ba_verify(&v, &r);
	assert_int_equal(v.disagreements.count, 1);
	assert_has(v.disagreements.items[0], "decision, merged run 3: look 2 is after 3");
}

/* `regressed` beside an interval that contains no change: in a document of that time */
TEST(a_document_of_the_first_rule_keeps_its_verdict)
{
	size_t held = 0;
	for (unsigned seed = 1; seed < 80; seed++) {
		for (unsigned rule = 0; rule <= BA_RULE_NOW; rule++) {
			machine m = {.slowdown = {1, 1.06}, .wander = 0.06, .state = seed};
			BA_AUTO(ba_result) ba_result r;
			begin(&r, 2, 1);
			r.decided.rule = rule;
			run(&r, &m, 3);
			const ba_comparison *k = r.series[0].comparisons;
			bool contradicts = k->verdict == BA_VERDICT_REGRESSED && k->low <= 1;
			assert_true(rule < BA_RULE_NOW || !contradicts);
			held += contradicts;
			it_agrees(&r);
		}
	}
	assert_true(held > 1 && held % 2 == 0);
}

/* exit 0 and `unchanged`, as it was before: in a document of that time */
TEST(a_slow_tail_is_found_and_an_older_document_keeps_its_word)
{
	static const struct {
		unsigned revision;
		ba_verdict verdict;
		int status;
	} rows[] = {
		{1, BA_VERDICT_UNCHANGED, 0}, {BA_RESULTS_REVISION, BA_VERDICT_TAIL_REGRESSED, 1}};
	for (size_t i = 0; i < 2; i++) {
		machine m = {.slowdown = {1, 1}, .noise = 0.004, .tail = 3, .state = 1};
		BA_AUTO(ba_result) ba_result r;
		begin(&r, 2, 1);
		r.document.schema_revision = rows[i].revision;
		run(&r, &m, 3);
		const ba_comparison *k = r.series[0].comparisons;
		assert_int_equal(k->verdict, rows[i].verdict);
		assert_int_equal(r.decided.exit_status, rows[i].status);
		if (rows[i].status) {
			assert_has(k->reason, "the mean changed by +");
			assert_has(r.decided.answer, "Regressed: launch/args=0 got slower by ");
			assert_has(r.decided.answer, " in the mean (typical time ");
		}
		it_agrees(&r);
	}
}

/* Slower by less than the threshold: still `unchanged`, with a field that is verified. */
TEST(a_shift_within_the_threshold_is_verified)
{
	machine m = {.slowdown = {1, 1.008}, .noise = 0.001, .state = 1};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 1);
	run(&r, &m, 3);
	ba_comparison *k = r.series[0].comparisons;
	assert_int_equal(k->verdict, BA_VERDICT_UNCHANGED);
	assert_int_equal(ba_comparison_shift(k), BA_SHIFT_SLOWER);
	assert_int_equal(r.decided.exit_status, 0);
	assert_int_equal(k->shift, BA_SHIFT_SLOWER);
	it_agrees(&r);
	r.series[0].comparisons[0].shift = BA_SHIFT_FASTER;
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, &r);
	assert_int_equal(v.disagreements.count, 1);
	assert_has(v.disagreements.items[0], "within_threshold is 'faster' in the file, 'slower'");
}

static void explain(ba_comparison *k, const ba_series *s)
{
	ba_explanation *e = k->why = ba_xcalloc(1, sizeof(*e));
	e->functions = ba_xcalloc(1, sizeof(*e->functions));
	e->function_count = 1;
	e->functions[0] = (ba_explained_function){.kind = BA_ROW_BOTH,
		.name = ba_xstrdup("dispatch"),
		.object = ba_xstrdup("lib.so"),
		.baseline = e->baseline[BA_SCOPE_OWN] = (uint64_t)s->variants[0].mean,
		.candidate = e->candidate[BA_SCOPE_OWN] = (uint64_t)s->variants[1].mean};
}

static void explain_and_damage(int what, const char *expected)
{
	machine m = {.slowdown = {1, 1.04}, .noise = 0.004, .state = 1};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 1);
	run(&r, &m, 3);
	explain(&r.series[0].comparisons[0], &r.series[0]);
	ba_explanation *e = r.series[0].comparisons[0].why;
	e->functions[0].candidate += what == 1;
	e->candidate[BA_SCOPE_OWN] *= what == 2 ? 2 : 1;
	e->functions[0].candidate *= what == 2 ? 2 : 1;
	e->functions[0].lines = ba_xcalloc(1, sizeof(*e->functions[0].lines));
	e->functions[0].lines[0] = (ba_explained_line){.line = 1, .baseline = UINT32_MAX};
	e->functions[0].line_count = what == 3;
	e->functions[0].calls_candidate = what == 4 ? UINT64_MAX : 0;
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, &r);
	assert_int_equal(v.disagreements.count, what > 0);
	if (what)
		assert_has(v.disagreements.items[0], expected);
}

TEST(explanations_that_do_not_add_up_are_named)
{
	explain_and_damage(0, "");
	explain_and_damage(1, "functions of the candidate in own have ");
	explain_and_damage(2, " instructions of the candidate are explained, and ");
	explain_and_damage(3, "the lines of dispatch have more instructions");
	explain_and_damage(4, "dispatch has more instructions with its calls than the total");
}

TEST(an_unconfirmed_tail_is_inconclusive_and_said)
{
	machine m = {.slowdown = {1, 1}, .noise = 0.004, .tail = 3, .state = 1};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 1);
	r.decided.design.looks = 1;
	r.decided.design.weight[0] = 1;
	run(&r, &m, 1);
	const ba_comparison *k = r.series[0].comparisons;
	assert_int_equal(k->verdict, BA_VERDICT_INCONCLUSIVE);
	assert_true(k->mean_suspicious);
	assert_has(k->reason, "the mean moved by +");
	assert_has(k->reason, ", and 4 invocations cannot prove a change");
	assert_has(k->hint, "about 1 more invocation (2.2 s) would be enough: --fixed 5");
	it_agrees(&r);
}

/* Two invocations at one speed and two at another, the candidate slower in each: over
 * all readings together its trimmed mean may well be the smaller one. */
TEST(levels_have_the_ratio_of_the_change)
{
	static const double slower[] = {1.003, 0.997, 1.05};
	for (size_t i = 0; i < 3; i++)
		for (uint64_t seed = 1; seed < 20; seed++) {
			machine m = {.slowdown = {1, slower[i], 1},
				.noise = 0.01,
				.speed = 0.2,
				.state = seed};
			BA_AUTO(ba_result) ba_result r;
			begin(&r, 3, 1);
			run(&r, &m, 3);
			const ba_series *s = &r.series[0];
			for (size_t v = 1; v < 3; v++) {
				double base = s->variants[0].trimmed;
				double mine = s->variants[v].trimmed;
				const ba_comparison *k = &s->comparisons[v - 1];
				assert_close(mine / base, k->ratio, 1e-12);
				assert_close(mine - base, k->delta_ns, 1e-9);
				assert_close(s->net_ns[v] - s->net_ns[0], k->delta_ns, 1e-9);
			}
			it_agrees(&r);
		}
}

TEST(many_benchmarks_are_a_reason_of_their_own)
{
	machine m = {.slowdown = {1, 1.05, 1}, .noise = 0.004, .state = 1};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 3, 30);
	r.decided.rule = BA_RULE_FIRST;
	r.decided.design.looks = 1;
	r.decided.design.weight[0] = 1;
	for (size_t i = 1; i < 30; i++)
		r.series[i].comparisons[0].threshold_slower = 0.2;
	run(&r, &m, 1);
	const ba_comparison *k = r.series[0].comparisons;
	assert_int_equal(k->verdict, BA_VERDICT_INCONCLUSIVE);
	assert_string_equal(
		k->reason, "4 invocations cannot prove a single change among 60 comparisons");
	assert_has(k->hint, "about 2 more invocations (");
	assert_has(k->hint, ") would be enough: --fixed 6");
	it_agrees(&r);
}

/* One of 66 comparisons is 5 % slower; `last` says how the run ends. By the first rule, for
 * which four invocations were too few. */
static void run_a_lone_change(ba_result *r, size_t last, double noise)
{
	machine m = {.slowdown = {1, 1.05, 1}, .noise = noise, .state = 1};
	begin(r, 3, 33);
	r->decided.rule = BA_RULE_FIRST;
	for (size_t i = 1; i < 33; i++)
		r->series[i].comparisons[0].threshold_slower = 0.2;
	r->decided.design.at[0] = last;
	r->decided.design.looks = 1;
	r->decided.design.weight[0] = 1;
	run(r, &m, 1);
}

TEST(as_many_more_as_the_hint_says_are_enough)
{
	BA_AUTO(ba_result) ba_result four, five, six;
	run_a_lone_change(&four, 4, 0.004);
	run_a_lone_change(&five, 5, 0.004);
	run_a_lone_change(&six, 6, 0.004);
	const ba_comparison *k = four.series[0].comparisons;
	assert_int_equal(k->verdict, BA_VERDICT_INCONCLUSIVE);
	assert_string_equal(
		k->reason, "4 invocations cannot prove a single change among 66 comparisons");
	assert_has(k->hint, "about 2 more invocations");
	k = five.series[0].comparisons;
	assert_int_equal(k->verdict, BA_VERDICT_INCONCLUSIVE);
	assert_has(k->reason, "5 invocations cannot prove a single change");
	assert_has(k->hint, "about 1 more invocation ");
	assert_int_equal(six.series[0].comparisons[0].verdict, BA_VERDICT_REGRESSED);
	it_agrees(&four);
}

/* what is shown already makes the next one easier, and that is counted */
TEST(one_more_change_is_not_a_single_one)
{
	machine m = {.slowdown = {1, 1.05, 1}, .noise = 0.004, .state = 1};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 3, 33);
	r.decided.design.at[0] = 5;
	r.decided.design.looks = 1;
	r.decided.design.weight[0] = 1;
	for (size_t i = 8; i < 33; i++)
		r.series[i].comparisons[0].threshold_slower = 0.2;
	run(&r, &m, 1);
	/* eight at 2 * 4^-5 each: together they are shown */
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(r.series[i].comparisons[0].verdict, BA_VERDICT_REGRESSED);
}

/* among so many comparisons, too, it is noise where no number of invocations helps; what
 * a program prints more often, the tool cannot repeat */
static void check_hopeless(ba_suite_kind kind)
{
	BA_AUTO(ba_result) ba_result r;
	machine m = {.slowdown = {1, 1.05, 1}, .noise = 0.002, .wander = 0.6, .state = 2};
	begin(&r, 3, 33);
	for (size_t i = 0; i < r.run.benchmark_count; i++)
		r.run.benchmarks[i].kind = kind;
	r.decided.design.looks = 1;
	r.decided.design.weight[0] = 1;
	run(&r, &m, 1);
	size_t open = 0, hopeless_ones = 0;
	for (size_t i = 0; i < r.series_count; i++)
		for (size_t c = 0; c < 2; c++) {
			const ba_comparison *k = &r.series[i].comparisons[c];
			if (k->verdict != BA_VERDICT_INCONCLUSIVE)
				continue;
			open++;
			bool hopeless = strstr(k->hint, "would not be enough") != NULL;
			bool noise = strstr(k->reason, "invocations differ") != NULL;
			bool program = strstr(k->hint, "more repetitions in each run") != NULL;
			assert_true(noise || !hopeless);
			assert_int_equal(program, hopeless && kind == BA_SUITE_COMMAND);
			hopeless_ones += hopeless;
		}
	assert_true(open > 20 && hopeless_ones > 0);
	if (kind == BA_SUITE_LAUNCHER)
		it_agrees(&r);
}

TEST(noise_that_nothing_beats_is_the_reason)
{
	check_hopeless(BA_SUITE_LAUNCHER);
	check_hopeless(BA_SUITE_COMMAND);
}

TEST(an_inconclusive_one_says_why_and_what_would_help)
{
	machine m = {.slowdown = {1, 1}, .noise = 0.002, .wander = 0.05, .state = 5};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 1);
	run(&r, &m, 3);
	const ba_comparison *k = r.series[0].comparisons;
	assert_int_equal(k->verdict, BA_VERDICT_INCONCLUSIVE);
	assert_string_equal(k->reason, "invocations differ too much from each other");
	assert_non_null(k->hint);
	it_agrees(&r);
}

TEST(noise_within_is_told_from_noise_between)
{
	machine m = {.slowdown = {1, 1}, .noise = 0.4, .state = 1};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 1);
	run(&r, &m, 3);
	assert_string_equal(
		r.series[0].comparisons[0].reason, "the noise within an invocation is too large");
}

TEST(a_run_that_was_stopped_says_so)
{
	machine m = {.slowdown = {1, 1}, .noise = 0.002, .wander = 0.03, .state = 5};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 1);
	free(r.decided.stopped);
	r.decided.stopped = ba_xstrdup("budget");
	run(&r, &m, 1);
	const ba_comparison *k = r.series[0].comparisons;
	assert_has(k->reason, "the time budget was used up, and invocations differ");
	/* 9 s of measuring in 4 invocations */
	assert_has(k->hint, "more invocations (");
	assert_has(k->hint, " s) would be enough: a longer --budget");
	it_agrees(&r);
	/* who ends it early without a reason is asked for one */
	r.decided.stopped[0] = '\0';
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, &r);
	assert_has(v.disagreements.items[0],
		"decision: 1 of 3 looks were taken, some comparisons are open, and the "
		"file does not say why");
}

/* Nobody has looked at the control of equal builds when the run ends. */
TEST(a_control_that_was_stopped_is_not_identical)
{
	machine m = {.slowdown = {1, 1}, .noise = 0.004, .state = 9};
	for (unsigned invocations = 0; invocations < 5; invocations++) {
		BA_AUTO(ba_decisions) ba_decisions d = {0};
		BA_AUTO(ba_result) ba_result r;
		begin(&r, 2, 1);
		make_equal_builds(&r);
		free(r.decided.stopped);
		r.decided.stopped = ba_xstrdup("budget");
		ba_identity_settle(&r);
		ba_decisions_init(&d, &r);
		for (unsigned i = 0; i < invocations; i++)
			add_samples(&r, &r.series[0], &m, i);
		if (invocations >= r.decided.design.at[0])
			ba_decisions_look(&d, &r);
		finish(&r, &d);
		const ba_comparison *k = r.series[0].comparisons;
		if (invocations == 0)
			assert_int_equal(k->verdict, BA_VERDICT_SKIPPED);
		else if (invocations < r.decided.design.at[0])
			assert_string_equal(k->reason,
				"the time budget was used up before the first look; although "
				"old and new built byte-identical trees, no control "
				"has confirmed that");
		else
			assert_int_equal(k->verdict, BA_VERDICT_IDENTICAL);
		assert_int_equal(k->verdict == BA_VERDICT_INCONCLUSIVE,
			invocations > 0 && invocations < r.decided.design.at[0]);
		it_agrees(&r);
	}
}

TEST(what_failed_counts_and_verifies)
{
	machine m = {.slowdown = {1, 1.05, 1}, .noise = 0.004, .state = 9};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 3, 2);
	r.series[1].variants[2].failure = ba_xstrdup("killed by signal 11 (SIGSEGV)");
	run(&r, &m, 3);
	assert_int_equal(r.decided.family_size, 4);
	assert_int_equal(r.series[1].comparisons[1].verdict, BA_VERDICT_FAILED);
	assert_string_equal(
		r.series[1].comparisons[1].reason, "newer: killed by signal 11 (SIGSEGV)");
	assert_int_equal(r.series[1].comparisons[0].verdict, BA_VERDICT_REGRESSED);
	it_agrees(&r);
}

TEST(words_of_earlier_documents_may_be_others)
{
	machine m = {.slowdown = {1, 1.04}, .noise = 0.004, .state = 9};
	for (unsigned before = 0; before < 2; before++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_verification) ba_verification v = {0};
		begin(&r, 2, 1);
		run(&r, &m, 3);
		r.document.schema_revision = BA_REVISION_WORDS - before;
		free(r.decided.answer);
		r.decided.answer = ba_xstrdup("Yes: it got slower.");
		ba_verify(&v, &r);
		assert_int_equal(v.disagreements.count, 1 - before);
	}
}

TEST(what_needs_no_measuring_is_settled_alike)
{
	machine m = {.slowdown = {1, 1, 1}, .noise = 0.004, .state = 9};
	BA_AUTO(ba_result) ba_result r;
	char sum[65] = "ab";
	begin(&r, 3, 3);
	r.document.schema_revision = 2; /* no digests of trees: artefacts alone say it */
	ba_variant_add_artefact(&r.run.variants[0], "lib.so", sum);
	ba_variant_add_artefact(&r.run.variants[1], "lib.so", sum);
	r.series[1].variants[0].present = false;
	r.series[2].variants[2].present = false;
	run(&r, &m, 3);
	assert_int_equal(r.series[0].comparisons[0].verdict, BA_VERDICT_IDENTICAL);
	assert_int_equal(r.series[0].comparisons[1].verdict, BA_VERDICT_UNCHANGED);
	assert_int_equal(r.series[1].comparisons[1].verdict, BA_VERDICT_ADDED);
	assert_int_equal(r.series[2].comparisons[1].verdict, BA_VERDICT_REMOVED);
	assert_string_equal(r.series[2].comparisons[1].reason, "newer has no launch path 'p'");
	assert_int_equal(r.decided.family_size, 1);
	it_agrees(&r);
}

TEST(a_single_variant_verifies)
{
	machine m = {.slowdown = {1}, .noise = 0.01, .state = 2};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	begin(&r, 1, 2);
	ba_decisions_init(&d, &r);
	for (size_t i = 0; i < 2; i++)
		for (unsigned k = 0; k < 4; k++)
			add_samples(&r, &r.series[i], &m, k);
	finish(&r, &d);
	assert_int_equal(r.decided.exit_status, 0);
	it_agrees(&r);
	r.series[1].variants[0].trimmed *= 1.000001;
	BA_AUTO(ba_verification) ba_verification v;
	ba_verify(&v, &r);
	assert_int_equal(v.disagreements.count, 1);
	assert_has(v.disagreements.items[0], "launch/args=1, submit, old: trimmed_ns is ");
}

/* of two speeds, a side may have the faster one in each of four processes */
TEST(a_start_is_not_judged_from_four_processes)
{
	machine m = {.slowdown = {1, 1.28}, .noise = 0.001, .state = 3};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	begin(&r, 2, 1);
	r.series[0].metric = BA_METRIC_IMPORT;
	r.series[0].info = ba_metric_get(BA_METRIC_IMPORT);
	ba_decisions_init(&d, &r);
	for (unsigned k = 0; k < BA_STARTS_LEAST; k++) {
		assert_int_equal(ba_decisions_at(&d, 0, 1)->verdict, BA_VERDICT_UNDECIDED);
		add_samples(&r, &r.series[0], &m, k);
		if (k + 1 == r.decided.design.at[r.decided.looks_done])
			ba_decisions_look(&d, &r);
	}
	assert_int_equal(ba_decisions_at(&d, 0, 1)->verdict, BA_VERDICT_REGRESSED);
}

/* ---- edits ---- */

static void edit_ratio(ba_result *r)
{
	r->series[1].comparisons[0].ratio *= 1 + 1e-8;
}

static void edit_verdict(ba_result *r)
{
	r->series[2].comparisons[0].verdict = BA_VERDICT_UNCHANGED;
}

static void edit_p(ba_result *r)
{
	r->series[0].comparisons[1].p_unchanged /= 2;
}

static void edit_high(ba_result *r)
{
	r->series[0].comparisons[0].high = NAN;
}

static void edit_y(ba_result *r)
{
	r->series[0].comparisons[1].y[2] += 1e-6;
}

static void edit_flag(ba_result *r)
{
	r->series[0].comparisons[1].unstable = true;
}

static void edit_hint(ba_result *r)
{
	r->series[0].comparisons[1].hint = ba_xstrdup("buy a faster GPU");
}

static void edit_net(ba_result *r)
{
	r->series[0].net_ns[1] += 0.001;
}

static void edit_floor(ba_result *r)
{
	r->series[0].floor.launches++;
}

static void edit_answer(ba_result *r)
{
	r->decided.answer[0] = 'N';
}

static void edit_status(ba_result *r)
{
	r->decided.exit_status = 0;
}

static void edit_family(ba_result *r)
{
	r->decided.family_size = 1;
}

static void edit_run_seed(ba_result *r)
{
	r->run.seed++;
}

static void edit_order(ba_result *r)
{
	uint8_t *order = r->series[1].samples[3].order, was = order[0];
	size_t other = order[1] == was ? 2 : 1;
	order[0] = order[other];
	order[other] = was;
}

static void edit_block(ba_result *r)
{
	ba_samples *s = &r->series[1].samples[3];
	s->order[s->positions] = s->order[s->positions + 1];
}

/* nobody is measured in it, and no order can be drawn for nobody */
static void edit_to_floor_alone(ba_result *r)
{
	ba_samples *s = &r->series[1].samples[3];
	s->positions = 1;
	for (unsigned b = 0; b < s->blocks; b++)
		s->order[b] = (uint8_t)r->run.variant_count;
}

static void edit_invocation(ba_result *r)
{
	r->series[0].samples[2].invocation = 1;
}

static void edit_sample(ba_result *r)
{
	/* a quarter of a visit's readings are trimmed: change them all */
	for (unsigned k = 0; k < READINGS; k++)
		r->series[0].samples[1].ns[k] += 20;
}

static void edit_looks_done(ba_result *r)
{
	r->decided.looks_done = 3;
}

static void edit_threshold(ba_result *r)
{
	r->series[0].comparisons[1].threshold_slower = 0;
}

static void edit_threshold_nan(ba_result *r)
{
	r->series[0].comparisons[1].threshold_faster = NAN;
}

static void edit_threshold_loose(ba_result *r)
{
	r->series[0].comparisons[0].threshold_slower = 0.2;
}

static void edit_alpha(ba_result *r)
{
	r->decided.alpha = NAN;
}

/* half of it times a weight is not a number that a double holds */
static void edit_alpha_tiny(ba_result *r)
{
	r->decided.alpha = 4e-324;
}

static void edit_weight_tiny(ba_result *r)
{
	r->decided.design.weight[0] = 4e-324;
}

static void edit_multiplicity(ba_result *r)
{
	r->decided.multiplicity[0] = 'x';
}

static void edit_looks(ba_result *r)
{
	r->decided.design.at[1] = 4;
}

static void edit_weights(ba_result *r)
{
	r->decided.design.weight[0] = 0.9;
}

TEST(every_edit_is_named)
{
	static const struct {
		void (*edit)(ba_result *r);
		const char *says; /* some disagreement begins so */
		size_t most;	  /* and there are no more than that many */
	} rows[] = {
		{edit_ratio, "launch/args=1, submit, new: ratio is ", 1},
		{edit_verdict,
			"launch/args=2, submit, new: verdict is 'unchanged' in "
			"the file, 'regressed' from the samples",
			1},
		{edit_p, "launch/args=0, submit, newer: p_unchanged is ", 1},
		{edit_high,
			"launch/args=0, submit, new: high is null in the file "
			"($.series[0].comparisons[0].high), 1.0",
			1},
		{edit_y, "launch/args=0, submit, newer: y[2] is ", 1},
		{edit_flag, "launch/args=0, submit, newer: unstable is 'true'", 1},
		{edit_hint, "launch/args=0, submit, newer: hint is 'buy a faster GPU'", 1},
		{edit_net, "launch/args=0, submit: net_ns[1] is ", 1},
		{edit_floor, "launch/args=0, submit, floor: launches is ", 1},
		{edit_answer, "run: answer is 'Negressed", 1},
		{edit_status, "run: exit_status is 0 in the file, 1 from the samples", 1},
		{edit_family, "decision: family_size is 1 in the file, 6 from", 1},
		{edit_run_seed, "launch/args=0, submit: the seed of invocation 0 is not what", 99},
		{edit_order, "launch/args=1, submit: the order of visits in invocation 3", 99},
		{edit_block,
			"launch/args=1, submit: in invocation 3, the visits of block "
			"1 differ",
			1},
		{edit_to_floor_alone, "launch/args=1, submit: the order of visits in invocation 3",
			99},
		{edit_invocation,
			"launch/args=0, submit: the samples of invocation 1 come after "
			"those of 1",
			1},
		{edit_sample, "launch/args=0, submit, ", 99},
		{edit_looks_done, "decision: looks_done is 3 in the file, 1 from the samples", 1},
		{edit_threshold,
			"launch/args=0, submit, newer: the thresholds are 0 "
			"and 0.02: both must be above 0",
			1},
		{edit_threshold_nan,
			"launch/args=0, submit, newer: the thresholds are 0.02 and nan", 1},
		{edit_threshold_loose,
			"launch/args=0, submit, new: verdict is "
			"'regressed' in the file, 'unchanged'",
			99},
		{edit_alpha, "decision: alpha is nan", 1},
		{edit_alpha_tiny, "decision: alpha is 4.9", 1},
		{edit_weight_tiny, "decision: look 1 has the weight 4.9", 1},
		{edit_multiplicity, "decision: no multiplicity is called 'xh'", 1},
		{edit_looks, "decision: look 2 is after 4 invocations", 1},
		{edit_weights, "decision: the looks spend 1.5 of alpha", 1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_verification) ba_verification v;
		bool found = false;
		example(&r);
		rows[i].edit(&r);
		ba_verify(&v, &r);
		for (size_t k = 0; k < v.disagreements.count; k++)
			found = found || strncmp(v.disagreements.items[k], rows[i].says,
						 strlen(rows[i].says)) == 0;
		if (found && v.disagreements.count <= rows[i].most)
			continue;
		for (size_t k = 0; k < v.disagreements.count; k++)
			fprintf(stderr, "%s\n", v.disagreements.items[k]);
		fail_msg("row %zu: no '%s', or more than that", i, rows[i].says);
	}
}

TEST(clocks_that_drift_are_noted)
{
	/* every visit 1 % slower than the one before */
	machine m = {.slowdown = {1, 1}, .noise = 0.001, .drift = 0.01, .state = 4};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	begin(&r, 2, 1);
	ba_series *s = &r.series[0];
	ba_decisions_init(&d, &r);
	for (unsigned k = 0; k < 4; k++)
		add_samples(&r, s, &m, k);
	ba_decisions_look(&d, &r);
	finish(&r, &d);
	assert_int_equal(r.run.notes.count, 1);
	assert_has(r.run.notes.items[0],
		"clocks not steady: within a block of launch/args=0 the same code "
		"became ");
	assert_has(r.run.notes.items[0], "slower");
}

/* Two codes in two environments. */
static void make_grid(ba_result *r)
{
	static const char *const commits[] = {"aa", "bb"}, *const parts[] = {"var:X=1", "var:X=2"};
	for (size_t v = 0; v < 4; v++) {
		ba_variant *x = &r->run.variants[v];
		snprintf(x->commit, sizeof(x->commit), "%s", commits[v % 2]);
		x->spec = ba_xprintf("%s+%s", v % 2 ? "HEAD" : "HEAD~", parts[v / 2]);
		ba_strv_push(&x->environment.parts, parts[v / 2]);
	}
}

static void run_grid(ba_result *r, const double slowdown[4])
{
	machine m = {.noise = 0.004, .state = 1};
	memcpy(m.slowdown, slowdown, sizeof(m.slowdown));
	begin(r, 4, 2);
	make_grid(r);
	run(r, &m, 3);
}

TEST(effects_of_a_grid_are_said_and_verified)
{
	static const double apart[] = {1, 1.1, 1.2, 1.32}, together[] = {1, 1, 1, 1.2};
	BA_AUTO(ba_result) ba_result r, x;
	run_grid(&r, apart);
	it_agrees(&r);
	assert_has(r.decided.answer, ". Most of all in launch/args=");
	assert_has(r.decided.answer, ", code HEAD~ to HEAD +");
	assert_has(r.decided.answer, ", environment X=1 to X=2 +");
	assert_close(r.series[0].effects[0].comparison.ratio, 1.1, 0.01);
	assert_close(r.series[0].effects[1].comparison.ratio, 1.2, 0.01);
	assert_close(r.series[0].effects[2].comparison.ratio, 1, 0.01);
	assert_has(r.decided.answer, "; they do not interact by more than 2 %.");
	run_grid(&x, together);
	it_agrees(&x);
	assert_has(x.decided.answer,
		", the effect of the code depends on the environment: code HEAD~ to HEAD in X=1 ");
	assert_has(x.decided.answer, ", code HEAD~ to HEAD in X=2 +");
	assert_close(x.series[1].effects[2].comparison.ratio, 1.2, 0.01);
	assert_has(x.decided.answer, " (in 2 of 2).");
	/* the verdicts are those of the comparisons alone */
	assert_int_equal(r.decided.family_size, 6);
	assert_int_equal(r.decided.exit_status, 1);
	static const char *const said[] = {"submit, effect 0: ratio is", "effect 2: low is",
		"effect 1: verdict is", "effect 3: environment is",
		"submit: the number of effects is"};
	for (size_t i = 0; i < BA_COUNT(said); i++) {
		ba_effect *e = r.series[0].effects;
		e[0].comparison.ratio *= i == 0 ? 0.9 : 1;
		e[2].comparison.low *= i == 1 ? 0.9 : 1;
		e[1].comparison.verdict = i == 2 ? BA_VERDICT_UNCHANGED : e[1].comparison.verdict;
		e[3].environment += i == 3;
		if (i == 4)
			ba_comparison_dispose(&e[--r.series[0].effect_count].comparison);
		BA_AUTO(ba_verification) ba_verification v;
		ba_verify(&v, &r);
		assert_int_equal(v.disagreements.count, 1);
		assert_has(v.disagreements.items[0], said[i]);
	}
}
