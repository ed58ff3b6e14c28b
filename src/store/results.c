#include "store/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "store/fields.h"
#include "store/parts.h"

enum { VARIANTS_MAX = 254, LOOKS_MAX = 16, DEPTH_MAX = 16 };
#define CEILING ((size_t)1 << 30)

static const ba_json_field run_fields[] = {
	BA_FIELD(ba_result, tool_version, TEXT),
	BA_FIELD(ba_result, started, TEXT),
	BA_FIELD(ba_result, wall_seconds, F64),
	BA_FIELD(ba_result, measure_seconds, F64),
	BA_FIELD(ba_result, seed, U64),
	BA_FIELD(ba_result, engine, TEXT),
	BA_FIELD(ba_result, engine_reason, TEXT),
	BA_FIELD(ba_result, suite_sha256, DIGEST),
	BA_FIELD(ba_result, command_line, TEXT),
	BA_FIELD(ba_result, repository, TEXT),
	BA_FIELD(ba_result, config_path, TEXT),
	BA_FIELD(ba_result, interrupted, BOOL),
	BA_FIELD(ba_result, answer, MAYBE),
	BA_FIELD(ba_result, exit_status, INT),
	BA_FIELD(ba_result, notes, LIST),
};

static const ba_json_field decision_fields[] = {
	BA_FIELD(ba_result, alpha, F64),
	BA_FIELD(ba_result, multiplicity, TEXT),
	BA_FIELD(ba_result, strict, BOOL),
};

static const ba_json_field summary_fields[] = {
	BA_FIELD(ba_summary, present, BOOL),
	BA_FIELD(ba_summary, failure, MAYBE),
	BA_FIELD(ba_summary, output, MAYBE),
	BA_FIELD(ba_summary, skipped, MAYBE),
	BA_FIELD(ba_summary, launches, U64),
	BA_FIELD_AS("mean_ns", ba_summary, mean, F64),
	BA_FIELD_AS("stdev_ns", ba_summary, stdev, F64),
	BA_FIELD_AS("min_ns", ba_summary, min, F64),
	BA_FIELD_AS("median_ns", ba_summary, median, F64),
	BA_FIELD_AS("p95_ns", ba_summary, p95, F64),
	BA_FIELD_AS("p99_ns", ba_summary, p99, F64),
	BA_FIELD_AS("trimmed_ns", ba_summary, trimmed, F64),
};

static const ba_json_field comparison_fields[] = {
	BA_FIELD(ba_comparison, ratio, F64),
	BA_FIELD(ba_comparison, low, F64),
	BA_FIELD(ba_comparison, high, F64),
	BA_FIELD(ba_comparison, delta_ns, F64),
	BA_FIELD(ba_comparison, threshold_slower, F64),
	BA_FIELD(ba_comparison, threshold_faster, F64),
	BA_FIELD(ba_comparison, p_regressed, F64),
	BA_FIELD(ba_comparison, p_improved, F64),
	BA_FIELD(ba_comparison, p_unchanged, F64),
	BA_FIELD(ba_comparison, invocations, UNSIGNED),
	BA_FIELD(ba_comparison, s, F64),
	BA_FIELD(ba_comparison, s_within, F64),
	BA_FIELD(ba_comparison, drift_per_block, F64),
	BA_FIELD(ba_comparison, reason, MAYBE),
	BA_FIELD(ba_comparison, hint, MAYBE),
	BA_FIELD(ba_comparison, unstable, BOOL),
	BA_FIELD(ba_comparison, shape_changed, BOOL),
};

/* ---- writing ------------------------------------------------------------- */

static void write_decision(ba_json_writer *w, const ba_result *r)
{
	ba_json_open_object(w, "decision");
	ba_fields_write(w, decision_fields, BA_COUNT(decision_fields), r);
	ba_json_write_u64(w, "family_size", r->family_size);
	ba_json_open_row(w, "looks");
	for (size_t i = 0; i < r->look_count; i++)
		ba_json_write_u64(w, NULL, r->looks[i]);
	ba_json_close(w);
	ba_json_write_f64s(w, "look_weights", r->look_weights, r->look_count);
	ba_json_close(w);
}

static void write_summary(ba_json_writer *w, const char *key, const ba_summary *s)
{
	ba_json_open_object(w, key);
	ba_fields_write(w, summary_fields, BA_COUNT(summary_fields), s);
	ba_json_close(w);
}

