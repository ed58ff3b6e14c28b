/* What real files have beside what the manuals of their tools show (tests/data/import,
 * written by hand). */
#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "import/import.h"

static const char *const directions[] = {
	[BA_DIRECTION_OPEN] = "?", [BA_DIRECTION_OF_UNIT] = "unit", [BA_DIRECTION_SAID] = "said"};

static int record(void *data, const ba_record *r, ba_error *err)
{
	ba_buf *out = data;
	(void)err;
	ba_buf_printf(out, "%s:", r->id);
	if (r->failure || r->skipped)
		ba_buf_printf(out, " %s (%s)", r->failure ? "failed" : "skipped",
			r->failure ? r->failure : r->skipped);
	for (size_t i = 0; i < r->count; i++)
		ba_buf_printf(out, " %.10g", r->values[i]);
	if (r->count && r->level == BA_LEVEL_SUMMARY)
		ba_buf_puts(out, " summary");
	if (!r->is_time)
		ba_buf_printf(out, " %s %s", r->higher_is_better ? "more" : "less",
			directions[r->direction]);
	ba_buf_putc(out, '\n');
	return 0;
}

static void warn(void *data, const char *text)
{
	const char *colon = strstr(text, ": ");
	ba_buf_printf(data, "warning%s\n", colon ? colon : text);
}

typedef struct oddity {
	const char *file, *part, *metric, *said;
} oddity;

static void check(const oddity *o)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("%s/tests/data/import/%s", BA_SOURCE_DIR, o->file);
	const ba_sink sink = {.data = &out,
		.record = record,
		.warn = warn,
		.metric = o->metric,
		.takes_zeros = true};
	ba_error err = {0};
	int rc = ba_import_read(NULL, path, o->part, &sink, &err);
	if (rc)
		ba_buf_printf(&out, "error: %s", err.text + strlen(path));
	if (rc ? !strstr(out.data, o->said) : strcmp(out.data, o->said) != 0)
		fail_msg("%s: %s\nnot\n%s", o->file, out.data, o->said);
}

