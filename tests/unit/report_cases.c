/* sweeps as tables: axes as columns, throughput by the author's counts */
#include "test.h"

#include "example_result.h"
#include "format_named.h"
#include "model/result.h"
#include "report/format.h"

static const ba_format_options plain = {.width = 80, .unicode = true};

static size_t add_case(ba_result *r, const char *n, const char *dtype, double ns)
{
	char id[64];
	snprintf(id, sizeof(id), "k/saxpy/n=%s%s%s", n, dtype ? ",dtype=" : "", dtype ? dtype : "");
	size_t b = example_benchmark(r, id, 0);
	ba_benchmark *case_ = &r->run.benchmarks[b];
	while (case_->axis_count) {
		ba_axis *last = &case_->axes[--case_->axis_count];
		free(last->name);
		free(last->value);
	}
	free(case_->suite);
	case_->suite = ba_xstrdup("k");
	case_->name = ba_xstrdup("saxpy");
	case_->kind = BA_SUITE_PLUGIN;
	case_->flop = 2e6;
	case_->bytes_read = 3e6;
	case_->bytes_written = 1e6;
	ba_benchmark_add_axis(case_, "n", n);
	if (dtype)
		ba_benchmark_add_axis(case_, "dtype", dtype);
	const double cold[] = {ns, 1.1 * ns}, wall[] = {ns + 5000, 1.1 * ns + 5000};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED};
	const ba_verdict reported[] = {BA_VERDICT_REPORTED};
	example_series(r, b, BA_METRIC_GPU_COLD, cold, verdicts);
	example_series(r, b, BA_METRIC_WALL_HOT, wall, reported)->role = BA_ROLE_REPORTED;
	return b;
}

static void fill(ba_result *r)
{
	example_begin(r, 2);
	r->run.env.copy_gb_per_s = 4000;
	add_case(r, "1024", NULL, 2000);
	add_case(r, "4096", "f|16", 4000);
}

TEST(throughput_is_work_over_time)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	ba_throughput t = ba_throughput_of(&r, &r.series[0], 0);
	assert_close(t.gflop_per_s, 1000, 1e-9);
	assert_close(t.gb_per_s, 2000, 1e-9);
	assert_close(t.items_per_s, 0, 0);
	assert_close(t.of_copy, 0.5, 1e-12);
	/* a ceiling that was not measured */
	assert_close(t.of_matrix, 0, 0);
	r.series[0].metric = BA_METRIC_SUBMIT;
	assert_close(ba_throughput_of(&r, &r.series[0], 0).gb_per_s, 0, 0);
}

/* the n-th cell of the n-th line of CSV without quotes */
static char *csv_cell(const char *text, size_t line, const char *column)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_AUTO(ba_strv) ba_strv heads = {0};
	BA_AUTO(ba_strv) ba_strv cells = {0};
	ba_strv_split(&lines, text, '\n');
	ba_strv_split(&heads, lines.items[0], ',');
	ba_strv_split(&cells, lines.items[line], ',');
	assert_int_equal(heads.count, cells.count);
	for (size_t i = 0; i < heads.count; i++)
		if (strcmp(heads.items[i], column) == 0)
			return ba_xstrdup(cells.items[i]);
	fail_msg("no column '%s'", column);
	return NULL;
}

static void assert_cell(const char *text, size_t line, const char *column, const char *expected)
{
	BA_AUTO_FREE char *got = csv_cell(text, line, column);
	assert_string_equal(got, expected);
}

TEST(csv_has_a_row_for_each_case_and_variant)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	fill(&r);
	format_named("sweep-csv")->write(&got, &r, &plain);
	assert_cell(got.data, 1, "benchmark", "saxpy");
	assert_cell(got.data, 1, "n", "1024");
	assert_cell(got.data, 1, "dtype", "");
	assert_cell(got.data, 1, "gpu_cold_us", "2");
	assert_cell(got.data, 1, "wall_hot_us", "7");
	assert_cell(got.data, 1, "gpu_hot_us", "");
	assert_cell(got.data, 1, "gb_per_s", "2000");
	assert_cell(got.data, 1, "tflop_per_s", "1");
	assert_cell(got.data, 1, "of_copy_ceiling", "0.5");
	assert_cell(got.data, 1, "verdict", "baseline");
	assert_cell(got.data, 2, "ratio", "1.1");
	assert_cell(got.data, 2, "verdict", "regressed");
	assert_cell(got.data, 4, "dtype", "f|16");
	assert_cell(got.data, 4, "gpu_cold_us", "4.4");
}

TEST(markdown_leaves_out_what_was_not_measured)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	fill(&r);
	r.series[2].variants[1].failure = ba_xstrdup("wrong answer: <b>");
	format_named("sweep")->write(&got, &r, &plain);
	assert_non_null(strstr(got.data, "| gpu_cold, µs | wall_hot, µs | TFLOP/s"));
	assert_null(strstr(got.data, "gpu_hot"));
	assert_non_null(strstr(got.data, "f\\|16"));
	assert_non_null(strstr(got.data, "1.100"));
	assert_non_null(strstr(got.data, "wrong answer: \\<b\\> |"));
	/* every row has as many cells */
	size_t cells = 0;
	for (const char *p = got.data; *p;) {
		size_t n = 0;
		for (; *p != '\n'; p++)
			n += *p == '|' && p[-1 + (p == got.data)] != '\\';
		p++;
		assert_true(cells == 0 || n == cells);
		cells = n;
	}
}

/* a Python function on the host has no time on a GPU, and is a case all the same */
TEST(functions_of_a_worker_are_cases_too)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf csv = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf markdown = BA_BUF_INIT;
	example_begin(&r, 2);
	size_t b = add_case(&r, "10", NULL, 2000);
	r.run.benchmarks[b].kind = BA_SUITE_WORKER;
	r.series[0].metric = BA_METRIC_HOST;
	r.series[1].metric = BA_METRIC_ROUNDTRIP;
	format_named("sweep-csv")->write(&csv, &r, &plain);
	assert_cell(csv.data, 1, "host_us", "2");
	assert_cell(csv.data, 2, "host_us", "2.2");
	assert_cell(csv.data, 2, "roundtrip_us", "7.2");
	assert_cell(csv.data, 2, "gpu_cold_us", "");
	assert_cell(csv.data, 2, "ratio", "1.1");
	assert_null(strstr(csv.data, "submit_us"));
	format_named("sweep")->write(&markdown, &r, &plain);
	assert_non_null(strstr(markdown.data, "| variant | host, µs | roundtrip, µs | TFLOP/s"));
}

TEST(a_run_of_launches_has_no_sweep)
{
	const double ratios[] = {1.0};
	const ba_verdict verdicts[] = {BA_VERDICT_UNCHANGED};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_begin(&r, 2);
	example_launch_suite(&r, ratios, verdicts);
	format_named("sweep")->write(&got, &r, &plain);
	assert_non_null(strstr(got.data, "No suite of this run"));
}
