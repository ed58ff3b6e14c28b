/* Reads an untrusted results document: its head, then its lists one element at a time. */

#include "json/file.h"
#include "store/parts.h"
#include "store/results.h"

enum { DEPTH_MAX = 16 };

/* the lists of the file */
enum { BENCHMARKS, SERIES };
static const char *const lists[] = {[BENCHMARKS] = "benchmarks", [SERIES] = "series", NULL};

/* ---- series -------------------------------------------------------------- */

static int read_summaries(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array;
	size_t i = 0;
	BA_TRY(ba_json_get_array(&array, object, "variants", err));
	if (ba_json_count(array) != r->run.variant_count)
		return ba_json_fail(err, array, "has %zu entries for %zu variants",
			ba_json_count(array), r->run.variant_count);
	BA_JSON_EACH (v, array) {
		BA_TRY(ba_json_as_object(&v, v, err));
		BA_TRY(ba_fields_read(&s->variants[i++], &ba_summary_fields, v, err));
	}
	return ba_fields_read_object(&s->floor, &ba_summary_fields, object, "floor", err);
}

static int read_net(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value net = ba_json_find(object, "net_ns");
	if (!ba_json_is(net))
		return 0;
	BA_AUTO_FREE double *values = NULL;
	size_t count;
	BA_TRY(ba_json_as_f64s(&values, &count, net, err));
	if (count != r->run.variant_count)
		return ba_json_fail(
			err, net, "has %zu numbers for %zu variants", count, r->run.variant_count);
	s->net_ns = BA_TAKE(values);
	return 0;
}

/* Documents of earlier versions have no within_threshold. */
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
	c->p_agree = 1;
	BA_TRY(ba_fields_read(c, &ba_comparison_fields, object, err));
	BA_TRY(read_shift(&c->shift, object, err));
	return ba_places_check(c, r, object, err);
}

static int read_comparisons(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_json_value array;
	uint64_t candidate, i = 0;
	BA_TRY(ba_json_get_array(&array, object, "comparisons", err));
	if (ba_json_count(array) != r->run.variant_count - 1)
		return ba_json_fail(err, array, "has %zu entries for %zu candidates",
			ba_json_count(array), r->run.variant_count - 1);
	BA_JSON_EACH (v, array) {
		BA_TRY(ba_json_as_object(&v, v, err));
		BA_TRY(ba_json_get_u64(&candidate, v, "candidate", i + 1, i + 1, err));
		BA_TRY(read_comparison(&s->comparisons[i++], r, v, err));
	}
	return 0;
}

static int read_effects(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	BA_TRY(ba_fields_read(s, &ba_effects_fields, object, err));
	BA_EACH (const ba_effect, e, s->effects, s->effect_count)
		if (e->code >= r->run.variant_count || e->environment >= r->run.variant_count)
			return ba_json_fail(err, object,
				"has an effect of variants %u and %u of %zu", e->code,
				e->environment, r->run.variant_count);
		else
			BA_TRY(ba_places_check(&e->comparison, r, object, err));
	for (int of = 0; of < BA_EFFECT_OF_CODE_WITHIN && s->effect_count; of++)
		if (!ba_effect_first(s, (ba_effect_of)of))
			return ba_json_fail(
				err, object, "has effects, and none of %s", ba_effect_names[of]);
	return 0;
}

static int read_one_samples(ba_series *s, const ba_result *r, ba_json_value object, ba_error *err)
{
	ba_samples *out = ba_series_add_samples(s);
	BA_TRY(ba_samples_read(out, s->metric, object, r->run.variant_count, err));
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
	ba_json_value array;
	BA_TRY(ba_json_get_array(&array, object, "samples", err));
	if (ba_json_count(array) > BA_INVOCATIONS_MOST)
		return ba_json_fail(err, array, "are of %zu invocations: at most %d are allowed",
			ba_json_count(array), BA_INVOCATIONS_MOST);
	BA_JSON_EACH (v, array) {
		BA_TRY(ba_json_as_object(&v, v, err));
		BA_TRY(read_one_samples(s, r, v, err));
	}
	return 0;
}

