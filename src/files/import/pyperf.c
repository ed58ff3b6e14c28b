/* pyperf: `-o FILE`, and the files that `pyperf command` and `timeit` write. Each run
 * is a process with a few values; their mean is the value of the process, as pyperf's
 * manual advises. The values of a file with one process alone are repetitions. */

#include "import/source.h"
#include "stats/quantile.h"

typedef struct benchmark {
	char *name, *unit;
	ba_values runs;	  /* the mean of each run */
	ba_values values; /* values of the last run that has some */
} benchmark;

/* Keeps all benchmarks to the end, where the metadata may name the first. */
typedef struct file {
	const ba_source *s;
	benchmark *items;
	size_t count, capacity;
	ba_buf name, unit;	   /* of the file's metadata */
	ba_buf own_name, own_unit; /* of the benchmark's */
	ba_values scratch, runs, values;
} file;

static int end_run(void *data, ba_pull *p, ba_error *err)
{
	file *f = data;
	/* the first run may only calibrate, and then has no values */
	if (f->scratch.count == 0)
		return 0;
	ba_values_add(&f->runs, ba_mean(f->scratch.at, f->scratch.count));
	ba_values before = f->values;
	f->values = f->scratch;
	f->scratch = before;
	return 0;
}

static int end_benchmark(void *data, ba_pull *p, ba_error *err)
{
	file *f = data;
	*BA_PUSH(f->items, f->count, f->capacity) = (benchmark){.name = ba_buf_detach(&f->own_name),
		.unit = ba_buf_detach(&f->own_unit),
		.runs = BA_MOVE(f->runs),
		.values = BA_MOVE(f->values)};
	return 0;
}

static int emit(const file *f, benchmark *b, ba_error *err)
{
	bool alone = b->runs.count == 1 && b->values.count > 1;
	ba_values *v = alone ? &b->values : &b->runs;
	const char *name = *b->name ? b->name : f->name.data;
	const char *unit = *b->unit ? b->unit : f->unit.data;
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

/* The metadata of the file applies to all of its benchmarks. */
#define METADATA(name, unit)                                                             \
	{                                                                                \
		BA_TEXT("name", file, name), BA_TEXT("unit", file, unit),                \
			BA_SAID("cpu_model_name", "cpu", true),                          \
			BA_SAID("hostname", "host", false),                              \
			BA_SAID("platform", "platform", false),                          \
			BA_SAID("python_version", "python", false),                      \
			BA_SAID("python_implementation", "python implementation", true), \
		{                                                                        \
			0                                                                \
		}                                                                        \
	}

int ba_read_pyperf(const ba_source *s, ba_error *err)
{
	static const ba_member run[] = {BA_VALUES("values", file, scratch, 1), {0}};
	static const ba_member own[] = METADATA(own_name, own_unit), all[] = METADATA(name, unit);
	static const ba_member members[] = {
		BA_OBJECT("metadata", own), BA_RECORDS("runs", run, end_run), {0}};
	static const ba_member document[] = {
		BA_RECORDS("benchmarks", members, end_benchmark), BA_OBJECT("metadata", all), {0}};
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	file f = {.s = s};
	ba_members_clear(&f, document);
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_members_pull(&f, p, document, err);
	rc = rc ? rc : ba_pull_end(p, err);
	BA_EACH (benchmark, b, f.items, f.count) {
		rc = rc ? rc : emit(&f, b, err);
		BA_FREE(b->name, b->unit);
		BA_DISPOSE(ba_values, &b->runs, &b->values);
	}
	free(f.items);
	BA_DISPOSE(ba_values, &f.runs, &f.values);
	ba_members_dispose(&f, document);
	return rc;
}
