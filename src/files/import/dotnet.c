/* BenchmarkDotNet's JsonExporter, brief and full. The full form has the iterations of each
 * launch; of several launches each mean is a process's. Else the statistics' values repeat one
 * process. Tables of its default exporters (CSV, Markdown) have the mean. */

#include "import/table.h"

enum { LAUNCHES_MOST = 10000 };

typedef struct benchmark {
	const ba_source *s;
	ba_buf name;
	ba_values values; /* of its statistics */
	ba_statistics of;
	double allocated;
	/* a measurement, and the sums over those of each launch */
	ba_buf stage;
	double launch, operations, ns;
	ba_values sums, counts;
} benchmark;

/* {"IterationStage": "Result", "LaunchIndex": 1, "Operations": 8, "Nanoseconds": 96} */
static int add_measurement(void *data, ba_pull *p, ba_error *err)
{
	benchmark *b = data;
	if (strcmp(b->stage.data, "Result") != 0)
		return 0;
	if (!(b->launch >= 1 && b->launch <= LAUNCHES_MOST))
		return ba_pull_fail(err, p, "'LaunchIndex' is not from 1 to %d", LAUNCHES_MOST);
	while (b->sums.count < (size_t)b->launch) {
		ba_values_add(&b->sums, 0);
		ba_values_add(&b->counts, 0);
	}
	b->sums.at[(size_t)b->launch - 1] += b->ns / b->operations;
	b->counts.at[(size_t)b->launch - 1]++;
	return 0;
}

static int emit(void *data, ba_pull *p, ba_error *err)
{
	benchmark *b = data;
	static const char allocated[] = "BytesAllocatedPerOperation";
	size_t launches = 0;
	if (!b->name.len)
		return ba_pull_fail(err, p, "a benchmark without 'FullName'");
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
		BA_ONE_VALUE(&b->allocated)};
	int rc = ba_source_time(b->s, &time, launches > 1 ? &b->sums : &b->values, &b->of, err);
	b->sums.count = b->counts.count = 0;
	return rc || !ba_source_wants(b->s, allocated, false)
		       ? rc
		       : ba_source_record(b->s, &memory, err);
}

static int read_json(const ba_source *s, ba_error *err)
{
	static const ba_member host[] = {BA_SAID("ProcessorName", "cpu", true),
		BA_SAID("Architecture", "architecture", true),
		BA_SAID("RuntimeVersion", "runtime", false),
		BA_SAID("Configuration", "configuration", true), {0}};
	static const ba_member statistics[] = {BA_VALUES("OriginalValues", benchmark, values, 1),
		BA_STATISTICS(benchmark, of, "Mean", "Median", "Min", "Max", 1), {0}};
	static const ba_member memory[] = {
		BA_NUMBER("BytesAllocatedPerOperation", benchmark, allocated, 1), {0}};
	static const ba_member measurement[] = {BA_TEXT("IterationStage", benchmark, stage),
		BA_NUMBER("LaunchIndex", benchmark, launch, 1),
		BA_NUMBER("Operations", benchmark, operations, 1),
		BA_NUMBER("Nanoseconds", benchmark, ns, 1), {0}};
	static const ba_member members[] = {BA_TEXT("FullName", benchmark, name),
		BA_OBJECT("Statistics", statistics), BA_OBJECT("Memory", memory),
		BA_RECORDS("Measurements", measurement, add_measurement), {0}};
	static const ba_member document[] = {BA_SAID_ALL("HostEnvironmentInfo", host),
		BA_RECORDS("Benchmarks", members, emit), {0}};
	benchmark b = {.s = s};
	int rc = ba_document_pull(&b, document, err);
	BA_DISPOSE(ba_values, &b.sums, &b.counts);
	return rc;
}

/* ---- tables --------------------------------------------------------------- */

/* How a job runs: the CSV has all of these columns, and jobs differ in their names. */
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
static const ba_table table = {.needs = (const char *const[]){"Method", "Mean", "Error", NULL},
	.name = "Method",
	.before = "Mean",
	.ignored = ignored,
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

BA_TABLE_IS(dotnet, table)

int ba_read_dotnet(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_TRY(ba_source_pull(&p, s, err));
	return ba_pull_peek(p) == BA_JSON_OBJECT ? read_json(s, err)
						 : ba_table_read(&table, s, err);
}
