/* Whole screens, byte for byte: tests/golden/NAME.txt. After an intended change run
 * tests/golden/update.sh and read the difference. */
#include "test.h"

#include "base/text.h"
#include "example_result.h"
#include "golden.h"
#include "many_result.h"
#include "report/format.h"

static const ba_format_options plain = {.width = 80, .unicode = true};

static void compare_with_golden(const char *name, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_term_write(&got, r, o);
	BA_AUTO_FREE char *file = ba_xprintf("%s.txt", name);
	assert_golden(file, &got);
}

static void no_line_is_wider_than(const ba_result *r, ba_format_options o)
{
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_term_write(&got, r, &o);
	char *save = NULL;
	for (char *line = strtok_r(got.data, "\n", &save); line;
		line = strtok_r(NULL, "\n", &save)) {
		size_t length = strlen(line);
		assert_true(line[length - 1] != ' ');
		if (ba_text_width(line) > o.width)
			fail_msg("wider than %zu: %s", o.width, line);
	}
}

#define RATIOS(...) ((const double[]){__VA_ARGS__})
#define VERDICTS(...) ((const ba_verdict[]){__VA_ARGS__})

static void answer(ba_result *r, ba_verdict verdict, const char *text)
{
	free(r->decided.answer);
	r->decided.answer = ba_xstrdup(text);
	r->decided.verdict = verdict;
}

static void two_unchanged(ba_result *r)
{
	example_begin(r, 2);
	example_launch_suite(r, RATIOS(1.0005), VERDICTS(BA_VERDICT_UNCHANGED));
	answer(r, BA_VERDICT_UNCHANGED,
		"No regression: none of 5 benchmarks got slower by more than 2 % (95 % "
		"intervals within -0.30 .. +0.40 %).");
}

static void three_regressed(ba_result *r)
{
	example_begin(r, 3);
	example_launch_suite(
		r, RATIOS(1.041, 0.999), VERDICTS(BA_VERDICT_REGRESSED, BA_VERDICT_UNCHANGED));
	for (size_t b = 0; b < r->run.benchmark_count; b++) {
		const double figures[] = {2502, 2610, 2501};
		example_series(r, b, BA_METRIC_SUSTAINED, figures,
			VERDICTS(BA_VERDICT_REPORTED, BA_VERDICT_REPORTED));
	}
	r->run.variants[2].kind = BA_VARIANT_WORKTREE;
	r->run.variants[2].dirty = true;
	answer(r, BA_VERDICT_REGRESSED,
		"Regressed in contextvar: 5 of 5 benchmarks got slower, most of all "
		"launch/args=4 by 4.9 % (4.6 .. 5.3 %), 122 ns per launch; no "
		"regression in v2: none of 5 benchmarks got slower by more than 2 %.");
}

TEST(two_variants_unchanged)
{
	BA_AUTO(ba_result) ba_result r;
	two_unchanged(&r);
	compare_with_golden("two-unchanged", &r, &plain);
	no_line_is_wider_than(&r, plain);
}

TEST(three_variants_with_a_regression)
{
	BA_AUTO(ba_result) ba_result r;
	three_regressed(&r);
	compare_with_golden("three-regressed", &r, &plain);
	no_line_is_wider_than(&r, plain);
}

TEST(verbose_shows_the_evidence)
{
	BA_AUTO(ba_result) ba_result r;
	three_regressed(&r);
	ba_format_options o = {.width = 120, .unicode = true, .verbose = true};
	compare_with_golden("three-verbose", &r, &o);
	no_line_is_wider_than(&r, o);
}

TEST(colour_is_by_meaning)
{
	BA_AUTO(ba_result) ba_result r;
	three_regressed(&r);
	ba_format_options o = {.width = 80, .unicode = true, .colour = BA_COLOUR_16};
	compare_with_golden("three-colour-16", &r, &o);
	o.colour = BA_COLOUR_256;
	compare_with_golden("three-colour-256", &r, &o);
}

TEST(ascii_where_there_is_no_unicode)
{
	BA_AUTO(ba_result) ba_result r;
	three_regressed(&r);
	ba_format_options o = {.width = 80};
	compare_with_golden("three-ascii", &r, &o);
	free(r.run.variants[1].subject);
	r.run.variants[1].subject = ba_xstrdup("Größe 日本 \xe2\x80\x94 fini");
	ba_strv_push(&r.run.env.warnings, "a cause — A remedy.");
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_term_write(&got, &r, &o);
	for (const char *c = got.data; *c; c++)
		assert_true((unsigned char)*c < 0x80);
	assert_has(got.data, "Gr??e ???? - fini");
	assert_has(got.data, "warning: a cause - A remedy.");
	no_line_is_wider_than(&r, o);
}

