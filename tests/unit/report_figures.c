/* figures: complete, bounded, honest about what they leave out, and safe with hostile
 * names */
#include "test.h"

#include "example_result.h"
#include "golden.h"
#include "markup_check.h"
#include "report/figure/figure.h"
#include "report/figure/plot.h"
#include "report/format.h"

static void three(ba_result *r)
{
	const double ratios[] = {1.041, 0.999};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED, BA_VERDICT_UNCHANGED};
	example_begin(r, 3);
	example_launch_suite(r, ratios, verdicts);
}

/* from f on, those that can be of any result: what stands side by side is tested with
 * report/across/across.h */
static const ba_figure *next(const ba_figure *f)
{
	while (f->name && f->covers == BA_COVERS_ACROSS)
		f++;
	return f;
}

/* the first subject of a figure */
static bool render(ba_buf *out, const ba_result *r, const char *name, bool standalone)
{
	BA_AUTO(ba_sweeps) ba_sweeps sweeps = {0};
	ba_sweeps_of(&sweeps, r);
	ba_figure_subject what = {.series = &r->series[0],
		.sweep = sweeps.count ? &sweeps.items[0] : NULL,
		.metric = r->series[0].metric};
	const ba_figure *figure = ba_figure_named(name);
	if (figure->covers == BA_COVERS_SWEEP && !sweeps.count)
		return false;
	return ba_figure_render(out, r, figure, &what, standalone);
}

static void compare_with_golden(const char *figure)
{
	BA_AUTO(ba_result) ba_result r;
	three(&r);
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	assert_true(render(&got, &r, figure, true));
	BA_AUTO_FREE char *file = ba_xprintf("%s.svg", figure);
	assert_golden(file, &got);
}

TEST(sweeps_are_as_reviewed)
{
	compare_with_golden("launch-overhead");
}

TEST(distributions_are_as_reviewed)
{
	compare_with_golden("distribution");
}

static void rename_all(ba_result *r, const char *name)
{
	for (size_t i = 0; i < r->run.variant_count; i++) {
		free(r->run.variants[i].label);
		r->run.variants[i].label = ba_xstrdup(name);
	}
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		ba_benchmark *b = &r->run.benchmarks[i];
		free(b->id);
		b->id = ba_xstrdup(name);
		free(b->suite);
		b->suite = ba_xstrdup(name);
		ba_benchmark_add_axis(b, name, name);
	}
	free(r->run.env.device_name);
	r->run.env.device_name = ba_xstrdup(name);
}

/* benchmarks that say how much they do, for figures of throughput */
static void count_work(ba_result *r)
{
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		r->run.benchmarks[i].flop = 1e6;
	for (size_t i = 0; i < r->series_count; i++)
		r->series[i].metric = BA_METRIC_GPU_COLD;
}

TEST(every_figure_is_well_formed_whatever_things_are_called)
{
	BA_AUTO_FREE char *long_name = ba_xcalloc(10001, 1);
	memset(long_name, 'n', 10000);
	const char *const names[] = {"plain", "", long_name, "<script>alert(1)</script>", "]]>",
		"</svg><b>", "a\"b'c&amp;", "\033[2J\a", "\xff\xfe\xef\xbf\xbf",
		"\xe2\x80\xaegnp.exe", "x\n<b>y"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		three(&r);
		rename_all(&r, names[i]);
		count_work(&r);
		for (const ba_figure *f = next(ba_figures); f->name; f = next(f + 1)) {
			for (int standalone = 0; standalone < 2; standalone++) {
				BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
				assert_true(render(&got, &r, f->name, standalone));
				assert_well_formed(got.data);
				assert_has(got.data, "role=\"img\"");
				assert_has(got.data, "<title>");
				assert_has(got.data, "<desc>");
				assert_null(strstr(got.data, "<script"));
				assert_null(strstr(got.data, "\xe2\x80\xae"));
				assert_true(got.len < (128 << 10) + 8 * strlen(names[i]));
			}
		}
	}
}