/* seen: [benchmark_count * BA_METRIC_COUNT] series read; a search would be quadratic */
static int open_series(ba_result *r, bool *seen, ba_json_value object, ba_error *err)
{
	ba_series said = {0};
	BA_TRY(ba_fields_read(&said, &ba_series_fields, object, err));
	if (said.benchmark >= r->run.benchmark_count)
		return ba_json_fail(err, ba_json_find(object, "benchmark"),
			"is %zu, and the document has %zu benchmarks", said.benchmark,
			r->run.benchmark_count);
	bool *mine = &seen[said.benchmark * BA_METRIC_COUNT + said.metric];
	if (*mine)
		return ba_json_fail(err, object, "appears twice: same benchmark and metric");
	*mine = true;
	ba_series *s = &r->series[r->series_count++];
	ba_series_init(s, &r->run, said.benchmark, said.metric);
	s->role = said.role;
	s->s_floor = said.s_floor;
	s->more_is_better = said.more_is_better;
	return 0;
}

static int read_one_series(ba_result *r, bool *seen, ba_json_value object, ba_error *err)
{
	BA_TRY(open_series(r, seen, object, err));
	ba_series *s = &r->series[r->series_count - 1];
	BA_TRY(read_summaries(s, r, object, err));
	BA_TRY(read_net(s, r, object, err));
	BA_TRY(read_comparisons(s, r, object, err));
	BA_TRY(read_effects(s, r, object, err));
	return read_samples(s, r, object, err);
}

static int parse_series(
	ba_json **doc, ba_json_value *object, ba_json_file *f, size_t index, ba_error *err)
{
	BA_TRY(ba_json_file_element(doc, f, SERIES, index, err));
	return ba_json_as_object(object, ba_json_root(*doc), err);
}

/* Keeps readings in memory if there is room; else they are read again later. */
static bool hold(ba_series *s, size_t *room)
{
	size_t bytes = 0;
	BA_EACH (const ba_samples, x, s->samples, s->sample_count)
		bytes += ba_samples_bytes(x);
	if (bytes <= *room) {
		*room -= bytes;
		return true;
	}
	for (size_t i = 0; i < s->sample_count; i++)
		ba_samples_forget(&s->samples[i]);
	s->stored = true;
	return false;
}

/* r must have everything but its series. Readings beyond readings_most bytes stay in
 * the file (ba_series.stored); then *stored becomes true. */
static int read_series(ba_result *r, bool *stored, ba_json_file *f, ba_json_value root,
	size_t readings_most, ba_error *err)
{
	ba_json_value array, object;
	size_t count = ba_json_file_count(f, SERIES), capacity = 0;
	BA_TRY(ba_json_get_array(&array, root, "series", err));
	BA_AUTO_FREE bool *seen =
		ba_xcalloc(r->run.benchmark_count + 1, BA_METRIC_COUNT * sizeof(bool));
	for (size_t i = 0; i < count; i++) {
		BA_AUTO_PTR(ba_json) ba_json *one = NULL;
		BA_TRY(parse_series(&one, &object, f, i, err));
		r->series = BA_GROW(r->series, &capacity, r->series_count + 1);
		BA_TRY(read_one_series(r, seen, object, err));
		*stored = !hold(&r->series[i], &readings_most) || *stored;
	}
	return 0;
}

/* ---- readings, again ----------------------------------------------------- */

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
	BA_TRY(parse_series(&one, &object, d->file, index, err));
	return read_samples(out, r, object, err);
}

static void free_document(ba_stored_readings *from)
{
	document *d = (document *)from;
	ba_json_file_free(d->file);
	free(d);
}

/* ---- the document --------------------------------------------------------- */

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

