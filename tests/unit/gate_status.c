/* From verdicts to an exit status and a sentence: every combination that matters. */
#include "test.h"

#include "example_result.h"
#include "gate/status.h"
#include "series_of.h"

/* what happens to one benchmark, a letter each:
 *   r regressed   i improved   u unchanged   ? inconclusive   ~ provisional
 *   P probably slower  Q probably faster
 *   w unchanged, and slower within the threshold
 *   f failed in the candidate  b failed in the baseline  e no samples
 *   a added  d removed  s skipped in both  l skipped in the candidate only
 *   k the same, so that there was nothing to measure the baseline for
 *   c samples of both, and skipped after them
 *   = identical artefacts  . in neither */
static void fate(ba_result *r, ba_series *s, size_t candidate, char letter)
{
	static const char letters[] = "riuw?~fbeadslkc=.PQ";
	static const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED, BA_VERDICT_IMPROVED,
		BA_VERDICT_UNCHANGED, BA_VERDICT_UNCHANGED, BA_VERDICT_INCONCLUSIVE,
		BA_VERDICT_PROVISIONAL, BA_VERDICT_FAILED, BA_VERDICT_FAILED, BA_VERDICT_UNDECIDED,
		BA_VERDICT_ADDED, BA_VERDICT_REMOVED, BA_VERDICT_SKIPPED, BA_VERDICT_SKIPPED,
		BA_VERDICT_SKIPPED, BA_VERDICT_SKIPPED, BA_VERDICT_IDENTICAL, BA_VERDICT_UNDECIDED,
		BA_VERDICT_INCONCLUSIVE, BA_VERDICT_INCONCLUSIVE};
	(void)r;
	ba_summary *a = &s->variants[0], *b = &s->variants[candidate];
	double ratio = letter == 'r'	      ? 1.041 + 0.002 * (double)s->benchmark
		       : letter == 'i'	      ? 0.948
		       : letter == 'P'	      ? 1.338
		       : letter == 'Q'	      ? 0.662
		       : strchr("?w", letter) ? 1.012
					      : 1.0006;
	if (!a->launches && !a->failure && !a->skipped)
		example_summary(a, 2500, 12);
	example_summary(b, 2500 * ratio, 12);
	if (strchr("fead=.slk", letter)) {
		*b = (ba_summary){.present = !strchr("d.", letter)};
		if (letter == 'a')
			example_summary(b, 2500, 12);
	}
	if (strchr("bea=.sk", letter))
		*a = (ba_summary){.present = !strchr("a.", letter)};
	if (letter == 'f')
		b->failure = ba_xstrdup("killed by signal 11 (SIGSEGV)");
	if (letter == 'b')
		a->failure = ba_xstrdup("cuLaunchKernel: invalid value");
	if (strchr("slkc", letter))
		b->skipped = ba_xstrdup("needs CUDA 12.1");
	if (strchr("sc", letter))
		a->skipped = ba_xstrdup("needs CUDA 12.1");
	example_compare(s, candidate, verdicts[strchr(letters, letter) - letters], 0.004);
	s->comparisons[candidate - 1].likely = strchr("PQ", letter) != NULL;
}

/* one string a candidate, one letter a benchmark */
static void build(ba_result *r, const char *const *fates, size_t candidates)
{
	example_begin(r, candidates + 1);
	for (unsigned i = 0; i < strlen(fates[0]); i++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%u", i);
		ba_series *s = series_of(r, example_benchmark(r, id, i), BA_METRIC_SUBMIT);
		for (size_t c = 0; c < candidates; c++)
			fate(r, s, c + 1, fates[c][i]);
	}
}

