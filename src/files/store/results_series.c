/* The series of a results document, and the readings that are left in it. */
#include "store/results_series.h"

#include <math.h>

#include "base/base.h"
#include "store/parts.h"
#include "store/results_fields.h"

/* What earlier versions did not write is not known. */
static int read_summary(ba_summary *out, ba_json_value object, ba_error *err)
{
	out->iqr = out->max = out->sm_mhz = NAN;
	int rc = ba_fields_read(out, BA_TABLE(ba_summary_table), object, err);
	rc = rc ? rc : ba_fields_read(out, BA_TABLE(ba_layout_table), object, err);
	return rc ? rc : ba_fields_read(&out->said, BA_TABLE(ba_throughput_table), object, err);
}

static int read_summaries(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	int rc = ba_json_get_array(&array, object, "variants", err);
	if (rc)
		return rc;
	if (ba_json_count(array) != r->run.variant_count)
		return ba_json_fail(err, array, "has %zu entries for %zu variants",
			ba_json_count(array), r->run.variant_count);
	size_t i = 0;
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : read_summary(&s->variants[i++], one, err);
	}
	ba_json_value floor = ba_json_find(object, "floor");
	if (rc == 0 && ba_json_is(floor))
		rc = ba_json_as_object(&floor, floor, err);
	if (rc == 0 && ba_json_is(floor))
		rc = read_summary(&s->floor, floor, err);
	return rc;
}

static int read_net(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value net = ba_json_find(object, "net_ns");
	if (!ba_json_is(net))
		return 0;
	BA_AUTO_FREE double *values = NULL;
	size_t count;
	int rc = ba_json_as_f64s(&values, &count, net, err);
	if (rc == 0 && count != r->run.variant_count)
		rc = ba_json_fail(
			err, net, "has %zu numbers for %zu variants", count, r->run.variant_count);
	if (rc == 0)
		s->net_ns = BA_TAKE(values);
	return rc;
}

/* earlier versions did not write it */
static int read_shift(ba_shift *out, ba_json_value object, ba_error *err)
{
	const char *said = NULL;
	ba_json_value v = ba_json_find(object, "within_threshold");
	if (!ba_json_is(v) || ba_json_type_of(v) == BA_JSON_NULL)
		return 0;
	BA_TRY(ba_json_as_string(&said, v, err));
	for (int s = BA_SHIFT_SLOWER; s <= BA_SHIFT_FASTER; s++)
		if (strcmp(said, ba_shift_name((ba_shift)s)) == 0)
			*out = (ba_shift)s;
	return *out ? 0 : ba_json_fail(err, v, "must be \"slower\", \"faster\" or null");
}

static int read_comparison(
	ba_comparison *c, const ba_result *r, ba_json_value object, ba_error *err)
{
	int rc = ba_verdict_read(&c->verdict, object, "verdict", err);
	rc = rc ? rc : ba_fields_read(c, BA_TABLE(ba_comparison_table), object, err);
	rc = rc ? rc : read_shift(&c->shift, object, err);
	ba_json_value y = ba_json_find(object, "y");
	if (rc == 0 && ba_json_is(y) && ba_json_count(y) > BA_INVOCATIONS_MOST)
		return ba_json_fail(err, y, "has %zu values: at most %d are allowed",
			ba_json_count(y), BA_INVOCATIONS_MOST);
	if (rc == 0 && ba_json_is(y) && ba_json_count(y))
		rc = ba_json_as_f64s(&c->y, &c->y_count, y, err);
	ba_json_value z = ba_json_find(object, "z");
	if (rc == 0 && ba_json_is(z) && ba_json_count(z))
		rc = ba_json_as_f64s(&c->z, &c->z_count, z, err);
	rc = rc ? rc : ba_places_read(c, r, object, err);
	return rc ? rc : ba_explanation_read(&c->why, object, err);
}

static int read_comparisons(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	int rc = ba_json_get_array(&array, object, "comparisons", err);
	if (rc)
		return rc;
	if (ba_json_count(array) != r->run.variant_count - 1)
		return ba_json_fail(err, array, "has %zu entries for %zu candidates",
			ba_json_count(array), r->run.variant_count - 1);
	size_t i = 0;
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		uint64_t candidate;
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : ba_json_get_u64(&candidate, one, "candidate", i + 1, i + 1, err);
		rc = rc ? rc : read_comparison(&s->comparisons[i++], r, one, err);
	}
	return rc;
}

static int read_one_samples(
	ba_samples *out, const ba_result *r, ba_json_value object, ba_error *err)
{
	BA_TRY(ba_samples_read(out, object, r->run.variant_count, err));
	if (out->origin && out->origin >= r->run.origin_count)
		return ba_json_fail(err, object, "is of origin %u, and there are %zu", out->origin,
			r->run.origin_count);
	if (r->run.origin_count && out->invocation < r->run.origins[out->origin].first)
		return ba_json_fail(err, object, "is of invocation %u, and its origin begins at %u",
			out->invocation, r->run.origins[out->origin].first);
	return 0;
}

