/* A calibration learnt from an A/A result, and what it makes of another run's spread.
 */
#include "test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "verdict/calibrate.h"
#include "verdict/estimate.h"
#include "series_of.h"
#include "stats/planning.h"

enum { N = 8, BLOCKS = 20 };

static const char plans[3][65] = {"aa", "bb", "cc"};

/* Invocations of two equal variants whose log ratios are exactly y[]. */
static void add(ba_result *r, const double y[N])
{
	size_t b = r->run.benchmark_count++;
	r->run.benchmarks = ba_xreallocarray(
		r->run.benchmarks, r->run.benchmark_count, sizeof(*r->run.benchmarks));
	r->run.benchmarks[b] = (ba_benchmark){
		.suite = ba_xstrdup("launch"), .id = ba_xprintf("launch/args=%zu", b)};
	ba_series *s = series_of(r, b, BA_METRIC_SUBMIT);
	for (unsigned k = 0; k < N; k++) {
		ba_samples *x = ba_series_add_samples(s);
		*x = (ba_samples){.invocation = k,
			.participants = 2,
			.positions = 4,
			.blocks = BLOCKS,
			.readings = 1,
			.batch = 1,
			.wall_ns = 200000000};
		ba_samples_alloc(x);
		for (unsigned i = 0; i < 4 * BLOCKS; i++) {
			bool second = i % 4 == 1 || i % 4 == 2;
			x->order[i] = second;
			x->ns[i] = (uint64_t)(1e9 * (second ? exp(y[k]) : 1));
		}
		ba_estimate_add(r, s, x);
	}
	s->comparisons[0].verdict = BA_VERDICT_UNCHANGED;
	s->comparisons[0].ratio = 1;
	s->s_floor = 2e-4;
	ba_estimate_summaries(r, s);
}

static void begin(ba_result *r)
{
	*r = (ba_result){.document.schema_revision = BA_REVISION_MEANS,
		.run.engine = ba_xstrdup("duet"),
		.run.started = ba_xstrdup("2026-01-31T12:00:00Z"),
		.run.measure_seconds = 4,
		.run.variant_count = 2,
		.run.variants = ba_xcalloc(2, sizeof(ba_variant)),
		.run.env.timer_tick_ns = 1,
		.run.env.sm_clock_mhz = 1980};
}

static const double steady[N] = {.001, -.0012, .0005, -.0003, .0011, -.0009, .0002, -.0006};

TEST(the_spread_and_its_limit_are_learnt)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_calibration) ba_calibration c = {0};
	begin(&r);
	add(&r, steady);
	assert_int_equal(ba_calibration_learn(&c, &r, plans), 1);
	const ba_noise *n = ba_calibration_find(&c, "aa", BA_METRIC_SUBMIT, "duet");
	assert_non_null(n);
	/* numpy: std(ddof=1) of the y's; 1.572 is section 5's factor for 7 */
	assert_close(n->s, 8.614771367499298e-4, 1e-5);
	assert_close(n->s_upper / n->s, 1.572, 1e-3);
	assert_close(n->ns, 1e9, 1e-9);
	assert_close(n->seconds, 0.2, 1e-9);
	/* 4 s, of which 8 * 0.2 s were measuring */
	assert_close(c.start_seconds, 0.3, 1e-9);
	assert_int_equal(n->invocations, N);
	assert_string_equal(n->date, "2026-01-31T12:00:00Z");
	assert_int_equal(c.findings.count, 0);
}

TEST(the_timers_floor_is_the_least_spread)
{
	const double equal[N] = {0};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_calibration) ba_calibration c = {0};
	begin(&r);
	add(&r, equal);
	ba_calibration_learn(&c, &r, plans);
	assert_true(c.noises[0].s == 2e-4);
}

TEST(what_looks_wrong_is_found)
{
	const double biased[N] = {.01, .0101, .0099, .01, .0102, .0098, .01, .0101};
	const double two[N] = {0, .01, .0001, .0099, -.0001, .0101, .00005, .01};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_calibration) ba_calibration c = {0};
	begin(&r);
	add(&r, biased);
	add(&r, two);
	r.series[0].comparisons[0].verdict = BA_VERDICT_REGRESSED;
	r.series[0].comparisons[0].ratio = 1.01;
	assert_int_equal(ba_calibration_learn(&c, &r, plans), 2);
	BA_AUTO_FREE char *all = ba_strv_join(&c.findings, "\n");
	assert_has(all, "launch/args=0, submit was called regressed and is the same "
			"code (ratio 1.0100)");
	assert_has(all, "the second of two equal variants is slower by ");
	assert_has(all, "two-speed process: launch/args=1, submit ");
	/* the next calibration begins with a clean slate */
	BA_AUTO(ba_result) ba_result quiet;
	begin(&quiet);
	add(&quiet, steady);
	ba_calibration_learn(&c, &quiet, plans);
	assert_int_equal(c.findings.count, 0);
	assert_int_equal(c.noise_count, 2);
}

