/* Writes the formats of other tools that hold sampled times. */

#include "compare/convert_document.h"
#include "stats/quantile.h"

static const char *field_value(const ba_convert_document *d, const char *name, const char *none)
{
	const ba_field *f = BA_FIND(d->fields, d->field_count, x, strcmp(x->name, name) == 0);
	return f ? f->value : none;
}

/* Does the benchmark have sampled times? Otherwise counts the reason. */
static bool has_samples(ba_convert_document *d, size_t i)
{
	const ba_convert_item *it = &d->items[i];
	bool is_time = ba_ledger_at(&d->names, i)->is_time;
	d->failed += it->failure != NULL;
	d->no_times += !it->failure && !is_time;
	d->without_samples += !it->failure && is_time && it->level == BA_LEVEL_SUMMARY;
	return !it->failure && is_time && it->level > BA_LEVEL_SUMMARY;
}

typedef struct figures {
	double min, max, mean, stdev, median, q1, q3, total; /* seconds */
	/* the number of values more than 1.5 interquartile ranges outside the quartiles */
	size_t below, above;
	double least, most; /* the extremes of the values that are within */
} figures;

static figures figures_of(const ba_convert_item *it)
{
	size_t n = it->count;
	BA_AUTO_FREE double *x = ba_xreallocarray(NULL, n, sizeof(*x));
	for (size_t i = 0; i < n; i++)
		x[i] = it->values[i] / 1e9;
	figures f = {.mean = ba_mean(x, n), .stdev = ba_stdev(x, n)};
	ba_sort_doubles(x, n);
	f.total = f.mean * (double)n;
	f.min = f.least = x[0];
	f.max = f.most = x[n - 1];
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

static void write_pytest_stats(ba_json_writer *w, const ba_convert_item *it)
{
	figures f = figures_of(it);
	size_t outside = BA_HOW_MANY(it->values, it->count, x, fabs(*x / 1e9 - f.mean) > f.stdev);
	BA_AUTO_FREE char *outliers = ba_xprintf("%zu;%zu", outside, f.below + f.above);
	BA_AUTO_FREE double *seconds = ba_xreallocarray(NULL, it->count, sizeof(*seconds));
	for (size_t i = 0; i < it->count; i++)
		seconds[i] = it->values[i] / 1e9;
	const struct {
		const char *key;
		double value;
	} rows[] = {{"min", f.min}, {"max", f.max}, {"mean", f.mean}, {"stddev", f.stdev},
		{"median", f.median}, {"iqr", f.q3 - f.q1}, {"q1", f.q1}, {"q3", f.q3},
		{"ld15iqr", f.least}, {"hd15iqr", f.most}, {"ops", 1 / f.mean}, {"total", f.total}};
	ba_json_put(w, "stats: {");
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		ba_json_write_f64(w, rows[i].key, rows[i].value);
	ba_json_put(w,
		"rounds: %zu, iterations: 1, iqr_outliers: %zu, stddev_outliers: %zu, outliers: %s",
		it->count, f.below + f.above, outside, outliers);
	ba_json_write_f64s(w, "data", seconds, it->count);
	ba_json_close(w);
}

static void write_pytest_entry(ba_json_writer *w, const char *id, const ba_convert_item *it)
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

void ba_convert_write_pytest(ba_json_writer *w, ba_convert_document *d)
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

static void write_nvbench_summaries(ba_json_writer *w, const char *clock, const ba_convert_item *it)
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

static void write_nvbench_entry(
	ba_json_writer *w, const ba_convert_document *d, size_t i, size_t index)
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

void ba_convert_write_nvbench(ba_json_writer *w, ba_convert_document *d)
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
