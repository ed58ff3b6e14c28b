/* Reads bench-against.samples/1, which `convert` and any other program can write
 * (docs/compare.md). */

#include "import/source.h"

typedef struct entry {
	const ba_source *s;
	ba_buf id, metric, level, failure, skipped;
	ba_values values;
	bool is_time, higher_is_better;
	ba_direction direction;
} entry;

static void entry_dispose(entry *e)
{
	BA_DISPOSE(ba_buf, &e->id, &e->metric, &e->level, &e->failure, &e->skipped);
	ba_values_dispose(&e->values);
}
BA_DEFINE_AUTO(entry, entry_dispose)

static int read_fields(void *data, ba_pull *p, ba_error *err)
{
	const entry *e = data;
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, value = BA_BUF_INIT;
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		bool must_match = false;
		const ba_member rows[] = {{"value", &value}, {"must_match", .flag = &must_match}};
		ba_buf_clear(&name);
		ba_buf_clear(&value);
		ba_buf_puts(&name, key);
		rc = name.len ? ba_members_pull(NULL, p, BA_ROWS(rows), err)
			      : ba_pull_fail(err, p, "a field without a name");
		if (rc == 0)
			ba_source_field(e->s, name.data, value.data, must_match);
	}
	return rc;
}

static int read_direction(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	e->direction = BA_DIRECTION_SAID;
	return ba_pull_bool(&e->higher_is_better, p, err);
}

static int emit(const entry *e, ba_pull *p, ba_error *err)
{
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
	return ba_source_wants(e->s, metric, true) ? ba_source_record(e->s, &record, err) : 0;
}

static int read_entry(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	ba_buf *const texts[] = {&e->id, &e->metric, &e->level, &e->failure, &e->skipped};
	const ba_member rows[] = {{"id", &e->id}, {"metric", &e->metric}, {"level", &e->level},
		{"failure", &e->failure}, {"skipped", &e->skipped},
		{"is_time", .flag = &e->is_time}, {"higher_is_better", .read = read_direction},
		{"values", .values = &e->values}};
	for (size_t i = 0; i < BA_COUNT(texts); i++)
		ba_buf_clear(texts[i]);
	e->values.count = 0;
	e->is_time = true;
	e->higher_is_better = false;
	e->direction = BA_DIRECTION_OPEN;
	int rc = ba_members_pull(e, p, BA_ROWS(rows), err);
	return rc ? rc : emit(e, p, err);
}

int ba_read_samples(const ba_source *s, ba_error *err)
{
	BA_AUTO(entry)
	entry e = {.s = s,
		.id = BA_BUF_INIT,
		.metric = BA_BUF_INIT,
		.level = BA_BUF_INIT,
		.failure = BA_BUF_INIT,
		.skipped = BA_BUF_INIT};
	const ba_member rows[] = {
		{"fields", .read = read_fields}, {"benchmarks", .each = read_entry}};
	return ba_document_pull(s, &e, BA_ROWS(rows), err);
}
