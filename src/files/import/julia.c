/* BenchmarkTools.jl, save("FILE.json", ...): [{versions}, [["BenchmarkGroup", {"data":
 * {"name": ["Trial", {...}]}}], ...]]. The samples of a trial are readings of one
 * process, in order of time. */

#include "import/source.h"

typedef struct reader {
	const ba_source *s;
	ba_buf id; /* the names of the groups, joined by "/" */
	ba_values times, memory, allocs;
} reader;

static int read_value(reader *r, ba_pull *p, ba_error *err);

/* "data" of a group: one member for each benchmark */
static int read_group(reader *r, ba_pull *p, ba_error *err)
{
	const char *key;
	size_t size = r->id.len;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		ba_buf_puts(&r->id, size ? "/" : "");
		ba_buf_puts(&r->id, key);
		rc = read_value(r, p, err);
		ba_buf_truncate(&r->id, size);
	}
	return rc;
}

/* A number (in an estimate), or a list of numbers. */
static int read_numbers(ba_values *out, ba_pull *p, ba_error *err)
{
	double value = 0;
	out->count = 0;
	if (ba_pull_peek(p) == BA_JSON_ARRAY)
		return ba_values_pull(out, p, 1, err);
	int rc = ba_time_pull(&value, p, err);
	ba_values_add(out, value);
	return rc;
}

static int emit(reader *r, bool trial, ba_error *err)
{
	const char *const names[] = {"time", "memory", "allocs"};
	const ba_values *values[] = {&r->times, &r->memory, &r->allocs};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < 3; i++) {
		const ba_record record = {.id = r->id.len ? r->id.data : "benchmark",
			.metric = names[i],
			.is_time = i == 0,
			.whole = true,
			.level = trial && i == 0 ? BA_LEVEL_BATCH : BA_LEVEL_SUMMARY,
			.values = values[i]->at,
			.count = values[i]->count};
		if (ba_source_wants(r->s, names[i], i == 0))
			rc = ba_source_record(r->s, &record, err);
	}
	return rc;
}

/* The object of a "BenchmarkGroup", a "Trial" or a "TrialEstimate". */
static int read_object(reader *r, const char *type, ba_pull *p, ba_error *err)
{
	bool group = strcmp(type, "BenchmarkGroup") == 0;
	bool trial = strcmp(type, "Trial") == 0;
	bool measured = trial || strcmp(type, "TrialEstimate") == 0;
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT || (!group && !measured))
		return ba_pull_skip(p, err);
	r->times.count = r->memory.count = r->allocs.count = 0;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = group && strcmp(key, "data") == 0 ? read_group(r, p, err)
		     : measured && (strcmp(key, "times") == 0 || strcmp(key, "time") == 0)
			     ? read_numbers(&r->times, p, err)
		     : measured && strcmp(key, "memory") == 0 ? read_numbers(&r->memory, p, err)
		     : measured && strcmp(key, "allocs") == 0 ? read_numbers(&r->allocs, p, err)
							      : ba_pull_skip(p, err);
	return rc || !measured ? rc : emit(r, trial, err);
}

/* ["Trial", {...}] */
static int read_value(reader *r, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf type = BA_BUF_INIT;
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = type.len ? read_object(r, type.data, p, err) : ba_text_pull(&type, p, err);
	return rc;
}

int ba_read_julia(const ba_source *s, ba_error *err)
{
	static const ba_field_row rows[] = {
		{"Julia", "Julia", true}, {"BenchmarkTools", "BenchmarkTools", true}};
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	reader r = {.s = s, .id = BA_BUF_INIT};
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_array(p, err);
	bool first = true;
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		bool list = ba_pull_peek(p) == BA_JSON_ARRAY;
		if (first || !list) {
			rc = ba_fields_pull(s, p, BA_ROWS(rows), err);
		} else {
			rc = ba_pull_array(p, err);
			while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
				rc = read_value(&r, p, err);
		}
		first = false;
	}
	ba_buf_dispose(&r.id);
	BA_DISPOSE(ba_values, &r.times, &r.memory, &r.allocs);
	return rc ? rc : ba_pull_end(p, err);
}