TEST(each_combination_has_its_status)
{
	static const struct {
		const char *fates;
		int status, strict_status;
		ba_verdict verdict;
	} rows[] = {
		/* decided */
		{"uuu", 0, 0, BA_VERDICT_UNCHANGED},
		{"uiu", 0, 0, BA_VERDICT_IMPROVED},
		{"www", 0, 0, BA_VERDICT_UNCHANGED},
		{"uru", 1, 1, BA_VERDICT_REGRESSED},
		{"iri", 1, 1, BA_VERDICT_REGRESSED},
		{"===", 0, 0, BA_VERDICT_UNCHANGED},
		{"=u=", 0, 0, BA_VERDICT_UNCHANGED},
		/* not decided */
		{"u?u", 0, 125, BA_VERDICT_INCONCLUSIVE},
		{"???", 0, 125, BA_VERDICT_INCONCLUSIVE},
		{"~", 0, 125, BA_VERDICT_INCONCLUSIVE},
		{"?r?", 1, 1, BA_VERDICT_REGRESSED},
		{"i?i", 0, 125, BA_VERDICT_INCONCLUSIVE},
		/* failed: cannot be told, and under strict refused where the candidate
		   did */
		{"ufu", 125, 1, BA_VERDICT_FAILED},
		{"ubu", 125, 125, BA_VERDICT_FAILED},
		{"ueu", 125, 125, BA_VERDICT_FAILED},
		{"fff", 125, 1, BA_VERDICT_FAILED},
		{"eee", 125, 125, BA_VERDICT_FAILED},
		{"c", 125, 125, BA_VERDICT_FAILED},
		{"ucu", 125, 125, BA_VERDICT_FAILED},
		{"rcu", 1, 1, BA_VERDICT_REGRESSED},
		{"frf", 1, 1, BA_VERDICT_REGRESSED},
		{"rbe", 1, 1, BA_VERDICT_REGRESSED},
		/* on one side only */
		{"uau", 0, 0, BA_VERDICT_UNCHANGED},
		{"udu", 0, 1, BA_VERDICT_UNCHANGED},
		{"ulu", 0, 1, BA_VERDICT_UNCHANGED},
		{"uku", 0, 1, BA_VERDICT_UNCHANGED},
		{"usu", 0, 0, BA_VERDICT_UNCHANGED},
		{"u.u", 0, 0, BA_VERDICT_UNCHANGED},
		/* nothing measured is never green */
		{"sss", 125, 125, BA_VERDICT_SKIPPED},
		{"aaa", 125, 125, BA_VERDICT_SKIPPED},
		{"ddd", 125, 1, BA_VERDICT_SKIPPED},
		{"...", 125, 125, BA_VERDICT_SKIPPED},
		{"", 125, 125, BA_VERDICT_SKIPPED},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		build(&r, &rows[i].fates, 1);
		ba_gate_policy lax = {0}, strict = {.strict = true};
		int status = ba_gate_set_status(&r, &lax);
		if (status != rows[i].status || r.decided.verdict != rows[i].verdict)
			fail_msg("%s: %d %s: %s", rows[i].fates, status,
				ba_verdict_name(r.decided.verdict), r.decided.answer);
		assert_int_equal(r.decided.exit_status, status);
		assert_false(r.decided.gate_strict);
		status = ba_gate_set_status(&r, &strict);
		if (status != rows[i].strict_status)
			fail_msg("%s strict: %d: %s", rows[i].fates, status, r.decided.answer);
		assert_true(r.decided.gate_strict);
		/* a green status and a doubting sentence do not go together */
		assert_true(status != 0 || strncmp(r.decided.answer, "No regression: ", 15) == 0 ||
			    strncmp(r.decided.answer, "Improved: ", 10) == 0);
	}
}

