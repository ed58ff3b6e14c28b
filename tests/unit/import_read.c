/* Files that the tools themselves wrote (tests/data/import), and what is no such file.
 */
#include "test.h"

#include <dirent.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/base.h"
#include "base/strv.h"
#include "import/import.h"

enum { SEEN_MOST = 64 };

typedef struct seen {
	char *id, *failure, *metric;
	ba_level level;
	size_t count;
	double sum;
} seen;

typedef struct collection {
	seen items[SEEN_MOST];
	size_t count;
	ba_buf fields, warnings;
	const ba_import_format *format;
	ba_error err;
} collection;

static void field(void *data, const char *name, const char *value, bool must_match)
{
	collection *c = data;
	ba_buf_printf(&c->fields, "%s=%s%s\n", name, value, must_match ? "!" : "");
}

static void warn(void *data, const char *text)
{
	collection *c = data;
	ba_buf_printf(&c->warnings, "%s\n", text);
}

static int record(void *data, const ba_record *r, ba_error *err)
{
	collection *c = data;
	size_t i = 0;
	(void)err;
	for (size_t k = 0; k < r->count; k++)
		assert_true(isfinite(r->values[k]) && r->values[k] > 0);
	const char *failure = r->failure ? r->failure : r->skipped;
	assert_true(!failure == (r->count > 0));
	while (i < c->count &&
		(strcmp(c->items[i].id, r->id) != 0 || c->items[i].level != r->level))
		i++;
	if (i == c->count && i < SEEN_MOST)
		c->items[c->count++] = (seen){.id = ba_xstrdup(r->id),
			.metric = ba_xstrdup(r->metric),
			.level = r->level};
	assert_true(i < SEEN_MOST);
	seen *s = &c->items[i];
	if (failure && !s->failure)
		s->failure = ba_xstrdup(failure);
	for (size_t k = 0; k < r->count; k++)
		s->sum += r->values[k];
	s->count += r->count;
	return 0;
}

static void collection_init(collection *c)
{
	*c = (collection){.fields = BA_BUF_INIT, .warnings = BA_BUF_INIT};
}

static void collection_dispose(collection *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->items[i].id);
		free(c->items[i].failure);
		free(c->items[i].metric);
	}
	ba_buf_dispose(&c->fields);
	ba_buf_dispose(&c->warnings);
}
BA_DEFINE_AUTO(collection, collection_dispose)

static int read_path(collection *c, const char *path, const char *part, const char *metric)
{
	const ba_sink sink = {
		.data = c, .field = field, .record = record, .warn = warn, .metric = metric};
	return ba_import_read(&c->format, path, part, &sink, &c->err);
}

static int read_data(collection *c, const char *name, const char *part, const char *metric)
{
	BA_AUTO_FREE char *path = ba_xprintf("%s/tests/data/import/%s", BA_SOURCE_DIR, name);
	return read_path(c, path, part, metric);
}

static int read_text(collection *c, const char *text)
{
	const ba_sink sink = {.data = c, .field = field, .record = record, .warn = warn};
	return ba_import_memory(&c->format, text, strlen(text), "x.json", NULL, &sink, &c->err);
}

static const seen *find(const collection *c, const char *id, ba_level level)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->items[i].id, id) == 0 && c->items[i].level == level)
			return &c->items[i];
	for (size_t i = 0; i < c->count; i++)
		print_error("%s (%s)\n", c->items[i].id, ba_level_name(c->items[i].level));
	fail_msg("no '%s' of level %s", id, ba_level_name(level));
	return NULL;
}

