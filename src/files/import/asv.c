/* asv: a file of results/MACHINE. A benchmark is an array whose columns the file names (version
 * 2), an object with these names, or its result alone (version 1): "result" and "samples" have
 * an entry for each combination of "params", in the order of their product. */

#include "import/source.h"

enum {
	COMBINATIONS_MOST = 1 << 20,
	SKIPPED = -1, /* a result that is NaN in the file; null means a failure */
};

typedef struct row {
	ba_values results; /* one for each combination; NaN: failed; or SKIPPED */
	ba_strv *params;   /* one list for each parameter */
	size_t param_count, param_capacity;
	ba_values samples; /* samples of all combinations, one after another */
	size_t *ends;	   /* where the samples of each combination end */
	size_t end_count, end_capacity;
	bool failed; /* null instead of results */
} row;

typedef struct reader {
	const ba_source *s;
	ba_strv columns;
	row row;
	char *other;   /* the first benchmark that does not measure time */
	size_t others; /* number of such benchmarks */
} reader;

static void row_clear(row *r)
{
	for (size_t i = 0; i < r->param_count; i++)
		ba_strv_dispose(&r->params[i]);
	r->results.count = r->samples.count = r->param_count = r->end_count = 0;
	r->failed = false;
}

BA_OWNS_HERE(row, r, row_clear(r), BA_FREE(r->params, r->ends),
	BA_DISPOSE(ba_values, &r->results, &r->samples))

/* ---- columns ------------------------------------------------------------- */

static int read_results(row *r, ba_pull *p, ba_error *err)
{
	double value = 0;
	r->failed = ba_pull_peek(p) != BA_JSON_ARRAY;
	if (r->failed)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		ba_json_type type = ba_pull_peek(p);
		bool number = type == BA_JSON_NUMBER || type == BA_JSON_NULL;
		value = NAN;
		rc = number ? ba_time_pull(&value, p, err) : ba_pull_skip(p, err);
		bool skipped = type == BA_JSON_NUMBER && isnan(value);
		ba_values_add(&r->results, skipped ? SKIPPED : value);
	}
	return rc;
}

static int read_params(row *r, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		ba_strv *values = BA_PUSH(r->params, r->param_count, r->param_capacity);
		*values = (ba_strv){0};
		rc = ba_pull_array(p, err);
		while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
			rc = ba_text_pull(&text, p, err);
			ba_strv_push(values, text.data);
		}
	}
	return rc;
}

static int read_samples(row *r, ba_pull *p, ba_error *err)
{
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		rc = ba_pull_peek(p) == BA_JSON_ARRAY ? ba_values_pull(&r->samples, p, 1, err)
						      : ba_pull_skip(p, err);
		*BA_PUSH(r->ends, r->end_count, r->end_capacity) = r->samples.count;
	}
	return rc;
}

/* ---- records ------------------------------------------------------------- */

/* "time_x(1.5)" of "module.Class.time_x(1.5)" */
static const char *name_of(const char *id)
{
	const char *name = id;
	for (const char *c = id; *c && *c != '('; c++)
		if (*c == '.')
			name = c + 1;
	return name;
}

/* time_x and timeraw_x measure seconds; benchmarks.json names the units of the others */
static bool is_time(const char *name)
{
	return ba_text_starts(name_of(name), "time");
}

static size_t combinations(const row *r)
{
	size_t n = 1;
	for (size_t i = 0; i < r->param_count; i++) {
		n *= r->params[i].count;
		if (n > COMBINATIONS_MOST)
			return 0;
	}
	return n;
}

/* "name(100,'a')" for combination k: the last parameter changes fastest */
static void put_id(ba_buf *out, const char *name, const row *r, size_t k)
{
	size_t rest = combinations(r);
	ba_buf_clear(out);
	ba_buf_puts(out, name);
	for (size_t i = 0; i < r->param_count; i++) {
		rest /= r->params[i].count;
		ba_buf_printf(out, "%s%s", i ? "," : "(",
			r->params[i].items[k / rest % r->params[i].count]);
	}
	ba_buf_puts(out, r->param_count ? ")" : "");
}