static void write_comparison(
	ba_json_writer *w, size_t candidate, const ba_comparison *c)
{
	ba_json_open_object(w, NULL);
	ba_json_write_u64(w, "candidate", candidate);
	ba_json_write_string(w, "verdict", ba_verdict_name(c->verdict));
	ba_fields_write(w, comparison_fields, BA_COUNT(comparison_fields), c);
	ba_json_write_f64s(w, "y", c->y, c->y_count);
	ba_json_close(w);
}

static void write_series(ba_json_writer *w, const ba_result *r, const ba_series *s)
{
	ba_json_open_object(w, NULL);
	ba_json_write_u64(w, "benchmark", s->benchmark);
	ba_json_write_string(w, "id", r->benchmarks[s->benchmark].id);
	ba_json_write_string(w, "metric", ba_metric_get(s->metric)->name);
	ba_json_write_string(
		w, "role", s->role == BA_ROLE_VERDICT ? "verdict" : "reported");
	ba_json_open_array(w, "variants");
	for (size_t i = 0; i < r->variant_count; i++)
		write_summary(w, NULL, &s->variants[i]);
	ba_json_close(w);
	if (s->floor.present || s->floor.launches)
		write_summary(w, "floor", &s->floor);
	if (s->net_ns)
		ba_json_write_f64s(w, "net_ns", s->net_ns, r->variant_count);
	ba_json_open_array(w, "comparisons");
	for (size_t i = 1; i < r->variant_count; i++)
		write_comparison(w, i, &s->comparisons[i - 1]);
	ba_json_close(w);
	ba_json_open_array(w, "samples");
	for (size_t i = 0; i < s->sample_count; i++) {
		ba_json_open_object(w, NULL);
		ba_samples_write(w, &s->samples[i]);
		ba_json_close(w);
	}
	ba_json_close(w);
	ba_json_close(w);
}

void ba_results_format(ba_buf *out, const ba_result *r)
{
	ba_json_writer w;
	ba_json_writer_to_buf(&w, out, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "schema", BA_RESULTS_SCHEMA);
	ba_json_write_string(&w, "verdict", ba_verdict_name(r->verdict));
	ba_fields_write(&w, run_fields, BA_COUNT(run_fields), r);
	write_decision(&w, r);
	ba_environment_write(&w, "environment", &r->env);
	ba_json_open_array(&w, "variants");
	for (size_t i = 0; i < r->variant_count; i++)
		ba_variant_write(&w, NULL, &r->variants[i]);
	ba_json_close(&w);
	ba_json_open_array(&w, "benchmarks");
	for (size_t i = 0; i < r->benchmark_count; i++)
		ba_benchmark_write(&w, NULL, &r->benchmarks[i]);
	ba_json_close(&w);
	ba_json_open_array(&w, "series");
	for (size_t i = 0; i < r->series_count; i++)
		write_series(&w, r, &r->series[i]);
	ba_json_close(&w);
	ba_json_close(&w);
	(void)ba_json_writer_finish(&w, NULL); /* a buffer takes everything */
	ba_buf_putc(out, '\n');
}

int ba_results_write(const char *path, const ba_result *r, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, r);
	return ba_fs_write_atomic(path, text.data, text.len, err);
}

/* ---- reading ------------------------------------------------------------- */

static int check_schema(ba_json_value root, ba_error *err)
{
	const char *schema;
	int rc = ba_json_get_string(&schema, root, "schema", err);
	if (rc || strcmp(schema, BA_RESULTS_SCHEMA) == 0)
		return rc;
	BA_AUTO_FREE char *safe = ba_text_safe(schema);
	bool ours = ba_text_starts(schema, "bench-against.results/");
	return ba_json_fail(err, ba_json_find(root, "schema"), "is '%.60s', %s", safe,
		ours ? "which another version of bench-against wrote: use that one"
		     : "not '" BA_RESULTS_SCHEMA "'");
}

static int read_decision(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value object, looks, weights;
	int rc = ba_json_get_object(&object, root, "decision", err);
	if (rc == 0)
		rc = ba_fields_read(
			r, decision_fields, BA_COUNT(decision_fields), object, err);
	uint64_t family = 0;
	if (rc == 0)
		rc = ba_json_opt_u64(
			&family, object, "family_size", 0, UINT32_MAX, err);
	if (rc == 0)
		rc = ba_json_get(&looks, object, "looks", err);
	if (rc == 0)
		rc = ba_json_get(&weights, object, "look_weights", err);
	if (rc)
		return rc;
	r->family_size = (size_t)family;
	BA_AUTO_FREE uint64_t *at = NULL;
	BA_AUTO_FREE double *share = NULL;
	size_t count, share_count;
	rc = ba_json_as_u64s(&at, &count, looks, err);
	if (rc == 0)
		rc = ba_json_as_f64s(&share, &share_count, weights, err);
	if (rc)
		return rc;
	if (count > LOOKS_MAX || share_count != count)
		return ba_json_fail(err, looks,
			"has %zu looks and %zu weights: as many of each, at most %d",
			count, share_count, LOOKS_MAX);
	for (size_t i = 0; i < count; i++) {
		r->looks[i] = at[i] > UINT32_MAX ? UINT32_MAX : (unsigned)at[i];
		r->look_weights[i] = share[i];
	}
	r->look_count = count;
	return 0;
}

