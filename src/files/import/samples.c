/* bench-against.samples/1, which `convert` and other programs write (docs/compare.md). */
#include "import/source.h"

typedef struct entry {
	const ba_source *s;
	ba_buf id, metric, level, failure, skipped;
	ba_values values;
	bool is_time, higher_is_better;
	ba_direction direction;
} entry;

typedef struct field {
	const ba_source *s;
	ba_buf value;
	bool must_match;
} field;

static int read_field(void *data, const char *key, ba_pull *p, ba_error *err)
{
	static const ba_member rows[] = {BA_TEXT("value", field, value),
		BA_MEMBER_AT("must_match", FLAG, field, must_match), {0}};
	const entry *e = data;
	field f = {.value = BA_BUF_INIT};
	int rc = *key ? ba_members_pull(&f, p, rows, err)
		      : ba_pull_fail(err, p, "a field without a name");
	if (rc == 0)
		ba_source_field(e->s, key, f.value.data, f.must_match);
	ba_buf_dispose(&f.value);
	return rc;
}

static int read_direction(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	e->direction = BA_DIRECTION_SAID;
	return ba_pull_bool(&e->higher_is_better, p, err);
}

static int emit(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	const char *metric = e->metric.len ? e->metric.data : "time";
	ba_level level = BA_LEVEL_BATCH;
	if (!e->id.len)
		return ba_pull_fail(err, p, "a benchmark without 'id'");
	if (e->level.len && !ba_level_parse(&level, e->level.data))
		return ba_pull_fail(err, p,
			"'level' must be \"process\", \"repetition\", \"batch\" or \"summary\"");
	const ba_record record = {
		.id = e->id.data,
		.metric = metric,
		.is_time = e->is_time,
		.higher_is_better = e->higher_is_better,
		.direction = e->direction,
		.level = level,
		.values = e->values.at,
		.count = e->values.count,
		.failure = e->failure.len ? e->failure.data : NULL,
		.skipped = e->skipped.len ? e->skipped.data : NULL,
	};
	e->direction = BA_DIRECTION_OPEN;
	e->higher_is_better = false;
	return ba_source_wants(e->s, metric, true) ? ba_source_record(e->s, &record, err) : 0;
}

int ba_read_samples(const ba_source *s, ba_error *err)
{
	static const ba_member members[] = {BA_TEXT("id", entry, id),
		BA_TEXT("metric", entry, metric), BA_TEXT("level", entry, level),
		BA_TEXT("failure", entry, failure), BA_TEXT("skipped", entry, skipped),
		BA_MEMBER_AT("is_time", FLAG, entry, is_time, .set = true),
		BA_READ("higher_is_better", read_direction), BA_VALUES("values", entry, values, 1),
		{0}};
	static const ba_member document[] = {
		BA_KEYS("fields", read_field), BA_RECORDS("benchmarks", members, emit), {0}};
	entry e = {.s = s};
	return ba_document_pull(&e, document, err);
}
