/* Google Benchmark: --benchmark_out=FILE --benchmark_out_format=json, or csv. A row of run_type
 * "iteration" is a repetition; rows of other kinds are computed from them. */

#include "import/table.h"

typedef struct row {
	ba_buf name, run_name, type, aggregate, unit, message;
	double real, cpu, counter, threads;
	bool has_real, has_cpu, has_counter, failed, skipped;
} row;

/* Files from before 1.5 have no run_type, and aggregates are known by their names. */
typedef struct reader {
	const ba_source *s;
	ba_pull *p;
	row now, held; /* held: a row "X_mean" without an X before it */
	bool holds;
	ba_buf stem;	 /* name of the benchmark before the current row */
	bool aggregates; /* the following rows are computed from it */
} reader;

static const ba_member context_rows[] = {
	BA_SAID("host_name", "host", false),
	BA_SAID("mhz_per_cpu", "clock in MHz", false),
	BA_SAID("num_cpus", "cpus", true),
	BA_SAID("library_build_type", "library build type", true),
	{0},
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

static int read_real(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	r->now.has_real = true;
	return ba_time_pull(&r->now.real, p, err);
}

static int read_cpu(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	r->now.has_cpu = true;
	return ba_time_pull(&r->now.cpu, p, err);
}

/* User counters are members beside the known ones. */
static int read_other(void *data, const char *key, ba_pull *p, ba_error *err)
{
	row *r = &((reader *)data)->now;
	const ba_source *s = ((reader *)data)->s;
	bool number = ba_pull_peek(p) == BA_JSON_NUMBER;
	if (number && strcmp(key, "threads") == 0)
		return ba_pull_f64(&r->threads, p, err);
	if (strcmp(key, "error_occurred") == 0)
		return read_flag(&r->failed, p, err);
	if (strcmp(key, "skipped") == 0)
		return read_flag(&r->skipped, p, err);
	if (number && s->sink->offer && !ba_is_among(not_counters, key))
		ba_source_offer(s, key);
	if (number && s->sink->metric && strcmp(key, s->sink->metric) == 0) {
		r->has_counter = true;
		return ba_pull_f64(&r->counter, p, err);
	}
	return ba_pull_skip(p, err);
}

static const ba_member row_members[] = {BA_TEXT("name", reader, now.name),
	BA_TEXT("run_name", reader, now.run_name), BA_TEXT("run_type", reader, now.type),
	BA_TEXT("aggregate_name", reader, now.aggregate), BA_TEXT("time_unit", reader, now.unit),
	BA_TEXT("error_message", reader, now.message), BA_TEXT("skip_message", reader, now.message),
	BA_READ("real_time", read_real), BA_READ("cpu_time", read_cpu), {.of_key = read_other}};

static void clear_row(reader *r)
{
	row *t = &r->now;
	ba_members_clear(r, row_members);
	t->has_real = t->has_cpu = t->has_counter = t->failed = t->skipped = false;
	t->threads = 0;
}

static void swap_rows(reader *r)
{
	row held = r->held;
	r->held = r->now;
	r->now = held;
}

BA_OWNS_HERE(reader, r, ba_members_dispose(r, row_members), swap_rows(r),
	ba_members_dispose(r, row_members), ba_buf_dispose(&r->stem))

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
		BA_ONE_VALUE(&scaled),
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
	bool none = r->failed || r->skipped;
	if (ba_source_wants(s, "time", true) && (r->has_real || none))
		BA_TRY(emit(r, s, "time", r->real, true, err));
	bool time = !s->sink->metric || strcmp(s->sink->metric, "time") == 0;
	bool both = s->sink->both_clocks && time && !none && is_on_processor(r);
	if (both || (ba_source_wants(s, "cpu_time", false) && (r->has_cpu || none)))
		BA_TRY(emit(r, s, "cpu_time", r->cpu, true, err));
	if (r->has_counter)
		BA_TRY(emit(r, s, s->sink->metric, r->counter, false, err));
	return 0;
}

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
	swap_rows(r);
	r->holds = true;
	return 0;
}

static int read_row(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	clear_row(r);
	r->p = p;
	BA_TRY(ba_members_pull(r, p, row_members, err));
	return take_row(r, err);
}

static int read_rows(void *data, ba_pull *p, ba_error *err)
{
	BA_TRY(ba_each_pull(data, p, read_row, err));
	return release(data, false, err);
}

/* ---- CSV ------------------------------------------------------------------ */

static const char *const needs[] = {
	"name", "iterations", "real_time", "cpu_time", "time_unit", NULL};

bool ba_is_google(const char *line, size_t size)
{
	return ba_csv_line_is(line, size, ba_csv_has_all, needs);
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
	clear_row(r);
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
	BA_AUTO(ba_csv) ba_csv c = {0};
	BA_AUTO(reader) reader r = {.s = s, .stem = BA_BUF_INIT};
	bool found = false;
	int rc = ba_csv_open(&c, s, err);
	rc = rc ? rc : ba_csv_find_header(&found, &c, ba_csv_has_all, needs, err);
	while (rc == 0 && found && (rc = ba_csv_next_record(&c, err)) > 0)
		rc = take_record(&r, &c, err);
	return rc ? rc : release(&r, false, err);
}

int ba_read_google(const ba_source *s, ba_error *err)
{
	static const ba_member document[] = {
		BA_SAID_ALL("context", context_rows), BA_READ("benchmarks", read_rows), {0}};
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(reader) reader r = {.s = s, .stem = BA_BUF_INIT};
	BA_TRY(ba_source_pull(&p, s, err));
	return ba_pull_peek(p) == BA_JSON_OBJECT ? ba_document_pull(&r, document, err)
						 : read_csv(s, err);
}
