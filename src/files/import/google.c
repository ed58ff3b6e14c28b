/* Google Benchmark: --benchmark_out=FILE --benchmark_out_format=json, or csv. A row of run_type
 * "iteration" is a repetition; rows of other kinds are computed from them. */
#include <math.h>

#include "import/table.h"

typedef struct row {
	ba_buf name, run_name, type, aggregate, unit, message;
	double real, cpu, counter, threads;
	bool has_real, has_cpu, has_counter, failed, skipped;
} row;

enum { TEXTS = 6 };

static ba_buf *text_of(row *r, size_t i)
{
	ba_buf *const texts[TEXTS] = {
		&r->name, &r->run_name, &r->type, &r->aggregate, &r->unit, &r->message};
	return texts[i];
}

static void row_dispose(row *r)
{
	for (size_t i = 0; i < TEXTS; i++)
		ba_buf_dispose(text_of(r, i));
}

static void row_clear(row *r)
{
	for (size_t i = 0; i < TEXTS; i++)
		ba_buf_clear(text_of(r, i));
	r->has_real = r->has_cpu = r->has_counter = r->failed = r->skipped = false;
	r->threads = 0;
}

static const ba_field_row context_rows[] = {
	{"host_name", "host", false},
	{"mhz_per_cpu", "clock in MHz", false},
	{"num_cpus", "cpus", true},
	{"library_build_type", "library build type", true},
};

static int read_flag(bool *out, ba_pull *p, ba_error *err)
{
	bool flag = true;
	int rc = ba_pull_peek(p) == BA_JSON_BOOL ? ba_pull_bool(&flag, p, err)
						 : ba_pull_skip(p, err);
	*out |= flag;
	return rc;
}

/* numbers of a row that describe how it ran */
static const char *const not_counters[] = {"family_index", "per_family_instance_index",
	"repetitions", "repetition_index", "threads", "iterations", "real_time", NULL};

static int row_member(row *r, const ba_source *s, const char *key, ba_pull *p, ba_error *err)
{
	const struct {
		const char *key;
		ba_buf *text;
	} texts[] = {{"name", &r->name}, {"run_name", &r->run_name}, {"run_type", &r->type},
		{"aggregate_name", &r->aggregate}, {"time_unit", &r->unit},
		{"error_message", &r->message}, {"skip_message", &r->message}};
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
	if (strcmp(key, "threads") == 0 && ba_pull_peek(p) == BA_JSON_NUMBER)
		return ba_pull_f64(&r->threads, p, err);
	if (strcmp(key, "error_occurred") == 0)
		return read_flag(&r->failed, p, err);
	if (strcmp(key, "skipped") == 0)
		return read_flag(&r->skipped, p, err);
	/* User counters are members beside the known ones. */
	bool number = ba_pull_peek(p) == BA_JSON_NUMBER;
	if (number && s->sink->offer && !ba_is_among(not_counters, key))
		ba_source_offer(s, key);
	if (number && s->sink->metric && strcmp(key, s->sink->metric) == 0) {
		r->has_counter = true;
		return ba_pull_f64(&r->counter, p, err);
	}
	return ba_pull_skip(p, err);
}

static int emit(const row *r, const ba_source *s, const char *metric, double value, bool is_time,
	ba_error *err)
{
	double scale = is_time ? ba_unit_ns(r->unit.len ? r->unit.data : "ns") : 1;
	bool aggregate = strcmp(r->type.data, "aggregate") == 0;
	double scaled = value * scale;
	ba_record record = {
		.id = r->run_name.len ? r->run_name.data : r->name.data,
		.metric = metric,
		.is_time = is_time,
		.level = aggregate ? BA_LEVEL_SUMMARY : BA_LEVEL_REPETITION,
		.values = &scaled,
		.count = 1,
	};
	if (r->failed)
		record.failure =
			r->message.len ? r->message.data : "the benchmark reports an error";
	else if (r->skipped)
		record.skipped = r->message.len ? r->message.data : "the benchmark skips itself";
	else if (scale == 0)
		record.failure = "its time_unit is unknown";
	return ba_source_record(s, &record, err);
}

