/* what a run as a whole has to say */
#include "test.h"

#include "example_result.h"
#include "verdict/explain.h"

static void fill(ba_result *r, double base_mhz, double mine_mhz)
{
	const double figures[] = {5000, 5100};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED};
	example_begin(r, 2);
	ba_series *s = example_series(
		r, example_benchmark(r, "k/saxpy", 0), BA_METRIC_GPU_COLD, figures, verdicts);
	s->variants[0].sm_mhz = base_mhz;
	s->variants[1].sm_mhz = mine_mhz;
}

static size_t notes_of(double base_mhz, double mine_mhz, const char *text)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r, base_mhz, mine_mhz);
	size_t before = r.run.notes.count;
	ba_explain_run(&r);
	size_t more = r.run.notes.count - before;
	if (more && text)
		assert_non_null(strstr(r.run.notes.items[before], text));
	return more;
}

TEST(a_clock_that_differs_between_variants_is_said)
{
	assert_int_equal(notes_of(1980, 1940, "2 % lower for contextvar"), 1);
	assert_int_equal(notes_of(1940, 1980, "2.1 % higher for contextvar"), 1);
}

TEST(a_clock_that_is_the_same_or_unknown_is_not)
{
	assert_int_equal(notes_of(1980, 1975, NULL), 0);
	assert_int_equal(notes_of(1980, 0, NULL), 0);
	assert_int_equal(notes_of(0, 0, NULL), 0);
}
