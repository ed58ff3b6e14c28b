/* Google Benchmark: --benchmark_out=FILE --benchmark_out_format=json. A row of run_type
 * "iteration" is a repetition; rows of other kinds are computed from them. */
#include <string.h>

#include "base/count.h"
#include "import/source.h"

typedef struct row {
	ba_buf name, run_name, type, aggregate, unit, message;
	double real, cpu, counter;
	bool has_real, has_cpu, has_counter, failed;
} row;

static void row_dispose(row *r)
{
	ba_buf_dispose(&r->name);
	ba_buf_dispose(&r->run_name);
	ba_buf_dispose(&r->type);
	ba_buf_dispose(&r->aggregate);
	ba_buf_dispose(&r->unit);
	ba_buf_dispose(&r->message);
}
BA_DEFINE_AUTO(row, row_dispose)

static void row_clear(row *r)
{
	ba_buf_clear(&r->name);
	ba_buf_clear(&r->run_name);
	ba_buf_clear(&r->type);
	ba_buf_clear(&r->aggregate);
	ba_buf_clear(&r->unit);
	ba_buf_clear(&r->message);
	r->has_real = r->has_cpu = r->has_counter = r->failed = false;
}

static const ba_field_row context_rows[] = {
	{"host_name", "host", false},
	{"executable", "executable", false},
	{"num_cpus", "cpus", true},
	{"library_build_type", "library build type", true},
};

static int row_member(
	row *r, const ba_source *s, const char *key, ba_pull *p, ba_error *err)
{
	const struct {
		const char *key;
		ba_buf *text;
	} texts[] = {{"name", &r->name}, {"run_name", &r->run_name},
		{"run_type", &r->type}, {"aggregate_name", &r->aggregate},
		{"time_unit", &r->unit}, {"error_message", &r->message},
		{"skip_message", &r->message}};
	for (size_t i = 0; i < BA_COUNT(texts); i++)
		if (strcmp(key, texts[i].key) == 0)
			return ba_text_pull(texts[i].text, p, err);
	if (strcmp(key, "real_time") == 0) {
		r->has_real = true;
		return ba_time_pull(&r->real, p, err);
	}
	if (strcmp(key, "cpu_time") == 0) {
		r->has_cpu = true;
		return ba_time_pull(&r->cpu, p, err);
	}
	if (strcmp(key, "error_occurred") == 0 || strcmp(key, "skipped") == 0) {
		bool flag = true;
		int rc = ba_pull_peek(p) == BA_JSON_BOOL ? ba_pull_bool(&flag, p, err)
							 : ba_pull_skip(p, err);
		r->failed |= flag;
		return rc;
	}
	/* counters stand beside the known keys */
	if (s->sink->metric && strcmp(key, s->sink->metric) == 0 &&
		ba_pull_peek(p) == BA_JSON_NUMBER) {
		r->has_counter = true;
		return ba_pull_f64(&r->counter, p, err);
	}
	return ba_pull_skip(p, err);
}

static int emit(const row *r, const ba_source *s, const char *metric, double value,
	bool is_time, ba_error *err)
{
	double scale = is_time ? ba_unit_ns(r->unit.len ? r->unit.data : "ns") : 1;
	bool aggregate = strcmp(r->type.data, "aggregate") == 0;
	double scaled = value * scale;
	size_t n = strlen(metric);
	/* cppcheck-suppress pointerOutOfBoundsCond ; n is the length of metric */
	bool rate = n > 11 && strcmp(metric + n - 11, "_per_second") == 0;
	ba_record record = {
		.id = r->run_name.len ? r->run_name.data : r->name.data,
		.metric = metric,
		.is_time = is_time,
		.higher_is_better = rate,
		.level = aggregate ? BA_LEVEL_SUMMARY : BA_LEVEL_REPETITION,
		.values = &scaled,
		.count = 1,
	};
	if (r->failed)
		record.failure = r->message.len ? r->message.data
						: "the benchmark reports an error";
	else if (scale == 0)
		record.failure = "its time_unit is none that is known";
	return ba_source_record(s, &record, err);
}

static int emit_row(const row *r, const ba_source *s, const ba_pull *p, ba_error *err)
{
	/* Of aggregates only the mean stands for the benchmark, and only where the
	 * repetitions themselves are not in the file: the caller sees to
	 * that. BigO and RMS rows have no time. */
	if (strcmp(r->type.data, "aggregate") == 0 &&
		strcmp(r->aggregate.data, "mean") != 0)
		return 0;
	if (!r->name.len)
		return ba_pull_fail(err, p, "a benchmark without a name");
	int rc = 0;
	if (ba_source_wants(s, "time", true) && (r->has_real || r->failed))
		rc = emit(r, s, "time", r->real, true, err);
	if (rc == 0 && ba_source_wants(s, "cpu_time", false) &&
		(r->has_cpu || r->failed))
		rc = emit(r, s, "cpu_time", r->cpu, true, err);
	if (rc == 0 && r->has_counter)
		rc = emit(r, s, s->sink->metric, r->counter, false, err);
	return rc;
}

static int read_rows(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(row)
	row r = {.name = BA_BUF_INIT,
		.run_name = BA_BUF_INIT,
		.type = BA_BUF_INIT,
		.aggregate = BA_BUF_INIT,
		.unit = BA_BUF_INIT,
		.message = BA_BUF_INIT};
	const char *key;
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		row_clear(&r);
		rc = ba_pull_object(p, err);
		while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
			rc = row_member(&r, s, key, p, err);
		rc = rc ? rc : emit_row(&r, s, p, err);
	}
	return rc;
}

int ba_read_google(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "context") == 0
			     ? ba_fields_pull(s, p, BA_ROWS(context_rows), err)
		     : strcmp(key, "benchmarks") == 0 ? read_rows(s, p, err)
						      : ba_pull_skip(p, err);
	return rc ? rc : ba_pull_end(p, err);
}
