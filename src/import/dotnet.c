/* BenchmarkDotNet's JsonExporter, brief and full. The full form has each iteration with
 * the launch that it belongs to: with several launches their means are processes. Else
 * the values of the statistics are repetitions of one process. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "import/source.h"

enum { LAUNCHES_MOST = 10000 };

typedef struct benchmark {
	ba_buf name, text;
	ba_values values;	/* of its statistics */
	ba_values sums, counts; /* of the iterations of each launch */
	double allocated;
} benchmark;

static void benchmark_dispose(benchmark *b)
{
	ba_buf_dispose(&b->name);
	ba_buf_dispose(&b->text);
	ba_values_dispose(&b->values);
	ba_values_dispose(&b->sums);
	ba_values_dispose(&b->counts);
}
BA_DEFINE_AUTO(benchmark, benchmark_dispose)

static int read_statistics(benchmark *b, ba_pull *p, ba_error *err)
{
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "OriginalValues") == 0 && ba_pull_peek(p) == BA_JSON_ARRAY
			     ? ba_values_pull(&b->values, p, 1, err)
			     : ba_pull_skip(p, err);
	return rc;
}

/* {"IterationStage": "Result", "LaunchIndex": 1, "Operations": 8, "Nanoseconds": 96} */
static int read_measurement(benchmark *b, ba_pull *p, ba_error *err)
{
	const char *key;
	bool result = false;
	double launch = 0, operations = 0, ns = NAN;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		bool stage = strcmp(key, "IterationStage") == 0;
		rc = stage			       ? ba_text_pull(&b->text, p, err)
		     : strcmp(key, "LaunchIndex") == 0 ? ba_time_pull(&launch, p, err)
		     : strcmp(key, "Operations") == 0  ? ba_time_pull(&operations, p, err)
		     : strcmp(key, "Nanoseconds") == 0 ? ba_time_pull(&ns, p, err)
						       : ba_pull_skip(p, err);
		result |= stage && strcmp(b->text.data, "Result") == 0;
	}
	if (rc || !result)
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

static int read_measurements(benchmark *b, ba_pull *p, ba_error *err)
{
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read_measurement(b, p, err);
	return rc;
}

static int read_memory(benchmark *b, ba_pull *p, ba_error *err)
{
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "BytesAllocatedPerOperation") == 0
			     ? ba_time_pull(&b->allocated, p, err)
			     : ba_pull_skip(p, err);
	return rc;
}

static int emit(const ba_source *s, benchmark *b, ba_error *err)
{
	static const char allocated[] = "BytesAllocatedPerOperation";
	size_t launches = 0;
	for (size_t i = 0; i < b->sums.count; i++)
		if (b->counts.at[i] > 0)
			b->sums.at[launches++] = b->sums.at[i] / b->counts.at[i];
	const ba_record time = {.id = b->name.data,
		.metric = "time",
		.is_time = true,
		.whole = true,
		.level = launches > 1 ? BA_LEVEL_PROCESS : BA_LEVEL_REPETITION,
		.values = launches > 1 ? b->sums.at : b->values.at,
		.count = launches > 1 ? launches : b->values.count};
	const ba_record memory = {.id = b->name.data,
		.metric = allocated,
		.whole = true,
		.level = BA_LEVEL_SUMMARY,
		.values = &b->allocated,
		.count = 1};
	int rc = ba_source_wants(s, "time", true) ? ba_source_record(s, &time, err) : 0;
	return rc || !ba_source_wants(s, allocated, false) ? rc : ba_source_record(s, &memory, err);
}

static int read_benchmark(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(benchmark)
	benchmark b = {.name = BA_BUF_INIT, .text = BA_BUF_INIT, .allocated = NAN};
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "FullName") == 0	? ba_text_pull(&b.name, p, err)
		     : strcmp(key, "Statistics") == 0	? read_statistics(&b, p, err)
		     : strcmp(key, "Memory") == 0	? read_memory(&b, p, err)
		     : strcmp(key, "Measurements") == 0 ? read_measurements(&b, p, err)
							: ba_pull_skip(p, err);
	if (rc)
		return rc;
	return b.name.len ? emit(s, &b, err)
			  : ba_pull_fail(err, p, "a benchmark without 'FullName'");
}

static int read_benchmarks(const ba_source *s, ba_pull *p, ba_error *err)
{
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read_benchmark(s, p, err);
	return rc;
}

int ba_read_dotnet(const ba_source *s, ba_error *err)
{
	static const ba_field_row rows[] = {{"ProcessorName", "cpu", true},
		{"Architecture", "architecture", true}, {"RuntimeVersion", "runtime", false},
		{"Configuration", "configuration", true}};
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "HostEnvironmentInfo") == 0
			     ? ba_fields_pull(s, p, BA_ROWS(rows), err)
		     : strcmp(key, "Benchmarks") == 0 ? read_benchmarks(s, p, err)
						      : ba_pull_skip(p, err);
	return rc ? rc : ba_pull_end(p, err);
}