TEST(narrow_terminals_wrap_the_variants)
{
	BA_AUTO(ba_result) ba_result r;
	three_regressed(&r);
	ba_format_options o = plain;
	o.width = 60;
	compare_with_golden("three-narrow-60", &r, &o);
	for (o.width = 50; o.width < 140; o.width += 5)
		no_line_is_wider_than(&r, o);
}

TEST(a_failure_shows_its_output)
{
	BA_AUTO(ba_result) ba_result r;
	two_unchanged(&r);
	const double classic[] = {2510, 2512};
	example_series(&r, 4, BA_METRIC_SUSTAINED, classic, VERDICTS(BA_VERDICT_REPORTED));
	for (size_t i = 0; i < 2; i++) {
		ba_series *s = &r.series[4 + i];
		ba_summary *v = &s->variants[1];
		v->launches = 0;
		v->present = true;
		v->failure = ba_xstrdup("killed by signal 11 (SIGSEGV) while it was measured");
		v->output = ba_xstrdup("first line\nlaunch.c:81: state is NULL\n\033[31mred\n");
		s->comparisons[0].verdict = BA_VERDICT_FAILED;
	}
	r.series[3].comparisons[0].verdict = BA_VERDICT_INCONCLUSIVE;
	r.series[3].comparisons[0].high = 1.024;
	r.series[3].comparisons[0].reason = ba_xstrdup("invocations differ by 0.9 %");
	r.series[3].comparisons[0].hint = ba_xstrdup("about 6 more invocations, 9 s");
	r.series[3].comparisons[0].unstable = true;
	ba_strv_push(&r.run.notes, "v2 and baseline share libfoo.so; the duet loaded it twice");
	ba_strv_push(&r.run.env.warnings, "the CPU governor is 'powersave': run 'cpupower "
					  "frequency-set -g performance', "
					  "or expect more spread");
	answer(&r, BA_VERDICT_FAILED,
		"Not fully measured: launch/args=4 failed in contextvar, 4 did not get "
		"slower by more than 2 %.");
	compare_with_golden("failure", &r, &plain);
	no_line_is_wider_than(&r, plain);
}

TEST(what_fails_everywhere_alike_is_said_once)
{
	BA_AUTO(ba_result) ba_result r;
	two_unchanged(&r);
	for (size_t i = 0; i < r.series_count; i++) {
		ba_summary *v = r.series[i].variants;
		v[0].launches = v[1].launches = 0;
		v[0].present = v[1].present = true;
		v[1].failure = ba_xstrdup("the library has launcher ABI 99");
		r.series[i].comparisons[0].verdict = BA_VERDICT_FAILED;
	}
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_term_write(&got, &r, &plain);
	const char *first = strstr(got.data, "5 benchmarks failed in");
	assert_non_null(first);
	assert_has(first, "launcher ABI 99");
	assert_null(strstr(first + 20, "failed in"));
	/* the baseline was not measured for want of a candidate: no failure of its own
	 */
	assert_null(strstr(got.data, "no samples"));
	free(r.series[2].variants[1].failure);
	r.series[2].variants[1].failure = ba_xstrdup("killed by signal 11");
	ba_buf_clear(&got);
	ba_term_write(&got, &r, &plain);
	assert_has(got.data, "4 benchmarks failed in contextvar: the library has");
	assert_has(got.data, "launch/args=0, launch/args=1, launch/args=3, launch/args=4");
	assert_has(got.data, "launch/args=2 failed in contextvar: killed by signal 11");
	no_line_is_wider_than(&r, plain);
}

TEST(one_sided_benchmarks_are_rows)
{
	BA_AUTO(ba_result) ba_result r;
	two_unchanged(&r);
	const double figures[] = {2500, 2600};
	size_t added = example_benchmark(&r, "launch/args=8", 8);
	ba_series *s =
		example_series(&r, added, BA_METRIC_SUBMIT, figures, VERDICTS(BA_VERDICT_ADDED));
	s->variants[0] = (ba_summary){0};
	size_t removed = example_benchmark(&r, "launch/args=16", 16);
	s = example_series(&r, removed, BA_METRIC_SUBMIT, figures, VERDICTS(BA_VERDICT_REMOVED));
	s->variants[1] = (ba_summary){0};
	size_t skipped = example_benchmark(&r, "launch/bytes=32768", 1);
	s = example_series(&r, skipped, BA_METRIC_SUBMIT, figures, VERDICTS(BA_VERDICT_SKIPPED));
	for (size_t i = 0; i < 2; i++)
		s->variants[i] = (ba_summary){.present = true,
			.skipped = ba_xstrdup("32 KB of arguments need CUDA 12.1")};
	compare_with_golden("added-removed", &r, &plain);
}

