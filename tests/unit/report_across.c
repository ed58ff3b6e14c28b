/* ways to do the same thing, side by side */
#include "test.h"

#include "example_result.h"
#include "format_named.h"
#include "golden.h"
#include "markup_check.h"
#include "report/figure/figure.h"
#include "report/format.h"

static const ba_format_options plain = {.width = 80, .unicode = true};

/* Readings of `ns` in `invocations` processes; each is 1 % slower than the one before,
 * and `odd` of its own on top of that in every second one. */
static void add_samples(ba_series *s, double ns, unsigned invocations, double odd)
{
	for (unsigned i = 0; i < invocations; i++) {
		ba_samples *x = ba_series_add_samples(s);
		*x = (ba_samples){.invocation = i,
			.participants = 1,
			.positions = 2,
			.blocks = 2,
			.readings = 3,
			.batch = 10};
		ba_samples_alloc(x);
		double level = ns * (1 + 0.01 * i) * (i % 2 ? 1 + odd : 1);
		for (unsigned k = 0; k < 12; k++)
			x->ns[k] = (uint64_t)(10 * level);
	}
}

/* of suite, name and "axis=value,..."; NAN: no readings */
static ba_series *add(
	ba_result *r, const char *suite, const char *name, const char *axes, double ns, double odd)
{
	const ba_verdict none[] = {BA_VERDICT_REPORTED};
	BA_AUTO(ba_strv) ba_strv parts = {0};
	BA_AUTO_FREE char *id = ba_xprintf("%s/%s/%s", suite, name, axes);
	size_t at = example_benchmark(r, id, 0);
	ba_benchmark *b = &r->run.benchmarks[at];
	free(b->axes[0].name);
	free(b->axes[0].value);
	b->axis_count = 0;
	free(b->suite);
	b->suite = ba_xstrdup(suite);
	b->name = ba_xstrdup(name);
	b->kind = BA_SUITE_PLUGIN;
	b->flop = 4e7;
	ba_strv_split(&parts, axes, ',');
	for (size_t i = 0; i < parts.count; i++) {
		char *equals = strchr(parts.items[i], '=');
		*equals = 0;
		ba_benchmark_add_axis(b, parts.items[i], equals + 1);
	}
	const double figures[] = {ns};
	ba_series *s = example_series(r, at, BA_METRIC_GPU_COLD, figures, none);
	add_samples(s, ns, 4, odd);
	return s;
}

static void fill(ba_result *r)
{
	example_begin(r, 1);
	add(r, "torch", "sdpa", "S=128,dtype=f16,backend=math", 20000, 0);
	add(r, "torch", "sdpa", "S=128,dtype=f16,backend=flash", 10000, 0);
	add(r, "torch", "sdpa", "S=256,dtype=f16,backend=math", 80000, 0);
	add(r, "torch", "sdpa", "S=256,dtype=f16,backend=flash", 20000, 0.02);
	/* axes in another order, and one that the others do not have */
	add(r, "c", "attention", "dtype=f16,S=256,kernel=0", 16000, 0);
	add(r, "c", "attention", "dtype=f16,S=128,kernel=0", 9000, 0);
	add(r, "c", "copy", "n=1024", 2000, 0);
}

static int build(ba_across *a, const ba_result *r, const char *keys, const char *filter)
{
	BA_AUTO(ba_strv) ba_strv filters = {0};
	if (filter)
		ba_strv_push(&filters, filter);
	ba_error err = {0};
	return ba_across_of(a, r, keys, &filters, &err);
}

TEST(one_axis_makes_sides_of_its_values)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	fill(&r);
	assert_int_equal(build(&a, &r, "backend", NULL), 0);
	assert_int_equal(a.sides.count, 2);
	assert_string_equal(a.sides.items[0], "backend=math");
	assert_string_equal(a.sides.items[1], "backend=flash");
	/* what has no backend has nothing beside it */
	assert_int_equal(a.count, 2);
	assert_int_equal(a.alone, 3);
	assert_int_equal(a.axes.count, 2);
	assert_string_equal(ba_across_value(&a, 1, "S"), "256");
}