TEST(the_sentence_answers)
{
	static const struct {
		const char *fates;
		const char *answer;
	} rows[] = {
		{"uuuuu", "No regression: none of 5 benchmarks got slower by more than "
			  "2 % (95 % intervals within -0.3 .. +0.5 %)."},
		{"u", "No regression: launch/args=0 did not get slower by more than "
		      "2 % (95 % interval -0.3 .. +0.5 %)."},
		{"w", "No regression: launch/args=0 got slower, but not by more than "
		      "2 % (95 % interval +0.8 .. +1.6 %)."},
		{"uwuwu", "No regression: none of 5 benchmarks got slower by more than "
			  "2 % (95 % intervals within -0.3 .. +1.6 %); 2 got slower by "
			  "less."},
		{"urruu", "Regressed: 2 of 5 benchmarks got slower, most of all "
			  "launch/args=2 by 4.5 % (4.1 .. 4.9 %), 112 ns per launch."},
		{"uruui", "Regressed: 1 of 5 benchmarks got slower: launch/args=1 by "
			  "4.3 % (3.9 .. 4.7 %), 108 ns per launch; 1 got faster."},
		{"r", "Regressed: launch/args=0 got slower by 4.1 % (3.7 .. 4.5 %), "
		      "102 ns per launch."},
		{"uiu", "Improved: 1 of 3 benchmarks got faster: launch/args=1 by "
			"5.2 % (4.8 .. 5.6 %), 130 ns per launch; 2 did not get slower "
			"by more than 2 %."},
		{"i", "Improved: launch/args=0 got faster by 5.2 % (4.8 .. 5.6 %), "
		      "130 ns per launch."},
		{"u?u?u", "Inconclusive: 2 of 5 benchmarks are inconclusive: "
			  "launch/args=1 could be up to 1.6 % slower; 3 did not get "
			  "slower by more than 2 %."},
		{"?", "Inconclusive: launch/args=0 could be up to 1.6 % slower."},
		{"ufu", "Not fully measured: launch/args=1 failed in contextvar; 2 did "
			"not get slower by more than 2 %."},
		{"ubu", "Not fully measured: launch/args=1 failed in baseline; 2 did "
			"not get slower by more than 2 %."},
		{"fff", "Not measured: all 3 benchmarks failed in contextvar (for "
			"example launch/args=0)."},
		{"uee", "Not fully measured: 2 of 3 benchmarks have no samples of "
			"contextvar (for example launch/args=1); 1 did not get slower "
			"by more than 2 %."},
		{"uda", "No regression: 1 did not get slower by more than 2 % (95 % "
			"intervals within -0.3 .. +0.5 %); launch/args=1 was removed; "
			"launch/args=2 is new."},
		{"sss", "Not measured: all 3 benchmarks were skipped (needs CUDA "
			"12.1)."},
		{"rfu", "Regressed: 1 of 3 benchmarks got slower: launch/args=0 by 4.1 % "
			"(3.7 .. 4.5 %), 102 ns per launch; launch/args=1 failed in contextvar."},
		{"", "Not measured: there is no benchmark to compare."},
		{"==", "No regression: contextvar was built byte for byte like "
		       "baseline, so there was nothing to measure."},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		build(&r, &rows[i].fates, 1);
		ba_gate_set_status(&r, &(ba_gate_policy){0});
		assert_string_equal(r.decided.answer, rows[i].answer);
	}
}

TEST(an_interval_has_signs_where_it_contains_zero)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "r";
	build(&r, &fates, 1);
	ba_comparison *c = &r.series[0].comparisons[0];
	c->low = 0.99;
	ba_gate_set_status(&r, &(ba_gate_policy){0});
	assert_has(r.decided.answer, "got slower by 4.1 % (-1.0 .. +4.5 %), 102 ns per launch.");
	c->verdict = BA_VERDICT_TAIL_IMPROVED;
	c->mean_ratio = 0.6;
	c->mean_low = 0.5;
	c->mean_high = 0.7;
	ba_gate_set_status(&r, &(ba_gate_policy){0});
	assert_has(r.decided.answer,
		"got faster by 40.0 % (30.0 .. 50.0 %) in the mean (typical time +4.1 %).");
}

TEST(each_candidate_has_its_answer)
{
	BA_AUTO(ba_result) ba_result r;
	build(&r, (const char *const[]){"uu", "ur", "u?"}, 3);
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 1);
	assert_string_equal(r.decided.answer,
		"Regressed in v2: 1 of 2 benchmarks got slower: launch/args=1 by 4.3 % "
		"(3.9 .. 4.7 %), 108 ns per launch; inconclusive in v3: 1 of 2 "
		"benchmarks is inconclusive: launch/args=1 could be up to 1.6 % slower; "
		"1 did not get slower by more than 2 %; no regression in contextvar: "
		"none of 2 benchmarks got slower by more than 2 % (95 % intervals "
		"within -0.3 .. +0.5 %).");
}

TEST(one_good_candidate_does_not_cover_another)
{
	BA_AUTO(ba_result) ba_result r;
	build(&r, (const char *const[]){"uu", "dd"}, 2);
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 125);
	assert_int_equal(r.decided.verdict, BA_VERDICT_INCONCLUSIVE);
	assert_has(r.decided.answer, "Not measured in v2: all 2 benchmarks were removed; "
				     "no regression in contextvar: ");
}