TEST(identical_artefacts_are_said_once)
{
	BA_AUTO(ba_result) ba_result r;
	two_unchanged(&r);
	for (size_t i = 0; i < r.series_count; i++) {
		r.series[i].comparisons[0].verdict = BA_VERDICT_IDENTICAL;
		r.series[i].comparisons[0].ratio = 0;
		for (size_t v = 0; v < 2; v++)
			r.series[i].variants[v] = (ba_summary){.present = true};
		r.series[i].floor = (ba_summary){0};
	}
	compare_with_golden("identical", &r, &plain);
}

TEST(the_control_of_identical_builds_is_shown)
{
	BA_AUTO(ba_result) ba_result r;
	two_unchanged(&r);
	for (size_t i = 0; i < r.series_count; i++) {
		r.series[i].comparisons[0].verdict = BA_VERDICT_IDENTICAL;
		r.series[i].comparisons[0].reason =
			ba_xstrdup("baseline and contextvar built byte-identical libraries, and "
				   "nothing opened the files in which their trees differ");
	}
	compare_with_golden("identical-control", &r, &plain);
}

TEST(host_target_in_nanoseconds)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 2);
	free(r.run.env.target);
	r.run.env.target = ba_xstrdup("host");
	free(r.run.engine);
	r.run.engine = ba_xstrdup("split");
	free(r.run.engine_reason);
	r.run.engine_reason = ba_xstrdup("both define ba_state");
	static const double figures[][2] = {{21.4, 26.52}, {22.13, 27.3}, {123.4, 128.1}};
	for (unsigned i = 0; i < 3; i++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%u,path=signature", i == 2 ? 64 : i);
		ba_series *s = example_series(&r, example_benchmark(&r, id, i), BA_METRIC_HOST,
			figures[i], VERDICTS(BA_VERDICT_REGRESSED));
		/* a spread as wide as that takes no digit from the figure */
		s->variants[0].iqr = i ? s->variants[0].iqr : 258.6;
	}
	answer(&r, BA_VERDICT_REGRESSED, "Regressed: 3 of 3.");
	compare_with_golden("host-target", &r, &plain);
}

TEST(axes_that_all_share_are_said_once)
{
	static const struct {
		const char *ids[3], *shown, *not_shown;
	} rows[] = {
		{{"launch/args=0,path=x", "launch/args=1,path=x", "launch/args=2,path=x"},
			"all with path=x", "args=0,path"},
		{{"launch/args=0,path=x", "launch/args=0,path=y", "launch/args=1,path=x"},
			"launch/args=0,path=y", "all with"},
		{{"launch/args=0,path=xy", "launch/args=0,path=y", "launch/args=1,path=y"},
			"launch/args=0,path=xy", "all with"},
		{{"launch/args=0", "launch/args=1,path=x", "launch/args=2,path=x"},
			"launch/args=1,path=x", "all with"},
		{{"launch/args=1,path=x", "launch/args=2,path=x", "launch/args=0"},
			"launch/args=1,path=x", "all with"},
		{{"launch/a=0,path=x,b=1", "launch/a=1,path=y,b=1", "launch/a=0,path=y,b=1"},
			"all with b=1", ",b=1 "},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		example_begin(&r, 2);
		const double figures[] = {2500, 2500};
		for (unsigned k = 0; k < 3; k++)
			example_series(&r, example_benchmark(&r, rows[i].ids[k], k),
				BA_METRIC_SUBMIT, figures, VERDICTS(BA_VERDICT_UNCHANGED));
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		ba_term_write(&got, &r, &(ba_format_options){.width = 120});
		assert_has(got.data, rows[i].shown);
		assert_null(strstr(got.data, rows[i].not_shown));
	}
}

TEST(one_variant_shows_its_distribution)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 1);
	example_launch_suite(&r, NULL, NULL);
	answer(&r, BA_VERDICT_REPORTED, "Measured 5 benchmarks of baseline.");
	compare_with_golden("one-variant", &r, &plain);
	ba_format_options o = plain;
	for (o.width = 45; o.width < 90; o.width += 5)
		no_line_is_wider_than(&r, o);
}

