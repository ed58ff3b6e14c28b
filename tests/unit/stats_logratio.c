#include "test.h"

#include "stats/logratio.h"

enum { A, B, FLOOR };

TEST(block_is_half_the_difference_of_two_visits_each)
{
	double v[] = {log(1.000), log(1.021), log(1.023), log(1.004)};
	double w[] = {log(1.030), log(1.006), log(1.008), log(1.034)};
	unsigned char abba[] = {A, B, B, A}, baab[] = {B, A, A, B};

	assert_close(ba_block_contrast(v, abba, 4, A, B), 0.019765002441240145, 1e-13);
	assert_close(ba_block_contrast(w, baab, 4, A, B), 0.02452166850052875, 1e-13);
	assert_close(ba_block_contrast(v, abba, 4, A, A), 0, 0);
}

TEST(linear_drift_cancels)
{
	double v[24];
	unsigned char order[] = {A, B, B, A, B, A, A, B, A, B, FLOOR, FLOOR, B, A};

	for (size_t i = 0; i < 24; i++)
		v[i] = 3 + 0.25 * (double)i;
	assert_true(fabs(ba_logratio_of_visits(
			    v, &(ba_readings){.blocks = 2, .positions = 4, .order = order}, A, B)
				    .y) < 1e-14);
	assert_true(fabs(ba_block_contrast(v, order + 8, 6, A, B)) < 1e-14);
}

TEST(swapping_the_roles_changes_the_sign_only)
{
	double v[] = {.1, .2, .25, .13, .3, .11, .12, .29};
	unsigned char order[] = {A, B, B, A, B, A, A, B};
	ba_logratio ab = ba_logratio_of_visits(
		v, &(ba_readings){.blocks = 2, .positions = 4, .order = order}, A, B);
	ba_logratio ba = ba_logratio_of_visits(
		v, &(ba_readings){.blocks = 2, .positions = 4, .order = order}, B, A);

	assert_close(ab.y, -ba.y, 0);
	assert_close(ab.s1_sq, ba.s1_sq, 1e-14);
	assert_true(ab.y > 0.1);
}

TEST(readings_are_divided_by_their_batch_and_trimmed)
{
	/* A takes 100 ns a launch, B 110; one reading of each is far out */
	uint64_t ns[4][5] = {
		{1600, 1600, 1600, 1600, 900000},
		{1760, 1760, 1, 1760, 1760},
		{1760, 1760, 1760, 1760, 1760},
		{1600, 1600, 1600, 1600, 1600},
	};
	unsigned char order[] = {A, B, B, A};
	ba_readings r = {.blocks = 1,
		.positions = 4,
		.readings = 5,
		.batch = 16,
		.order = order,
		.ns = &ns[0][0]};
	double v[4];
	ba_visits_of(v, &r);
	ba_logratio l = ba_logratio_of_visits(
		v, &(ba_readings){.blocks = 1, .positions = 4, .order = order}, A, B);
	double of_a[10];
	for (size_t i = 0; i < 5; i++) {
		of_a[i] = (double)ns[0][i] / 16;
		of_a[5 + i] = (double)ns[3][i] / 16;
	}
	ba_distribution s = ba_distribution_of(of_a, 10);

	assert_close(l.y, log(1.1), 1e-13);
	assert_int_equal(l.blocks, 1);
	assert_int_equal(s.count, 10);
	assert_close(s.trimmed, 100, 1e-13);
	assert_close(s.max, 56250, 1e-13);
	assert_int_equal(ba_distribution_of(of_a, 0).count, 0);
	/* two levels differ by what the blocks say, and who did not visit has none */
	assert_close(ba_level_of(&r, B) - ba_level_of(&r, A), log(1.1), 1e-12);
	assert_close(ba_level_of(&r, A), log(100), 1e-12);
	assert_true(isnan(ba_level_of(&r, FLOOR)));
	assert_true(ba_level_of_visits(v, &r, B) == ba_level_of(&r, B));
}

TEST(a_participant_may_have_more_visits_than_another)
{
	double v[] = {1, 2, 3, 4, 5};
	unsigned char order[] = {A, B, A, B, A};

	assert_close(ba_block_contrast(v, order, 5, A, B), 0, 0);
}

TEST(placebo_finds_the_drift_and_nothing_of_the_variants)
{
	double v[16];
	unsigned char order[16];

	for (size_t i = 0; i < 16; i++) {
		unsigned char abba = (unsigned char)(i % 4 == 1 || i % 4 == 2);

		order[i] = i / 4 % 2 ? !abba : abba;
		v[i] = (order[i] == B ? 5 : 1) + 0.01 * (double)i;
	}
	/* halves of 3 and of 1 steps */
	assert_close(ba_placebo_drift(v, order, 4, 4), 0.01, 1e-12);
	/* no pair is mirrored */
	assert_close(ba_placebo_drift(v, (const unsigned char[]){A, A, B, B}, 1, 4), 0, 0);
}

TEST(shape_change_is_what_every_invocation_shows)
{
	double small[] = {0.004, 0.005, 0.005, 0.006};
	double tail[] = {0.031, 0.034, 0.036, 0.035};
	double lighter[] = {-0.05, -0.05, -0.05, -0.05};
	double preempted[] = {0.001, 0.002, 0.9, -0.001};

	assert_false(ba_shape_changed(small, 4, log1p(0.01)));
	assert_true(ba_shape_changed(tail, 4, log1p(0.01)));
	assert_true(ba_shape_changed(lighter, 4, log1p(0.01)));
	assert_false(ba_shape_changed(preempted, 4, log1p(0.01)));
	assert_false(ba_shape_changed(tail, 1, log1p(0.01)));
}

TEST(the_means_see_a_tail_and_not_an_interrupt)
{
	enum { N = 200 };
	double x[2 * N], swapped[2 * N];

	/* a tenth of the candidate's readings take twice as long */
	for (size_t i = 0; i < N; i++) {
		x[i] = 100;
		x[N + i] = i % 10 == 3 ? 200 : 100;
	}
	assert_close(ba_mean_logratio_of(x, N, 2 * N, BA_MEAN_CUT), log(1.1), 1e-12);
	memcpy(swapped, x + N, N * sizeof(*x));
	memcpy(swapped + N, x, N * sizeof(*x));
	assert_close(ba_mean_logratio_of(swapped, N, 2 * N, BA_MEAN_CUT), -log(1.1), 1e-12);
	/* four of 400 may last as long as they like: they count as the next one */
	x[N + 3] = x[N + 13] = x[7] = x[8] = 1e9;
	assert_close(ba_mean_logratio_of(x, N, 2 * N, BA_MEAN_CUT), log(110.0 / 101), 1e-12);
	/* without a cut, and with so few that one is more than a hundredth */
	double few[] = {1, 1, 1, 4};
	assert_close(ba_mean_logratio_of(few, 2, 4, BA_MEAN_CUT), log(2.5), 1e-12);
	assert_true(fabs(ba_mean_logratio_of(x, N, 2 * N, 0)) < 0.01);
}

TEST(the_means_of_readings_are_those_of_their_numbers)
{
	const unsigned char order[] = {0, 1, 1, 0};
	const uint64_t ns[] = {100, 100, 120, 160, 100, 100, 100, 100};
	const ba_readings r = {
		.blocks = 1, .positions = 4, .readings = 2, .batch = 4, .order = order, .ns = ns};

	assert_close(ba_mean_logratio(&r, 0, 1, BA_MEAN_CUT), log(1.2), 1e-12);
	assert_close(ba_mean_logratio(&r, 1, 0, BA_MEAN_CUT), -log(1.2), 1e-12);
}