/* a side that only some rows have, of two metrics */
TEST(what_a_row_does_not_have_is_an_empty_cell)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	ba_across_cell cells[BA_ACROSS_SIDES_MOST];
	fill(&r);
	add(&r, "torch", "sdpa", "S=256,dtype=f16,backend=cudnn", 15000, 0)->metric =
		BA_METRIC_WALL_HOT;
	assert_int_equal(build(&a, &r, "backend", "torch/*"), 0);
	assert_int_equal(a.sides.count, 3);
	assert_true(a.has[BA_METRIC_GPU_COLD] && a.has[BA_METRIC_WALL_HOT]);
	assert_false(a.has[BA_METRIC_GPU_HOT]);
	ba_across_cells(cells, &a, &r, 0, BA_METRIC_GPU_COLD, 0);
	assert_null(cells[2].benchmark);
	assert_true(isnan(cells[2].ns));
	ba_across_cells(cells, &a, &r, 1, BA_METRIC_WALL_HOT, 0);
	assert_true(cells[0].benchmark && isnan(cells[0].ns));
	assert_true(cells[2].fastest && isnan(cells[2].ratio));
}

TEST(suites_are_sides_where_all_that_differs_is_named)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	fill(&r);
	assert_int_equal(build(&a, &r, "suite,benchmark,kernel,backend=flash", NULL), 0);
	assert_int_equal(a.count, 2);
	/* `copy` stands alone */
	assert_int_equal(a.sides.count, 3);
	assert_int_equal(a.alone, 1);
	assert_string_equal(a.sides.items[0], "torch/sdpa/backend=flash");
	assert_string_equal(a.sides.items[1], "torch/sdpa/backend=math");
	assert_string_equal(a.sides.items[2], "c/attention/kernel=0");
	/* S=128 comes first in the result, though not in the suite `c` */
	assert_string_equal(ba_across_value(&a, 0, "S"), "128");
	assert_string_equal(a.rows[0].sides[2]->id, "c/attention/dtype=f16,S=128,kernel=0");
}

TEST(the_ratio_is_that_of_the_same_invocations)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	ba_across_cell cells[BA_ACROSS_SIDES_MOST];
	fill(&r);
	assert_int_equal(build(&a, &r, "backend=math", NULL), 0);
	ba_across_cells(cells, &a, &r, 0, BA_METRIC_GPU_COLD, 0);
	assert_true(isnan(cells[0].ratio));
	assert_int_equal(cells[1].invocations, 4);
	/* both drift alike: what an invocation says is the same in all */
	assert_close(cells[1].ratio, 0.5, 1e-6);
	assert_close(cells[1].low, 0.5, 1e-4);
	assert_close(cells[1].high, 0.5, 1e-4);
	assert_true(cells[1].fastest && !cells[0].fastest);
	assert_close(cells[1].work.gflop_per_s, 4000, 1e-9);
	/* two of four are 2 % slower: y = log(0.25) + {0, l, 0, l}, l = log(1.02);
	 * t(0.975, 3) = 3.182446, s = l / sqrt(3) */
	double l = log(1.02), half = 3.182446 * l / sqrt(3) / 2;
	ba_across_cells(cells, &a, &r, 1, BA_METRIC_GPU_COLD, 0);
	assert_close(cells[1].ratio, 0.25 * exp(l / 2), 1e-5);
	assert_close(cells[1].low, 0.25 * exp(l / 2 - half), 1e-5);
	assert_close(cells[1].high, 0.25 * exp(l / 2 + half), 1e-5);
}

TEST(equal_readings_of_a_coarse_clock_are_no_certainty)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	ba_across_cell cells[BA_ACROSS_SIDES_MOST];
	fill(&r);
	r.series[0].s_floor = 0.003;
	r.series[1].s_floor = 0.004;
	assert_int_equal(build(&a, &r, "backend=math", NULL), 0);
	ba_across_cells(cells, &a, &r, 0, BA_METRIC_GPU_COLD, 0);
	assert_close(cells[1].high, 0.5 * exp(3.182446 * 0.005 / 2), 1e-5);
}

TEST(one_invocation_gives_a_ratio_and_no_interval)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	ba_across_cell cells[BA_ACROSS_SIDES_MOST];
	fill(&r);
	/* of the others the reference knows nothing */
	for (unsigned i = 1; i < 4; i++)
		r.series[0].samples[i].invocation = 10 + i;
	assert_int_equal(build(&a, &r, "backend=math", NULL), 0);
	ba_across_cells(cells, &a, &r, 0, BA_METRIC_GPU_COLD, 0);
	assert_int_equal(cells[1].invocations, 1);
	assert_close(cells[1].ratio, 0.5, 1e-6);
	assert_true(isnan(cells[1].low));
}

