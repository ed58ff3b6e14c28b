/* Grids of codes and environments: which variants are one, known effects, and the error
 * rates of docs/statistics.md section 3.11 on values from a generator. */
#include "test.h"

#include "base/rng.h"
#include "verdict/estimate.h"
#include "model/effect.h"
#include "verdict/decide.h"

enum { VALUES = 32, CELLS_MOST = 6 };

static double uniform(uint64_t *seed)
{
	return ((double)(ba_splitmix64(seed) >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

static double normal(uint64_t *seed)
{
	double radius = sqrt(-2 * log(uniform(seed)));
	return radius * cos(6.283185307179586 * uniform(seed));
}

/* Variant v has the code v / environments and the environment v % environments. */
static void begin(ba_result *r, size_t codes, size_t environments, size_t benchmarks)
{
	*r = (ba_result){.decided.alpha = 0.05,
		.decided.rule = BA_RULE_NOW,
		.decided.multiplicity = ba_xstrdup("bh"),
		.decided.design = ba_design_sequential(),
		.run.variants = ba_xcalloc(codes * environments, sizeof(ba_variant)),
		.run.variant_count = codes * environments,
		.run.benchmarks = ba_xcalloc(benchmarks, sizeof(ba_benchmark)),
		.run.benchmark_count = benchmarks};
	for (size_t v = 0; v < r->run.variant_count; v++) {
		BA_AUTO_FREE char *text =
			ba_xprintf("c%zu+var:X=%zu", v / environments, v % environments);
		assert_int_equal(ba_variant_parse(&r->run.variants[v], text, NULL), 0);
		snprintf(r->run.variants[v].commit, 65, "a%zu", v / environments);
	}
	for (size_t b = 0; b < benchmarks; b++) {
		ba_series *s = ba_result_add_series(r, b, BA_METRIC_SUBMIT);
		s->s_floor = BA_S_FLOOR;
		for (size_t c = 0; c + 1 < r->run.variant_count; c++) {
			ba_comparison *k = &s->comparisons[c];
			k->threshold_slower = k->threshold_faster = 0.02;
			k->y = ba_xcalloc(VALUES, sizeof(*k->y));
		}
	}
}

/* Speeds of processes: normal, or one of two values. */
typedef struct noise {
	double s, two;
} noise;

static void draw(ba_result *r, const double *truth, noise of, uint64_t *seed)
{
	BA_EACH (ba_series, s, r->series, r->series_count)
		for (size_t n = 0; n < VALUES; n++) {
			double u[CELLS_MOST];
			for (size_t v = 0; v < r->run.variant_count; v++)
				u[v] = truth[v] + of.s * normal(seed) +
				       (uniform(seed) < 0.5 ? of.two : 0);
			for (size_t c = 0; c + 1 < r->run.variant_count; c++)
				s->comparisons[c].y[n] = u[c + 1] - u[0];
		}
}

/* Stops as a run does: when all comparisons have a verdict. */
static void stop(ba_result *r)
{
	const ba_design design = r->decided.design;
	const ba_policy policy = ba_policy_of(r, BA_S_FLOOR);
	size_t each = r->run.variant_count - 1, count = r->series_count * each, open = 1;
	BA_AUTO_FREE ba_decision *d = ba_xcalloc(count, sizeof(*d));
	for (size_t i = 0; i < count; i++)
		ba_decision_init(&d[i], 0.02, 0.02);
	for (r->decided.looks_done = 0; open && r->decided.looks_done < design.looks;
		r->decided.looks_done++) {
		for (size_t i = 0; i < count; i++)
			ba_decision_look(&d[i], &policy, &design, r->decided.looks_done,
				r->series[i / each].comparisons[i % each].y);
		open = ba_family_decide(d, count, count, &policy, false);
	}
	for (size_t i = 0; i < count; i++)
		r->series[i / each].comparisons[i % each].y_count =
			design.at[r->decided.looks_done - 1];
}

static void decide(ba_result *r, const double *truth, noise of, uint64_t *seed)
{
	draw(r, truth, of, seed);
	stop(r);
	ba_factors_estimate(r);
}

static double true_size(const ba_effect *e, const double truth[4])
{
	switch (e->of) {
	case BA_EFFECT_OF_CODE:
		return (truth[2] - truth[0] + truth[3] - truth[1]) / 2;
	case BA_EFFECT_OF_ENVIRONMENT:
		return (truth[1] - truth[0] + truth[3] - truth[2]) / 2;
	case BA_EFFECT_OF_BOTH:
		return truth[3] - truth[2] - truth[1] + truth[0];
	default:
		return e->environment ? truth[3] - truth[1] : truth[2] - truth[0];
	}
}

TEST(only_a_complete_grid_has_effects)
{
	static const double truth[CELLS_MOST] = {0};
	uint64_t seed = 1;
	BA_AUTO(ba_result) ba_result r, wide;
	begin(&r, 2, 2, 1);
	decide(&r, truth, (noise){.s = .002}, &seed);
	assert_int_equal(r.series[0].effect_count, 5);
	/* a cell that failed, a cell that was not measured to a look */
	r.series[0].variants[2].failure = ba_xstrdup("it crashed");
	ba_factors_estimate(&r);
	assert_int_equal(r.series[0].effect_count, 0);
	BA_FREE(r.series[0].variants[2].failure);
	r.series[0].variants[2].failure = NULL;
	r.series[0].comparisons[2].y_count = 3;
	ba_factors_estimate(&r);
	assert_int_equal(r.series[0].effect_count, 0);
	r.series[0].comparisons[2].y_count = 4;
	/* the packages of the same file differ between the codes */
	snprintf(r.run.variants[3].environment.resolved_sha256, 65, "ab");
	assert_int_equal(ba_grid_of(&r.run).codes, 0);
	r.run.variants[3].environment.resolved_sha256[0] = '\0';
	/* one code in four environments; a cell twice, and one missing */
	snprintf(r.run.variants[3].commit, 65, "a0");
	assert_int_equal(ba_grid_of(&r.run).codes, 0);
	snprintf(r.run.variants[3].commit, 65, "a1");
	assert_int_equal(ba_grid_of(&r.run).codes, 2);
	begin(&wide, 3, 2, 1);
	decide(&wide, truth, (noise){.s = .002}, &seed);
	const ba_grid g = ba_grid_of(&wide.run);
	assert_int_equal(g.codes, 3);
	assert_int_equal(g.environments, 2);
	/* 2 of codes, 1 of environments, 2 of both; and each code in each environment */
	assert_int_equal(wide.series[0].effect_count, 5 + 4);
	assert_int_equal(wide.series[0].effects[1].code, 4);
	assert_int_equal(wide.series[0].effects[2].environment, 1);
}

TEST(counts_have_effects_without_intervals)
{
	static const double logs[] = {0.1, 0.2, 0.35};
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 2, 1);
	for (size_t c = 0; c < 3; c++) {
		ba_comparison *k = &r.series[0].comparisons[c];
		k->y[0] = k->y[1] = logs[c];
		k->y_count = 2;
		k->exact = true;
	}
	ba_factors_estimate(&r);
	const ba_comparison *both = &ba_effect_first(&r.series[0], BA_EFFECT_OF_BOTH)->comparison;
	assert_true(both->exact && both->low == both->high);
	assert_close(log(both->ratio), 0.05, 1e-9);
	assert_int_equal(both->verdict, BA_VERDICT_REGRESSED);
	/* from or to 0 */
	r.series[0].comparisons[0].y[0] = INFINITY;
	ba_factors_estimate(&r);
	assert_int_equal(r.series[0].effect_count, 0);
}

typedef struct rates {
	double alarms, covered, shown, none; /* shares of runs; of intervals; of interactions */
	double code_shown;
} rates;

static rates simulate(const double truth[4], noise of, size_t benchmarks, size_t runs)
{
	rates out = {0};
	uint64_t seed = 7;
	size_t effects = 0;
	BA_AUTO(ba_result) ba_result r;
	begin(&r, 2, 2, benchmarks);
	for (size_t i = 0; i < runs; i++) {
		bool slower = false;
		decide(&r, truth, of, &seed);
		BA_EACH (const ba_series, s, r.series, r.series_count)
			BA_EACH (const ba_effect, e, s->effects, s->effect_count) {
				double size = exp(true_size(e, truth));
				const ba_comparison *c = &e->comparison;
				out.covered += c->low <= size && size <= c->high;
				effects++;
				slower |= ba_verdict_is_slower(c->verdict) && size <= 1.01;
				bool both = e->of == BA_EFFECT_OF_BOTH;
				out.shown += both && ba_effect_is_shown(e);
				out.none += both && c->verdict == BA_VERDICT_UNCHANGED;
				out.code_shown +=
					e->of == BA_EFFECT_OF_CODE && ba_effect_is_shown(e);
			}
		out.alarms += slower;
	}
	double n = (double)(runs * benchmarks);
	return (rates){out.alarms / (double)runs, out.covered / (double)effects, out.shown / n,
		out.none / n, out.code_shown / n};
}

/* Whatever the run's verdicts stop it at: not more than 5 % of runs with a false effect. */
TEST(without_effects_few_are_shown_and_intervals_hold)
{
	static const double none[4] = {0}, far[4] = {0, .1, .2, .3};
	static const noise noises[] = {{.s = .002}, {.s = .01}, {.s = .03}, {.two = .05},
		{.s = .002, .two = .05}, {.two = .2}};
	for (size_t i = 0; i < BA_COUNT(noises); i++)
		for (size_t benchmarks = 1; benchmarks < 9; benchmarks += 7) {
			rates all = simulate(none, noises[i], benchmarks, 400 / benchmarks);
			assert_true(all.alarms <= .05);
			assert_true(all.covered >= .95);
			/* code and environment differ, and add up */
			all = simulate(far, noises[i], benchmarks, 400 / benchmarks);
			assert_true(all.alarms <= .05);
			assert_true(all.covered >= .95);
		}
}

TEST(known_effects_are_found)
{
	static const double apart[4] = {0, .1, .2, .3}, together[4] = {0, .1, .2, .4};
	rates all = simulate(apart, (noise){.s = .002}, 4, 50);
	assert_true(all.code_shown > .95 && all.none > .95);
	all = simulate(together, (noise){.s = .002}, 4, 50);
	assert_true(all.shown > .95);
	/* too noisy to tell: neither */
	all = simulate(together, (noise){.s = .3}, 4, 50);
	assert_true(all.shown < .3 && all.none < .05);
}
