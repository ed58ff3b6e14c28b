#include "test.h"

#include "stats/blocks.h"

static const ba_policy policy = BA_POLICY_DEFAULT;

/* after the first look, at four values with this mean and half of their range */
static ba_decision looked_at(double mean, double half)
{
	const double y[4] = {mean - half, mean + half, mean - half, mean + half};
	ba_design design = ba_design_sequential();
	ba_decision d;

	ba_decision_init(&d, 0.02, 0.02);
	ba_decision_look(&d, &policy, &design, 0, y);
	return d;
}

static size_t next(ba_blocks_plan p, const ba_decision *d)
{
	ba_design design = ba_design_sequential();

	return ba_blocks_next(&p, d, &policy, &design, 0.05);
}

static const ba_blocks_plan noisy_inside = {.now = 10,
	.most = 1000,
	.invocation_cost = 100,
	.block_cost = 1,
	.s1_sq = 4e-3,
	.s2_sq = 4e-4};

TEST(the_first_number_follows_the_noise_of_a_block)
{
	/* S1/sqrt(k) = D/4 */
	assert_close(ba_blocks_first(1e-2, 0.02, 0, 1), 400, 1e-9);
	assert_close(ba_blocks_first(1e-2, 0.04, 0, 1), 100, 1e-9);
	assert_close(ba_blocks_first(0, 0.02, 100, 1), 0, 1e-9);
	/* at most k*, with T2 = D/2: sqrt(100 1e-2 / 1) / 0.01 */
	assert_close(ba_blocks_first(1e-2, 0.02, 100, 1), 100, 1e-9);
	assert_close(ba_blocks_first(1e-2, 0.02, 400, 4), 100, 1e-9);
	assert_close(ba_blocks_first(1e-2, 0.02, 1e6, 1), 400, 1e-9);
}

TEST(noise_inside_an_invocation_asks_for_blocks)
{
	ba_decision d = looked_at(0.001, 0.02);
	ba_blocks_plan p = noisy_inside;
	size_t k = next(p, &d);

	assert_true(k > 10 && k < 1000);
	p.most = k - 1;
	assert_in_range(next(p, &d), 10, k - 1);
	/* of no use: the noise is between invocations */
	p = noisy_inside;
	p.s1_sq = 1e-6;
	assert_int_equal(next(p, &d), 10);
	p.s1_sq = 0;
	assert_int_equal(next(p, &d), 10);
}

TEST(dear_blocks_and_cheap_invocations_ask_for_invocations)
{
	ba_decision d = looked_at(0.001, 0.02);
	ba_blocks_plan p = noisy_inside;

	p.s1_sq = 3e-3; /* T2^2 = 1e-4: k* = sqrt(30 c2/c1) */
	p.invocation_cost = 3;
	assert_int_equal(next(p, &d), 10);
	p.invocation_cost = 300;
	size_t k = next(p, &d);
	assert_true(k > 10 && k <= 95);
	p.invocation_cost = 0; /* unknown */
	assert_int_equal(next(p, &d), 10);
}

/* whoever asks for "certainly more than the threshold" and measures just that */
TEST(beyond_every_look_there_is_the_optimum)
{
	ba_policy strict = policy;
	ba_design design = ba_design_sequential();
	ba_decision d = looked_at(0.0199, 0.02);
	ba_blocks_plan p = noisy_inside;

	strict.strict = true;
	p.s1_sq = 3.9e-3; /* T2^2 = 1e-5: k* = sqrt(100 * 390) */
	assert_int_equal(ba_blocks_next(&p, &d, &strict, &design, 0.05), 198);
}

TEST(what_will_be_decided_gets_no_more)
{
	ba_decision clear = looked_at(0.2, 0.001);
	ba_blocks_plan p = noisy_inside;

	p.s2_sq = 1e-6;
	p.s1_sq = 1e-5;
	assert_int_equal(next(p, &clear), 10);
}
