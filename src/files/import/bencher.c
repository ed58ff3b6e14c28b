/* Bencher's format: {"BENCHMARK": {"latency": {"value": 88.0, "lower_value": 87.4}}}. A latency
 * is in ns; other measures name their units. All values are summaries. */

#include "import/source.h"

typedef struct reader {
	const ba_source *s;
	const char *id;
	double value;
} reader;

static int read_measure(void *data, const char *key, ba_pull *p, ba_error *err)
{
	static const ba_member rows[] = {BA_NUMBER("value", reader, value, 1), {0}};
	reader *r = data;
	bool time = strcmp(key, "latency") == 0;
	const char *metric = time ? "time" : key;
	r->value = NAN;
	BA_TRY(ba_members_pull(r, p, rows, err));
	const ba_record record = {.id = r->id,
		.metric = metric,
		.is_time = time,
		.higher_is_better = ba_unit_is_rate(metric),
		.level = BA_LEVEL_SUMMARY,
		BA_ONE_VALUE(&r->value)};
	return ba_source_wants(r->s, metric, true) ? ba_source_record(r->s, &record, err) : 0;
}

static int read_benchmark(void *data, const char *key, ba_pull *p, ba_error *err)
{
	reader *r = data;
	r->id = key;
	return *key ? ba_keys_pull(r, p, read_measure, err)
		    : ba_pull_fail(err, p, "a benchmark without a name");
}

int ba_read_bencher(const ba_source *s, ba_error *err)
{
	static const ba_member all = {.of_key = read_benchmark};
	reader r = {.s = s};
	return ba_document_pull(&r, &all, err);
}
