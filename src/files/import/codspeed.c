/* CodSpeed's results of a walltime run (.codspeed/results_*.json of pytest-codspeed and
 * the others): statistics of the rounds of one process. */
#include <math.h>

#include "import/source.h"

typedef struct reader {
	const ba_source *s;
	ba_buf uri, name, type;
	ba_statistics of;
} reader;

static int read_instrument(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	const ba_member rows[] = {{"type", &r->type}};
	int rc = ba_members_pull(r, p, BA_ROWS(rows), err);
	ba_source_field(r->s, "instrument", r->type.data, true);
	return rc;
}

static int read_stats(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	const ba_member rows[] = {{"mean_ns", .number = &r->of.mean},
		{"median_ns", .number = &r->of.median}, {"min_ns", .number = &r->of.min},
		{"max_ns", .number = &r->of.max}};
	return ba_members_pull(r, p, BA_ROWS(rows), err);
}

static int read_benchmark(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	const ba_member rows[] = {
		{"uri", &r->uri}, {"name", &r->name}, {"stats", .read = read_stats}};
	r->of = BA_STATISTICS_NONE;
	ba_buf_clear(&r->uri);
	ba_buf_clear(&r->name);
	int rc = ba_members_pull(r, p, BA_ROWS(rows), err);
	const ba_record record = {.id = r->uri.len ? r->uri.data : r->name.data};
	if (rc == 0 && !*record.id)
		return ba_pull_fail(err, p, "a benchmark without 'uri' and 'name'");
	return rc ? rc : ba_source_time(r->s, &record, NULL, &r->of, err);
}

int ba_read_codspeed(const ba_source *s, ba_error *err)
{
	reader r = {.s = s, .uri = BA_BUF_INIT, .name = BA_BUF_INIT, .type = BA_BUF_INIT};
	const ba_member rows[] = {
		{"instrument", .read = read_instrument}, {"benchmarks", .each = read_benchmark}};
	int rc = ba_document_pull(s, &r, BA_ROWS(rows), err);
	BA_DISPOSE(ba_buf, &r.uri, &r.name, &r.type);
	return rc;
}
