/* What a budget buys, from costs alone. */
#include "test.h"

#include "example_result.h"
#include "verdict/explain.h"
#include "session/task.h"

TEST(costs_become_invocations_and_a_sentence)
{
	static const struct {
		double budget, spent, next; /* s */
		size_t done;
		double s;
		const char *text;
		bool aims;
	} rows[] = {
		{240, 30, 25, 1, 0, "about 8 invocations in 4 min"},
		{240, 60, 28, 2, 0.01, "about 8 invocations in 4 min, enough for changes of 3.6 %"},
		{240, 200, 28, 4, 0.001,
			"about 5 invocations in 4 min, enough for changes of 2.1 %"},
		{60, 20, 20, 1, 0,
			"3 of the 4 invocations that a verdict needs fit into 60 s; --budget 80s is about enough"},
		{10, 12, 7, 1, 0,
			"1 of the 4 invocations that a verdict needs fit into 10 s; --budget 33s is about enough"},
		{10, 12, 7, 1, 0, "about 4 invocations in 33 s", true},
		{60, 6, 3, 2, 0, "about 16 invocations in 60 s", true},
		{6000, 1, 1, 2, 0, "about 32 invocations in 100 min"},
	};
	const ba_design design = ba_design_sequential();
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		const ba_costs c = {.budget_ns = rows[i].budget * 1e9,
			.spent_ns = rows[i].spent * 1e9,
			.next_ns = rows[i].next * 1e9,
			.done = rows[i].done,
			.aims = rows[i].aims,
			.design = &design,
			.s = rows[i].s,
			.theta = 0.02,
			.family = 10};
		BA_AUTO_FREE char *text = ba_budget_text(&c);
		assert_string_equal(text, rows[i].text);
	}
}

/* Two benchmarks take 10 s of an invocation to start and 10 s a hundred blocks. */
TEST(invocations_that_take_too_long_get_fewer_blocks)
{
	static const struct {
		double left; /* s, until the look */
		size_t look;
		unsigned invocation, asked, blocks, rounds;
	} rows[] = {
		{90, 4, 1, 0, 100, 400},
		{45, 4, 1, 0, 50, 200},
		{31, 4, 1, 0, 25, 100},	 /* a quarter at a time */
		{45, 4, 4, 0, 100, 400}, /* the look was reached */
		{60, 8, 4, 0, 50, 200},	 /* and the next one */
		{45, 4, 1, 100, 100, 400},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		ba_suite_spec suite = {0};
		ba_session_suite own = {.spec = &suite, .start_ns = 8e9, .active_count = 2};
		const ba_session_spec spec = {
			.design = ba_design_sequential(), .blocks = rows[i].asked};
		ba_task tasks[] = {{.suite = &own,
					   .active = true,
					   .prepare_ns = 1e9,
					   .rounds[BA_METRIC_HOST].blocks = 100},
			{.suite = &own,
				.active = true,
				.prepare_ns = 1e9,
				.rounds[BA_METRIC_HOST].blocks = 15,
				.rounds[BA_METRIC_TIME].blocks = 400}};
		ba_session s = {.spec = &spec,
			.tasks = tasks,
			.task_count = 2,
			.invocation = rows[i].invocation};
		ba_session_fit_blocks(&s, rows[i].look, rows[i].left * 1e9, 20e9);
		assert_int_equal(tasks[0].rounds[BA_METRIC_HOST].blocks, rows[i].blocks);
		assert_int_equal(tasks[1].rounds[BA_METRIC_TIME].blocks, rows[i].rounds);
		assert_int_equal(tasks[1].rounds[BA_METRIC_HOST].blocks, 15);
		assert_int_equal(tasks[0].rounds[BA_METRIC_TIME].blocks, 0);
	}
}

TEST(noise_is_that_of_the_median_comparison)
{
	BA_AUTO(ba_result) ba_result r;
	ba_costs c = {0};
	const double figures[] = {5000, 5100};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED};
	example_begin(&r, 2);
	r.decided.family_size = 3;
	for (int i = 0; i < 3; i++) {
		ba_series *s = example_series(&r, example_benchmark(&r, "k/saxpy", i),
			BA_METRIC_GPU_COLD, figures, verdicts);
		double half = 0.01 * (1 << i);
		ba_comparison *k = &s->comparisons[0];
		free(k->y);
		k->y = ba_xcalloc(4, sizeof(*k->y));
		k->y_count = 4;
		k->y[0] = k->y[1] = half, k->y[2] = k->y[3] = -half;
		free(k->within);
		k->within = ba_xcalloc(4, sizeof(*k->within));
		for (int b = 0; b < 4; b++)
			k->within[b].blocks = 1;
		k->threshold_slower = k->threshold_faster = 0.01 * (i + 1);
	}
	ba_costs_learn(&c, &r);
	assert_close(c.s, 0.02 * sqrt(4. / 3), 1e-9);
	assert_close(c.theta, 0.02, 1e-9);
	assert_int_equal(c.family, 3);
}

TEST(what_a_longer_run_would_settle_is_said_with_its_command)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 3);
	r.run.measure_seconds = 59;
	r.run.spent.survey = 2;
	ba_prospect p = {.seconds = 5, .open = 3, .settled = 2, .more = 8};
	BA_AUTO_FREE char *some = ba_budget_more(&r, &p);
	p.settled = 0;
	BA_AUTO_FREE char *none = ba_budget_more(&r, &p);
	assert_non_null(strstr(some,
		"took 61 s and left 3 comparisons inconclusive: bench-against baseline contextvar v2 --budget 120s would settle about 2 of them"));
	assert_null(strstr(none, "--budget 1"));
}
