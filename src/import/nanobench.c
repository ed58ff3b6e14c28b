/* nanobench, rendered with ankerl::nanobench::templates::json(). The measurements are
 * epochs of one process. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "import/source.h"

typedef struct result {
	ba_buf title, name;
	double batch, median;
	ba_values times; /* ns of a unit, without the batch */
} result;

static void result_dispose(result *r)
{
	ba_buf_dispose(&r->title);
	ba_buf_dispose(&r->name);
	ba_values_dispose(&r->times);
}
BA_DEFINE_AUTO(result, result_dispose)

/* {"iterations": 12, "elapsed": 3.2e-07}: elapsed is of one iteration, in seconds */
static int read_measurement(result *r, ba_pull *p, ba_error *err)
{
	const char *key;
	double elapsed = NAN;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "elapsed") == 0 ? ba_time_pull(&elapsed, p, err)
						 : ba_pull_skip(p, err);
	ba_values_add(&r->times, elapsed * 1e9);
	return rc;
}

static int read_measurements(result *r, ba_pull *p, ba_error *err)
{
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read_measurement(r, p, err);
	return rc;
}

static int emit(const ba_source *s, result *r, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	double batch = r->batch > 0 ? r->batch : 1, median = r->median * 1e9 / batch;
	ba_buf_printf(&id, "%s%s%s", r->title.data, r->title.len ? "/" : "", r->name.data);
	for (size_t i = 0; i < r->times.count; i++)
		r->times.at[i] /= batch;
	bool samples = r->times.count > 0;
	const ba_record record = {.id = id.data,
		.metric = "time",
		.is_time = true,
		.whole = true,
		.level = samples ? BA_LEVEL_BATCH : BA_LEVEL_SUMMARY,
		.values = samples ? r->times.at : &median,
		.count = samples ? r->times.count : 1};
	return ba_source_wants(s, "time", true) ? ba_source_record(s, &record, err) : 0;
}

static int read_result(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(result)
	result r = {.title = BA_BUF_INIT, .name = BA_BUF_INIT, .batch = 1, .median = NAN};
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "title") == 0		   ? ba_text_pull(&r.title, p, err)
		     : strcmp(key, "name") == 0		   ? ba_text_pull(&r.name, p, err)
		     : strcmp(key, "batch") == 0	   ? ba_time_pull(&r.batch, p, err)
		     : strcmp(key, "median(elapsed)") == 0 ? ba_time_pull(&r.median, p, err)
		     : strcmp(key, "measurements") == 0	   ? read_measurements(&r, p, err)
							   : ba_pull_skip(p, err);
	if (rc)
		return rc;
	return r.name.len ? emit(s, &r, err) : ba_pull_fail(err, p, "a result without a name");
}

int ba_read_nanobench(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		bool results = strcmp(key, "results") == 0;
		rc = results ? ba_pull_array(p, err) : ba_pull_skip(p, err);
		while (results && rc == 0 && (rc = ba_pull_element(p, err)) > 0)
			rc = read_result(s, p, err);
	}
	return rc ? rc : ba_pull_end(p, err);
}
