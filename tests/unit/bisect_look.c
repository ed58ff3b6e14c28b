/* What a search says of the values of its steps. */
#include "test.h"

#include <math.h>

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
static void no_commit_is_named_beside_an_interval_that_contains_no_change(void **state)
{
	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_commit_is_named_beside_an_interval_that_contains_no_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
