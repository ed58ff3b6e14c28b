/* What a search says of the values of its steps. */
#include "test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "bisect/internal.h"

enum { COMMITS = 2, ROWS = 6 };

static double uniform(uint64_t *rng)
{
	return ((double)(ba_splitmix64(rng) >> 11) + 0.5) / 9007199254740992.0;
}

/* Each row has BAD, which made the step. The tails are
 * heavy. */
static void look(ba_bisect *b, uint64_t *rng, double step)
{
	static ba_bisect_commit commits[COMMITS];
	static size_t at[ROWS][COMMITS - 1];
	static double y[ROWS][COMMITS - 1];
	static ba_bisect_row rows[ROWS];
	ba_bisect_phase *p = &b->phases[BA_BISECT_TIMES];
	for (size_t i = 0; i < ROWS; i++) {
		for (size_t k = 0; k + 1 < COMMITS; k++) {
			at[i][k] = k + 1;
			y[i][k] = step + .02 * tan(3.14 * (uniform(rng) - .5));
		}
		rows[i] = (ba_bisect_row){at[i], y[i], COMMITS - 1};
	}
	*b = (ba_bisect){.commits = commits,
		.commit_count = COMMITS,
		.threshold = .02,
		.s_floor = BA_S_FLOOR};
	p->rows = rows;
	p->row_count = ROWS;
	assert_int_equal(ba_bisect_look(b, BA_BISECT_TIMES, NULL), 0);
}

/* A place that has its probability, and a change that may be none, is not an answer. */
TEST(no_commit_is_named_beside_an_interval_that_contains_no_change)
{
	uint64_t rng = 1;
	size_t found = 0, held = 0;
	for (size_t i = 0; i < 3000; i++) {
		ba_bisect b;
		look(&b, &rng, .1);
		for (size_t k = 0; k < b.place_count; k++) {
			const ba_bisect_place *p = &b.places[k];
			bool contains = p->low <= 0 && p->high >= 0;
			assert_true(b.outcome == BA_BISECT_OPEN || !contains);
			found += b.outcome != BA_BISECT_OPEN;
			held += p->probability >= BA_BISECT_LEVEL && contains;
		}
		ba_steps_dispose(&b.phases[BA_BISECT_TIMES].steps);
	}
	assert_true(found > 500 && held > 100);
}

/* One benchmark got slower by 30 %, one faster by 20 %. A search for an improvement follows
 * the second, and its values are above 0. */
TEST(a_search_follows_what_it_is_for)
{
	const size_t ends[] = {0, 1};
	double y[2][2] = {{log(1.3), log(1.3)}, {log(.8), log(.8)}};
	ba_comparison c[2] = {
		{.verdict = BA_VERDICT_REGRESSED, .ratio = 1.3, .threshold_slower = .02},
		{.verdict = BA_VERDICT_IMPROVED, .ratio = .8, .threshold_faster = .03}};
	ba_summary summaries[2] = {0};
	ba_benchmark benchmarks[2] = {{.id = (char *)"a"}, {.id = (char *)"b"}};
	ba_series series[2] = {0};
	ba_variant variants[2] = {0};
	for (size_t i = 0; i < 2; i++) {
		c[i].y = y[i];
		c[i].y_count = 2;
		series[i] = (ba_series){.benchmark = i,
			.role = BA_ROLE_VERDICT,
			.metric = BA_METRIC_TIME,
			.variants = summaries,
			.comparisons = &c[i]};
	}
	const ba_result r = {.run.variant_count = 2,
		.run.variants = variants,
		.run.benchmarks = benchmarks,
		.run.benchmark_count = 2,
		.series = series,
		.series_count = 2};
	for (int faster = 0; faster < 2; faster++) {
		BA_AUTO(ba_bisect) ba_bisect b = {.request.faster = faster, .commit_count = 2};
		b.commits = ba_xcalloc(2, sizeof(*b.commits));
		b.phases[BA_BISECT_TIMES].measured = ba_xcalloc(2, sizeof(size_t));
		assert_int_equal(ba_bisect_follow(&b, &r, 1, NULL), 0);
		assert_string_equal(b.benchmark, faster ? "b" : "a");
		assert_true(b.others == 0 && b.threshold == (faster ? .03 : .02));
		assert_int_equal(ba_bisect_learn(&b, BA_BISECT_TIMES, &r, ends, 2, NULL), 0);
		const ba_bisect_phase *p = &b.phases[BA_BISECT_TIMES];
		assert_true(p->row_count == 2 && p->delta > .2);
		assert_true(fabs(p->rows[1].y[0] - p->delta) < 1e-9);
	}
}
