/* The gap rule: all values of one comparison lie apart by more than the others vary. */
#include "test.h"

#include "stats/sequential.h"

enum { SIZE = 40, VALUES = 12 };

/* Comparison 0 moves by `change` with a range of `own`; `wide` of the others have a range
 * of `range`, the rest one of 0.1 %. Returns it after the look at n. */
static ba_decision judge(
	const ba_policy *p, size_t n, double change, double own, size_t wide, double range)
{
	static ba_decision d[SIZE];
	const ba_design design = ba_design_fixed(n);
	for (size_t i = 0; i < SIZE; i++) {
		double y[VALUES], width = i == 0 ? own : i <= wide ? range : .001;
		for (size_t r = 0; r < n; r++)
			y[r] = (i == 0 ? change : 0) + width * (r % 2 ? .5 : -.5);
		ba_decision_init(&d[i], .02, .02);
		ba_decision_look(&d[i], p, &design, 0, y);
	}
	ba_family_decide(d, SIZE, SIZE, p, true);
	return d[0];
}

TEST(four_values_are_enough_where_nothing_else_varies_as_much)
{
	ba_policy p = BA_POLICY_DEFAULT;
	ba_decision d = judge(&p, 4, .3, .01, 0, 0);
	assert_int_equal(d.verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(d.gap_rank, 1);
	assert_int_equal(judge(&p, 4, -.3, .01, 0, 0).verdict, BA_VERDICT_IMPROVED);
	/* one that varies by as much is enough to doubt it at four, not at six */
	d = judge(&p, 4, .3, .01, 1, .3);
	assert_int_equal(d.verdict, BA_VERDICT_INCONCLUSIVE);
	assert_int_equal(d.gap_rank, 2);
	assert_true(d.likely);
	assert_int_equal(judge(&p, 6, .3, .01, 1, .3).verdict, BA_VERDICT_REGRESSED);
	assert_false(judge(&p, 4, .3, .01, 30, .3).likely);
	/* as the values of this one do */
	assert_int_equal(judge(&p, 4, .3, .2, 0, 0).gap_rank, 0);
	/* half the threshold is no part of the gap, and none of it with `strict` */
	assert_int_equal(judge(&p, 4, .05, .001, 1, .035).gap_rank, 1);
	p.strict = true;
	assert_int_equal(judge(&p, 4, .05, .001, 1, .035).gap_rank, 2);
	p = (ba_policy)BA_POLICY_DEFAULT;
	p.rule = BA_RULE_FIRST;
	assert_int_equal(judge(&p, 4, .3, .01, 0, 0).verdict, BA_VERDICT_INCONCLUSIVE);
}

TEST(ranks_have_their_share_of_the_error)
{
	ba_policy p = BA_POLICY_DEFAULT;
	const ba_design design = ba_design_sequential();
	double sum = 0;
	for (size_t look = 0; look < design.looks; look++)
		sum += (double)ba_gap_most(&p, design.at[look]) *
		       ldexp(1.25, -2 * (int)design.at[look]);
	assert_true(sum > 0 && sum <= BA_GAP_SHARE * p.alpha);
	assert_int_equal(ba_gap_most(&p, 3), 0);
	assert_int_equal(ba_gap_most(&p, 4), 1);
	p.candidates = 4;
	assert_int_equal(ba_gap_most(&p, 4), 1);
	assert_true(ba_gap_most(&p, 12) < 100000);
	p.alpha = .01;
	assert_int_equal(ba_gap_most(&p, 4), 0);
}

TEST(counts_need_three_values)
{
	ba_policy p = BA_POLICY_DEFAULT;
	assert_int_equal(judge(&p, 3, .3, .01, 0, 0).verdict, BA_VERDICT_INCONCLUSIVE);
	p.counts = true;
	assert_int_equal(judge(&p, 3, .3, .01, 0, 0).verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(judge(&p, 3, -.3, .01, 0, 0).verdict, BA_VERDICT_IMPROVED);
	assert_int_equal(judge(&p, 2, .3, .01, 0, 0).verdict, BA_VERDICT_INCONCLUSIVE);
	assert_int_equal(judge(&p, 3, 0, .001, 0, 0).verdict, BA_VERDICT_UNCHANGED);
	ba_decision d = judge(&p, 3, .3, .01, 1, .3);
	assert_int_equal(d.verdict, BA_VERDICT_INCONCLUSIVE);
	assert_true(d.likely);
	assert_int_equal(judge(&p, 4, .3, .01, 1, .3).verdict, BA_VERDICT_INCONCLUSIVE);
	assert_int_equal(judge(&p, 6, .3, .01, 1, .3).verdict, BA_VERDICT_REGRESSED);
	/* ranks beyond one have their own share, once each */
	double sum = 0;
	for (size_t n = 2; n < 40; n++) {
		size_t most = ba_gap_most(&p, n);
		assert_int_equal(most > 0, n > 2);
		sum += most > 1 ? (double)most * ldexp(1.8, -2 * (int)n) : 0;
	}
	assert_true(sum + ldexp(1.8, -6) <= BA_GAP_SHARE_COUNTS * p.alpha);
	assert_true(ba_family_alpha(&p) <= (1 - BA_GAP_SHARE_COUNTS) * p.alpha + 1e-12);
	p.alpha = .01;
	assert_int_equal(ba_gap_most(&p, 3), 0);
	assert_int_equal(ba_gap_most(&p, 5), 1);
}