TEST(a_filter_chooses_the_changes_that_are_drawn)
{
	BA_AUTO(ba_result) ba_result r;
	three(&r);
	BA_AUTO(ba_strv) ba_strv filters = {0};
	ba_figure_subject what = {.metric = r.series[0].metric, .filters = &filters};
	const ba_figure *figure = ba_figure_named("changes");
	BA_AUTO(ba_buf) ba_buf all = BA_BUF_INIT, some = BA_BUF_INIT, none = BA_BUF_INIT;
	assert_true(ba_figure_render(&all, &r, figure, &what, true));
	ba_strv_push(&filters, r.run.benchmarks[1].id);
	assert_true(ba_figure_render(&some, &r, figure, &what, true));
	assert_has(all.data, r.run.benchmarks[0].id);
	assert_null(strstr(some.data, r.run.benchmarks[0].id));
	assert_has(some.data, r.run.benchmarks[1].id);
	assert_has(some.data, ": 1 benchmark, 0 more not drawn");
	BA_AUTO(ba_strv) ba_strv others = {0};
	ba_strv_push(&others, "nothing*");
	what.filters = &others;
	assert_false(ba_figure_render(&none, &r, figure, &what, true));
}

TEST(nothing_is_fetched)
{
	for (const ba_figure *f = next(ba_figures); f->name; f = next(f + 1)) {
		BA_AUTO(ba_result) ba_result r;
		three(&r);
		count_work(&r);
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		assert_true(render(&got, &r, f->name, true));
		/* the one address is the name of the language */
		const char *http = strstr(got.data, "http");
		assert_ptr_equal(http, strstr(got.data, "http://www.w3.org/2000/svg"));
		assert_null(strstr(http + 4, "http"));
		assert_null(strstr(got.data, "url("));
		assert_null(strstr(got.data, "@import"));
	}
}

TEST(there_is_nothing_to_draw_where_nothing_was_measured)
{
	static const struct {
		const char *figure;
		bool one_variant, no_samples;
	} cases[] = {
		{"launch-overhead", true, true},
		{"sweep", true, true},
		{"sweep-delta", false, true},
		{"sweep-percent", false, true},
		{"sweep-throughput", false, false},
		{"changes", false, true},
		{"distribution", true, false},
		{"invocations", false, true},
		{"order", true, false},
		{"blocks", true, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		BA_AUTO(ba_result) ba_result one;
		BA_AUTO(ba_result) ba_result bare;
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		example_begin(&one, 1);
		example_launch_suite(&one, NULL, NULL);
		three(&bare);
		for (size_t s = 0; s < bare.series_count; s++) {
			for (size_t k = 0; k < bare.series[s].sample_count; k++)
				ba_samples_dispose(&bare.series[s].samples[k]);
			bare.series[s].sample_count = 0;
		}
		assert_int_equal(render(&got, &one, cases[i].figure, false), cases[i].one_variant);
		size_t before = got.len;
		bool drawn = render(&got, &bare, cases[i].figure, false);
		assert_int_equal(drawn, cases[i].no_samples);
		assert_int_equal(got.len > before, drawn);
	}
}

TEST(many_samples_are_thinned_and_it_is_said)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 2);
	const double figures[] = {1000, 1000};
	const ba_verdict verdicts[] = {BA_VERDICT_UNCHANGED};
	size_t b = example_benchmark(&r, "launch/args=0", 0);
	ba_series *s = example_series(&r, b, BA_METRIC_SUBMIT, figures, verdicts);
	for (unsigned i = 0; i < 8; i++) {
		ba_samples *x = ba_series_add_samples(s);
		*x = (ba_samples){.invocation = i,
			.participants = 2,
			.positions = 4,
			.blocks = 2000,
			.readings = 4,
			.batch = 10};
		ba_samples_alloc(x);
		for (unsigned k = 0; k < x->blocks * x->positions; k++)
			x->order[k] = (uint8_t)((k + 1) / 2 % 2);
		for (unsigned k = 0; k < x->blocks * x->positions * 4; k++)
			x->ns[k] = 10000 + k % 97;
	}
	static const char *const names[] = {"distribution", "order", "blocks"};
	for (size_t i = 0; i < 3; i++) {
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		assert_true(render(&got, &r, names[i], false));
		assert_true(got.len < (48 << 10));
		if (i == 0)
			assert_has(got.data, "128000 readings");
		if (i == 1)
			assert_has(got.data, "each point stands for 134 of 16000 blocks");
		if (i == 2)
			assert_has(got.data, "6 of 2000 blocks");
	}
}

