#include "compare/compare.h"

#include "compare/comparing.h"
#include "json/writer.h"
#include "stats/quantile.h"

const char *const ba_convert_names[] = {
	[BA_CONVERT_SAMPLES] = "samples",
	[BA_CONVERT_PYTEST] = "pytest-benchmark",
	[BA_CONVERT_NVBENCH] = "nvbench",
	[BA_CONVERT_GITHUB] = "github-action-benchmark",
	[BA_CONVERT_COUNT] = NULL,
};

typedef struct item {
	double *values;
	size_t count, capacity;
	ba_level level;
	char *failure;
	bool skipped; /* skipped on purpose; `failure` has the reason */
} item;

typedef struct document {
	const char *path;
	ba_ledger names;
	item *items; /* one for each row of `names` */
	size_t item_capacity;
	ba_field *fields;
	size_t field_count;
	ba_strv *remarks;
	size_t without_samples, no_times, failed, other_direction;
} document;

BA_OWNS_HERE(document, d, BA_FREE_EACH(x, d->items, d->names.count, BA_FREE(x->values, x->failure)),
	BA_FREE_EACH(x, d->fields, d->field_count, BA_FREE(x->name, x->value)),
	ba_ledger_dispose(&d->names))

/* ---- what is read -------------------------------------------------------- */

static void take_field(void *data, const char *name, const char *value, bool must_match)
{
	document *d = data;
	if (BA_ANY(d->fields, d->field_count, x, strcmp(x->name, name) == 0))
		return;
	*BA_APPEND(d->fields, d->field_count) = (ba_field){
		.name = ba_xstrdup(name), .value = ba_xstrdup(value), .must_match = must_match};
}

static void take_warning(void *data, const char *text)
{
	document *d = data;
	ba_strv_push(d->remarks, text);
}

static void take_damage(void *data, const char *text)
{
	document *d = data;
	ba_strv_printf(d->remarks, "the file %s", text);
}

static item *item_of(document *d, const ba_record *r)
{
	size_t before = d->names.count;
	size_t row = ba_ledger_row(&d->names, r->id, r->metric);
	for (unsigned k = 2; r->whole && row < before; k++) {
		BA_AUTO_FREE char *id = ba_xprintf("%s #%u", r->id, k);
		row = ba_ledger_row(&d->names, id, r->metric);
	}
	d->items = BA_GROW(d->items, &d->item_capacity, d->names.count);
	if (row >= before)
		d->items[row] = (item){.level = r->level};
	ba_ledger_at(&d->names, row)->is_time = r->is_time;
	ba_ledger_at(&d->names, row)->higher_is_better = r->higher_is_better;
	return &d->items[row];
}

static int take_record(void *data, const ba_record *r, ba_error *err)
{
	document *d = data;
	BA_TRY(ba_ledger_check(&d->names, r->metric, d->path, err));
	item *i = item_of(d, r);
	if (r->failure || r->skipped) {
		if (!i->failure)
			i->failure = ba_xstrdup(r->failure ? r->failure : r->skipped);
		i->skipped = !r->failure;
		return 0;
	}
	if (i->count && r->level < i->level)
		return 0;
	if (r->level != i->level)
		i->count = 0;
	i->level = r->level;
	i->values = BA_GROW(i->values, &i->capacity, i->count + r->count);
	memcpy(i->values + i->count, r->values, r->count * sizeof(*r->values));
	i->count += r->count;
	return 0;
}

/* ---- ours ---------------------------------------------------------------- */

static void write_samples(ba_json_writer *w, document *d)
{
	ba_json_put(w, "{schema: 'bench-against.samples/1', fields: {");
	BA_EACH (const ba_field, f, d->fields, d->field_count) {
		ba_json_open_object(w, f->name);
		ba_json_put(w, "value: %s, must_match: %d}", f->value, f->must_match);
	}
	ba_json_put(w, "}, benchmarks: [");
	for (size_t i = 0; i < d->names.count; i++) {
		const ba_row *row = ba_ledger_at(&d->names, i);
		const item *it = &d->items[i];
		ba_json_put(w, "{id: %s, metric: %s, is_time: %d, higher_is_better: %d, level: %s",
			ba_ledger_id(&d->names, i), d->names.metrics.items[row->metric],
			row->is_time, row->higher_is_better, ba_level_name(it->level));
		if (it->failure)
			ba_json_write_string(w, it->skipped ? "skipped" : "failure", it->failure);
		else
			ba_json_write_f64s(w, "values", it->values, it->count);
		ba_json_close(w);
	}
	ba_json_put(w, "]}");
}

/* ---- pytest-benchmark and NVBench: only sampled times ------------------- */

static const char *field_value(const document *d, const char *name, const char *none)
{
	const ba_field *f = BA_FIND(d->fields, d->field_count, x, strcmp(x->name, name) == 0);
	return f ? f->value : none;
}

