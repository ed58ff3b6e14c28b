#include "test.h"

#include "stats/apart.h"

enum { SIZE = 20 };

typedef struct family {
	ba_decision d[SIZE];
	ba_apart x[SIZE];
} family;

/* values of a side: level, and steps of `noise` about it */
static ba_moments side(double level, double noise, size_t n)
{
	ba_moments m = {0};
	for (size_t i = 0; i < n; i++)
		ba_moments_add(&m, level + noise * (double)i / (double)(n - 1));
	return m;
}

/* `n` values a side, ranges of 1 %; the first `wide` of the others have ranges of
 * `width`; the first benchmark changes by `change` */
static void judge(family *f, size_t n, size_t m, size_t candidates, double change, size_t wide,
	double width, ba_policy policy)
{
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	for (size_t i = 0; i < SIZE; i++) {
		double noise = i > 0 && i <= wide ? width : 0.01;
		ba_moments a = side(1, noise, n);
		ba_moments b = side(1 + (i == 0 ? change : 0), noise, n);
		ba_decision_init(&f->d[i], 0.02, 0.02);
		ba_decision_unpaired(&f->d[i], &policy, &table, &a, &b);
		f->x[i] = ba_apart_of(&a, &b, &table);
	}
	BA_AUTO(ba_apart_family)
	ba_apart_family all = {.policy = policy, .candidates = candidates};
	for (size_t i = 0; i < SIZE; i++)
		ba_apart_join(&all, &f->d[i], &f->x[i]);
	ba_apart_close(&all, m);
	for (size_t i = 0; i < SIZE; i++)
		ba_apart_decide(&all, &f->d[i], &f->x[i]);
}

static const ba_policy usual = BA_POLICY_DEFAULT;

TEST(a_large_change_of_five_values_is_found)
{
	family f;
	judge(&f, 5, SIZE, 1, 0.4, 0, 0, usual);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_REGRESSED);
	assert_true(f.x[0].flagged && f.x[0].rank == 1);
	for (size_t i = 1; i < SIZE; i++)
		assert_false(f.x[i].flagged);
	judge(&f, 5, SIZE, 1, -0.4, 0, 0, usual);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_IMPROVED);
}

/* 2 k / 252 <= 0.045: k up to 5 */
TEST(the_rank_counts_those_that_spread_as_much)
{
	family f;
	judge(&f, 5, SIZE, 1, 0.4, 4, 0.5, usual);
	assert_int_equal(f.x[0].rank, 5);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_REGRESSED);
	judge(&f, 5, SIZE, 1, 0.4, 5, 0.5, usual);
	assert_int_equal(f.x[0].rank, 6);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_INCONCLUSIVE);
	/* more values allow a greater rank */
	assert_int_equal(ba_apart_count_for(1, 1, 0.05), 4);
	assert_int_equal(ba_apart_count_for(5, 1, 0.05), 5);
	assert_int_equal(ba_apart_count_for(6, 1, 0.05), 6);
}

TEST(candidates_share_the_error_rate)
{
	family f;
	judge(&f, 4, SIZE, 1, 0.4, 0, 0, usual);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_REGRESSED);
	judge(&f, 4, SIZE, 2, 0.4, 0, 0, usual);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_INCONCLUSIVE);
	/* 2 / 20 is more than 4.5 % */
	judge(&f, 3, SIZE, 1, 0.4, 0, 0, usual);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_INCONCLUSIVE);
	assert_int_equal(f.x[0].rank, 1);
	/* but likely up to 10 %: 2 / 20, with one of two candidates 1 / 20 */
	assert_true(f.x[0].likely);
	judge(&f, 3, SIZE, 1, 0.4, 1, 0.5, usual);
	assert_true(f.x[0].rank == 2 && f.x[0].likely);
	judge(&f, 3, SIZE, 1, 0.4, 2, 0.5, usual);
	assert_true(f.x[0].rank == 3 && !f.x[0].likely);
	judge(&f, 3, SIZE, 2, 0.4, 1, 0.5, usual);
	assert_false(f.x[0].likely);
	judge(&f, 2, SIZE, 1, 0.4, 0, 0, usual);
	assert_false(f.x[0].likely);
}

/* The values lie apart, but by less than the ranges, or by less than half the
 * threshold. */
TEST(a_small_distance_shows_nothing)
{
	family f;
	judge(&f, 5, SIZE, 1, 0.028, 0, 0, usual); /* 0.018 - D/2, ranges 0.01 */
	assert_int_equal(f.x[0].rank, 1 + SIZE);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_INCONCLUSIVE);
	judge(&f, 5, SIZE, 1, 0.019, 0, 0, usual); /* below the threshold itself */
	assert_int_equal(f.x[0].rank, 0);
	ba_policy strict = usual;
	strict.strict = true;
	judge(&f, 5, SIZE, 1, 0.035, 0, 0, usual); /* 0.025 - D/2 */
	assert_int_equal(f.x[0].rank, 1);
	judge(&f, 5, SIZE, 1, 0.035, 0, 0, strict); /* 0.025 - D */
	assert_int_equal(f.x[0].rank, 1 + SIZE);
}

/* Where the first rule can flag one alone, its error rate is used up. */
TEST(the_first_rule_goes_first)
{
	family f;
	judge(&f, 10, SIZE, 1, 0.4, 0, 0, usual);
	assert_int_equal(f.d[0].verdict, BA_VERDICT_REGRESSED);
	assert_false(f.x[0].flagged);
	ba_policy each = usual;
	each.multiplicity = BA_MULTIPLICITY_NONE;
	judge(&f, 5, SIZE, 1, 0.4, 0, 0, each);
	assert_false(f.x[0].flagged);
}

/* in two passes, and with all of it at hand */
TEST(the_first_rule_is_that_of_every_family)
{
	for (int how = 0; how <= BA_MULTIPLICITY_NONE; how++)
		for (int i = 0; i < 40; i++) {
			ba_policy policy = usual;
			family f, g;
			policy.multiplicity = (ba_multiplicity)how;
			policy.strict = i % 2;
			judge(&f, 10, SIZE + (size_t)i, 1, (i - 20) * 0.004, (size_t)i % SIZE,
				0.001 * i, policy);
			g = f;
			for (size_t k = 0; k < SIZE; k++)
				g.d[k].verdict = BA_VERDICT_UNDECIDED;
			ba_family_decide(g.d, SIZE, SIZE + (size_t)i, &policy, true);
			for (size_t k = 0; k < SIZE; k++)
				assert_int_equal(f.d[k].verdict, g.d[k].verdict);
		}
}

TEST(moments_keep_their_ends)
{
	ba_moments m = {0};
	ba_moments_add(&m, 3);
	assert_true(m.least == 3 && m.most == 3);
	ba_moments_add(&m, -1);
	ba_moments_add(&m, 7);
	assert_true(m.least == -1 && m.most == 7);
	ba_moments n = ba_moments_negated(&m);
	assert_true(n.least == -7 && n.most == 1 && n.mean == -3 && n.m2 == m.m2);
}
