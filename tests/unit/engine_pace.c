/* Which visits of one run and of many say that the runs of a variant overlap. */
#include "test.h"

#include "engine/row.h"

#define MS 1e6

/* Visits of one run between `alone` and a half of `noise` around it, and of ten runs. */
static ba_pace pace_of(double alone, double noise, double together)
{
	double one[] = {alone, alone + noise / 2, alone, alone + noise / 4};
	double many[] = {together, together * 1.1, together, together * 1.2};
	ba_pace p = {0};
	ba_pace_take_alone(&p, one, 4);
	ba_pace_take_together(&p, many, 4);
	return p;
}

static bool overlaps(ba_pace first, ba_pace p)
{
	return ba_pace_overlaps(&first, &p, 10);
}

TEST(runs_in_sequence_do_not_overlap_however_long_they_are)
{
	ba_pace base = pace_of(3 * MS, 0, 12 * MS); /* an overhead of 2 ms and runs of 1 ms */
	assert_false(overlaps(base, base));
	assert_false(overlaps(base, pace_of(6 * MS, 0, 42 * MS)));
	assert_false(overlaps(base, pace_of(2.5 * MS, 0, 7 * MS)));
}

TEST(one_run_that_takes_longer_than_its_share_of_many_is_told)
{
	ba_pace base = pace_of(3 * MS, 0, 12 * MS);
	assert_true(overlaps(base, pace_of(3 * MS, 0, 4 * MS)));
	assert_true(overlaps(base, pace_of(6 * MS, 0, 12 * MS)));
	/* by a quarter of the baseline's run, and 50 us, nothing is said */
	assert_false(overlaps(base, pace_of(3.2 * MS, 0, 12 * MS)));
	assert_true(overlaps(base, pace_of(3.4 * MS, 0, 12 * MS)));
}

TEST(what_takes_twice_as_long_as_the_baseline_hides_nothing)
{
	ba_pace base = pace_of(3 * MS, 0, 12 * MS);
	assert_true(overlaps(base, pace_of(20 * MS, 0, 23 * MS)));
	assert_false(overlaps(base, pace_of(20 * MS, 0, 25 * MS)));
}

TEST(what_the_baseline_varies_by_is_held_against_nobody)
{
	ba_pace steady = pace_of(3 * MS, 0, 12 * MS), busy = pace_of(3 * MS, 4 * MS, 12 * MS);
	ba_pace p = pace_of(3.4 * MS, 0, 12 * MS);
	assert_true(overlaps(steady, p));
	assert_false(overlaps(busy, p));
}

TEST(the_fastest_of_several_tries_counts)
{
	ba_pace base = pace_of(3 * MS, 0, 12 * MS), p = pace_of(6 * MS, 0, 12 * MS);
	double again[] = {3.1 * MS, 3.1 * MS, 9 * MS, 9 * MS};
	assert_true(overlaps(base, p));
	ba_pace_take_alone(&p, again, 4);
	assert_false(overlaps(base, p));
	double slower[] = {9 * MS, 9 * MS, 9 * MS, 9 * MS};
	ba_pace_take_alone(&p, slower, 4);
	assert_false(overlaps(base, p));
}