TEST(dependent_invocations_are_found)
{
	const double wave[N] = {-.004, -.003, -.002, -.001, .001, .002, .003, .004};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_calibration) ba_calibration c = {0};
	begin(&r);
	for (int i = 0; i < 3; i++)
		add(&r, wave);
	ba_calibration_learn(&c, &r, plans);
	BA_AUTO_FREE char *all = ba_strv_join(&c.findings, "\n");
	assert_has(all, "successive invocations are not independent");
}

TEST(what_was_not_measured_is_not_learnt)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_calibration) ba_calibration c = {0};
	begin(&r);
	add(&r, steady);
	r.series[0].role = BA_ROLE_REPORTED;
	assert_int_equal(ba_calibration_learn(&c, &r, plans), 0);
	r.series[0].role = BA_ROLE_VERDICT;
	r.series[0].comparisons[0].y_count = 2;
	assert_int_equal(ba_calibration_learn(&c, &r, plans), 0);
	assert_int_equal(c.noise_count, 0);
}

TEST(fewer_blocks_may_vary_more)
{
	const ba_noise n = {.s = 0.001, .s_upper = 0.0015, .s1_sq = 1e-4, .blocks = 100};
	assert_true(ba_noise_s_upper(&n, 0) == 0.0015);
	assert_true(ba_noise_s_upper(&n, 400) == 0.0015);
	/* s^2 + s1^2 / 25 - s1^2 / 100 = 1e-6 + 4e-6 - 1e-6 */
	assert_close(ba_noise_s_upper(&n, 25), 1.5 * 0.002, 1e-12);
}

TEST(only_a_surprising_spread_is_noticed)
{
	const ba_noise n = {.s = 0.001, .s_upper = 0.0015, .blocks = 100};
	/* chi-square of 3 beyond 11.345 has 1 %, that of 7 beyond 18.475 */
	double limit4 = 0.0015 * sqrt(11.344866730144373 / 3);
	double limit8 = 0.0015 * sqrt(18.475306906582357 / 7);
	assert_false(ba_noise_is_exceeded(&n, limit4 * 0.9999, 4, 100, 1));
	assert_true(ba_noise_is_exceeded(&n, limit4 * 1.0001, 4, 100, 1));
	assert_false(ba_noise_is_exceeded(&n, limit8 * 0.9999, 8, 100, 1));
	assert_true(ba_noise_is_exceeded(&n, limit8 * 1.0001, 8, 100, 1));
	/* of many questions, each is asked more gently */
	assert_false(ba_noise_is_exceeded(&n, limit4 * 1.0001, 4, 100, 50));
	assert_false(ba_noise_is_exceeded(&n, 1, 1, 100, 1));
	assert_false(ba_noise_is_exceeded(&n, 1, 4, 100, 0));
}

/* The spread of a true normal sample is within the limit for 99 of 100 runs and more:
 * the limit s_U is itself above the truth in nine of ten calibrations. */
TEST(a_machine_that_did_not_change_is_left_alone)
{
	uint64_t rng = 11;
	int noticed = 0, runs = 4000;
	for (int i = 0; i < runs; i++) {
		double s[2];
		for (int part = 0; part < 2; part++) {
			int n = part == 0 ? 8 : 4;
			double sum = 0, squares = 0;
			for (int k = 0; k < n; k++) {
				/* a sum of twelve uniforms is normal enough */
				double x = -6;
				for (int u = 0; u < 12; u++)
					x += (double)(ba_splitmix64(&rng) >> 11) /
					     9007199254740992.0;
				sum += x;
				squares += x * x;
			}
			s[part] = sqrt((squares - sum * sum / n) / (n - 1));
		}
		ba_noise n = {.s = s[0], .s_upper = ba_s_upper(s[0], 8), .blocks = 100};
		noticed += ba_noise_is_exceeded(&n, s[1], 4, 100, 1);
	}
	assert_true(noticed < runs / 100);
	assert_true(noticed > 0);
}
