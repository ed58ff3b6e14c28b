#include "test.h"

#include "base/rng.h"
#include "stats/multiple.h"

TEST(a_lone_small_p_needs_q_over_m)
{
	double p[] = {0.0005, 1, 1};
	bool r[3];

	assert_int_equal(ba_multiple_reject(r, p, 3, 100, 0.05, BA_MULTIPLICITY_BH), 1);
	assert_true(r[0] && !r[1] && !r[2]);
	assert_int_equal(ba_multiple_reject(r, p, 3, 101, 0.05, BA_MULTIPLICITY_BH), 0);
	assert_int_equal(ba_multiple_reject(r, p, 3, 101, 0.05, BA_MULTIPLICITY_NONE), 1);
}

TEST(bh_steps_up_over_a_p_that_alone_is_too_large)
{
	double p[] = {0.04, 0.03, 0.05};
	bool r[3];

	assert_int_equal(ba_multiple_reject(r, p, 3, 3, 0.05, BA_MULTIPLICITY_BH), 3);
	assert_int_equal(ba_multiple_reject(r, p, 3, 3, 0.05, BA_MULTIPLICITY_HOLM), 0);
}

/* the smallest q at which hypothesis i is rejected, at most 1: by the definitions */
static double adjusted_p(const double *p, size_t n, size_t m, size_t i, ba_multiplicity how)
{
	bool holm = how == BA_MULTIPLICITY_HOLM;
	double harmonic = 0, out = holm ? 0 : 1;

	if (how == BA_MULTIPLICITY_NONE)
		return p[i];
	for (size_t k = m; k > 0; k--)
		harmonic += 1 / (double)k;
	for (size_t j = 0; j < n; j++) {
		size_t below = 0, rank = 0;

		for (size_t k = 0; k < n; k++) {
			below += p[k] < p[j];
			rank += p[k] <= p[j];
		}
		double fdr = p[j] * (double)m / (double)rank *
			     (how == BA_MULTIPLICITY_BY ? harmonic : 1);

		if (holm && p[j] <= p[i])
			out = fmax(out, p[j] * (double)(m - below));
		if (!holm && p[j] >= p[i])
			out = fmin(out, fdr);
	}
	return fmin(1, out);
}

TEST(rejection_and_adjusted_p_agree)
{
	uint64_t rng = 1;
	double p[40];
	bool r[40];

	for (int round = 0; round < 2000; round++) {
		size_t n = 1 + (size_t)round % 40, m = n + (size_t)round % 7;
		ba_multiplicity how = (ba_multiplicity)(round % 4);

		for (size_t i = 0; i < n; i++) {
			double u = (double)(ba_splitmix64(&rng) >> 11) * 0x1p-53;
			p[i] = u * u * u;
		}
		size_t count = ba_multiple_reject(r, p, n, m, 0.05, how), seen = 0;

		for (size_t i = 0; i < n; i++) {
			double adjusted = adjusted_p(p, n, m, i, how);

			/* p * m / m may be a last digit below p */
			assert_true(adjusted >= p[i] * (1 - 1e-15));
			assert_int_equal(r[i], adjusted <= 0.05);
			seen += r[i];
		}
		assert_int_equal(seen, count);
		/* those above 0.05 need not be told to the cut */
		double few[40];
		size_t kept = 0;

		for (size_t i = 0; i < n; i++)
			if (p[i] <= 0.05)
				few[kept++] = p[i];
		double cut = ba_multiple_cut(few, kept, m, 0.05, how);

		for (size_t i = 0; i < n; i++)
			assert_int_equal(r[i], p[i] <= cut);
	}
}

TEST(order_of_the_hypotheses_does_not_matter)
{
	double p[] = {0.9, 0.001, 0.2, 0.012, 0.011}, q[] = {0.011, 0.012, 0.2, 0.001, 0.9};
	bool r[5], s[5];

	ba_multiple_reject(r, p, 5, 5, 0.05, BA_MULTIPLICITY_BH);
	ba_multiple_reject(s, q, 5, 5, 0.05, BA_MULTIPLICITY_BH);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(r[i], s[4 - i]);
	assert_true(r[3] && !r[2]);
}

TEST(level_for_one_more_is_what_the_rule_accepts)
{
	double p[] = {1e-9, 1e-9, 0};
	bool r[3];

	for (int how = 0; how <= BA_MULTIPLICITY_NONE; how++) {
		double level = ba_multiple_level(2, 20, 0.05, (ba_multiplicity)how);

		p[2] = level * (1 - 1e-12);
		assert_int_equal(ba_multiple_reject(r, p, 3, 20, 0.05, (ba_multiplicity)how), 3);
		p[2] = level * (1 + 1e-12);
		assert_int_equal(ba_multiple_reject(r, p, 3, 20, 0.05, (ba_multiplicity)how), 2);
	}
}

TEST(names_go_there_and_back)
{
	ba_multiplicity how = BA_MULTIPLICITY_BH;

	for (int i = 0; i <= BA_MULTIPLICITY_NONE; i++) {
		const char *name = ba_multiplicity_name((ba_multiplicity)i);

		assert_true(ba_multiplicity_parse(&how, name));
		assert_int_equal(how, i);
	}
	assert_false(ba_multiplicity_parse(&how, "bonferroni"));
}

TEST(a_hundred_thousand_are_quick)
{
	enum { N = 100000 };
	double *p = malloc(N * sizeof(*p));
	bool *r = malloc(N * sizeof(*r));
	uint64_t rng = 3;

	for (size_t i = 0; i < N; i++)
		p[i] = i < 10 ? 1e-7 : 0.1 + (double)(ba_splitmix64(&rng) >> 12) * 0x1p-53;
	assert_int_equal(ba_multiple_reject(r, p, N, N, 0.05, BA_MULTIPLICITY_BH), 10);
	free(p);
	free(r);
}
