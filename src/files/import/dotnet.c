/* BenchmarkDotNet's JsonExporter, brief and full. The full form lists the iterations of
 * each launch; with several launches, the mean of each is a value of level process.
 * Otherwise the values of the statistics are repetitions of one process. The tables of
 * its default exporters (CSV and Markdown) have the mean. */
#include <math.h>

#include "import/table.h"

enum { LAUNCHES_MOST = 10000 };

typedef struct benchmark {
	const ba_source *s;
	ba_buf name, stage;
	ba_values values;	/* of its statistics */
	ba_values sums, counts; /* sums over the iterations of each launch */
	ba_statistics of;
	double allocated;
} benchmark;

static void benchmark_dispose(benchmark *b)
{
	BA_DISPOSE(ba_buf, &b->name, &b->stage);
	BA_DISPOSE(ba_values, &b->values, &b->sums, &b->counts);
}
BA_DEFINE_AUTO(benchmark, benchmark_dispose)

static int read_statistics(void *data, ba_pull *p, ba_error *err)
{
	benchmark *b = data;
	const ba_member rows[] = {{"OriginalValues", .values = &b->values},
		{"Mean", .number = &b->of.mean}, {"Median", .number = &b->of.median},
		{"Min", .number = &b->of.min}, {"Max", .number = &b->of.max}};
	return ba_members_pull(b, p, BA_ROWS(rows), err);
}

/* {"IterationStage": "Result", "LaunchIndex": 1, "Operations": 8, "Nanoseconds": 96} */
static int read_measurement(void *data, ba_pull *p, ba_error *err)
{
	benchmark *b = data;
	double launch = 0, operations = 0, ns = NAN;
	const ba_member rows[] = {{"IterationStage", &b->stage}, {"LaunchIndex", .number = &launch},
		{"Operations", .number = &operations}, {"Nanoseconds", .number = &ns}};
	ba_buf_clear(&b->stage);
	int rc = ba_members_pull(b, p, BA_ROWS(rows), err);
	if (rc || strcmp(b->stage.data, "Result") != 0)
		return rc;
	if (!(launch >= 1 && launch <= LAUNCHES_MOST))
		return ba_pull_fail(err, p, "'LaunchIndex' is not from 1 to %d", LAUNCHES_MOST);
	while (b->sums.count < (size_t)launch) {
		ba_values_add(&b->sums, 0);
		ba_values_add(&b->counts, 0);
	}
	b->sums.at[(size_t)launch - 1] += ns / operations;
	b->counts.at[(size_t)launch - 1]++;
	return 0;
}

static int read_memory(void *data, ba_pull *p, ba_error *err)
{
	benchmark *b = data;
	const ba_member rows[] = {{"BytesAllocatedPerOperation", .number = &b->allocated}};
	return ba_members_pull(b, p, BA_ROWS(rows), err);
}

static int emit(benchmark *b, ba_error *err)
{
	static const char allocated[] = "BytesAllocatedPerOperation";
	size_t launches = 0;
	for (size_t i = 0; i < b->sums.count; i++)
		if (b->counts.at[i] > 0)
			b->sums.at[launches++] = b->sums.at[i] / b->counts.at[i];
	b->sums.count = launches;
	const ba_record time = {
		.id = b->name.data, .level = launches > 1 ? BA_LEVEL_PROCESS : BA_LEVEL_REPETITION};
	const ba_record memory = {.id = b->name.data,
		.metric = allocated,
		.whole = true,
		.level = BA_LEVEL_SUMMARY,
		.values = &b->allocated,
		.count = 1};
	int rc = ba_source_time(b->s, &time, launches > 1 ? &b->sums : &b->values, &b->of, err);
	return rc || !ba_source_wants(b->s, allocated, false)
		       ? rc
		       : ba_source_record(b->s, &memory, err);
}

static int read_benchmark(void *data, ba_pull *p, ba_error *err)
{
	const benchmark *all = data;
	BA_AUTO(benchmark)
	benchmark b = {.s = all->s,
		.name = BA_BUF_INIT,
		.stage = BA_BUF_INIT,
		.of = BA_STATISTICS_NONE,
		.allocated = NAN};
	const ba_member rows[] = {{"FullName", &b.name}, {"Statistics", .read = read_statistics},
		{"Memory", .read = read_memory}, {"Measurements", .each = read_measurement}};
	BA_TRY(ba_members_pull(&b, p, BA_ROWS(rows), err));
	return b.name.len ? emit(&b, err) : ba_pull_fail(err, p, "a benchmark without 'FullName'");
}

static int read_host(void *data, ba_pull *p, ba_error *err)
{
	static const ba_field_row rows[] = {{"ProcessorName", "cpu", true},
		{"Architecture", "architecture", true}, {"RuntimeVersion", "runtime", false},
		{"Configuration", "configuration", true}};
	const benchmark *all = data;
	return ba_fields_pull(all->s, p, BA_ROWS(rows), err);
}

static int read_json(const ba_source *s, ba_pull *p, ba_error *err)
{
	benchmark all = {.s = s};
	const ba_member rows[] = {
		{"HostEnvironmentInfo", .read = read_host}, {"Benchmarks", .each = read_benchmark}};
	int rc = ba_members_pull(&all, p, BA_ROWS(rows), err);
	return rc ? rc : ba_pull_end(p, err);
}

/* ---- tables --------------------------------------------------------------- */

static const char *const needs[] = {"Method", "Mean", "Error", NULL};
/* Columns about how a job runs: the CSV has all of them, and the job's name
 * distinguishes jobs. */
static const char *const ignored[] = {"AnalyzeLaunchVariance", "EvaluateOverhead",
	"MaxAbsoluteError", "MaxRelativeError", "MinInvokeCount", "MinIterationTime", "OutlierMode",
	"Affinity", "EnvironmentVariables", "Jit", "LargeAddressAware", "Platform", "PowerPlanMode",
	"Runtime", "AllowVeryLargeObjects", "Concurrent", "CpuGroups", "Force",
	"HeapAffinitizeMask", "HeapCount", "NoAffinitize", "RetainVm", "Server", "Arguments",
	"BuildConfiguration", "Clock", "EngineFactory", "NuGetReferences", "Toolchain", "IsMutator",
	"InvocationCount", "IterationCount", "IterationTime", "LaunchCount", "MaxIterationCount",
	"MaxWarmupIterationCount", "MemoryRandomization", "MinIterationCount",
	"MinWarmupIterationCount", "RunStrategy", "UnrollFactor", "WarmupCount", "DefaultJob",
	NULL};
static const ba_table_metric metrics[] = {{"Mean", "time", 1}, {"Median", "median", 1},
	{"Min", "min", 1}, {"Max", "max", 1}, {NULL, NULL, 0}};
static const ba_table table = {.needs = needs,
	.name = "Method",
	.before = "Mean",
	.ignored = ignored,
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

bool ba_is_dotnet(const char *line, size_t size)
{
	return ba_table_is(&table, line, size);
}

int ba_read_dotnet(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_TRY(ba_source_pull(&p, s, err));
	return ba_pull_peek(p) == BA_JSON_OBJECT ? read_json(s, p, err)
						 : ba_table_read(&table, s, err);
}
