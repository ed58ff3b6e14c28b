/* the place of a step: certain where the values say so, spread where they do not, and two
 * steps where there are two */
#include "test.h"

#include "base/rng.h"
#include "stats/steps.h"

enum { COMMITS = 17, MOST = 64, WIDTH = 18 };

static double normal(uint64_t *random)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += (double)(ba_splitmix64(random) >> 11) * 0x1p-53;
	return sum;
}

typedef struct made {
	double prior[COMMITS];
	size_t commits[MOST][WIDTH];
	double y[MOST][WIDTH];
	ba_step_values values[MOST];
	ba_step_data data;
	ba_steps s;
	uint64_t random;
	double noise;
} made;

static void begin(made *m, double noise)
{
	*m = (made){.noise = noise, .random = 5};
	for (size_t k = 1; k < COMMITS; k++)
		m->prior[k] = 1;
	m->data = (ba_step_data){.commits = COMMITS,
		.prior = m->prior,
		.values = m->values,
		.floor = 2e-4,
		.least = 0.01};
}

/* Invocations of GOOD and `count` commits whose levels are known; GOOD's noise is in all
 * of an invocation. */
static void add(made *m, size_t invocations, const size_t *commits, size_t count,
	const double level[COMMITS])
{
	for (size_t i = 0; i < invocations; i++) {
		size_t at = m->data.count++;
		double good = m->noise * normal(&m->random);
		for (size_t k = 0; k < count; k++) {
			m->commits[at][k] = commits[k];
			m->y[at][k] = level[commits[k]] - good + m->noise * normal(&m->random);
		}
		m->values[at] = (ba_step_values){m->commits[at], m->y[at], count};
	}
	ba_steps_update(&m->s, &m->data);
}

static void step_at(double level[COMMITS], size_t place, double size)
{
	for (size_t k = 0; k < COMMITS; k++)
		level[k] += k >= place ? size : 0;
}

TEST(without_values_every_place_is_as_likely)
{
	made m;
	begin(&m, 0);
	ba_steps_update(&m.s, &m.data);
	/* no two steps fit into one cell: nothing was measured between */
	assert_close(m.s.none, BA_STEPS_NONE / (1 - BA_STEPS_TWO), 1e-9);
	assert_close(m.s.at[1], 1.0 / 16, 1e-9);
	assert_close(m.s.at[16], 1.0 / 16, 1e-9);
	assert_true(m.s.at[0] == 0 && isinf(m.s.low));
	ba_steps_dispose(&m.s);
}

TEST(places_between_measured_commits_share)
{
	static const size_t commits[] = {4, 8, 12, 16};
	double level[COMMITS] = {0};
	made m;
	begin(&m, 0.001);
	step_at(level, 7, 0.05);
	add(&m, 4, commits, 4, level);
	assert_true(m.s.one > 0.9);
	assert_close(m.s.at[5], m.s.at[8], 1e-12);
	assert_true(m.s.at[5] > 0.24 && m.s.at[4] < 2e-3 && m.s.at[9] < 2e-3);
	assert_true(m.s.low < 0.05 && m.s.high > 0.05);
	assert_close(m.s.s, 0.001, 0.5);
	/* the neighbours of the step decide */
	static const size_t near[] = {6, 7, 16};
	add(&m, 4, near, 3, level);
	assert_int_equal(ba_steps_best(m.s.at, COMMITS), 7);
	assert_true(m.s.one * m.s.at[7] > 0.95);
	ba_steps_dispose(&m.s);
}

TEST(few_values_are_not_certain)
{
	static const size_t commits[] = {6, 7, 16};
	double level[COMMITS] = {0};
	made m;
	begin(&m, 0.02); /* as large as the step */
	step_at(level, 7, 0.02);
	add(&m, 2, commits, 3, level);
	for (size_t k = 1; k < COMMITS; k++)
		assert_true(m.s.at[k] < 0.9);
	ba_steps_dispose(&m.s);
}

TEST(what_cannot_be_has_no_probability)
{
	static const size_t commits[] = {6, 8, 16};
	double level[COMMITS] = {0};
	made m;
	begin(&m, 0.001);
	m.prior[7] = 0; /* the same build as commit 6, say */
	step_at(level, 8, 0.05);
	add(&m, 4, commits, 3, level);
	assert_true(m.s.at[7] == 0);
	assert_true(m.s.at[8] > 0.8);
	/* more commits show that such a difference is no whim of one of them */
	static const size_t more[] = {5, 9, 11, 13, 16};
	add(&m, 4, more, 5, level);
	assert_true(m.s.one * m.s.at[8] > 0.95);
	ba_steps_dispose(&m.s);
}