/* What the tool itself says of the same file: means that it computed and wrote. */
TEST(means_are_those_that_the_tools_print)
{
	static const struct {
		const char *file, *format, *id;
		ba_level level;
		size_t count;
		double mean_ns; /* 0: the tool writes none */
	} rows[] = {
		{"google-base.json", "google-benchmark", "fold/100", BA_LEVEL_REPETITION, 6,
			85.15298627809283},
		{"google-base.json", "google-benchmark", "fold_us/5000", BA_LEVEL_REPETITION, 6,
			4235.533110031683},
		{"google-aggregates.json", "google-benchmark", "fold/100", BA_LEVEL_SUMMARY, 1, 0},
		{"pytest-base.json", "pytest-benchmark", "test_fold.py::test_fold[100]",
			BA_LEVEL_BATCH, 24, 2492.6291677237106},
		{"pytest-base.json", "pytest-benchmark", "test_fold.py::test_sorted",
			BA_LEVEL_BATCH, 24, 3223.8416650898217},
		/* its median: the mean is 3223.8 */
		{"pytest-saved.json", "pytest-benchmark", "test_fold.py::test_sorted",
			BA_LEVEL_SUMMARY, 1, 3085.1500014250632},
		{"hyperfine-params.json", "hyperfine", "sleep 0.004 [ms=0.004]", BA_LEVEL_PROCESS,
			8, 6073312.000000001},
		{"hyperfine-params.json", "hyperfine", "sleep 0.005 [ms=0.005]", BA_LEVEL_PROCESS,
			8, 6530356.125},
		{"go-base.txt", "go", "example.com/fold.BenchmarkFold/n=100-2", BA_LEVEL_REPETITION,
			6, 0},
		{"asv.json", "asv", "fold.Fold.time_fold(100,'b')", BA_LEVEL_BATCH, 8, 0},
		{"asv.json", "asv", "fold.time_sorted", BA_LEVEL_BATCH, 8, 0},
		{"criterion", "criterion", "sums/fold/1000", BA_LEVEL_BATCH, 12, 0},
		{"critcmp.json", "critcmp", "sums/fold/1000", BA_LEVEL_SUMMARY, 1, 0},
		{"nvbench.json", "nvbench", "copy/T=I32,Elements=65536", BA_LEVEL_BATCH, 40, 2550},
		{"jmh.json", "jmh", "org.example.Fold.fold/how=a,n=100 (avgt)", BA_LEVEL_PROCESS, 3,
			2166.6666666666667},
		{"jmh.json", "jmh", "org.example.Fold.fold/how=a,n=100 (thrpt)",
			BA_LEVEL_REPETITION, 3, (2000 + 2500 + 1e6 / 450) / 3},
		{"jmh.json", "jmh", "org.example.Fold.sampled (sample)", BA_LEVEL_REPETITION, 2,
			2.75},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		if (read_data(&c, rows[i].file, NULL, NULL))
			fail_msg("%s", c.err.text);
		assert_string_equal(c.format->name, rows[i].format);
		const seen *s = find(&c, rows[i].id, rows[i].level);
		assert_int_equal(s->count, rows[i].count);
		if (rows[i].mean_ns > 0)
			assert_close(s->sum / (double)s->count, rows[i].mean_ns, 1e-6);
	}
}

TEST(what_failed_is_said_and_has_no_figure)
{
	static const struct {
		const char *file, *id, *sentence;
		ba_level level;
	} rows[] = {
		{"google-base.json", "broken", "no such device", BA_LEVEL_REPETITION},
		{"hyperfine-fails.json", "false", "ended with an error", BA_LEVEL_PROCESS},
		{"asv.json", "fold.time_broken", "asv reports that it failed", BA_LEVEL_SUMMARY},
		{"asv.json", "fold.Fold.time_fold(1000,'b')", "it was skipped", BA_LEVEL_SUMMARY},
		{"nvbench.json", "copy/T=F64,Elements=1048576", "not enough memory",
			BA_LEVEL_SUMMARY},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		if (read_data(&c, rows[i].file, NULL, NULL))
			fail_msg("%s", c.err.text);
		assert_has(find(&c, rows[i].id, rows[i].level)->failure, rows[i].sentence);
	}
}

TEST(other_metrics_are_read_where_they_are_asked_for)
{
	static const struct {
		const char *file, *metric, *id;
		ba_level level;
	} rows[] = {
		{"google-base.json", "cpu_time", "fold/100", BA_LEVEL_REPETITION},
		{"google-base.json", "work", "fold/100", BA_LEVEL_REPETITION},
		{"google-base.json", "items_per_second", "fold/1000", BA_LEVEL_REPETITION},
		{"go-base.txt", "MB/s", "example.com/fold.BenchmarkFold/n=100-2",
			BA_LEVEL_REPETITION},
		{"nvbench.json", "cpu_time", "copy/T=I32,Elements=65536", BA_LEVEL_SUMMARY},
		{"jmh.json", "gc.alloc.rate", "org.example.Fold.sampled (sample)",
			BA_LEVEL_REPETITION},
		{"asv.json", "value", "fold.track_size", BA_LEVEL_SUMMARY},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		if (read_data(&c, rows[i].file, NULL, rows[i].metric))
			fail_msg("%s", c.err.text);
		assert_true(find(&c, rows[i].id, rows[i].level)->count > 0);
	}
}

