/* A results document from anywhere, taken for untrusted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/parts.h"
#include "store/results.h"
#include "store/results_fields.h"

enum { VARIANTS_MAX = 254, LOOKS_MAX = 16, DEPTH_MAX = 16 };
#define CEILING ((size_t)1 << 30)

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
		rc = ba_fields_read(r, ba_decision_table.rows, ba_decision_table.count,
			object, err);
	uint64_t family = 0, done = 0;
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
	rc = ba_json_opt_u64(&done, object, "looks_done", 0, count, err);
	if (rc == 0)
		r->looks_done = (size_t)done;
	return rc;
}

static int read_gate(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value gate = ba_json_find(root, "gate");
	if (!ba_json_is(gate))
		return 0;
	int rc = ba_json_as_object(&gate, gate, err);
	return rc ? rc
		  : ba_fields_read(
			    r, ba_gate_table.rows, ba_gate_table.count, gate, err);
}

/* documents from before there were several have none */
static int read_suites(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value array = ba_json_find(root, "suites");
	if (!ba_json_is(array))
		return 0;
	int rc = ba_json_as_array(&array, array, err);
	if (rc)
		return rc;
	r->suites = ba_xcalloc(ba_json_count(array) + 1, sizeof(*r->suites));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		ba_json_value object;
		ba_measured_suite *s = &r->suites[r->suite_count];
		rc = ba_json_as_object(&object, v, err);
		rc = rc ? rc : ba_suite_kind_read(&s->kind, object, err);
		r->suite_count += rc == 0;
		rc = rc ? rc
			: ba_fields_read(s, ba_suite_table.rows, ba_suite_table.count,
				  object, err);
	}
	return rc;
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

/* What earlier versions did not write is not known. */
static int read_summary(ba_summary *out, ba_json_value object, ba_error *err)
{
	out->iqr = out->max = NAN;
	return ba_fields_read(
		out, ba_summary_table.rows, ba_summary_table.count, object, err);
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
			rc = read_summary(&s->variants[i++], one, err);
	}
	ba_json_value floor = ba_json_find(object, "floor");
	if (rc == 0 && ba_json_is(floor))
		rc = ba_json_as_object(&floor, floor, err);
	if (rc == 0 && ba_json_is(floor))
		rc = read_summary(&s->floor, floor, err);
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
		rc = ba_fields_read(c, ba_comparison_table.rows,
			ba_comparison_table.count, object, err);
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
	ba_series_init(&r->series[r->series_count++], r, (size_t)benchmark, metric);
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
		rc = ba_json_opt_f64(&s->s_floor, object, "s_floor", err);
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
		rc = ba_fields_read(
			r, ba_run_table.rows, ba_run_table.count, root, err);
	if (rc == 0)
		rc = read_decision(r, root, err);
	if (rc == 0)
		rc = read_gate(r, root, err);
	if (rc == 0)
		rc = ba_json_get_object(&env, root, "environment", err);
	if (rc == 0)
		rc = ba_environment_read(&r->env, env, err);
	if (rc == 0)
		rc = read_suites(r, root, err);
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