TEST(two_steps_are_two)
{
	static const size_t commits[] = {2, 4, 5, 7, 8, 9, 11, 12, 14, 16};
	double level[COMMITS] = {0};
	made m;
	begin(&m, 0.001);
	step_at(level, 5, 0.04);
	step_at(level, 12, 0.03);
	add(&m, 6, commits, 10, level);
	assert_true(m.s.two > 0.95);
	assert_int_equal(ba_steps_best(m.s.first, COMMITS), 5);
	assert_int_equal(ba_steps_best(m.s.second, COMMITS), 12);
	assert_close(m.s.delta_first, 0.04, 0.05);
	assert_close(m.s.delta_second, 0.03, 0.05);
	assert_true(m.s.low_first < 0.04 && m.s.high_first > 0.04);
	assert_true(m.s.low_second < 0.03 && m.s.high_second > 0.03);
	assert_true(m.s.high_second - m.s.low_second < 0.01);
	ba_steps_dispose(&m.s);
}

TEST(a_small_second_step_is_none)
{
	static const size_t commits[] = {4, 5, 8, 11, 12, 16};
	double level[COMMITS] = {0};
	made m;
	begin(&m, 0.0002);
	step_at(level, 5, 0.04);
	step_at(level, 12, 0.004); /* below `least` */
	add(&m, 6, commits, 6, level);
	assert_true(m.s.two < 0.05);
	assert_int_equal(ba_steps_best(m.s.at, COMMITS), 5);
	ba_steps_dispose(&m.s);
}

TEST(a_step_that_is_not_there_is_none)
{
	static const size_t commits[] = {4, 8, 12, 16};
	double level[COMMITS] = {0};
	made m;
	begin(&m, 0.002);
	add(&m, 16, commits, 4, level);
	assert_true(m.s.none > 3 * BA_STEPS_NONE);
	assert_true(m.s.low < 0);
	assert_true(ba_steps_is_small(&m.s, 0.01));
	assert_false(ba_steps_is_small(&m.s, 1e-6));
	ba_steps_dispose(&m.s);
}

/* Levels of their own: repetitions make none of the differences certain. */
TEST(commits_that_differ_besides_are_seen)
{
	static const size_t commits[] = {2, 4, 6, 7, 8, 10, 12, 14, 16};
	double level[COMMITS] = {0};
	made m;
	uint64_t random = 11;
	begin(&m, 0.0005);
	for (size_t k = 1; k < COMMITS; k++)
		level[k] = 0.004 * normal(&random);
	step_at(level, 7, 0.03);
	add(&m, 8, commits, 9, level);
	assert_true(m.s.of_commit > 0.001);
	assert_int_equal(ba_steps_best(m.s.at, COMMITS), 7);
	assert_true(m.s.high - m.s.low > 0.002);
	ba_steps_dispose(&m.s);
}

/* A ramp is many small changes, however often it is measured; with a step in it, the step is
 * certain, though a second change never has a place. */
TEST(many_small_changes_are_a_drift)
{
	static const size_t commits[] = {2, 4, 6, 7, 8, 10, 12, 14, 16};
	double level[COMMITS] = {0}, p[COMMITS];
	made m;
	begin(&m, 0.002);
	for (size_t k = 1; k < COMMITS; k++)
		level[k] = 0.006 * (double)k;
	add(&m, 4, commits, 9, level);
	assert_true(m.s.drift > 0.95);
	assert_close(m.s.none + m.s.one + m.s.two + m.s.drift, 1, 1e-9);
	assert_true(m.s.low_drift < 0.096 && m.s.high_drift > 0.096 && m.s.low_drift > 0.08);
	ba_steps_dispose(&m.s);
	begin(&m, 0.002);
	step_at(level, 7, 0.3);
	add(&m, 8, commits, 9, level);
	ba_steps_marginal(p, &m.s);
	assert_true(m.s.drift < 0.01 && m.s.one < 0.95);
	assert_int_equal(ba_steps_best(p, COMMITS), 7);
	assert_true(p[7] > 0.999);
	ba_steps_dispose(&m.s);
}

TEST(the_first_choice_divides_the_commits)
{
	bool can[COMMITS];
	size_t before[COMMITS] = {0}, chosen[8], invocations = 0;
	made m;
	begin(&m, 0);
	ba_steps_update(&m.s, &m.data);
	for (size_t k = 0; k < COMMITS; k++)
		can[k] = true;
	ba_step_menu menu = {.measurable = can,
		.measured = before,
		.most = 8,
		.delta = 0.05,
		.s = 0.001,
		.run_cost = 6,
		.invocation_cost = 1};
	size_t n = ba_steps_choose(chosen, &invocations, &m.s, &menu);
	assert_true(n >= 3 && n <= 8 && invocations == 2);
	for (size_t i = 0; i < n; i++) {
		size_t from = i ? chosen[i - 1] : 0;
		assert_true(chosen[i] > from && chosen[i] - from <= 6);
	}
	/* with more noise, more invocations */
	menu.s = 0.05;
	assert_true(ba_steps_choose(chosen, &invocations, &m.s, &menu) > 0);
	assert_true(invocations > 2);
	/* one that cannot be measured is left out; if none can, there is no choice */
	for (size_t k = 0; k < COMMITS; k++)
		can[k] = k == 3;
	assert_int_equal(ba_steps_choose(chosen, &invocations, &m.s, &menu), 1);
	assert_int_equal(chosen[0], 3);
	/* measured so often that only its own deviation is unknown */
	before[3] = 100;
	menu.of_commit = 0.05;
	assert_int_equal(ba_steps_choose(chosen, &invocations, &m.s, &menu), 0);
	can[3] = false;
	assert_int_equal(ba_steps_choose(chosen, &invocations, &m.s, &menu), 0);
	ba_steps_dispose(&m.s);
}