TEST(long_names_and_labels_are_shortened)
{
	BA_AUTO(ba_result) ba_result r;
	three_regressed(&r);
	free(r.run.benchmarks[0].id);
	r.run.benchmarks[0].id =
		ba_xstrdup("launch/args=0,path=signature,config=second-of-three,callbacks=1");
	free(r.run.variants[1].label);
	r.run.variants[1].label = ba_xstrdup("feature-context-variable-with-a-long-name-indeed");
	free(r.run.variants[1].subject);
	r.run.variants[1].subject = ba_xstrdup("a subject \033[31m that goes on and on and on, as "
					       "subjects should not do but do");
	compare_with_golden("three-long-names", &r, &plain);
	no_line_is_wider_than(&r, plain);
}

TEST(long_lists_leave_out_what_is_unchanged)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 2);
	for (unsigned i = 0; i < 300; i++) {
		char id[32];
		const double figures[] = {2500, i == 123 ? 2600 : 2500};
		snprintf(id, sizeof(id), "launch/args=%u", i);
		example_series(&r, example_benchmark(&r, id, i), BA_METRIC_SUBMIT, figures,
			VERDICTS(i == 123 ? BA_VERDICT_REGRESSED : BA_VERDICT_UNCHANGED));
	}
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_term_write(&got, &r, &plain);
	assert_has(got.data, "launch/args=123");
	assert_null(strstr(got.data, "launch/args=122"));
	assert_has(got.data, "299 more benchmarks are unchanged; --verbose shows them");
	ba_buf_clear(&got);
	ba_format_options o = plain;
	o.verbose = true;
	ba_term_write(&got, &r, &o);
	assert_has(got.data, "launch/args=122");
}

static size_t lines_of(const ba_result *r, size_t width)
{
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	size_t lines = 0;
	ba_term_write(&got, r, &(ba_format_options){.width = width, .unicode = true});
	for (const char *c = got.data; *c; c++)
		lines += *c == '\n';
	return lines;
}

/* 66 benchmarks with three failures: those first, on two screens of 50 lines */
TEST(many_benchmarks_fit_on_two_screens)
{
	BA_AUTO(ba_result) ba_result r;
	many_begin(&r);
	answer(&r, BA_VERDICT_REGRESSED,
		"Regressed: 2 of 66 benchmarks got slower, most of all "
		"kernels/layernorm/rows=1024,cols=8192,dtype=f32 by 12.4 % (12.1 .. 12.8 "
		"%), 25.9 µs per run, 3 of 66 benchmarks failed in contextvar.");
	ba_format_options o = plain;
	compare_with_golden("many-80", &r, &o);
	no_line_is_wider_than(&r, o);
	o.width = 120;
	compare_with_golden("many-120", &r, &o);
	no_line_is_wider_than(&r, o);
	for (o.width = 57; o.width < 140; o.width += 7)
		no_line_is_wider_than(&r, o);
	assert_true(lines_of(&r, 80) <= 100);
	assert_true(lines_of(&r, 120) <= 100);
}

TEST(three_variants_at_120_columns)
{
	BA_AUTO(ba_result) ba_result r;
	three_regressed(&r);
	/* slower, and by less than the threshold */
	ba_comparison *c = &r.series[4].comparisons[1];
	c->ratio = 1.012;
	c->low = 1.0085;
	c->high = 1.0155;
	ba_format_options o = {.width = 120, .unicode = true};
	compare_with_golden("three-120", &r, &o);
	no_line_is_wider_than(&r, o);
}

TEST(quiet_is_the_answer_alone)
{
	BA_AUTO(ba_result) ba_result r;
	two_unchanged(&r);
	answer(&r, BA_VERDICT_UNCHANGED, "No.");
	ba_format_options o = plain;
	o.quiet = true;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_term_write(&got, &r, &o);
	assert_string_equal(got.data, "No.\n");
}

TEST(calls_that_differ_are_one_row_a_variant)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	const char *const names[] = {"py/a", "py/b", "py/c"};
	example_begin(&r, 2);
	for (size_t i = 0; i < 3; i++) {
		ba_series *s = example_series(&r, example_benchmark(&r, names[i], i),
			BA_METRIC_INSTRUCTIONS, (const double[]){100, 120},
			(const ba_verdict[]){BA_VERDICT_REGRESSED});
		ba_samples *x = s->sample_count ? s->samples : ba_series_add_samples(s);
		x->readings = 4;
		s->variants[0].min = s->variants[0].mean = 100;
		s->variants[1].min = 120;
		s->variants[1].mean = i == 2 ? 120 : 130 + 10 * (double)i;
	}
	ba_term_write(&got, &r, &(ba_format_options){.width = 200});
	assert_has(got.data,
		"? contextvar, py/a, py/b: calls differ, most of all in py/b: 120 instructions at "
		"least, 140.0 in the mean of 4 consecutive calls\n");
	assert_null(strstr(strstr(got.data, "calls differ") + 1, "calls differ"));
}