TEST(absolute_times_over_an_axis_begin_at_zero)
{
	ba_scale s = {.at_low = 100, .at_high = 0};
	ba_scale_round(&s, 2.43, 2.62, true);
	assert_true(s.low == 0);
	assert_true(s.high >= 2.62);
	assert_true(ba_scale_at(&s, 0) == 100);
	/* also what is infinite ends at the frame */
	assert_true(ba_scale_at(&s, INFINITY) == 0);
	assert_true(ba_scale_at(&s, -INFINITY) == 100);
	ba_scale_round(&s, 5, 5, false);
	assert_true(s.high > s.low);
	assert_int_equal(ba_scale_decimals(0.05), 2);
	assert_int_equal(ba_scale_decimals(20), 0);
}

/* found by fuzzing: an axis whose ticks, one apart, are lost in the rounding */
TEST(figures_of_absurd_numbers_end)
{
	static const double values[] = {1e300, -1e300, 1e17, 1e-300, 5e-324, INFINITY, NAN, 0, -1};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		double x = values[i];
		three(&r);
		count_work(&r);
		r.series[1].variants[1].trimmed = x;
		r.series[1].variants[2].min = r.series[2].variants[2].p95 = x;
		for (size_t s = 0; s < 2; s++) {
			ba_comparison *c = &r.series[s].comparisons[s];
			c->ratio = c->low = c->threshold_slower = x;
			c->high = c->threshold_faster = -x;
			c->y[0] = x;
			c->y[1] = -x;
			c->delta_ns = x;
		}
		r.series[0].samples[0].ns[0] = UINT64_MAX;
		for (const ba_figure *f = ba_figures; f->name; f++) {
			BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
			render(&got, &r, f->name, true);
			if (got.len)
				assert_well_formed(got.data);
			assert_true(got.len < (64 << 10));
		}
	}
}

TEST(throughput_is_work_by_time)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	three(&r);
	count_work(&r);
	assert_true(render(&got, &r, "sweep-throughput", false));
	/* 1e6 operations in 2431 ns */
	assert_has(got.data, "baseline: 0.4114 TFLOP/s at 0");
	for (size_t i = 0; i < r.run.benchmark_count; i++) {
		r.run.benchmarks[i].flop = 0;
		r.run.benchmarks[i].bytes_read = 1e6;
	}
	assert_true(render(&got, &r, "sweep-throughput", false));
	assert_has(got.data, "baseline: 411.4 GB/s at 0");
}

TEST(times_that_span_decades_have_a_logarithmic_axis_and_say_so)
{
	ba_scale s = {.at_low = 100, .at_high = 0};
	ba_scale_decades(&s, 3.1, 1900);
	assert_true(s.log);
	assert_close(s.low, 2, 1e-9);
	assert_close(s.high, 2000, 1e-9);
	ba_scale_decades(&s, 0.001, 0.5);
	assert_close(s.low, 0.001, 1e-12);
	assert_close(s.high, 0.5, 1e-9);
	for (int wide = 0; wide < 2; wide++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		const ba_verdict verdicts[] = {BA_VERDICT_UNCHANGED};
		example_begin(&r, 2);
		for (unsigned i = 0; i < 4; i++) {
			double ns = 1000 * pow(wide ? 8 : 2, i);
			const double figures[] = {ns, ns * 1.01};
			char name[32];
			snprintf(name, sizeof(name), "attention/S=%u", i);
			size_t b = example_benchmark(&r, name, i + 1);
			example_series(&r, b, BA_METRIC_SUBMIT, figures, verdicts);
		}
		assert_true(render(&got, &r, "sweep", false));
		assert_int_equal(strstr(got.data, "(logarithmic)") != NULL, wide);
		assert_int_equal(strstr(got.data, ">0<") != NULL, !wide);
	}
}