/* A build that costs much more than measuring: as few as tell most, or as many as are
 * built side by side. */
TEST(builds_that_cost_are_few)
{
	bool can[COMMITS], built[COMMITS] = {false};
	size_t before[COMMITS] = {0}, chosen[8], invocations = 0;
	made m;
	begin(&m, 0);
	ba_steps_update(&m.s, &m.data);
	for (size_t k = 0; k < COMMITS; k++)
		can[k] = true;
	ba_step_menu menu = {.measurable = can,
		.measured = before,
		.most = 8,
		.delta = 0.05,
		.s = 0.001,
		.run_cost = 6,
		.invocation_cost = 1,
		.built = built,
		.build_cost = 1000,
		.builders = 1};
	assert_int_equal(ba_steps_choose(chosen, &invocations, &m.s, &menu), 1);
	assert_int_equal(chosen[0], 8);
	menu.builders = 3;
	assert_int_equal(ba_steps_choose(chosen, &invocations, &m.s, &menu), 3);
	/* those that are there are free */
	for (size_t k = 0; k < COMMITS; k++)
		built[k] = k % 4 == 0;
	menu.builders = 1;
	assert_true(ba_steps_choose(chosen, &invocations, &m.s, &menu) > 2);
	ba_steps_dispose(&m.s);
}

static bool is_in(size_t commit, const size_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == commit)
			return true;
	return false;
}

/* Whatever the outcome of exact values, what is chosen then was named ahead. */
TEST(the_choices_after_a_step_are_known_ahead)
{
	bool can[COMMITS], built[COMMITS] = {false};
	size_t before[COMMITS] = {0}, chosen[WIDTH], ahead[MOST], next[WIDTH];
	size_t invocations = 0, choices = 0;
	made m;
	begin(&m, 0);
	ba_steps_update(&m.s, &m.data);
	for (size_t k = 0; k < COMMITS; k++)
		can[k] = true;
	ba_step_menu menu = {.measurable = can,
		.measured = before,
		.most = 8,
		.delta = 0.05,
		.s = 2e-4,
		.run_cost = 6,
		.invocation_cost = 1,
		.built = built,
		.build_cost = 20,
		.builders = 2};
	size_t n = ba_steps_choose(chosen, &invocations, &m.s, &menu);
	assert_true(n > 1);
	const ba_step_choice step = {chosen, n, 1};
	size_t found = ba_steps_ahead(ahead, MOST, &m.data, &m.s, &menu, &step);
	assert_true(found > n);
	for (size_t i = 0; i < found; i++) {
		assert_true(ahead[i] > 0 && ahead[i] + 1 < COMMITS);
		assert_false(is_in(ahead[i], chosen, n));
		assert_false(is_in(ahead[i], ahead, i));
	}
	for (size_t i = 0; i < n; i++)
		built[chosen[i]] = true;
	chosen[n] = COMMITS - 1;
	for (size_t i = 0; i <= n; i++) {
		double level[COMMITS] = {0};
		made then;
		begin(&then, 0);
		step_at(level, chosen[i], 0.05);
		add(&then, 1, chosen, n + 1, level);
		menu.delta = then.s.delta;
		menu.s = then.s.s;
		menu.of_commit = then.s.of_commit;
		size_t picked = ba_steps_choose(next, &invocations, &then.s, &menu);
		for (size_t k = 0; k < picked; k++)
			assert_true(built[next[k]] || is_in(next[k], ahead, found));
		choices += picked;
		ba_steps_dispose(&then.s);
	}
	assert_true(choices > 0);
	/* the likeliest outcome comes first, and what is built is left out */
	menu.delta = 0.05;
	menu.s = 2e-4;
	menu.of_commit = 0;
	for (size_t k = 0; k < COMMITS; k++)
		m.prior[k] = k > 0 && (k <= chosen[0] || k == COMMITS - 1);
	ba_steps_update(&m.s, &m.data);
	assert_int_equal(ba_steps_ahead(ahead, 1, &m.data, &m.s, &menu, &step), 1);
	assert_true(ahead[0] < chosen[0]);
	for (size_t k = 0; k < COMMITS; k++)
		built[k] = true;
	assert_int_equal(ba_steps_ahead(ahead, MOST, &m.data, &m.s, &menu, &step), 0);
	ba_steps_dispose(&m.s);
}

TEST(a_set_is_the_smallest)
{
	static const double p[] = {0, 0.5, 0.03, 0.3, 0.17};
	bool in[5];
	assert_int_equal(ba_steps_set(in, p, 5, 0.95), 3);
	assert_true(in[1] && !in[2] && in[3] && in[4]);
	assert_int_equal(ba_steps_set(in, p, 5, 0.5), 1);
	assert_int_equal(ba_steps_set(in, p, 5, 1.1), 4);
}
