/* Bencher's metric format: {"BENCHMARK": {"latency": {"value": 88.0, "lower_value":
 * 87.4}}}. A latency is in ns; the names of other measures say their units. Every value
 * is a summary. */
#include <math.h>

#include "import/source.h"

static int read_measure(
	const ba_source *s, const char *id, const char *key, ba_pull *p, ba_error *err)
{
	double value = NAN;
	const ba_member rows[] = {{"value", .number = &value}};
	bool time = strcmp(key, "latency") == 0;
	const char *metric = time ? "time" : key;
	BA_AUTO_FREE char *own = ba_xstrdup(metric);
	int rc = ba_members_pull(NULL, p, BA_ROWS(rows), err);
	const ba_record record = {.id = id,
		.metric = own,
		.is_time = time,
		.higher_is_better = ba_unit_is_rate(own),
		.level = BA_LEVEL_SUMMARY,
		.values = &value,
		.count = 1};
	return rc || !ba_source_wants(s, own, true) ? rc : ba_source_record(s, &record, err);
}

int ba_read_bencher(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		BA_AUTO_FREE char *id = ba_xstrdup(key);
		rc = *id ? ba_pull_object(p, err)
			 : ba_pull_fail(err, p, "a benchmark without a name");
		while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
			rc = read_measure(s, id, key, p, err);
	}
	return rc ? rc : ba_pull_end(p, err);
}