TEST(counts_have_no_unit)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	example_begin(&r, 2);
	for (unsigned i = 0; i < 3; i++) {
		BA_AUTO_FREE char *name = ba_xprintf("launch/args=%u", i);
		example_series(&r, example_benchmark(&r, name, i), BA_METRIC_INSTRUCTIONS,
			(const double[]){100 + i, 120 + i},
			(const ba_verdict[]){BA_VERDICT_REGRESSED});
	}
	assert_true(render(&got, &r, "sweep", false));
	assert_has(got.data, ">instructions; bars: ");
	ba_html_write(&page, &r, &(ba_format_options){0});
	assert_has(page.data, "<figcaption>Instructions</figcaption>");
	assert_null(strstr(page.data, "<figcaption>Time</figcaption>"));
}

/* suite/axis=... for each value, alternating dtype */
static void matrix(ba_result *r, const char *const *values, size_t count)
{
	const double figures[] = {1000, 1010};
	const ba_verdict verdicts[] = {BA_VERDICT_UNCHANGED};
	example_begin(r, 2);
	for (size_t i = 0; i < count; i++) {
		size_t n = example_benchmark(r, values[i], 0);
		ba_benchmark *b = &r->run.benchmarks[n];
		free(b->axes[0].value);
		free(b->axes[0].name);
		b->axes[0].name = ba_xstrdup("S");
		b->axes[0].value = ba_xstrdup(values[i]);
		ba_benchmark_add_axis(b, "dtype", i % 2 ? "bf16" : "fp16");
		example_series(r, n, BA_METRIC_SUBMIT, figures, verdicts);
	}
}

TEST(sweeps_are_found_over_any_axis)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_sweeps) ba_sweeps sweeps = {0};
	static const char *const values[] = {"512", "512", "128", "128", "1024", "128", "256"};
	matrix(&r, values, 7);
	ba_sweeps_of(&sweeps, &r);
	/* S for each type, and the type for 512 and 128 */
	assert_int_equal(sweeps.count, 4);
	const ba_sweep *s = &sweeps.items[0];
	assert_string_equal(s->axis, "S");
	assert_true(s->numeric);
	assert_int_equal(s->count, 4);
	for (size_t i = 1; i < s->count; i++)
		assert_true(s->points[i - 1].x < s->points[i].x);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_sweep_text(&text, &r, s);
	assert_string_equal(text.data, "launch, dtype=fp16");
	assert_string_equal(sweeps.items[1].axis, "dtype");
	assert_false(sweeps.items[1].numeric);
	assert_int_equal(sweeps.items[1].count, 2);
}

/* 60 benchmarks of 40 that are drawn: the largest change is of an inconclusive one at
 * the end, after many that regressed by less */
TEST(the_largest_changes_are_drawn)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_begin(&r, 2);
	for (unsigned i = 0; i < 61; i++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%u", i);
		size_t b = example_benchmark(&r, id, i);
		const double ns[] = {2000, i == 59 ? 4000 : 2100 + i};
		const ba_verdict verdict[] = {
			i < 50 ? BA_VERDICT_REGRESSED : BA_VERDICT_INCONCLUSIVE};
		ba_series *s = example_series(&r, b, BA_METRIC_SUBMIT, ns, verdict);
		if (i == 7)
			s->variants[1].launches = 0;
	}
	assert_true(render(&got, &r, "changes", true));
	assert_has(got.data, ">launch/args=59<");
	assert_null(strstr(got.data, ">launch/args=0<"));
	assert_has(
		got.data, "20 more benchmarks changed less; 1 benchmark without a measured change");
}