static int read_variants(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value array;
	int rc = ba_json_get_array(&array, root, "variants", err);
	if (rc)
		return rc;
	size_t count = ba_json_count(array);
	if (count < 1 || count > VARIANTS_MAX)
		return ba_json_fail(err, array, "has %zu variants: 1 to %d can be",
			count, VARIANTS_MAX);
	r->variants = ba_xcalloc(count, sizeof(*r->variants));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		ba_json_value object;
		rc = ba_json_as_object(&object, v, err);
		if (rc == 0)
			rc = ba_variant_read(
				&r->variants[r->variant_count++], object, err);
	}
	return rc;
}

static int read_benchmarks(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value array;
	int rc = ba_json_get_array(&array, root, "benchmarks", err);
	if (rc)
		return rc;
	r->benchmarks = ba_xcalloc(ba_json_count(array) + 1, sizeof(*r->benchmarks));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		ba_json_value object;
		rc = ba_json_as_object(&object, v, err);
		if (rc == 0)
			rc = ba_benchmark_read(
				&r->benchmarks[r->benchmark_count++], object, err);
	}
	return rc;
}

static int read_summaries(
	ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	int rc = ba_json_get_array(&array, object, "variants", err);
	if (rc)
		return rc;
	if (ba_json_count(array) != r->variant_count)
		return ba_json_fail(err, array, "has %zu entries for %zu variants",
			ba_json_count(array), r->variant_count);
	size_t i = 0;
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		if (rc == 0)
			rc = ba_fields_read(&s->variants[i++], summary_fields,
				BA_COUNT(summary_fields), one, err);
	}
	ba_json_value floor = ba_json_find(object, "floor");
	if (rc == 0 && ba_json_is(floor))
		rc = ba_json_as_object(&floor, floor, err);
	if (rc == 0 && ba_json_is(floor))
		rc = ba_fields_read(&s->floor, summary_fields, BA_COUNT(summary_fields),
			floor, err);
	return rc;
}

static int read_net(
	ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value net = ba_json_find(object, "net_ns");
	if (!ba_json_is(net))
		return 0;
	BA_AUTO_FREE double *values = NULL;
	size_t count;
	int rc = ba_json_as_f64s(&values, &count, net, err);
	if (rc == 0 && count != r->variant_count)
		rc = ba_json_fail(err, net, "has %zu numbers for %zu variants", count,
			r->variant_count);
	if (rc == 0)
		s->net_ns = BA_TAKE(values);
	return rc;
}

static int read_comparison(ba_comparison *c, ba_json_value object, ba_error *err)
{
	int rc = ba_verdict_read(&c->verdict, object, "verdict", err);
	if (rc == 0)
		rc = ba_fields_read(
			c, comparison_fields, BA_COUNT(comparison_fields), object, err);
	ba_json_value y = ba_json_find(object, "y");
	if (rc == 0 && ba_json_is(y) && ba_json_count(y))
		rc = ba_json_as_f64s(&c->y, &c->y_count, y, err);
	return rc;
}

static int read_comparisons(
	ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	int rc = ba_json_get_array(&array, object, "comparisons", err);
	if (rc)
		return rc;
	if (ba_json_count(array) != r->variant_count - 1)
		return ba_json_fail(err, array, "has %zu entries for %zu candidates",
			ba_json_count(array), r->variant_count - 1);
	size_t i = 0;
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		uint64_t candidate;
		rc = ba_json_as_object(&one, v, err);
		if (rc == 0)
			rc = ba_json_get_u64(
				&candidate, one, "candidate", i + 1, i + 1, err);
		if (rc == 0)
			rc = read_comparison(&s->comparisons[i++], one, err);
	}
	return rc;
}

static int read_samples(
	ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	int rc = ba_json_get_array(&array, object, "samples", err);
	if (rc)
		return rc;
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		if (rc == 0)
			rc = ba_samples_read(
				ba_series_add_samples(s), one, r->variant_count, err);
	}
	return rc;
}