static int emit(
	const char *id, const row *r, size_t k, const ba_source *s, bool time, ba_error *err)
{
	double value = k < r->results.count ? r->results.at[k] : NAN;
	size_t from = k && k <= r->end_count ? r->ends[k - 1] : 0;
	size_t to = k < r->end_count ? r->ends[k] : from;
	double *samples = r->samples.at ? r->samples.at + from : NULL;
	size_t count = to - from;
	for (size_t i = 0; time && i < count; i++)
		samples[i] *= 1e9;
	value *= time ? 1e9 : 1;
	const ba_record record = {
		.id = id,
		.metric = time ? "time" : "value",
		.unit = name_of(id),
		.is_time = time,
		.whole = true,
		.level = count ? BA_LEVEL_BATCH : BA_LEVEL_SUMMARY,
		.values = count ? samples : &value,
		.count = count ? count : 1,
		.failure = r->failed || isnan(value) ? "asv reports that it failed" : NULL,
		.skipped = value < 0 ? "asv reports n/a: it was skipped" : NULL,
	};
	return ba_source_record(s, &record, err);
}

static int emit_row(const char *name, row *r, const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	bool time = is_time(name);
	if (!ba_source_wants(s, time ? "time" : "value", time))
		return 0;
	size_t n = combinations(r);
	/* a single null stands for all: the benchmark failed before the first */
	r->failed |= n > 1 && r->results.count == 1 && isnan(r->results.at[0]);
	if (n == 0 || (!r->failed && r->results.count != n) || (r->end_count && r->end_count != n))
		return ba_pull_fail(err, p,
			"%zu results and %zu lists of samples do not fit its parameters",
			r->results.count, r->end_count);
	for (size_t k = 0; k < n; k++) {
		put_id(&id, name, r, k);
		BA_TRY(emit(id.data, r, k, s, time, err));
	}
	return 0;
}

/* ---- the document -------------------------------------------------------- */

static int add_column(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	const char *name;
	BA_TRY(ba_pull_string(&name, p, err));
	ba_strv_push(&r->columns, name);
	return 0;
}

static int read_column(void *data, const char *column, ba_pull *p, ba_error *err)
{
	row *r = data;
	return strcmp(column, "result") == 0	? read_results(r, p, err)
	       : strcmp(column, "params") == 0	? read_params(r, p, err)
	       : strcmp(column, "samples") == 0 ? read_samples(r, p, err)
						: ba_pull_skip(p, err);
}

static int read_array(row *r, const ba_strv *columns, ba_pull *p, ba_error *err)
{
	if (!columns->count)
		return ba_pull_fail(err, p,
			"'result_columns' must come before it, as in files of asv's version 2");
	int rc = ba_pull_array(p, err);
	for (size_t i = 0; rc == 0 && (rc = ba_pull_element(p, err)) > 0; i++)
		rc = read_column(r, i < columns->count ? columns->items[i] : "", p, err);
	return rc;
}

/* A version 1 benchmark without parameters: its result, or null if it failed. */
static int read_scalar(row *r, ba_pull *p, ba_error *err)
{
	double value = NAN;
	r->failed = ba_pull_peek(p) != BA_JSON_NUMBER;
	int rc = r->failed ? ba_pull_skip(p, err) : ba_time_pull(&value, p, err);
	if (!r->failed)
		ba_values_add(&r->results, value);
	return rc;
}

static int read_row(row *r, const ba_strv *columns, ba_pull *p, ba_error *err)
{
	row_clear(r);
	switch (ba_pull_peek(p)) {
	case BA_JSON_ARRAY:
		return read_array(r, columns, p, err);
	case BA_JSON_OBJECT:
		return ba_keys_pull(r, p, read_column, err);
	default:
		return read_scalar(r, p, err);
	}
}

static int read_result(void *data, const char *name, ba_pull *p, ba_error *err)
{
	reader *r = data;
	BA_TRY(read_row(&r->row, &r->columns, p, err));
	if (!is_time(name) && r->others++ == 0)
		r->other = ba_xstrdup(name);
	return emit_row(name, &r->row, r->s, p, err);
}

int ba_read_asv(const ba_source *s, ba_error *err)
{
	static const ba_member params[] = {BA_SAID("machine", "host", false),
		BA_SAID("cpu", "cpu", true), BA_SAID("arch", "architecture", true),
		BA_SAID("os", "operating system", false), BA_SAID("python", "python", false), {0}};
	static const ba_member document[] = {BA_SAID_ALL("params", params),
		BA_ELEMENTS("result_columns", add_column), BA_KEYS("results", read_result), {0}};
	reader r = {.s = s};
	int rc = ba_document_pull(&r, document, err);
	if (rc == 0 && r.others && !s->sink->metric)
		ba_source_warn(s,
			"%s: %zu benchmarks that do not measure time are left out, such as %s; --metric value compares them",
			s->name, r.others, r.other);
	ba_strv_dispose(&r.columns);
	row_dispose(&r.row);
	free(r.other);
	return rc;
}