/* The processor time counts only with one thread, and is 0 if its clock is too coarse. */
static bool is_on_processor(const row *r)
{
	const char *name = r->run_name.len ? r->run_name.data : r->name.data;
	bool alone = r->threads > 0 ? r->threads == 1 : !strstr(name, "/threads:");
	return alone && r->has_cpu && r->cpu > 0 && !strstr(name, "/manual_time") &&
	       !strstr(name, "/real_time");
}

static int emit_row(const row *r, const ba_source *s, const ba_pull *p, ba_error *err)
{
	/* Of the aggregates, only the mean is used, and only if the file does not have
	 * the repetitions: the caller checks this. BigO and RMS rows have no time. */
	if (strcmp(r->type.data, "aggregate") == 0 && strcmp(r->aggregate.data, "mean") != 0)
		return 0;
	if (!r->name.len)
		return ba_pull_fail(err, p, "a benchmark without a name");
	int rc = 0;
	bool none = r->failed || r->skipped;
	if (ba_source_wants(s, "time", true) && (r->has_real || none))
		rc = emit(r, s, "time", r->real, true, err);
	bool time = !s->sink->metric || strcmp(s->sink->metric, "time") == 0;
	bool both = s->sink->both_clocks && time && !none && is_on_processor(r);
	if (rc == 0 && (both || (ba_source_wants(s, "cpu_time", false) && (r->has_cpu || none))))
		rc = emit(r, s, "cpu_time", r->cpu, true, err);
	if (rc == 0 && r->has_counter)
		rc = emit(r, s, s->sink->metric, r->counter, false, err);
	return rc;
}

/* ---- before 1.5: no run_type, and aggregates are known by their names ---- */

typedef struct reader {
	const ba_source *s;
	ba_pull *p;
	row now, held; /* held: a row "X_mean" without an X before it */
	bool holds;
	ba_buf stem;	 /* name of the benchmark before the current row */
	bool aggregates; /* the following rows are computed from it */
} reader;

static void reader_dispose(reader *r)
{
	BA_DISPOSE(row, &r->now, &r->held);
	ba_buf_dispose(&r->stem);
}
BA_DEFINE_AUTO(reader, reader_dispose)

/* "_mean" of "X_mean" if X is the benchmark before it; else "" */
static const char *ending_of(const reader *r, const row *t)
{
	bool mine = r->stem.len && ba_text_starts(t->name.data, r->stem.data);
	const char *ending = mine ? t->name.data + r->stem.len : "";
	return *ending == '_' && !strpbrk(ending, "/:") ? ending : "";
}

static void set_stem(reader *r, const char *name, size_t size)
{
	ba_buf_clear(&r->stem);
	ba_buf_put(&r->stem, name, size);
}

/* Releases the held row. If X_median follows X_mean, they are aggregates of X, whose
 * rows are missing; else X_mean is a benchmark's name. */
static int release(reader *r, bool mean, ba_error *err)
{
	if (!r->holds)
		return 0;
	r->holds = false;
	if (mean) {
		ba_buf_puts(&r->held.type, "aggregate");
		ba_buf_puts(&r->held.aggregate, "mean");
		ba_buf_puts(&r->held.run_name, r->stem.data);
		r->aggregates = true;
	} else {
		set_stem(r, r->held.name.data, r->held.name.len);
	}
	return emit_row(&r->held, r->s, r->p, err);
}

static int take_row(reader *r, ba_error *err)
{
	row *t = &r->now;
	const char *ending = ending_of(r, t);
	int rc = release(r, strcmp(ending, "_median") == 0, err);
	if (rc || t->type.len)
		return rc ? rc : emit_row(t, r->s, r->p, err);
	if (*ending && (r->aggregates || strcmp(ending, "_mean") == 0)) {
		r->aggregates = true;
		return 0;
	}
	r->aggregates = false;
	set_stem(r, t->name.data, t->name.len);
	if (!ba_text_ends(t->name.data, "_mean"))
		return emit_row(t, r->s, r->p, err);
	set_stem(r, t->name.data, t->name.len - strlen("_mean"));
	row swap = r->held;
	r->held = r->now;
	r->now = swap;
	r->holds = true;
	return 0;
}