static int read_samples(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	int rc = ba_json_get_array(&array, object, "samples", err);
	if (rc)
		return rc;
	if (ba_json_count(array) > BA_INVOCATIONS_MOST)
		return ba_json_fail(err, array, "are of %zu invocations: at most %d are allowed",
			ba_json_count(array), BA_INVOCATIONS_MOST);
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : read_one_samples(ba_series_add_samples(s), r, one, err);
	}
	return rc;
}

static int read_role(ba_series *s, ba_json_value object, ba_error *err)
{
	const char *role;
	BA_TRY(ba_json_get_string(&role, object, "role", err));
	if (strcmp(role, "verdict") != 0 && strcmp(role, "reported") != 0)
		return ba_json_fail(
			err, ba_json_find(object, "role"), "must be \"verdict\" or \"reported\"");
	s->role = *role == 'v' ? BA_ROLE_VERDICT : BA_ROLE_REPORTED;
	return 0;
}

/* seen: [benchmark_count * BA_METRIC_COUNT], one of each; a search would make reading
 * quadratic */
static int open_series(ba_result *r, bool *seen, ba_json_value object, ba_error *err)
{
	uint64_t benchmark;
	ba_metric metric;
	if (!r->run.benchmark_count)
		return ba_json_fail(
			err, object, "is of a benchmark that the document does not have");
	BA_TRY(ba_json_get_u64(
		&benchmark, object, "benchmark", 0, r->run.benchmark_count - 1, err));
	BA_TRY(ba_metric_read(&metric, object, err));
	bool *mine = &seen[benchmark * BA_METRIC_COUNT + metric];
	if (*mine)
		return ba_json_fail(err, object, "appears twice: same benchmark and metric");
	*mine = true;
	ba_series_init(&r->series[r->series_count++], &r->run, (size_t)benchmark, metric);
	return 0;
}

static int read_one_series(ba_result *r, bool *seen, ba_json_value object, ba_error *err)
{
	BA_TRY(open_series(r, seen, object, err));
	ba_series *s = &r->series[r->series_count - 1];
	int rc = read_role(s, object, err);
	rc = rc ? rc : ba_json_opt_f64(&s->s_floor, object, "s_floor", err);
	ba_json_value more = ba_json_find(object, "more_is_better");
	if (rc == 0 && ba_json_is(more))
		rc = ba_json_as_bool(&s->more_is_better, more, err);
	rc = rc ? rc : read_summaries(s, r, object, err);
	rc = rc ? rc : read_net(s, r, object, err);
	rc = rc ? rc : read_comparisons(s, r, object, err);
	return rc ? rc : read_samples(s, r, object, err);
}

static int parse_series(
	ba_json **doc, ba_json_value *object, ba_json_file *f, size_t index, ba_error *err)
{
	int rc = ba_json_file_element(doc, f, BA_RESULTS_SERIES, index, err);
	return rc ? rc : ba_json_as_object(object, ba_json_root(*doc), err);
}

/* Are its readings held? If there is no room they are left where they are. */
static bool hold(ba_series *s, size_t *room)
{
	size_t bytes = 0;
	for (size_t i = 0; i < s->sample_count; i++)
		bytes += ba_samples_bytes(&s->samples[i]);
	if (bytes <= *room) {
		*room -= bytes;
		return true;
	}
	for (size_t i = 0; i < s->sample_count; i++)
		ba_samples_forget(&s->samples[i]);
	s->stored = true;
	return false;
}

int ba_results_read_series(ba_result *r, bool *stored, ba_json_file *f, ba_json_value root,
	size_t readings_most, ba_error *err)
{
	ba_json_value array, object;
	size_t count = ba_json_file_count(f, BA_RESULTS_SERIES), capacity = 0;
	int rc = ba_json_get_array(&array, root, "series", err);
	BA_AUTO_FREE bool *seen =
		ba_xcalloc(r->run.benchmark_count + 1, BA_METRIC_COUNT * sizeof(bool));
	for (size_t i = 0; rc == 0 && i < count; i++) {
		BA_AUTO_PTR(ba_json) ba_json *one = NULL;
		rc = parse_series(&one, &object, f, i, err);
		if (rc)
			break;
		r->series = BA_GROW(r->series, &capacity, r->series_count + 1);
		rc = read_one_series(r, seen, object, err);
		if (rc == 0 && !hold(&r->series[i], &readings_most))
			*stored = true;
	}
	return rc;
}

/* ---- readings, again ---- */

typedef struct document {
	ba_stored_readings base;
	ba_json_file *file;
} document;

static int load(
	ba_stored_readings *from, ba_series *out, const ba_result *r, size_t index, ba_error *err)
{
	document *d = (document *)from;
	BA_AUTO_PTR(ba_json) ba_json *one = NULL;
	ba_json_value object;
	int rc = parse_series(&one, &object, d->file, index, err);
	return rc ? rc : read_samples(out, r, object, err);
}

static void free_document(ba_stored_readings *from)
{
	document *d = (document *)from;
	ba_json_file_free(d->file);
	free(d);
}

ba_stored_readings *ba_results_stored_new(ba_json_file *f)
{
	document *d = ba_xcalloc(1, sizeof(*d));
	*d = (document){.base = {.load = load, .free = free_document}, .file = f};
	return &d->base;
}