/* Does the benchmark have sampled times? Otherwise counts the reason. */
static bool has_samples(document *d, size_t i)
{
	const item *it = &d->items[i];
	bool is_time = ba_ledger_at(&d->names, i)->is_time;
	d->failed += it->failure != NULL;
	d->no_times += !it->failure && !is_time;
	d->without_samples += !it->failure && is_time && it->level == BA_LEVEL_SUMMARY;
	return !it->failure && is_time && it->level > BA_LEVEL_SUMMARY;
}

typedef struct figures {
	double min, max, mean, stdev, median, q1, q3; /* seconds */
	/* the number of values more than 1.5 interquartile ranges outside the quartiles */
	size_t below, above;
	double least, most; /* the extremes of the values that are within */
} figures;

static figures figures_of(const item *it)
{
	size_t n = it->count;
	BA_AUTO_FREE double *x = ba_xreallocarray(NULL, n, sizeof(*x));
	for (size_t i = 0; i < n; i++)
		x[i] = it->values[i] / 1e9;
	figures f = {.mean = ba_mean(x, n), .stdev = ba_stdev(x, n)};
	ba_sort_doubles(x, n);
	f.min = x[0];
	f.max = x[n - 1];
	f.median = ba_quantile_sorted(x, n, 0.5);
	f.q1 = ba_quantile_sorted(x, n, 0.25);
	f.q3 = ba_quantile_sorted(x, n, 0.75);
	double reach = 1.5 * (f.q3 - f.q1);
	for (size_t i = 0; i < n; i++) {
		f.below += x[i] < f.q1 - reach;
		f.above += x[i] > f.q3 + reach;
	}
	f.least = x[f.below];
	f.most = x[n - 1 - f.above];
	return f;
}

static void write_pytest_stats(ba_json_writer *w, const item *it)
{
	figures f = figures_of(it);
	size_t outside = BA_HOW_MANY(it->values, it->count, x, fabs(*x / 1e9 - f.mean) > f.stdev);
	BA_AUTO_FREE char *outliers = ba_xprintf("%zu;%zu", outside, f.below + f.above);
	BA_AUTO_FREE double *seconds = ba_xreallocarray(NULL, it->count, sizeof(*seconds));
	for (size_t i = 0; i < it->count; i++)
		seconds[i] = it->values[i] / 1e9;
	ba_json_put(w, "stats: {min: %g, max: %g, mean: %g, stddev: %g, median: %g, iqr: %g", f.min,
		f.max, f.mean, f.stdev, f.median, f.q3 - f.q1);
	ba_json_put(w, "q1: %g, q3: %g, ld15iqr: %g, hd15iqr: %g, ops: %g, total: %g", f.q1, f.q3,
		f.least, f.most, 1 / f.mean, f.mean * (double)it->count);
	ba_json_put(w,
		"rounds: %zu, iterations: 1, iqr_outliers: %zu, stddev_outliers: %zu, outliers: %s",
		it->count, f.below + f.above, outside, outliers);
	ba_json_write_f64s(w, "data", seconds, it->count);
	ba_json_close(w);
}

static void write_pytest_entry(ba_json_writer *w, const char *id, const item *it)
{
	ba_json_put(w,
		"{group: null, name: %s, fullname: %s, params: null, param: null, extra_info: {level: %s}",
		id, id, ba_level_name(it->level));
	ba_json_put(w,
		"options: {disable_gc: false, timer: 'unknown', min_rounds: %zu, max_time: 0, min_time: 0, warmup: false}",
		it->count);
	write_pytest_stats(w, it);
	ba_json_close(w);
}

static void write_pytest(ba_json_writer *w, document *d)
{
	ba_json_put(w,
		"{machine_info: {node: %s, machine: %s, cpu: {brand_raw: %s}}, commit_info: {}, benchmarks: [",
		field_value(d, "host", ""), field_value(d, "architecture", ""),
		field_value(d, "cpu", ""));
	for (size_t i = 0; i < d->names.count; i++)
		if (has_samples(d, i))
			write_pytest_entry(w, ba_ledger_id(&d->names, i), &d->items[i]);
	ba_json_put(w, "], datetime: '1970-01-01T00:00:00+00:00', version: '5.0.0'}");
}

/* NVBench writes numbers as strings */
static void write_summary(
	ba_json_writer *w, const char *tag, const char *name, const char *type, double value)
{
	BA_AUTO_FREE char *text = ba_xprintf("%.17g", value);
	ba_json_put(w,
		"{tag: %s, name: %s, hint: %s, description: '', data: [{name: 'value', type: %s, value: %s}]}",
		tag, name,
		strcmp(type, "int64") == 0 ? "sample_size"
		: strstr(tag, "/relative") ? "percentage"
					   : "duration",
		type, text);
}