TEST(units_have_a_direction)
{
	static const oddity rows[] = {
		{"go-rates-base.txt", NULL, "MB/s",
			"x.BenchmarkRead-8: 100 more unit\nx.BenchmarkRead-8: 100.1 more unit\n"
			"x.BenchmarkRead-8: 100.2 more unit\nx.BenchmarkRead-8: 99.9 more unit\n"},
		{"go-rates-base.txt", NULL, "hits",
			"x.BenchmarkRead-8: 7 less ?\nx.BenchmarkRead-8: 7 less ?\n"
			"x.BenchmarkRead-8: 7 less ?\nx.BenchmarkRead-8: 7 less ?\n"},
		{"google-old.json", NULL, "bytes_per_second",
			"BM_copy/64: 640000000 more unit\nBM_copy/64: 640000000 more unit\n"},
		{"asv-null.json", NULL, "value",
			"t.track_throughput: 5 summary more unit\nt.track_score: 7 summary less ?\n"
			"t.peakmem_load: 50000000 summary less unit\n"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

TEST(aggregates_are_known_by_name)
{
	check(&(oddity){"google-old.json", NULL, NULL,
		"BM_copy/64: 100\nBM_copy/64: 102\nBM_sum_mean: 2000\n"
		"BM_only: 3000 summary\nBM_last_mean: 4000\n"});
}

TEST(other_shapes_are_read)
{
	static const oddity rows[] = {
		{"asv-null.json", NULL, NULL,
			"t.time_broken(1): failed (asv reports that it failed)\n"
			"t.time_broken(2): failed (asv reports that it failed)\n"
			"t.time_some(1): 1000000 summary\n"
			"t.time_some(2): failed (asv reports that it failed)\n"
			"t.time_some(3): skipped (asv reports n/a: it was skipped)\n"
			"warning: 3 benchmarks that do not measure time are left out, such as t.track_throughput; --metric value compares them\n"},
		{"nvbench-2021.json", NULL, NULL,
			"copy/n=1048576: 2500 summary\n"
			"copy/n=1099511627776: skipped (not enough memory)\n"},
		{"nvbench-2021.json", NULL, "cpu_time",
			"copy/n=1048576: 3000 summary\n"
			"copy/n=1099511627776: skipped (not enough memory)\n"},
		{"criterion-pair", NULL, NULL, "sums/fold: 10 11 11 10\n"},
		{"criterion-pair", "base", NULL, "sums/fold: 10 11 11 10\n"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

/* what a tool computed of its samples can be asked for, and stands beside the samples */
TEST(statistics_are_metrics)
{
	static const oddity rows[] = {
		{"pytest-saved.json", "*[100]", "median",
			"test_fold.py::test_fold: 2270.900001 summary\n"},
		{"pytest-saved.json", "*sorted", "min",
			"test_fold.py::test_: 3051.600004 summary\n"},
		{"hyperfine-params.json", "sleep 0.004*", "median",
			" [ms=0.004]: 5233939.5 summary\n"},
		{"../foreign/nanobench.json", "random/split*", "median", "mix: 1.1 summary\n"},
		{"../foreign/dotnet.json", "*Copy(N: 100)", "mean", "Bench.Fold.: 6 summary\n"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

TEST(a_stranger_is_named)
{
	static const oddity rows[] = {
		{"android.json", NULL, NULL, "seems to be a file of AndroidX Benchmark"},
		{"mitata.json", NULL, NULL, "seems to be a file of mitata"},
		{"plain-meta.json", NULL, NULL, "not a result file of a known format"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

TEST(what_has_no_result_failed_or_was_skipped)
{
	static const oddity rows[] = {
		{"google-skips.json", NULL, NULL,
			"BM_gpu: skipped (no GPU)\nBM_bad: failed (out of memory)\nBM_new: 5\n"},
		{"google-skips.json", NULL, "misses", "BM_new: 0 less ?\n"},
		{"go-panic.txt", NULL, NULL,
			"x.BenchmarkA-8: 12.5\n"
			"x.BenchmarkIndex-8: failed (go test reports that it failed)\n"},
		{"go-fail.txt", NULL, NULL,
			"x.BenchmarkA-8: 12.5\nx.BenchmarkTree/small-8: 20\n"
			"x.BenchmarkIndex-8: failed (go test reports that it failed)\n"
			"x.BenchmarkTree/large-8: failed (go test reports that it failed)\n"
			"x.BenchmarkGPU-8: skipped (go test reports that it was skipped)\n"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

TEST(a_part_is_a_benchmark_of_any_format)
{
	static const oddity rows[] = {
		{"hyperfine-params.json", "no such", NULL,
			"has no benchmark 'no such'; name one of these, where '*' stands for the rest of a name: 'sleep 0.004 [ms=0.004]', 'sleep 0.005 [ms=0.005]'"},
		{"go-fail.txt", "x.BenchmarkA-8", NULL, "the benchmark that was chosen: 12.5\n"},
		{"go-fail.txt", "x.BenchmarkTree/*-8", NULL,
			"small: 20\nlarge: failed (go test reports that it failed)\n"},
		{"../foreign/go.json", "example.com/fold.BenchmarkFails-2", NULL,
			"the benchmark that was chosen: failed (go test reports that it failed)\n"},
		{"google-old.json", "BM_*_m*n", NULL, "sum,ea: 2000\nlast,ea: 4000\n"},
		{"google-old.json", "BM_last_mean*", NULL, "the benchmark that was chosen: 4000\n"},
		{"go-fail.txt", "*x", NULL, "has no benchmark '*x'"},
		{"go-fail.txt", "*", NULL,
			"x.BenchmarkA-8: 12.5\nx.BenchmarkTree/small-8: 20\n"
			"x.BenchmarkIndex-8: failed (go test reports that it failed)\n"
			"x.BenchmarkTree/large-8: failed (go test reports that it failed)\n"
			"x.BenchmarkGPU-8: skipped (go test reports that it was skipped)\n"},
		{"asv-null.json", "t.time_some(*)", NULL,
			"1: 1000000 summary\n2: failed (asv reports that it failed)\n"
			"3: skipped (asv reports n/a: it was skipped)\n"
			"warning: 3 benchmarks that do not measure time are left out, such as t.track_throughput; --metric value compares them\n"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}