/* reads benchmarks one at a time, because there may be a million */
static int read_benchmarks(ba_result *r, ba_json_file *f, ba_json_value root, ba_error *err)
{
	ba_json_value array, object;
	size_t count = ba_json_file_count(f, BENCHMARKS), capacity = 0;
	BA_TRY(ba_json_get_array(&array, root, "benchmarks", err));
	for (size_t i = 0; i < count; i++) {
		BA_AUTO_PTR(ba_json) ba_json *one = NULL;
		BA_TRY(ba_json_file_element(&one, f, BENCHMARKS, i, err));
		BA_TRY(ba_json_as_object(&object, ba_json_root(one), err));
		ba_benchmark *b = BA_PUSH(r->run.benchmarks, r->run.benchmark_count, capacity);
		*b = (ba_benchmark){0};
		BA_TRY(ba_fields_read(b, &ba_benchmark_fields, object, err));
	}
	return 0;
}

static int read_root(ba_result *r, ba_json_file *f, ba_json_value root, ba_error *err)
{
	BA_TRY(ba_json_as_object(&root, root, err));
	BA_TRY(check_schema(root, err));
	BA_TRY(ba_fields_read(r, &ba_head_fields, root, err));
	return read_benchmarks(r, f, root, err);
}

static int check_digest(ba_result *r, const ba_json_file *f, ba_error *err)
{
	static const ba_document_state states[] = {
		[BA_DIGEST_ABSENT] = BA_DOCUMENT_WITHOUT_DIGEST,
		[BA_DIGEST_AGREES] = BA_DOCUMENT_AGREES,
		[BA_DIGEST_DIFFERS] = BA_DOCUMENT_DIFFERS,
	};
	ba_digest_state state;
	int rc = ba_json_file_digest(&state, r->document.sha256, r->document.said, f, err);
	r->document.state = states[state];
	return rc;
}

/* Takes f. The result keeps it open if readings stay in the file. */
static int read_document(ba_result *out, ba_json_file *file, size_t readings_most, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = file;
	BA_AUTO_PTR(ba_json) ba_json *head = NULL;
	BA_AUTO(ba_result) ba_result r = {0};
	bool stored = false;
	BA_TRY(ba_json_file_head(&head, f, err));
	BA_TRY(read_root(&r, f, ba_json_root(head), err));
	BA_TRY(check_digest(&r, f, err));
	BA_TRY(read_series(&r, &stored, f, ba_json_root(head), readings_most, err));
	if (stored) {
		document *d = ba_xcalloc(1, sizeof(*d));
		*d = (document){.base = {.load = load, .free = free_document}, .file = BA_TAKE(f)};
		r.document.stored = &d->base;
	}
	*out = BA_MOVE(r);
	return 0;
}

static ba_json_options options_of(const char *name)
{
	return (ba_json_options){
		.name = name, .positions = true, .unique_keys = true, .depth = DEPTH_MAX};
}

int ba_results_parse_some(ba_result *out, const char *text, size_t size, const char *name,
	size_t readings_most, ba_error *err)
{
	ba_json_file *f;
	ba_json_options options = options_of(name);
	BA_TRY(ba_json_file_parse(&f, text, size, lists, &options, err));
	return read_document(out, f, readings_most, err);
}

int ba_results_read_some(ba_result *out, const char *path, size_t readings_most, ba_error *err)
{
	ba_json_file *f;
	ba_json_options options = options_of(NULL);
	BA_TRY(ba_json_file_open(&f, path, lists, &options, err));
	return read_document(out, f, readings_most, err);
}

int ba_results_parse(ba_result *out, const char *text, size_t size, const char *name, ba_error *err)
{
	return ba_results_parse_some(out, text, size, name, SIZE_MAX, err);
}

int ba_results_read(ba_result *out, const char *path, ba_error *err)
{
	return ba_results_read_some(out, path, SIZE_MAX, err);
}
