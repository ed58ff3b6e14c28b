/* CodSpeed's results of a walltime run (.codspeed/results_*.json of pytest-codspeed and
 * the others): statistics of the rounds of one process. */
#include "import/source.h"

typedef struct reader {
	const ba_source *s;
	ba_buf uri, name;
	ba_statistics of;
} reader;

static int emit(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	const ba_record record = {.id = r->uri.len ? r->uri.data : r->name.data};
	if (!*record.id)
		return ba_pull_fail(err, p, "a benchmark without 'uri' and 'name'");
	return ba_source_time(r->s, &record, NULL, &r->of, err);
}

int ba_read_codspeed(const ba_source *s, ba_error *err)
{
	static const ba_member stats[] = {
		BA_STATISTICS(reader, of, "mean_ns", "median_ns", "min_ns", "max_ns", 1), {0}};
	static const ba_member members[] = {BA_TEXT("uri", reader, uri),
		BA_TEXT("name", reader, name), BA_OBJECT("stats", stats), {0}};
	static const ba_member instrument[] = {BA_SAID("type", "instrument", true), {0}};
	static const ba_member document[] = {
		BA_OBJECT("instrument", instrument), BA_RECORDS("benchmarks", members, emit), {0}};
	reader r = {.s = s};
	return ba_document_pull(&r, document, err);
}