TEST(what_failed_is_said_and_is_no_reference)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	ba_across_cell cells[BA_ACROSS_SIDES_MOST];
	fill(&r);
	r.series[0].variants[0].failure = ba_xstrdup("wrong answer: <o> is off");
	r.series[3].variants[0].skipped = ba_xstrdup("no | backend");
	r.series[3].variants[0].launches = 0;
	assert_int_equal(build(&a, &r, "backend=math", NULL), 0);
	ba_across_cells(cells, &a, &r, 0, BA_METRIC_GPU_COLD, 0);
	assert_true(cells[0].failed && isnan(cells[0].ns));
	assert_true(isnan(cells[1].ratio) && cells[1].fastest);
	ba_across_cells(cells, &a, &r, 1, BA_METRIC_GPU_COLD, 0);
	assert_string_equal(cells[1].trouble, "no | backend");
	for (const ba_format *f = ba_formats; f->name; f++) {
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		if (!f->across)
			continue;
		f->across(&got, &r, &a, &plain);
		assert_non_null(strstr(got.data, "wrong answer: "));
		if (strcmp(f->name, "markdown") == 0) {
			assert_null(strstr(got.data, "<o>"));
			assert_non_null(strstr(got.data, "no \\| backend"));
		}
	}
}

static void assert_refused(const char *keys, const char *filter, const char *sentence)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	BA_AUTO(ba_strv) ba_strv filters = {0};
	ba_error err = {0};
	fill(&r);
	if (filter)
		ba_strv_push(&filters, filter);
	assert_int_equal(ba_across_of(&a, &r, keys, &filters, &err), BA_EINVAL);
	if (!strstr(err.text, sentence))
		fail_msg("'%s' does not say '%s'", err.text, sentence);
	assert_int_equal(a.count, 0);
}

TEST(what_cannot_stand_side_by_side_is_refused)
{
	assert_refused("", NULL, "names no axis");
	assert_refused("backend,", NULL, "commas between them");
	assert_refused("=math", NULL, "commas between them");
	assert_refused("backend=", NULL, "commas between them");
	assert_refused("backend,backend=math", NULL, "'backend' appears twice");
	assert_refused("backend=none", NULL, "no benchmark has these values");
	assert_refused("backend", "nothing*", "no benchmark of this result matches");
	assert_refused("backend", "c/copy*", "one of the benchmarks is 'c/copy/n=1024'");
	assert_refused("suite,benchmark,backend=flash", "*S=128*flash", "one of the benchmarks is");
	assert_refused("suite,benchmark=sdpa,kernel,backend", NULL,
		"'torch/sdpa/backend=math' or 'torch/sdpa/backend=flash'");
	/* one axis of one suite keeps the two apart */
	assert_refused("suite,benchmark", "*S=128*", "have the axis");
}

TEST(too_many_sides_are_no_table)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	example_begin(&r, 1);
	for (int i = 0; i <= BA_ACROSS_SIDES_MOST; i++) {
		BA_AUTO_FREE char *axes = ba_xprintf("n=%d", i);
		add(&r, "c", "copy", axes, 1000, 0);
	}
	assert_int_equal(build(&a, &r, "n", NULL), BA_EINVAL);
	assert_int_equal(build(&a, &r, "n", "*n=1*"), 0);
}

static void compare_with_golden(const char *format, const char *file)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	fill(&r);
	r.run.benchmarks[0].axes[1].value[0] = '|';
	r.run.benchmarks[1].axes[1].value[0] = '|';
	r.run.benchmarks[5].axes[0].value[0] = '|';
	assert_int_equal(build(&a, &r, "suite,benchmark,kernel,backend=math", NULL), 0);
	format_named(format)->across(&got, &r, &a, &plain);
	assert_golden(file, &got);
}

TEST(every_form_is_as_reviewed)
{
	compare_with_golden("term", "across.txt");
	compare_with_golden("markdown", "across.md");
	compare_with_golden("csv", "across.csv");
	compare_with_golden("json", "across.json");
}

