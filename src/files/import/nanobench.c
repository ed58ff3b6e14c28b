/* nanobench, rendered with ankerl::nanobench::templates::json(). The measurements are
 * epochs of one process. */
#include <math.h>

#include "import/source.h"

typedef struct result {
	const ba_source *s;
	ba_buf title, name;
	double batch, elapsed;
	ba_statistics of; /* seconds, not yet divided by the batch */
	ba_values times;  /* the same */
} result;

/* {"iterations": 12, "elapsed": 3.2e-07}: elapsed is the time of one iteration */
static int read_measurement(void *data, ba_pull *p, ba_error *err)
{
	result *r = data;
	const ba_member rows[] = {{"elapsed", .number = &r->elapsed}};
	r->elapsed = NAN;
	int rc = ba_members_pull(r, p, BA_ROWS(rows), err);
	ba_values_add(&r->times, r->elapsed);
	return rc;
}

static int emit(result *r, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	double ns = 1e9 / (r->batch > 0 ? r->batch : 1);
	ba_buf_printf(&id, "%s%s%s", r->title.data, r->title.len ? "/" : "", r->name.data);
	for (size_t i = 0; i < r->times.count; i++)
		r->times.at[i] *= ns;
	const ba_statistics of = ba_statistics_times(&r->of, ns);
	const ba_record record = {.id = id.data, .level = BA_LEVEL_BATCH};
	return ba_source_time(r->s, &record, &r->times, &of, err);
}

static int read_result(void *data, ba_pull *p, ba_error *err)
{
	result *r = data;
	const ba_member rows[] = {{"title", &r->title}, {"name", &r->name},
		{"batch", .number = &r->batch}, {"median(elapsed)", .number = &r->of.median},
		{"measurements", .each = read_measurement}};
	r->batch = 1;
	r->times.count = 0;
	r->of = BA_STATISTICS_NONE;
	ba_buf_clear(&r->title);
	ba_buf_clear(&r->name);
	BA_TRY(ba_members_pull(r, p, BA_ROWS(rows), err));
	return r->name.len ? emit(r, err) : ba_pull_fail(err, p, "a result without a name");
}

int ba_read_nanobench(const ba_source *s, ba_error *err)
{
	result r = {.s = s, .title = BA_BUF_INIT, .name = BA_BUF_INIT};
	const ba_member rows[] = {{"results", .each = read_result}};
	int rc = ba_document_pull(s, &r, BA_ROWS(rows), err);
	BA_DISPOSE(ba_buf, &r.title, &r.name);
	ba_values_dispose(&r.times);
	return rc;
}
