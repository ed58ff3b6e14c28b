/* The peers' rules say what their tools would. */
#include "test.h"

#include "rules.h"

TEST(identical_numbers_are_never_different)
{
	static peer_rule *const rules[] = {peer_seed_5, peer_seed_1, peer_seed_sd, peer_google,
		peer_benchstat, peer_criterion, peer_nvbench, peer_nvbench_robust, peer_tango};
	double x[12], slower[12];

	for (size_t i = 0; i < 12; i++) {
		x[i] = 1 + 0.001 * (double)(i * 5 % 12);
		slower[i] = 1.2 * x[i];
	}
	for (size_t r = 0; r < sizeof(rules) / sizeof(*rules); r++) {
		assert_int_equal(rules[r](x, 12, x, 12), 0);
		assert_int_equal(rules[r](x, 12, slower, 12), 1);
		assert_int_equal(rules[r](slower, 12, x, 12), -1);
	}
}

TEST(u_test_is_exact_for_small_samples)
{
	double a[] = {1, 2, 3}, b[] = {4, 5, 6}, c[] = {1.5, 2.5, 7};

	/* 2 of the 20 arrangements are as extreme as U = 9 */
	assert_close(peer_u_test(a, 3, b, 3, 0), 0.1, 1e-12);
	assert_close(peer_u_test(a, 3, c, 3, 0), 0.7, 1e-12);
	/* scipy.stats.mannwhitneyu([1,2,3],[4,5,6],method='asymptotic').pvalue */
	assert_close(peer_u_test(a, 3, b, 3, 1), 0.08085559837005224, 1e-10);
}

TEST(nvbench_takes_the_smaller_noise)
{
	double quiet[] = {1, 1.0001, 0.9999}, noisy[] = {1.5, 0.6, 1.0};

	assert_int_equal(peer_nvbench(quiet, 3, noisy, 3), 1);
	assert_int_equal(peer_nvbench_robust(quiet, 3, noisy, 3), 0);
}

/* t_mixture and t_mixture_check of statistics-vectors.json */
TEST(t_mixture_meets_its_vectors)
{
	double y[] = {0.027423, 0.029113, 0.028513, 0.029061, 0.02601, 0.028481, 0.021182, 0.029564,
		0.030084, 0.035644, 0.019184, 0.030236};
	double z[] = {0.011, 0.004, 0.009, -0.002, 0.007, 0.012};

	assert_close(peer_t_mixture(y, 12, 0.004975165426584042, 0.01), 17.14078050088337, 1e-10);
	assert_close(peer_t_mixture(z, 6, 0.004, 1), -0.20593549069207273, 1e-10);
}