/* a long number on the left has room, and one below does not leave the picture */
TEST(long_numbers_are_not_cut)
{
	static const char *const figures[] = {
		"invocations", "changes", "sweep-percent", "sweep-delta", "distribution", "order"};
	BA_AUTO(ba_result) ba_result r;
	const double ratios[] = {150, 0.999};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED, BA_VERDICT_UNCHANGED};
	example_begin(&r, 3);
	example_launch_suite(&r, ratios, verdicts);
	for (size_t i = 0; i < BA_COUNT(figures); i++) {
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		assert_true(render(&got, &r, figures[i], false));
		size_t long_ones = 0;
		for (const char *p = got.data; (p = strstr(p, "<text x=\"")); p++) {
			const char *tag_end = strchr(p, '>');
			double x = strtod(p + strlen("<text x=\""), NULL);
			double room = 7.6 * (double)strcspn(tag_end + 1, "<");
			BA_AUTO_FREE char *tag = ba_xstrndup(p, (size_t)(tag_end - p));
			if (strstr(tag, "text-anchor=\"end\""))
				assert_true(x >= room);
			else if (strstr(tag, "text-anchor=\"middle\""))
				assert_true(x >= room / 2);
			long_ones += room >= 36;
		}
		assert_true(long_ones > 0);
	}
}

/* no line goes through a name: it stands on paper of its own */
TEST(names_stand_on_paper)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	three(&r);
	assert_true(render(&got, &r, "changes", false));
	size_t names = 0;
	for (const char *p = got.data; (p = strstr(p, ">launch/args=")); p++, names++) {
		const char *before = p;
		while (before > got.data && strncmp(before, "<rect", 5) != 0 &&
			strncmp(before, "<path", 5) != 0)
			before--;
		assert_memory_equal(before, "<rect class=\"paper\"", 19);
	}
	assert_int_equal(names, 10);
}

TEST(what_moved_within_its_threshold_has_a_mark_of_its_own)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	three(&r);
	assert_true(render(&got, &r, "changes", false));
	assert_null(strstr(got.data, "within the threshold"));
	ba_comparison *k = &r.series[1].comparisons[1];
	k->ratio = 1.012;
	k->low = 1.008;
	k->high = 1.016;
	ba_buf_truncate(&got, 0);
	assert_true(render(&got, &r, "changes", false));
	assert_has(got.data, "+1.2 % \u25b3<");
	assert_has(got.data, "\u25b3 slower, \u25bd faster, within the threshold");
}

/* launches in ns, a kernel of milliseconds in ms: as in the tables */
TEST(figures_have_the_units_of_the_tables)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	three(&r);
	assert_true(render(&got, &r, "sweep", false));
	assert_has(got.data, "submit, ns/launch; bars");
	assert_true(render(&got, &r, "distribution", false));
	assert_has(got.data, "2431 ns/launch, 24 readings");
	assert_null(strstr(got.data, "\u00b5s"));
}

TEST(words_make_a_sweep_only_if_they_are_few)
{
	static const char *const many[] = {"a", "x", "b", "x", "c", "x", "d", "x", "e", "x", "f",
		"x", "g", "x", "h", "x", "i", "x"};
	for (size_t count = 15; count <= 18; count += 2) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_sweeps) ba_sweeps sweeps = {0};
		matrix(&r, many, count);
		ba_sweeps_of(&sweeps, &r);
		bool any = false;
		for (size_t i = 0; i < sweeps.count; i++)
			any = any || strcmp(sweeps.items[i].axis, "S") == 0;
		assert_int_equal(any, count == 15);
	}
}

TEST(the_names_are_those_of_the_figures)
{
	size_t i = 0;
	for (; ba_figures[i].name; i++)
		assert_string_equal(ba_figures[i].name, ba_figure_names[i]);
	assert_null(ba_figure_names[i]);
	assert_null(ba_figure_named("pie"));
}
