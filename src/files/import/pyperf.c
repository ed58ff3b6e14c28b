/* pyperf: `-o FILE`, and the files that `pyperf command` and `timeit` write. Each run
 * is a process with a few values; their mean is the value of the process, as pyperf's
 * manual advises. The values of a file with one process alone are repetitions. */

#include "import/source.h"

typedef struct benchmark {
	ba_buf name, unit;
	ba_values runs;	  /* the mean of each run */
	ba_values values; /* values of the last run that has some */
} benchmark;

/* Keeps all benchmarks until the end of the file, where the metadata may have the name
 * of the first. */
typedef struct file {
	const ba_source *s;
	benchmark *items;
	size_t count, capacity;
	ba_buf name, unit;
	ba_values scratch;
} file;

static void file_dispose(file *f)
{
	for (size_t i = 0; i < f->count; i++) {
		BA_DISPOSE(ba_buf, &f->items[i].name, &f->items[i].unit);
		BA_DISPOSE(ba_values, &f->items[i].runs, &f->items[i].values);
	}
	free(f->items);
	BA_DISPOSE(ba_buf, &f->name, &f->unit);
	ba_values_dispose(&f->scratch);
}
BA_DEFINE_AUTO(file, file_dispose)

/* The metadata of the file applies to all of its benchmarks. */
static int read_metadata(file *f, ba_buf *name, ba_buf *unit, ba_pull *p, ba_error *err)
{
	static const struct {
		const char *name;
		bool must_match;
	} fields[] = {{"cpu", true}, {"host", false}, {"platform", false}, {"python", false},
		{"python implementation", true}};
	ba_buf values[] = {BA_BUF_INIT, BA_BUF_INIT, BA_BUF_INIT, BA_BUF_INIT, BA_BUF_INIT};
	const ba_member rows[] = {{"name", name}, {"unit", unit}, {"cpu_model_name", &values[0]},
		{"hostname", &values[1]}, {"platform", &values[2]}, {"python_version", &values[3]},
		{"python_implementation", &values[4]}};
	int rc = ba_members_pull(f, p, BA_ROWS(rows), err);
	for (size_t i = 0; i < BA_COUNT(fields); i++) {
		if (rc == 0)
			ba_source_field(f->s, fields[i].name, values[i].data, fields[i].must_match);
		ba_buf_dispose(&values[i]);
	}
	return rc;
}

static int read_metadata_of_one(void *data, ba_pull *p, ba_error *err)
{
	file *f = data;
	benchmark *b = &f->items[f->count - 1];
	return read_metadata(f, &b->name, &b->unit, p, err);
}

static int read_metadata_of_all(void *data, ba_pull *p, ba_error *err)
{
	file *f = data;
	return read_metadata(f, &f->name, &f->unit, p, err);
}

static int read_run(void *data, ba_pull *p, ba_error *err)
{
	file *f = data;
	benchmark *b = &f->items[f->count - 1];
	const ba_member rows[] = {{"values", .values = &f->scratch}};
	double sum = 0;
	f->scratch.count = 0;
	int rc = ba_members_pull(f, p, BA_ROWS(rows), err);
	/* the first run may only calibrate, and then has no values */
	if (rc || f->scratch.count == 0)
		return rc;
	for (size_t i = 0; i < f->scratch.count; i++)
		sum += f->scratch.at[i];
	ba_values_add(&b->runs, sum / (double)f->scratch.count);
	ba_values before = b->values;
	b->values = f->scratch;
	f->scratch = before;
	return 0;
}

static int read_benchmark(void *data, ba_pull *p, ba_error *err)
{
	file *f = data;
	const ba_member rows[] = {
		{"metadata", .read = read_metadata_of_one}, {"runs", .each = read_run}};
	*BA_PUSH(f->items, f->count, f->capacity) =
		(benchmark){.name = BA_BUF_INIT, .unit = BA_BUF_INIT};
	return ba_members_pull(f, p, BA_ROWS(rows), err);
}

static int emit(const file *f, benchmark *b, ba_error *err)
{
	bool alone = b->runs.count == 1 && b->values.count > 1;
	ba_values *v = alone ? &b->values : &b->runs;
	const char *name = b->name.len ? b->name.data : f->name.data;
	const char *unit = b->unit.len ? b->unit.data : f->unit.data;
	bool time = !*unit || strcmp(unit, "second") == 0;
	for (size_t i = 0; time && i < v->count; i++)
		v->at[i] *= 1e9;
	if (!*name)
		return ba_fail(err, BA_EDATA, "%s: a benchmark without a name in its metadata",
			f->s->name);
	const char *metric = time ? "time" : unit;
	const ba_record record = {.id = name,
		.metric = metric,
		.is_time = time,
		.whole = true,
		.level = alone ? BA_LEVEL_REPETITION : BA_LEVEL_PROCESS,
		.values = v->at,
		.count = v->count};
	return ba_source_wants(f->s, metric, true) ? ba_source_record(f->s, &record, err) : 0;
}

int ba_read_pyperf(const ba_source *s, ba_error *err)
{
	BA_AUTO(file) file f = {.s = s, .name = BA_BUF_INIT, .unit = BA_BUF_INIT};
	const ba_member rows[] = {
		{"benchmarks", .each = read_benchmark}, {"metadata", .read = read_metadata_of_all}};
	int rc = ba_document_pull(s, &f, BA_ROWS(rows), err);
	for (size_t i = 0; rc == 0 && i < f.count; i++)
		rc = emit(&f, &f.items[i], err);
	return rc;
}