TEST(a_table_has_one_unit_that_people_read)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	example_begin(&r, 1);
	add(&r, "torch", "sdpa", "S=1,backend=math", 3e6, 0);
	add(&r, "torch", "sdpa", "S=1,backend=flash", 150e6, 0);
	assert_int_equal(build(&a, &r, "backend", NULL), 0);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	format_named("term")->across(&text, &r, &a, &plain);
	assert_has(text.data, "ms/run");
	assert_has(text.data, " 3.000");
	assert_has(text.data, " 150.0");
	ba_buf_clear(&text);
	format_named("markdown")->across(&text, &r, &a, &plain);
	assert_has(text.data, "### gpu_cold, ms/run");
	assert_has(text.data, "| 150.0<br>");
}

/* ---- the figure ---- */

static bool draw(ba_buf *out, const ba_result *r, const char *keys)
{
	BA_AUTO(ba_across) ba_across a = {0};
	if (build(&a, r, keys, NULL))
		return false;
	const ba_figure_subject what = {.metric = BA_METRIC_GPU_COLD, .across = &a};
	return ba_figure_render(out, r, ba_figure_named("across"), &what, true);
}

TEST(the_figure_is_as_reviewed)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	fill(&r);
	assert_true(draw(&got, &r, "suite,benchmark,kernel,backend=math"));
	assert_golden("across.svg", &got);
}

/* one row of `count` sides, each 1 % slower than the one before */
static void many_sides(ba_result *r, const char *axis, size_t count)
{
	example_begin(r, 1);
	for (size_t i = 0; i < count; i++) {
		BA_AUTO_FREE char *axes = ba_xprintf("S=1,%s=v%zu", axis, i);
		add(r, "s", "b", axes, 1000 + 10 * (double)i, 0);
	}
}

TEST(the_page_has_a_figure_of_each_metric)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_across) ba_across a = {0};
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT, plainly = BA_BUF_INIT;
	fill(&r);
	assert_int_equal(build(&a, &r, "suite,benchmark,kernel,backend=math", NULL), 0);
	format_named("html")->across(&got, &r, &a, &plain);
	format_named("html")->write(&plainly, &r, &plain);
	assert_has(got.data, ">Side by side</h2>");
	assert_has(got.data, "So they get no verdicts");
	assert_has(got.data, "<title>gpu_cold side by side");
	assert_null(strstr(plainly.data, "ide by side"));
}

TEST(the_figure_says_what_it_leaves_out)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	many_sides(&r, "way", 11);
	r.series[2].variants[0].failure = ba_xstrdup("killed");
	assert_true(draw(&got, &r, "way"));
	assert_has(got.data, "3 more sides are not drawn; 1 without a ratio");
}

TEST(an_interval_wider_than_the_frame_is_told)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_begin(&r, 1);
	add(&r, "s", "b", "way=a", 1000, 0);
	add(&r, "s", "b", "way=b", 1000, 2.0);
	assert_true(draw(&got, &r, "way"));
	assert_has(got.data, "the frame cuts 1 interval<");
	/* and ratios that are far apart are on a logarithmic axis */
	ba_buf_clear(&got);
	assert_null(strstr(got.data, "logarithmic"));
	add(&r, "s", "b", "way=c", 50000, 0);
	assert_true(draw(&got, &r, "way"));
	assert_has(got.data, "(logarithmic)");
}

TEST(the_figure_is_well_formed_whatever_things_are_called)
{
	BA_AUTO_FREE char *long_name = ba_xcalloc(10001, 1);
	memset(long_name, 'n', 10000);
	const char *const names[] = {long_name, "<script>alert(1)</script>", "]]>", "</svg><b>",
		"a\"b'c&amp;", "\033[2J\a", "\xff\xfe\xef\xbf\xbf", "\xe2\x80\xaegnp.exe",
		"x\n<b>y"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		many_sides(&r, names[i], 3);
		for (size_t b = 0; b < r.run.benchmark_count; b++) {
			free(r.run.benchmarks[b].suite);
			r.run.benchmarks[b].suite = ba_xstrdup(names[i]);
		}
		assert_true(draw(&got, &r, names[i]));
		assert_well_formed(got.data);
		assert_null(strstr(got.data, "<script"));
		assert_null(strstr(got.data, "\xe2\x80\xae"));
		assert_true(got.len < 64 << 10);
	}
}
