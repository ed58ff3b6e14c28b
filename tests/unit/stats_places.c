/* Values of several places pooled, and p-values of several runs combined. */
#include "test.h"

#include "stats/combine.h"
#include "stats/quantile.h"
#include "stats/sequential.h"
#include "stats/sequential_internal.h"
#include "stats/student.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(1.0 * (b)) + 1e-300)

TEST(the_tail_of_f_in_closed_form)
{
	/* two degrees of freedom above: a power; one: the square of t */
	NEAR(ba_f_sf(3, 2, 10), pow(1 + 2 * 3 / 10.0, -5));
	NEAR(ba_f_sf(40, 2, 6), pow(1 + 2 * 40 / 6.0, -3));
	NEAR(ba_f_sf(6.25, 1, 7), 2 * ba_t_sf(2.5, 7));
	assert_true(ba_f_sf(0, 3, 9) == 1);
	assert_true(ba_f_sf(INFINITY, 3, 9) == 0);
}

TEST(one_place_is_no_place)
{
	const double y[] = {.01, .02, .015, .011, .5};
	const unsigned at[] = {1, 1, 1, 1, 0};
	ba_pooled a, b;
	ba_pool(&a, y, NULL, 4, 1, 1e-9);
	ba_pool(&b, y, at, 4, 2, 1e-9);
	assert_true(a.mean == ba_mean(y, 4) && a.s == ba_stdev(y, 4));
	assert_true(a.se == a.s / sqrt(4) && a.nu == 3 && a.p_agree == 1);
	assert_int_equal(b.places, 1);
	assert_int_equal(b.n, 4);
	assert_true(a.mean == b.mean && a.s == b.s && a.se == b.se && a.nu == b.nu);
	/* two places with one value each have no spread */
	ba_pool(&b, y, at + 3, 2, 2, 1e-9);
	assert_int_equal(b.places, 0);
	/* beside others, one that has a single value counts like them */
	ba_pool(&b, y, at, 5, 2, 1e-9);
	assert_int_equal(b.places, 2);
	NEAR(b.mean, (ba_mean(y, 4) + .5) / 2);
	NEAR(b.s, a.s);
	NEAR(b.se, a.s / 2 * sqrt(1 + .25));
}

TEST(every_place_counts_alike)
{
	/* means 2 and 7 of four and two values; squares within: 2 and 2 */
	const double y[] = {1, 2, 6, 2, 3, 8};
	const unsigned at[] = {0, 0, 1, 0, 0, 1};
	ba_pooled x;
	ba_pool(&x, y, at, 6, 2, 1e-9);
	assert_int_equal(x.places, 2);
	NEAR(x.mean, 4.5);
	NEAR(x.nu, 4);
	NEAR(x.s, 1);
	NEAR(x.se, sqrt(0.25 * (1 / 4.0 + 1 / 2.0)));
	/* all of them: 22/6; between: 4 (2 - 22/6)^2 + 2 (7 - 22/6)^2 */
	double between = 4 * pow(2 - 22 / 6.0, 2) + 2 * pow(7 - 22 / 6.0, 2);
	NEAR(x.p_agree, ba_f_sf(between, 1, 4));
}

TEST(fisher_in_closed_form)
{
	const double two[] = {.03, .2}, three[] = {.5, .01, 1}, tiny[] = {1e-200, 1e-180};
	double p = .03 * .2, s = -log(.5 * .01);
	NEAR(ba_fisher_p(two, 1), .03);
	NEAR(ba_fisher_p(two, 2), p * (1 - log(p)));
	NEAR(ba_fisher_p(three, 3), exp(-s) * (1 + s + s * s / 2));
	assert_true(ba_fisher_p(tiny, 2) == 0 || ba_fisher_p(tiny, 2) < 1e-300);
	const double ones[] = {1, 1};
	assert_true(ba_fisher_p(ones, 2) == 1);
}

static void look_all(
	ba_decision *d, const ba_policy *policy, const ba_design *design, const double *y)
{
	ba_decision_init(d, .02, .02);
	for (size_t look = 0; look < design->looks; look++)
		ba_decision_look(d, policy, design, look, y);
}

TEST(one_run_combined_is_that_run)
{
	const double y[] = {.028, .031, .0305, .0289};
	const ba_design design = ba_design_fixed(4);
	const ba_policy policy = BA_POLICY_DEFAULT;
	ba_decision run, d;
	look_all(&run, &policy, &design, y);
	const ba_decision *runs[] = {&run};
	ba_decision_init(&d, .02, .02);
	ba_decision_combine(&d, &policy, runs, 1, &(ba_together){.y = y, .n = 4});
	assert_true(d.p_reg == run.p_reg && d.p_eq == run.p_eq && d.ybar == run.ybar);
	assert_true(fabs(d.lo - run.lo) < 1e-9 && fabs(d.hi - run.hi) < 1e-9);
	assert_int_equal(d.looks, 1);
}