static int read_role(ba_series *s, ba_json_value object, ba_error *err)
{
	const char *role;
	int rc = ba_json_get_string(&role, object, "role", err);
	if (rc)
		return rc;
	if (strcmp(role, "verdict") != 0 && strcmp(role, "reported") != 0)
		return ba_json_fail(err, ba_json_find(object, "role"),
			"must be \"verdict\" or \"reported\"");
	s->role = *role == 'v' ? BA_ROLE_VERDICT : BA_ROLE_REPORTED;
	return 0;
}

/* seen: [benchmark_count * BA_METRIC_COUNT], one of each; a search would make reading
 * quadratic */
static int open_series(ba_result *r, bool *seen, ba_json_value object, ba_error *err)
{
	uint64_t benchmark;
	ba_metric metric;
	if (!r->benchmark_count)
		return ba_json_fail(err, object, "is of a benchmark that is not there");
	int rc = ba_json_get_u64(
		&benchmark, object, "benchmark", 0, r->benchmark_count - 1, err);
	if (rc == 0)
		rc = ba_metric_read(&metric, object, err);
	if (rc)
		return rc;
	bool *mine = &seen[benchmark * BA_METRIC_COUNT + metric];
	if (*mine)
		return ba_json_fail(
			err, object, "is there twice: same benchmark and metric");
	*mine = true;
	r->series[r->series_count++] = (ba_series){
		.benchmark = (size_t)benchmark,
		.metric = metric,
		.variants = ba_xcalloc(r->variant_count, sizeof(ba_summary)),
		.comparisons = ba_xcalloc(r->variant_count, sizeof(ba_comparison)),
	};
	return 0;
}

static int read_one_series(
	ba_result *r, bool *seen, ba_json_value object, ba_error *err)
{
	int rc = open_series(r, seen, object, err);
	if (rc)
		return rc;
	ba_series *s = &r->series[r->series_count - 1];
	rc = read_role(s, object, err);
	if (rc == 0)
		rc = read_summaries(s, r, object, err);
	if (rc == 0)
		rc = read_net(s, r, object, err);
	if (rc == 0)
		rc = read_comparisons(s, r, object, err);
	return rc ? rc : read_samples(s, r, object, err);
}

static int read_series(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value array, object;
	int rc = ba_json_get_array(&array, root, "series", err);
	if (rc)
		return rc;
	BA_AUTO_FREE bool *seen =
		ba_xcalloc(r->benchmark_count + 1, BA_METRIC_COUNT * sizeof(bool));
	r->series = ba_xcalloc(ba_json_count(array) + 1, sizeof(*r->series));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&object, v, err);
		if (rc == 0)
			rc = read_one_series(r, seen, object, err);
	}
	return rc;
}

static int read_root(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value env;
	int rc = ba_json_as_object(&root, root, err);
	if (rc == 0)
		rc = check_schema(root, err);
	if (rc == 0)
		rc = ba_verdict_read(&r->verdict, root, "verdict", err);
	if (rc == 0)
		rc = ba_fields_read(r, run_fields, BA_COUNT(run_fields), root, err);
	if (rc == 0)
		rc = read_decision(r, root, err);
	if (rc == 0)
		rc = ba_json_get_object(&env, root, "environment", err);
	if (rc == 0)
		rc = ba_environment_read(&r->env, env, err);
	if (rc == 0)
		rc = read_variants(r, root, err);
	if (rc == 0)
		rc = read_benchmarks(r, root, err);
	return rc ? rc : read_series(r, root, err);
}

static int read_document(ba_result *out, const ba_json *doc, ba_error *err)
{
	ba_result r = {0};
	int rc = read_root(&r, ba_json_root(doc), err);
	if (rc == 0)
		*out = r;
	else
		ba_result_dispose(&r);
	return rc;
}

static ba_json_options options_of(const char *name)
{
	return (ba_json_options){
		.name = name,
		.positions = true,
		.unique_keys = true,
		.ceiling = CEILING,
		.depth = DEPTH_MAX,
	};
}

int ba_results_parse(
	ba_result *out, const char *text, size_t size, const char *name, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = options_of(name);
	int rc = ba_json_parse(&doc, text, size, &options, err);
	return rc ? rc : read_document(out, doc, err);
}

int ba_results_read(ba_result *out, const char *path, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = options_of(NULL);
	int rc = ba_json_read(&doc, path, &options, err);
	return rc ? rc : read_document(out, doc, err);
}
