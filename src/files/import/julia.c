/* BenchmarkTools.jl, save("FILE.json", ...): [{versions}, [["BenchmarkGroup", {"data": {"name":
 * ["Trial", {...}]}}], ...]]. Samples are a process's readings in order of time. */

#include "import/source.h"

typedef struct reader {
	const ba_source *s;
	ba_buf id; /* the names of the groups, joined by "/" */
	ba_values times, memory, allocs;
} reader;

/* "times" and "time" of a trial and of an estimate */
static const ba_member trial_members[] = {BA_VALUES("times", reader, times, 1),
	BA_VALUES("time", reader, times, 1), BA_VALUES("memory", reader, memory, 1),
	BA_VALUES("allocs", reader, allocs, 1), {0}};

static int read_value(void *data, ba_pull *p, ba_error *err);

/* "data" of a group: one member for each benchmark */
static int read_member(void *data, const char *key, ba_pull *p, ba_error *err)
{
	reader *r = data;
	size_t size = r->id.len;
	ba_buf_printf(&r->id, "%s%s", size ? "/" : "", key);
	int rc = read_value(r, p, err);
	ba_buf_truncate(&r->id, size);
	return rc;
}

static int emit(reader *r, bool trial, ba_error *err)
{
	const char *const names[] = {"time", "memory", "allocs"};
	const ba_values *values[] = {&r->times, &r->memory, &r->allocs};
	for (size_t i = 0; i < 3; i++) {
		const ba_record record = {.id = r->id.len ? r->id.data : "benchmark",
			.metric = names[i],
			.is_time = i == 0,
			.whole = true,
			.level = trial && i == 0 ? BA_LEVEL_BATCH : BA_LEVEL_SUMMARY,
			.values = values[i]->at,
			.count = values[i]->count};
		if (ba_source_wants(r->s, names[i], i == 0))
			BA_TRY(ba_source_record(r->s, &record, err));
	}
	return 0;
}

/* The object of a "BenchmarkGroup", a "Trial" or a "TrialEstimate". */
static int read_object(reader *r, const char *type, ba_pull *p, ba_error *err)
{
	static const ba_member group[] = {BA_KEYS("data", read_member), {0}};
	bool measured = strcmp(type, "Trial") == 0 || strcmp(type, "TrialEstimate") == 0;
	bool known = measured || strcmp(type, "BenchmarkGroup") == 0;
	if (ba_pull_peek(p) != BA_JSON_OBJECT || !known)
		return ba_pull_skip(p, err);
	ba_members_clear(r, trial_members);
	int rc = ba_members_pull(r, p, measured ? trial_members : group, err);
	return rc || !measured ? rc : emit(r, strcmp(type, "Trial") == 0, err);
}

/* ["Trial", {...}] */
static int read_value(void *data, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf type = BA_BUF_INIT;
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = type.len ? read_object(data, type.data, p, err) : ba_text_pull(&type, p, err);
	return rc;
}

static int read_part(void *data, ba_pull *p, ba_error *err)
{
	static const ba_member versions[] = {BA_SAID("Julia", "Julia", true),
		BA_SAID("BenchmarkTools", "BenchmarkTools", true), {0}};
	return ba_pull_peek(p) == BA_JSON_ARRAY	   ? ba_each_pull(data, p, read_value, err)
	       : ba_pull_peek(p) == BA_JSON_OBJECT ? ba_members_pull(data, p, versions, err)
						   : ba_pull_skip(p, err);
}

int ba_read_julia(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	reader r = {.s = s, .id = BA_BUF_INIT};
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_each_pull(&r, p, read_part, err);
	ba_buf_dispose(&r.id);
	ba_members_dispose(&r, trial_members);
	return rc ? rc : ba_pull_end(p, err);
}