/* two runs that could not say it */
TEST(what_two_runs_suspect_both_together_show)
{
	const double y[] = {.021, .030, .024, .033, .032, .022, .035, .025};
	const ba_design first = {.looks = 1, .at = {4}, .weight = {.2}};
	const ba_policy policy = BA_POLICY_DEFAULT;
	ba_decision one, two, d, none;
	look_all(&one, &policy, &first, y);
	look_all(&two, &policy, &first, y + 4);
	ba_decision_init(&none, .02, .02);
	const ba_decision *runs[] = {&one, &none, &two};
	const ba_together all = {.y = y, .n = 8};
	const double p[] = {one.p_reg, two.p_reg};
	assert_true(one.p_reg > .01 && two.p_reg > .01);
	ba_decision_init(&d, .02, .02);
	ba_decision_combine(&d, &policy, runs, 3, &all);
	NEAR(d.p_reg, ba_fisher_p(p, 2));
	assert_true(d.p_reg < fmin(one.p_reg, two.p_reg));
	NEAR(d.ybar, ba_mean(y, 8));
	assert_true(d.lo > fmin(one.lo, two.lo) && d.hi < fmax(one.hi, two.hi));
	/* no run came to a look: nothing to say */
	ba_decision_init(&d, .02, .02);
	runs[0] = runs[2] = &none;
	ba_decision_combine(&d, &policy, runs, 3, &all);
	assert_int_equal(d.looks, 0);
	assert_true(d.p_reg == 1 && isinf(d.hi));
}

TEST(contradicting_runs_leave_what_lies_between)
{
	const double y[] = {0, .0001, 0, .0001, .0500, .0501, .0500, .0501};
	const ba_design design = ba_design_fixed(4);
	const ba_policy policy = BA_POLICY_DEFAULT;
	ba_decision one, two, d;
	look_all(&one, &policy, &design, y);
	look_all(&two, &policy, &design, y + 4);
	const ba_decision *runs[] = {&one, &two};
	ba_decision_init(&d, .02, .02);
	ba_decision_combine(&d, &policy, runs, 2, &(ba_together){.y = y, .n = 8});
	assert_true(d.lo <= d.ybar && d.ybar <= d.hi);
	assert_true(d.lo < .01 && d.hi > .04);
}

static ba_decision at_places(ba_place_decision *each, const double *y, const unsigned *at, size_t n)
{
	const ba_design design = ba_design_fixed(n);
	const ba_policy policy = BA_POLICY_DEFAULT;
	ba_decision d;
	ba_decision_init(&d, .02, .02);
	ba_decision_set_places(&d, each, 2);
	ba_decision_look_at(&d, &policy, &design, 0, y, at);
	ba_family_decide(&d, 1, 1, &policy, true);
	return d;
}

TEST(places_that_differ_have_verdicts_of_their_own)
{
	double y[16];
	unsigned at[16];
	ba_place_decision each[2];
	for (unsigned i = 0; i < 16; i++) {
		at[i] = i % 2;
		y[i] = (i % 4 < 2 ? .001 : -.001) + (at[i] ? .031 : 0);
	}
	/* on average less than the threshold, and more than it at one of the two */
	ba_decision d = at_places(each, y, at, 16);
	assert_true(d.ybar < d.d_reg && ba_decision_places_differ(&d));
	assert_int_equal(d.verdict, BA_VERDICT_REGRESSED);
	assert_true(each[1].slower && !each[0].slower && each[0].unchanged);
	/* the other way */
	for (unsigned i = 0; i < 16; i++)
		y[i] = -y[i];
	d = at_places(each, y, at, 16);
	assert_int_equal(d.verdict, BA_VERDICT_IMPROVED);
	assert_true(each[1].faster && !each[0].faster);
	/* faster at one and slower at the other is slower */
	for (unsigned i = 0; i < 16; i++)
		y[i] += at[i] ? 0 : .05;
	d = at_places(each, y, at, 16);
	assert_int_equal(d.verdict, BA_VERDICT_REGRESSED);
	assert_true(each[1].faster && each[0].slower);
	/* both far within the threshold: they differ, and are unchanged */
	for (unsigned i = 0; i < 16; i++)
		y[i] = (i % 4 < 2 ? .0005 : -.0005) + (at[i] ? .004 : 0);
	d = at_places(each, y, at, 16);
	assert_true(ba_decision_places_differ(&d));
	assert_int_equal(d.verdict, BA_VERDICT_UNCHANGED);
}

TEST(a_look_without_two_values_at_a_place_says_nothing)
{
	const double y[] = {.03, .03};
	const unsigned at[] = {0, 1};
	ba_place_decision each[2];
	ba_decision d = at_places(each, y, at, 2);
	assert_int_equal(d.verdict, BA_VERDICT_INCONCLUSIVE);
	assert_true(d.p_reg == 1 && isinf(d.hi) && d.looks == 1);
}

/* Which places there are follows from the values of each look alone: a run that does not
 * know yet that a second place will join decides as `verify` does, which knows. */
TEST(a_place_that_joins_late_changes_no_earlier_look)
{
	const double y[] = {.031, .028, .03, .033, .029, .001};
	const unsigned at[] = {0, 0, 0, 0, 0, 1};
	const ba_policy policy = BA_POLICY_DEFAULT;
	const ba_design design = ba_design_of_rule(BA_RULE_FIRST);
	ba_place_decision told[2], each[2];
	ba_decision knows, learns;
	ba_decision_init(&knows, .1, .1);
	ba_decision_init(&learns, .1, .1);
	ba_decision_set_places(&knows, told, 2);
	for (size_t look = 0; look < 2; look++) {
		if (look == 1)
			ba_decision_set_places(&learns, each, 2);
		ba_decision_look_at(&knows, &policy, &design, look, y, at);
		ba_decision_look_at(&learns, &policy, &design, look, y, look ? at : NULL);
		assert_int_equal(ba_own_share(&knows) == 1, look == 0);
		assert_true(ba_own_share(&knows) == ba_own_share(&learns));
		assert_true(knows.p_eq == learns.p_eq && knows.p_reg == learns.p_reg);
	}
	for (size_t p = 0; p < 2; p++) {
		assert_true(told[p].p_reg == each[p].p_reg);
		assert_true(told[p].p_eq == each[p].p_eq);
	}
}