static row empty_row(void)
{
	row r = {.failed = false};
	for (size_t i = 0; i < TEXTS; i++)
		*text_of(&r, i) = (ba_buf)BA_BUF_INIT;
	return r;
}

static int read_rows(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(reader)
	reader r = {.s = s, .p = p, .now = empty_row(), .held = empty_row(), .stem = BA_BUF_INIT};
	const char *key;
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		row_clear(&r.now);
		rc = ba_pull_object(p, err);
		while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
			rc = row_member(&r.now, s, key, p, err);
		rc = rc ? rc : take_row(&r, err);
	}
	return rc ? rc : release(&r, false, err);
}

static int read_json(const ba_source *s, ba_pull *p, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "context") == 0 ? ba_fields_pull(s, p, BA_ROWS(context_rows), err)
		     : strcmp(key, "benchmarks") == 0 ? read_rows(s, p, err)
						      : ba_pull_skip(p, err);
	return rc ? rc : ba_pull_end(p, err);
}

/* ---- CSV ------------------------------------------------------------------ */

static bool is_header(const ba_csv *c, const void *data)
{
	static const char *const needs[] = {
		"name", "iterations", "real_time", "cpu_time", "time_unit"};
	(void)data;
	for (size_t i = 0; i < BA_COUNT(needs); i++)
		if (ba_csv_column(c, needs[i]) == c->count)
			return false;
	return true;
}

bool ba_is_google(const char *line, size_t size)
{
	return ba_csv_line_is(line, size, is_header, NULL);
}

/* *has is false if the column is missing or its cell is empty. */
static double number_of(bool *has, const ba_csv *c, const char *column)
{
	const char *cell = ba_csv_cell(c, ba_csv_column(c, column));
	*has = *cell;
	return ba_table_number(cell);
}

static int take_record(reader *r, const ba_csv *c, ba_error *err)
{
	row *t = &r->now;
	const char *metric = r->s->sink->metric ? r->s->sink->metric : "";
	bool iterations;
	row_clear(t);
	ba_buf_puts(&t->name, ba_csv_cell(c, ba_csv_column(c, "name")));
	ba_buf_puts(&t->unit, ba_csv_cell(c, ba_csv_column(c, "time_unit")));
	ba_buf_puts(&t->message, ba_csv_cell(c, ba_csv_column(c, "error_message")));
	number_of(&iterations, c, "iterations");
	t->real = number_of(&t->has_real, c, "real_time");
	t->cpu = number_of(&t->has_cpu, c, "cpu_time");
	t->failed = strcmp(ba_csv_cell(c, ba_csv_column(c, "error_occurred")), "true") == 0;
	if (strcmp(metric, "time") != 0 && strcmp(metric, "cpu_time") != 0)
		t->counter = number_of(&t->has_counter, c, metric);
	for (size_t i = 0; r->s->sink->offer && i < c->count; i++)
		if (isfinite(ba_table_number(ba_csv_cell(c, i))) &&
			!ba_is_among(not_counters, c->header.items[i]))
			ba_source_offer(r->s, c->header.items[i]);
	if (!t->name.len)
		return ba_csv_fail(err, c, "a row without 'name'");
	if (t->real < 0 || t->cpu < 0)
		return ba_csv_fail(err, c, "a time is negative, which a measured value cannot be");
	/* BigO and RMS have coefficients, and no iterations */
	return iterations || t->failed ? take_row(r, err) : 0;
}

static int read_csv(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_csv) ba_csv c = {.lines = {.fd = -1}};
	BA_AUTO(reader)
	reader r = {.s = s, .now = empty_row(), .held = empty_row(), .stem = BA_BUF_INIT};
	bool found = false;
	int rc = ba_csv_open(&c, s, err);
	rc = rc ? rc : ba_csv_find_header(&found, &c, is_header, NULL, err);
	while (rc == 0 && found && (rc = ba_csv_next_record(&c, err)) > 0)
		rc = take_record(&r, &c, err);
	return rc ? rc : release(&r, false, err);
}

int ba_read_google(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_TRY(ba_source_pull(&p, s, err));
	return ba_pull_peek(p) == BA_JSON_OBJECT ? read_json(s, p, err) : read_csv(s, err);
}