TEST(strict_refuses_what_failed)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "udf";
	build(&r, &fates, 1);
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){.strict = true}), 1);
	assert_string_equal(r.decided.answer,
		"Fails the strict gate: launch/args=2 failed in contextvar; 1 did not "
		"get slower by more than 2 %; launch/args=1 was removed.");
}

TEST(undecided_may_be_made_to_fail)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "u?";
	build(&r, &fates, 1);
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){.undecided_fails = true}), 125);
}

static void assert_begins(const char *answer, const char *first)
{
	if (strncmp(answer, first, strlen(first)) != 0)
		fail_msg("'%s' does not begin with '%s'", answer, first);
}

/* "Probably regressed" is a status of its own only where that is asked for, and then goes
 * before all but a regression. */
TEST(what_is_only_likely_may_fail)
{
	static const struct {
		const char *fates;
		int status, strict, likely;
		const char *begins, *likely_begins;
	} rows[] = {
		{"uPu", 0, 125, 1,
			"Probably regressed: 1 of 3 benchmarks is inconclusive: launch/args=1 is "
			"probably slower by 33.4 .. 34.2 %; 2 did not",
			"Probably regressed: 1 of 3"},
		{"PrQ", 1, 1, 1, "Regressed: ", "Regressed: "},
		{"iPQ?", 0, 125, 1, "Probably regressed: 3 of 4", "Probably regressed: 3 of 4"},
		{"fPu", 125, 1, 1, "Not fully measured: ", "Probably regressed: "},
		{"uu", 0, 0, 0, "No regression: ", "No regression: "},
		{"u?", 0, 125, 0, "Inconclusive: ", "Inconclusive: "},
		{"uQ", 0, 125, 0,
			"Probably improved: 1 of 2 benchmarks is inconclusive: launch/args=1 is "
			"probably faster by 33.4 .. 34.2 %; 1 did not get slower",
			"Probably improved: "},
		{"iQ", 0, 125, 0, "Probably improved: ", "Probably improved: "},
		/* the other one could be slower */
		{"Q?", 0, 125, 0, "Inconclusive: ", "Inconclusive: "},
		{"Qf", 125, 1, 125, "Not fully measured: ", "Not fully measured: "},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		build(&r, &rows[i].fates, 1);
		assert_int_equal(
			ba_gate_set_status(&r, &(ba_gate_policy){.strict = true}), rows[i].strict);
		assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), rows[i].status);
		assert_false(r.decided.likely_fails);
		assert_begins(r.decided.answer, rows[i].begins);
		assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){.likely_fails = true}),
			rows[i].likely);
		assert_true(r.decided.likely_fails);
		assert_begins(r.decided.answer, rows[i].likely_begins);
	}
	/* not by an interval alone, nor within the threshold */
	BA_AUTO(ba_result) ba_result r;
	const char *fates[] = {"P", "P"};
	build(&r, fates, 2);
	r.series[0].comparisons[0].likely = false;
	r.series[0].comparisons[1].threshold_slower = 0.5;
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){.likely_fails = true}), 0);
	assert_has(r.decided.answer, "Inconclusive in ");
}

TEST(expected_benchmarks_must_be_measured)
{
	static const struct {
		const char *pattern, *fates;
		int status;
		const char *says;
	} rows[] = {
		{"launch/args=1", "uu", 0, "No regression: none of 2"},
		{"launch/*", "uu", 0, "No regression: none of 2"},
		{"attention/*", "uu", 125,
			"Not fully measured: the expected 'attention/*' was not "
			"measured; otherwise no regression: none of 2"},
		{"launch/args=1", "ud", 125, "the expected 'launch/args=1' was not"},
		{"launch/args=1", "u=", 0, "No regression: "},
		{"attention/*", "ur", 1, "; the expected 'attention/*' was not measured."},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_strv) ba_strv expected = {0};
		ba_strv_push(&expected, rows[i].pattern);
		build(&r, &rows[i].fates, 1);
		assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){.expected = &expected}),
			rows[i].status);
		assert_has(r.decided.answer, rows[i].says);
	}
}

