/* pytest-benchmark: --benchmark-json, --benchmark-save, --benchmark-autosave. Samples
 * are in the file with --benchmark-json or --benchmark-save-data only. */
#include <math.h>

#include "import/source.h"

typedef struct entry {
	const ba_source *s;
	ba_buf fullname, name;
	ba_values data;
	ba_statistics of; /* seconds */
} entry;

static int read_machine(void *data, ba_pull *p, ba_error *err)
{
	static const ba_field_row rows[] = {{"cpu", NULL, false}, {"brand_raw", "cpu", true},
		{"brand", "cpu", true}, {"node", "host", false}, {"machine", "architecture", true},
		{"python_version", "python", false},
		{"python_implementation", "python implementation", true}};
	const entry *e = data;
	return ba_fields_pull(e->s, p, BA_ROWS(rows), err);
}

static int read_stats(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	const ba_member rows[] = {{"data", .values = &e->data, .scale = 1e9},
		{"mean", .number = &e->of.mean}, {"median", .number = &e->of.median},
		{"min", .number = &e->of.min}, {"max", .number = &e->of.max}};
	return ba_members_pull(e, p, BA_ROWS(rows), err);
}

static int read_entry(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	const ba_member rows[] = {
		{"fullname", &e->fullname}, {"name", &e->name}, {"stats", .read = read_stats}};
	e->data.count = 0;
	e->of = BA_STATISTICS_NONE;
	ba_buf_clear(&e->name);
	ba_buf_clear(&e->fullname);
	BA_TRY(ba_members_pull(e, p, BA_ROWS(rows), err));
	if (!e->fullname.len && !e->name.len)
		return ba_pull_fail(err, p, "a benchmark without a name");
	const ba_statistics ns = ba_statistics_times(&e->of, 1e9);
	const ba_record record = {
		.id = e->fullname.len ? e->fullname.data : e->name.data, .level = BA_LEVEL_BATCH};
	return ba_source_time(e->s, &record, &e->data, &ns, err);
}

int ba_read_pytest(const ba_source *s, ba_error *err)
{
	entry e = {.s = s, .fullname = BA_BUF_INIT, .name = BA_BUF_INIT};
	const ba_member rows[] = {
		{"machine_info", .read = read_machine}, {"benchmarks", .each = read_entry}};
	int rc = ba_document_pull(s, &e, BA_ROWS(rows), err);
	BA_DISPOSE(ba_buf, &e.fullname, &e.name);
	ba_values_dispose(&e.data);
	return rc;
}
