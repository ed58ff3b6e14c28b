/* nanobench, ankerl::nanobench::templates::json(). Epochs are of one process. */

#include "import/source.h"

typedef struct result {
	const ba_source *s;
	ba_buf title, name;
	double batch, elapsed;
	ba_statistics of; /* ns, not yet divided by the batch */
	ba_values times;  /* the same */
} result;

/* {"iterations": 12, "elapsed": 3.2e-07}: elapsed is the time of one iteration */
static int add_time(void *data, ba_pull *p, ba_error *err)
{
	result *r = data;
	ba_values_add(&r->times, r->elapsed);
	return 0;
}

static int emit(void *data, ba_pull *p, ba_error *err)
{
	result *r = data;
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	double batch = r->batch > 0 ? r->batch : 1;
	if (!r->name.len)
		return ba_pull_fail(err, p, "a result without a name");
	ba_buf_printf(&id, "%s%s%s", r->title.data, r->title.len ? "/" : "", r->name.data);
	for (size_t i = 0; i < r->times.count; i++)
		r->times.at[i] /= batch;
	r->of.median /= batch;
	const ba_record record = {.id = id.data, .level = BA_LEVEL_BATCH};
	int rc = ba_source_time(r->s, &record, &r->times, &r->of, err);
	r->times.count = 0;
	return rc;
}

int ba_read_nanobench(const ba_source *s, ba_error *err)
{
	static const ba_member measurement[] = {BA_NUMBER("elapsed", result, elapsed, 1e9), {0}};
	static const ba_member members[] = {BA_TEXT("title", result, title),
		BA_TEXT("name", result, name), BA_NUMBER("batch", result, batch, 1),
		BA_NUMBER("median(elapsed)", result, of.median, 1e9),
		BA_RECORDS("measurements", measurement, add_time), {0}};
	static const ba_member document[] = {BA_RECORDS("results", members, emit), {0}};
	result r = {.s = s, .of = BA_STATISTICS_NONE};
	int rc = ba_document_pull(&r, document, err);
	ba_values_dispose(&r.times);
	return rc;
}
