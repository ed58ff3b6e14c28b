/* pyperf: `-o FILE`, and what `pyperf command` and `timeit` write. Each run is a process
 * with a few values; their mean is the value of the process, as pyperf's manual advises.
 * The values of a file with one process alone are repetitions. */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/mem.h"
#include "import/source.h"

typedef struct benchmark {
	ba_buf name, unit;
	ba_values runs;	  /* the mean of each run */
	ba_values values; /* of the last run that has some */
} benchmark;

/* All of them: a name that stands at the end of the file may be that of the first. */
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
		ba_buf_dispose(&f->items[i].name);
		ba_buf_dispose(&f->items[i].unit);
		ba_values_dispose(&f->items[i].runs);
		ba_values_dispose(&f->items[i].values);
	}
	free(f->items);
	ba_buf_dispose(&f->name);
	ba_buf_dispose(&f->unit);
	ba_values_dispose(&f->scratch);
}
BA_DEFINE_AUTO(file, file_dispose)

/* What stands in the metadata of the file holds for all of its benchmarks. */
static int read_metadata(const ba_source *s, ba_buf *name, ba_buf *unit, ba_pull *p, ba_error *err)
{
	static const ba_field_row rows[] = {{"cpu_model_name", "cpu", true},
		{"hostname", "host", false}, {"platform", "platform", false},
		{"python_version", "python", false},
		{"python_implementation", "python implementation", true}};
	BA_AUTO(ba_buf) ba_buf value = BA_BUF_INIT;
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		size_t i = 0;
		ba_buf *to = strcmp(key, "name") == 0	? name
			     : strcmp(key, "unit") == 0 ? unit
							: &value;
		while (i < BA_COUNT(rows) && strcmp(key, rows[i].key) != 0)
			i++;
		rc = ba_text_pull(to, p, err);
		if (rc == 0 && i < BA_COUNT(rows))
			ba_source_field(s, rows[i].name, value.data, rows[i].must_match);
	}
	return rc;
}

static int read_run(file *f, benchmark *b, ba_pull *p, ba_error *err)
{
	const char *key;
	double sum = 0;
	f->scratch.count = 0;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "values") == 0 && ba_pull_peek(p) == BA_JSON_ARRAY
			     ? ba_values_pull(&f->scratch, p, 1, err)
			     : ba_pull_skip(p, err);
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

static int read_runs(file *f, benchmark *b, ba_pull *p, ba_error *err)
{
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read_run(f, b, p, err);
	return rc;
}

static int read_benchmarks(file *f, ba_pull *p, ba_error *err)
{
	const char *key;
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		f->items = BA_GROW(f->items, &f->capacity, f->count + 1);
		benchmark *b = &f->items[f->count++];
		*b = (benchmark){.name = BA_BUF_INIT, .unit = BA_BUF_INIT};
		rc = ba_pull_object(p, err);
		while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
			rc = strcmp(key, "metadata") == 0
				     ? read_metadata(f->s, &b->name, &b->unit, p, err)
			     : strcmp(key, "runs") == 0 ? read_runs(f, b, p, err)
							: ba_pull_skip(p, err);
	}
	return rc;
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
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(file) file f = {.s = s, .name = BA_BUF_INIT, .unit = BA_BUF_INIT};
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "benchmarks") == 0 ? read_benchmarks(&f, p, err)
		     : strcmp(key, "metadata") == 0 ? read_metadata(s, &f.name, &f.unit, p, err)
						    : ba_pull_skip(p, err);
	rc = rc ? rc : ba_pull_end(p, err);
	for (size_t i = 0; rc == 0 && i < f.count; i++)
		rc = emit(&f, &f.items[i], err);
	return rc;
}