static void write_nvbench_summaries(ba_json_writer *w, const char *clock, const item *it)
{
	figures f = figures_of(it);
	const struct {
		const char *tag, *name;
		double value;
	} rows[] = {{"mean", "Time", f.mean}, {"min", "Min", f.min}, {"max", "Max", f.max},
		{"stdev/absolute", "Noise", f.stdev}, {"stdev/relative", "Noise", f.stdev / f.mean},
		{"q1", "Q1", f.q1}, {"median", "Median", f.median}, {"q3", "Q3", f.q3},
		{"iqr/absolute", "IQR", f.q3 - f.q1},
		{"iqr/relative", "IQR", (f.q3 - f.q1) / f.median}};
	ba_json_open_array(w, "summaries");
	write_summary(w, "nv/cold/sample_size", "Samples", "int64", (double)it->count);
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		BA_AUTO_FREE char *tag = ba_xprintf("nv/cold/time/%s/%s", clock, rows[i].tag);
		write_summary(w, tag, rows[i].name, "float64", rows[i].value);
	}
	ba_json_close(w);
}

static void write_nvbench_entry(ba_json_writer *w, const document *d, size_t i, size_t index)
{
	const ba_row *row = ba_ledger_at(&d->names, i);
	bool gpu = strncmp(d->names.metrics.items[row->metric], "gpu", 3) == 0;
	ba_json_put(w, "{name: %s, index: %zu", ba_ledger_id(&d->names, i), index);
	ba_json_open_row(w, "devices");
	ba_json_put(w,
		"0], axes: null, states: [{name: 'Device=0', device: 0, type_config_index: 0, axis_values: null");
	write_nvbench_summaries(w, gpu ? "gpu" : "cpu", &d->items[i]);
	ba_json_put(w, "is_skipped: false}]}");
}

static void write_nvbench(ba_json_writer *w, document *d)
{
	size_t index = 0;
	ba_json_put(w,
		"{meta: {version: {json: {major: 1, minor: 0, patch: 0, string: '1.0.0'}}}, devices: [{id: 0, name: %s}], benchmarks: [",
		field_value(d, "device", "not said"));
	for (size_t i = 0; i < d->names.count; i++)
		if (has_samples(d, i))
			write_nvbench_entry(w, d, i, index++);
	ba_json_put(w, "]}");
}

/* ---- github-action-benchmark's customSmallerIsBetter and customBiggerIsBetter --- */

static void write_entry(ba_json_writer *w, const document *d, size_t i)
{
	const item *it = &d->items[i];
	const ba_row *row = ba_ledger_at(&d->names, i);
	ba_json_put(w, "{name: %s, unit: %s, value: %g", ba_ledger_id(&d->names, i),
		row->is_time ? "ns" : d->names.metrics.items[row->metric],
		ba_mean(it->values, it->count));
	if (it->count > 1) {
		BA_AUTO_FREE char *range = ba_xprintf("± %.6g", ba_stdev(it->values, it->count));
		BA_AUTO_FREE char *extra =
			ba_xprintf("%zu %s", it->count, ba_level_words(it->level, it->count));
		ba_json_put(w, "range: %s, extra: %s", range, extra);
	}
	ba_json_close(w);
}

static void write_github(ba_json_writer *w, document *d)
{
	bool more = ba_ledger_at(&d->names, 0)->higher_is_better;
	ba_json_open_array(w, NULL);
	for (size_t i = 0; i < d->names.count; i++) {
		bool other = ba_ledger_at(&d->names, i)->higher_is_better != more;
		d->failed += d->items[i].failure != NULL;
		d->other_direction += !d->items[i].failure && other;
		if (!d->items[i].failure && !other)
			write_entry(w, d, i);
	}
	ba_json_close(w);
}

static void remark(document *d, size_t count, const char *what)
{
	if (count)
		ba_strv_printf(d->remarks, "%zu %s left out: %s", count,
			ba_plural(count, "benchmark", "benchmarks"), what);
}

int ba_convert(ba_buf *out, ba_strv *remarks, const ba_convert_spec *spec, ba_error *err)
{
	static void (*const writers[BA_CONVERT_COUNT])(ba_json_writer *, document *) = {
		[BA_CONVERT_SAMPLES] = write_samples,
		[BA_CONVERT_PYTEST] = write_pytest,
		[BA_CONVERT_NVBENCH] = write_nvbench,
		[BA_CONVERT_GITHUB] = write_github,
	};
	BA_AUTO(document)
	document d = {.path = spec->path, .remarks = remarks};
	const ba_sink sink = {.data = &d,
		.field = take_field,
		.record = take_record,
		.warn = take_warning,
		.damaged = take_damage,
		.metric = spec->metric,
		.csv_columns = spec->csv_columns,
		.takes_zeros = true};
	ba_json_writer w;
	ba_ledger_init(&d.names, 1, false);
	BA_TRY(ba_import_read(NULL, spec->path, spec->part, &sink, err));
	if (d.names.count == 0)
		return ba_fail(err, BA_EDATA, "'%s' has no benchmark%s", spec->path,
			spec->metric ? " with that metric" : "");
	w = ba_json_writer_to_buf(out, 1);
	writers[spec->to](&w, &d);
	ba_buf_putc(out, '\n');
	remark(&d, d.without_samples, "they have no samples, and bench-against invents none");
	remark(&d, d.no_times, "their values are not times");
	remark(&d, d.failed, "they failed or were skipped");
	remark(&d, d.other_direction,
		"the file can only say once whether more or less is better, and the first benchmark decides");
	return 0;
}
