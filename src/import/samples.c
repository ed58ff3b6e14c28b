/* bench-against.samples/1: what `convert` writes and any program can, docs/compare.md.
 */
#include <string.h>

#include "import/source.h"

typedef struct entry {
	ba_buf id, metric, level, failure, skipped;
	ba_values values;
	bool is_time, higher_is_better;
	ba_direction direction;
} entry;

static void entry_dispose(entry *e)
{
	ba_buf_dispose(&e->id);
	ba_buf_dispose(&e->metric);
	ba_buf_dispose(&e->level);
	ba_buf_dispose(&e->failure);
	ba_buf_dispose(&e->skipped);
	ba_values_dispose(&e->values);
}
BA_DEFINE_AUTO(entry, entry_dispose)

static int read_field(ba_buf *value, bool *must_match, ba_pull *p, ba_error *err)
{
	const char *key;
	*must_match = false;
	ba_buf_clear(value);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "value") == 0	      ? ba_text_pull(value, p, err)
		     : strcmp(key, "must_match") == 0 ? ba_pull_bool(must_match, p, err)
						      : ba_pull_skip(p, err);
	return rc;
}

static int read_fields(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, value = BA_BUF_INIT;
	const char *key;
	bool must_match = false;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		ba_buf_clear(&name);
		ba_buf_puts(&name, key);
		rc = name.len ? read_field(&value, &must_match, p, err)
			      : ba_pull_fail(err, p, "a field without a name");
		if (rc == 0)
			ba_source_field(s, name.data, value.data, must_match);
	}
	return rc;
}

static int read_direction(entry *e, ba_pull *p, ba_error *err)
{
	e->direction = BA_DIRECTION_SAID;
	return ba_pull_bool(&e->higher_is_better, p, err);
}

static int read_entry(entry *e, ba_pull *p, ba_error *err)
{
	const char *key;
	ba_buf_clear(&e->id);
	ba_buf_clear(&e->metric);
	ba_buf_clear(&e->level);
	ba_buf_clear(&e->failure);
	ba_buf_clear(&e->skipped);
	e->values.count = 0;
	e->is_time = true;
	e->higher_is_better = false;
	e->direction = BA_DIRECTION_OPEN;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "id") == 0		    ? ba_text_pull(&e->id, p, err)
		     : strcmp(key, "metric") == 0	    ? ba_text_pull(&e->metric, p, err)
		     : strcmp(key, "level") == 0	    ? ba_text_pull(&e->level, p, err)
		     : strcmp(key, "failure") == 0	    ? ba_text_pull(&e->failure, p, err)
		     : strcmp(key, "skipped") == 0	    ? ba_text_pull(&e->skipped, p, err)
		     : strcmp(key, "is_time") == 0	    ? ba_pull_bool(&e->is_time, p, err)
		     : strcmp(key, "higher_is_better") == 0 ? read_direction(e, p, err)
		     : strcmp(key, "values") == 0	    ? ba_values_pull(&e->values, p, 1, err)
							    : ba_pull_skip(p, err);
	return rc;
}

static int emit(const entry *e, const ba_source *s, ba_pull *p, ba_error *err)
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
	return ba_source_wants(s, metric, true) ? ba_source_record(s, &record, err) : 0;
}

int ba_read_samples(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(entry)
	entry e = {.id = BA_BUF_INIT,
		.metric = BA_BUF_INIT,
		.level = BA_BUF_INIT,
		.failure = BA_BUF_INIT,
		.skipped = BA_BUF_INIT};
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		if (strcmp(key, "fields") == 0) {
			rc = read_fields(s, p, err);
		} else if (strcmp(key, "benchmarks") == 0) {
			rc = ba_pull_array(p, err);
			while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
				rc = read_entry(&e, p, err);
				rc = rc ? rc : emit(&e, s, p, err);
			}
		} else {
			rc = ba_pull_skip(p, err);
		}
	}
	return rc ? rc : ba_pull_end(p, err);
}