TEST(an_interrupted_run_is_not_green)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "uu";
	build(&r, &fates, 1);
	r.run.interrupted = true;
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 125);
	assert_int_equal(r.decided.verdict, BA_VERDICT_INCONCLUSIVE);
	assert_has(r.decided.answer, "Not fully measured: ");
	assert_has(r.decided.answer, " The run was interrupted before it was complete.");
}

TEST(a_fake_driver_is_never_believed)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "uu";
	build(&r, &fates, 1);
	free(r.run.env.target);
	r.run.env.target = ba_xstrdup("fake");
	ba_gate_set_status(&r, &(ba_gate_policy){0});
	assert_has(r.decided.answer, "they say nothing about real code.");
}

TEST(thresholds_that_differ_are_a_range)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "uu";
	build(&r, &fates, 1);
	r.series[1].comparisons[0].threshold_slower = 0.05;
	ba_gate_set_status(&r, &(ba_gate_policy){0});
	assert_has(r.decided.answer, "got slower by more than the threshold of 2 to 5 %");
	for (size_t i = 0; i < 2; i++) {
		r.series[i].comparisons[0].threshold_given = 0.02;
		r.series[i].comparisons[0].threshold_given_ns = 25;
	}
	ba_gate_set_status(&r, &(ba_gate_policy){0});
	assert_has(r.decided.answer,
		"got slower by more than the threshold of 2 to 5 % (at least 25 ns)");
}

TEST(times_are_in_a_unit_that_people_read)
{
	static const struct {
		ba_metric metric;
		double base;
		const char *says;
	} rows[] = {
		{BA_METRIC_SUBMIT, 2500, ", 250 ns per launch."},
		{BA_METRIC_GPU_COLD, 2500, ", 250 ns per run."},
		{BA_METRIC_GPU_COLD, 209e3, ", 20.9 µs per run."},
		{BA_METRIC_TIME, 148.6e6, ", 14.9 ms."},
		{BA_METRIC_VALUE, 148, ", 14.8."},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		const double figures[] = {rows[i].base, 1.1 * rows[i].base};
		const ba_verdict verdict = BA_VERDICT_REGRESSED;
		example_begin(&r, 2);
		example_series(&r, example_benchmark(&r, "launch/args=0", 0), rows[i].metric,
			figures, &verdict);
		ba_gate_set_status(&r, &(ba_gate_policy){0});
		assert_has(r.decided.answer, rows[i].says);
	}
}

TEST(two_metrics_are_told_apart)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "u";
	build(&r, &fates, 1);
	fate(&r, series_of(&r, 0, BA_METRIC_HOST), 1, 'r');
	ba_gate_set_status(&r, &(ba_gate_policy){0});
	assert_has(r.decided.answer,
		"Regressed: 1 of 2 comparisons got slower: launch/args=0 (host) by ");
}

TEST(what_is_only_reported_decides_nothing)
{
	BA_AUTO(ba_result) ba_result r;
	const char *fates = "u";
	build(&r, &fates, 1);
	fate(&r, series_of(&r, 0, BA_METRIC_SUSTAINED), 1, 'r');
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 0);
}

TEST(one_variant_is_measured_or_not)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 1);
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 125);
	assert_string_equal(r.decided.answer, "Nothing was measured of baseline.");
	assert_int_equal(r.decided.verdict, BA_VERDICT_SKIPPED);
	example_launch_suite(&r, NULL, NULL);
	for (size_t i = 0; i < r.series_count; i++)
		r.series[i].role = BA_ROLE_REPORTED;
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 125);
	assert_string_equal(r.decided.answer,
		"Only reported metrics of 5 benchmarks were measured of "
		"baseline, and none that decides.");
	for (size_t i = 0; i < r.series_count; i++)
		r.series[i].role = BA_ROLE_VERDICT;
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 0);
	assert_string_equal(r.decided.answer, "Measured 5 benchmarks of baseline.");
	assert_int_equal(r.decided.verdict, BA_VERDICT_REPORTED);
	r.series[3].variants[0].launches = 0;
	r.series[3].variants[0].failure = ba_xstrdup("it hung");
	assert_int_equal(ba_gate_set_status(&r, &(ba_gate_policy){0}), 125);
	assert_string_equal(r.decided.answer, "Measured 4 of 5 benchmarks of baseline; "
					      "launch/args=3 failed: it hung.");
}