TEST(where_it_was_measured_is_told)
{
	static const struct {
		const char *file, *field;
	} rows[] = {{"google-base.json", "cpus=2!"}, {"pytest-base.json", "cpu=AMD EPYC!"},
		{"go-base.txt", "architecture=amd64!"}, {"asv.json", "cpu=AMD EPYC!"},
		{"nvbench.json", "device=NVIDIA H200!"}, {"jmh.json", "JDK=17.0.21!"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		assert_int_equal(read_data(&c, rows[i].file, NULL, NULL), 0);
		assert_has(c.fields.data, rows[i].field);
	}
}

TEST(a_baseline_of_criterion_is_chosen_by_name)
{
	BA_AUTO(collection) collection base, none;
	collection_init(&base);
	collection_init(&none);
	assert_int_equal(read_data(&base, "criterion", "base", NULL), 0);
	assert_int_equal(base.count, 3);
	assert_int_equal(read_data(&none, "criterion", "nothing", NULL), BA_EDATA);
	assert_has(none.err.text, "'nothing/sample.json'");
}

/* ---- what real files hold and those of tests/data/import do not ---------- */

typedef struct shape {
	const char *text, *metric, *id;
	ba_level level;
	size_t count;
	double mean;
} shape;

static void check_shape(const shape *row)
{
	BA_AUTO(collection) collection c;
	collection_init(&c);
	const ba_sink sink = {.data = &c, .record = record, .metric = row->metric};
	if (ba_import_memory(
		    &c.format, row->text, strlen(row->text), "x.json", NULL, &sink, &c.err))
		fail_msg("%s", c.err.text);
	const seen *s = find(&c, row->id, row->level);
	assert_int_equal(s->count, row->count);
	assert_close(s->sum / (double)s->count, row->mean, 1e-12);
}

#define JMH(benchmark, primary, secondary)                                           \
	"[{\"benchmark\": \"" benchmark "\", \"mode\": \"sample\", \"threads\": 1, " \
	"\"forks\": 0, \"primaryMetric\": {\"score\": 1, \"scoreUnit\": "            \
	"\"s/op\", " primary "}, \"secondaryMetrics\": {" secondary "}}]"

/* a fork weighs its calls, as the score does; an iteration without a call is none */
TEST(a_sampled_fork_is_the_mean_of_its_calls)
{
	static const shape rows[] = {
		{JMH("a.b", "\"rawDataHistogram\": [[[[1, 3]], [[5, 1]]], [[[4, 1]]]]", ""), NULL,
			"a.b (sample)", BA_LEVEL_PROCESS, 2, 3e9},
		{JMH("a.b", "\"rawDataHistogram\": [[[[1, 3]], [], [[5, 1]]]]", ""), NULL,
			"a.b (sample)", BA_LEVEL_REPETITION, 2, 3e9},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_shape(&rows[i]);
}

TEST(a_secondary_metric_has_its_short_name_in_every_version)
{
#define NORM "{\"score\": 8, \"scoreUnit\": \"B/op\", \"rawData\": [[8, 8]]}"
#define P99 "{\"score\": 2, \"scoreUnit\": \"s/op\", \"rawData\": [[2, 3]]}"
	static const shape rows[] = {
		{JMH("a.b", "\"rawData\": [[1]]", "\"gc.norm\": " NORM), "gc.norm", "a.b (sample)",
			BA_LEVEL_REPETITION, 2, 8},
		{JMH("a.b", "\"rawData\": [[1]]", "\"\xc2\xb7gc.norm\": " NORM), "gc.norm",
			"a.b (sample)", BA_LEVEL_REPETITION, 2, 8},
		{JMH("a.b", "\"rawData\": [[1]]", "\"b\xc2\xb7p0.99\": " P99), "p0.99",
			"a.b (sample)", BA_LEVEL_REPETITION, 2, 2.5e9},
		/* of the group, and not of a method in it */
		{JMH("a.b", "\"rawData\": [[1]]",
			 "\"get\xc2\xb7p0.99\": " NORM ", \"b\xc2\xb7p0.99\": " P99
			 ", \"p0.99\": " NORM),
			"p0.99", "a.b (sample)", BA_LEVEL_REPETITION, 2, 2.5e9},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_shape(&rows[i]);
}

/* results before everything else, a row an object or its result alone */
TEST(version_1_of_asv_is_read)
{
#define ASV1                                                                          \
	"{\"results\": {\"m.time_a\": {\"result\": [0.5, null], \"stats\": "          \
	"[{\"mean\": 1}, "                                                            \
	"null], \"params\": [[\"'s'\", \"'b'\"]]}, \"m.time_c\": {\"result\": [2], "  \
	"\"samples\": [[1, 3]], \"params\": []}, \"m.time_d\": 0.25, \"m.track_e\": " \
	"7, "                                                                         \
	"\"m.time_f\": null}, \"params\": {\"cpu\": \"x\"}, \"commit_hash\": \"a\", " \
	"\"version\": 1}"
	static const shape rows[] = {
		{ASV1, NULL, "m.time_a('s')", BA_LEVEL_SUMMARY, 1, 0.5e9},
		{ASV1, NULL, "m.time_c", BA_LEVEL_BATCH, 2, 2e9},
		{ASV1, NULL, "m.time_d", BA_LEVEL_SUMMARY, 1, 0.25e9},
		{ASV1, "value", "m.track_e", BA_LEVEL_SUMMARY, 1, 7},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_shape(&rows[i]);
	BA_AUTO(collection) collection c;
	collection_init(&c);
	assert_int_equal(read_text(&c, ASV1), 0);
	assert_has(c.fields.data, "cpu=x!");
	assert_has(find(&c, "m.time_f", BA_LEVEL_SUMMARY)->failure, "asv reports that it failed");
	assert_has(find(&c, "m.time_a('b')", BA_LEVEL_SUMMARY)->failure, "it failed");
}

/* ---- what is no such file ------------------------------------------------ */

TEST(what_cannot_be_read_is_said_with_file_and_place)
{
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{"", "'x.json' is not a result file of a known format"},
		{"hello\n", "is not a result file of a known"},
		{"[]", "'x.json' is JSON, but not a result file"},
		{"{}", "is JSON, but not a result file of a known format: bench-against, "},
		{"{\"schema\": \"bench-against.results/9\"}",
			"$.schema: 'bench-against.results/9' is not a schema"},
		{"{\"context\": {\"a\": 1}, \"benchmarks\": [{\"name\": \"x\"",
			"x.json: line 1, column 50: $.benchmarks[0].name: ',' or '}' "
			"expected, but the text ends"},
		{"{\"context\": {}, \"benchmarks\": [\n{\"run_type\": \"iteration\", "
		 "\"real_time\": 1}]}",
			"line 2: $.benchmarks[0]: a benchmark without a "
			"name"},
		{"{\"context\": {}, \"benchmarks\": [{\"name\": \"a\", \"real_time\": "
		 "-1}]}",
			"-1 is negative, which a measured value cannot be"},
		{"{\"context\": {}, \"context\": {}, \"benchmarks\": []}",
			"$.context appears twice"},
		{"{\"results\": [{\"mean\": 1}]}", "a result without a command"},
		{"{\"results\": [{\"command\": \"a\", \"times\": [1, \"x\"]}]}",
			"$.results[0].times[1]: 'x' is not a number"},
		{"{\"machine_info\": {}, \"benchmarks\": [{\"stats\": {\"mean\": 1}}]}",
			"a benchmark without a name"},
		{"{\"machine_info\": {}, \"benchmarks\": {}}",
			"$.benchmarks: an array expected, found '{'"},
		{"{\"commit_hash\": \"a\", \"results\": {\"b\": [1]}}",
			"'result_columns' must come before it"},
		{"{\"commit_hash\": \"a\", \"result_columns\": [\"result\", "
		 "\"params\"], "
		 "\"results\": {\"time_b\": [[1, 2], [[\"1\", \"2\", \"3\"]]]}}",
			"2 results and 0 lists of samples do not fit its parameters"},
		{"[{\"jmhVersion\": \"1\", \"primaryMetric\": {\"score\": 1}}]",
			"an entry without 'benchmark'"},
		{"{\"schema\": \"bench-against.samples/1\", \"benchmarks\": "
		 "[{\"values\": [1]}]}",
			"a benchmark without 'id'"},
		{"{\"schema\": \"bench-against.samples/1\", \"benchmarks\": "
		 "[{\"id\": \"a\", \"level\": \"guess\"}]}",
			"'level' must be \"process\""},
		{"{\"schema\": \"bench-against.results/1\", \"series\": []}",
			"$.series: 'variants' must come before it"},
		{"BenchmarkX-8 100 12.5\n", "line 1: a value without its unit"},
		{"BenchmarkX-8 100 -3 ns/op\n", "line 1: a value is negative"},
		{"ok\nBenchmark\xff\xfe-8 100 3 ns/op\n", "line 2: the name is not UTF-8"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		assert_int_equal(read_text(&c, rows[i].text), BA_EDATA);
		assert_has(c.err.text, rows[i].sentence);
	}
}

TEST(figures_of_which_there_is_no_ratio_are_failures)
{
	static const struct {
		const char *value, *sentence;
	} rows[] = {{"NaN", "not a finite number"}, {"Infinity", "not a finite number"},
		{"null", "not a finite number"}, {"0", "a value is zero"},
		{"0.0e5", "a value is zero"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		BA_AUTO_FREE char *text =
			ba_xprintf("{\"context\": {}, \"benchmarks\": [{\"name\": \"a\", "
				   "\"run_type\": \"iteration\", \"real_time\": %s}]}",
				rows[i].value);
		if (read_text(&c, text))
			fail_msg("%s", c.err.text);
		assert_has(c.items[0].failure, rows[i].sentence);
	}
}

TEST(numbers_in_quotes_are_numbers)
{
	BA_AUTO(collection) collection c;
	collection_init(&c);
	assert_int_equal(read_text(&c, "{\"results\": [{\"command\": \"a\", \"times\": "
				       "[\"0.5\", 0.25]}]}"),
		0);
	assert_close(c.items[0].sum, 0.75e9, 1e-12);
}

TEST(names_are_passed_on_as_they_are)
{
	BA_AUTO(collection) collection c;
	collection_init(&c);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "{\"results\": [{\"command\": \"\\u001b[31m]]>::error::");
	ba_buf_pad(&text, 'x', 10000);
	ba_buf_puts(&text, "\", \"times\": [1]}]}");
	assert_int_equal(read_text(&c, text.data), 0);
	assert_int_equal(c.count, 1);
	assert_int_equal(strlen(c.items[0].id), 10000 + strlen("\x1b[31m]]>::error::"));
}

/* ---- sidecars ------------------------------------------------------------ */

typedef struct sidecar {
	char *dir, *path;
} sidecar;

/* an NVBench file whose samples are said to be in `name` */
static sidecar sidecar_make(const char *name, const char *size)
{
	char template[] = "/tmp/import_read_XXXXXX";
	sidecar s = {.dir = ba_xstrdup(mkdtemp(template))};
	BA_AUTO_FREE char *text =
		ba_xprintf("{\"devices\": [{\"name\": \"d\"}], \"benchmarks\": [{\"name\": \"b\", "
			   "\"states\": [{\"device\": 0, \"axis_values\": null, \"summaries\": [{"
			   "\"data\": [{\"name\": \"filename\", \"type\": \"string\", \"value\": "
			   "\"%s\"}, {\"name\": \"size\", \"type\": \"int64\", \"value\": "
			   "\"%s\"}], "
			   "\"tag\": \"nv/json/bin:nv/cold/sample_times\"}, {\"tag\": "
			   "\"nv/cold/time/gpu/mean\", \"data\": [{\"name\": \"value\", "
			   "\"value\": "
			   "\"1e-6\"}]}], \"is_skipped\": false}]}]}",
			name, size);
	s.path = ba_path_join(s.dir, "r.json");
	assert_int_equal(ba_fs_write(s.path, text, strlen(text), 0600, NULL), 0);
	BA_AUTO_FREE char *bin = ba_path_join(s.dir, "r.json-bin");
	BA_AUTO_FREE char *samples = ba_path_join(bin, "0.bin");
	mkdir(bin, 0700);
	const float values[] = {1e-6f, 2e-6f, 3e-6f};
	assert_int_equal(ba_fs_write(samples, values, sizeof(values), 0600, NULL), 0);
	return s;
}

static void sidecar_remove(sidecar *s)
{
	ba_fs_remove_tree(s->dir, NULL);
	free(s->dir);
	free(s->path);
}

TEST(samples_beside_a_file_of_nvbench_are_read)
{
	BA_AUTO(collection) collection c;
	collection_init(&c);
	sidecar s = sidecar_make("r.json-bin/0.bin", "3");
	if (read_path(&c, s.path, NULL, NULL))
		fail_msg("%s", c.err.text);
	assert_int_equal(c.items[0].count, 3);
	assert_int_equal(c.items[0].level, BA_LEVEL_BATCH);
	assert_close(c.items[0].sum, 6000, 1e-6);
	sidecar_remove(&s);
}

TEST(samples_elsewhere_are_not_followed)
{
	static const struct {
		const char *name, *size, *sentence;
	} rows[] = {{"../../etc/passwd", "3", "is outside of the folder"},
		{"/etc/passwd", "3", "is outside of the folder"},
		{"r.json-bin/../../x", "3", "is outside of the folder"},
		{"r.json-bin/0.bin", "4", "truncated, or belongs to another run"},
		{"r.json-bin/0.bin", "2", "truncated, or belongs to another run"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		sidecar s = sidecar_make(rows[i].name, rows[i].size);
		assert_int_equal(read_path(&c, s.path, NULL, NULL), BA_EDATA);
		assert_has(c.err.text, rows[i].sentence);
		assert_has(c.err.text, s.path);
		sidecar_remove(&s);
	}
}

/* a folder that was unpacked may hold pipes, which block, and links to anything */
TEST(what_is_no_file_of_the_folder_is_not_opened)
{
	for (int row = 0; row < 3; row++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		sidecar s = sidecar_make("r.json-bin/1.bin", "3");
		BA_AUTO_FREE char *samples = ba_path_join(s.dir, "r.json-bin/1.bin");
		assert_int_equal(row == 0   ? mkfifo(samples, 0600)
				 : row == 1 ? symlink("/etc/passwd", samples)
					    : symlink("0.bin", samples),
			0);
		assert_int_equal(read_path(&c, s.path, NULL, NULL), row < 2 ? BA_EDATA : 0);
		if (row < 2)
			assert_has(c.err.text,
				"not a regular file, or is a link that leaves the folder");
		else
			assert_int_equal(c.items[0].count, 3);
		sidecar_remove(&s);
	}
}

/* As a file system that does not fill d_type (tests/CMakeLists.txt wraps it). */
static bool types_unknown;
struct dirent *__real_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir)
{
	struct dirent *e = __real_readdir(dir);
	if (e && types_unknown)
		e->d_type = DT_UNKNOWN;
	return e;
}

TEST(criterion_is_read_where_types_of_entries_are_unknown)
{
	BA_AUTO(collection) collection c;
	collection_init(&c);
	types_unknown = true;
	int rc = read_data(&c, "criterion", NULL, NULL);
	types_unknown = false;
	assert_int_equal(rc, 0);
	assert_true(c.count > 0);
}

TEST(criterions_files_are_files)
{
	static const char *const names[] = {"benchmark.json", "sample.json"};
	for (size_t i = 0; i < 4; i++) {
		BA_AUTO(collection) collection c;
		collection_init(&c);
		char top[] = "/tmp/import_read_XXXXXX";
		BA_AUTO_FREE char *dir = ba_path_join(mkdtemp(top), "a/new");
		assert_int_equal(ba_fs_mkdirs(dir, NULL), 0);
		for (size_t k = 0; k < 2; k++) {
			BA_AUTO_FREE char *path = ba_path_join(dir, names[k]);
			int rc = k != i % 2 ? ba_fs_write(path, "{}", 2, 0600, NULL)
				 : i < 2    ? mkfifo(path, 0600)
					    : symlink("/etc/passwd", path);
			assert_int_equal(rc, 0);
		}
		assert_int_equal(read_path(&c, top, NULL, NULL), BA_EDATA);
		assert_has(c.err.text, names[i % 2]);
		assert_has(
			c.err.text, "is not a regular file, or is a link that leaves its folder");
		ba_fs_remove_tree(top, NULL);
	}
}

TEST(missing_samples_leave_the_summary_and_a_warning)
{
	BA_AUTO(collection) collection c;
	collection_init(&c);
	sidecar s = sidecar_make("r.json-bin/7.bin", "3");
	assert_int_equal(read_path(&c, s.path, NULL, NULL), 0);
	assert_int_equal(c.items[0].level, BA_LEVEL_SUMMARY);
	assert_close(c.items[0].sum, 1000, 1e-9);
	assert_has(c.warnings.data, "the file with the samples of b is missing");
	sidecar_remove(&s);
}

TEST(what_is_not_there_is_not_found)
{
	BA_AUTO(collection) collection c;
	collection_init(&c);
	assert_int_equal(read_path(&c, "/nonexistent/a.json", NULL, NULL), BA_ENOTFOUND);
	assert_has(c.err.text, "cannot read '/nonexistent/a.json'");
}
