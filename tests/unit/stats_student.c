#include "test.h"

#include "stats/student.h"

TEST(tails_add_up_to_one)
{
	for (double nu = 1; nu < 40; nu += 3)
		for (double t = 0; t < 5; t += 0.37)
			assert_close(ba_t_sf(t, nu) + ba_t_sf(-t, nu), 1, 1e-14);
}

TEST(tail_with_one_degree_of_freedom_is_cauchys)
{
	for (double t = 0.01; t < 1e12; t *= 7)
		assert_close(ba_t_sf(t, 1), atan(1 / t) / M_PI, 1e-12);
}

TEST(tail_with_two_degrees_of_freedom_is_algebraic)
{
	/* (1 - t/sqrt(2 + t^2))/2, written without the cancellation */
	for (double t = 0.01; t < 1e9; t *= 5) {
		double root = sqrt(2 + t * t);
		assert_close(ba_t_sf(t, 2), 1 / (root * (root + t)), 1e-11);
	}
}

TEST(tails_reach_far_below_1e_20)
{
	double p = ba_t_sf(2000, 31);

	assert_true(p > 0 && p < 1e-70);
	assert_close(ba_t_isf(p, 31), 2000, 1e-10);
	assert_close(ba_t_sf(INFINITY, 7), 0, 0);
	assert_close(ba_t_sf(-INFINITY, 7), 1, 0);
	assert_close(ba_t_sf(1e200, 3), 0, 0);
}

TEST(quantile_inverts_tail)
{
	for (double nu = 1; nu < 32; nu += 5)
		for (double p = 0.9; p > 1e-12; p /= 11)
			assert_close(ba_t_sf(ba_t_isf(p, nu), nu), p, 1e-11);
}

/* with three degrees of freedom the tail is elementary, so the quantile can be checked
 * without another library: scipy 1.10.1 says 0.764892328080891 */
TEST(quantile_with_three_degrees_solves_the_closed_form)
{
	for (double p = 0.4; p > 1e-3; p *= 0.7) {
		double u = ba_t_isf(p, 3) / sqrt(3);

		assert_close(0.5 - (u / (1 + u * u) + atan(u)) / M_PI, p, 1e-11);
	}
	assert_close(ba_t_isf(0.25, 3), 0.7648923284043453, 1e-13);
}

TEST(chi_square_with_two_degrees_is_exponential)
{
	for (double x = 0.01; x < 60; x *= 1.7)
		assert_close(ba_chi2_cdf(x, 2), -expm1(-x / 2), 1e-13);
	assert_close(ba_chi2_quantile(0.5, 2), 2 * M_LN2, 1e-13);
}
