/* A results document from anywhere, taken for untrusted: its head, and its lists one
 * element at a time. */

#include "base/base.h"
#include "store/parts.h"
#include "store/results.h"
#include "store/results_fields.h"
#include "store/results_series.h"

enum { DEPTH_MAX = 16 };

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

static int read_looks(ba_result *r, ba_json_value decision, ba_error *err)
{
	ba_design design;
	int rc = ba_looks_read(&design, decision, err);
	for (size_t i = 0; rc == 0 && i < design.looks; i++) {
		r->decided.looks[i] = (unsigned)design.at[i];
		r->decided.look_weights[i] = design.weight[i];
	}
	r->decided.look_count = rc ? 0 : design.looks;
	return rc;
}

static int read_decision(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value object;
	uint64_t family = 0, done = 0;
	int rc = ba_json_get_object(&object, root, "decision", err);
	rc = rc ? rc : ba_fields_read(r, BA_TABLE(ba_decision_table), object, err);
	rc = rc ? rc : ba_json_opt_u64(&family, object, "family_size", 0, UINT32_MAX, err);
	rc = rc ? rc : read_looks(r, object, err);
	rc = rc ? rc : ba_json_opt_u64(&done, object, "looks_done", 0, r->decided.look_count, err);
	r->decided.family_size = (size_t)family;
	r->decided.looks_done = (size_t)done;
	return rc ? rc : ba_merged_runs_read(r, object, err);
}

static int read_variants(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value array;
	int rc = ba_json_get_array(&array, root, "variants", err);
	if (rc)
		return rc;
	size_t count = ba_json_count(array);
	if (count < 1 || count > BA_VARIANTS_MOST)
		return ba_json_fail(err, array, "has %zu variants: 1 to %d are allowed", count,
			BA_VARIANTS_MOST);
	r->run.variants = ba_xcalloc(count, sizeof(*r->run.variants));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		ba_json_value object;
		rc = ba_json_as_object(&object, v, err);
		rc = rc ? rc
			: ba_variant_read(&r->run.variants[r->run.variant_count++], object, err);
	}
	return rc;
}

/* one at a time; there may be a million */
static int read_benchmarks(ba_result *r, ba_json_file *f, ba_json_value root, ba_error *err)
{
	ba_json_value array, object;
	size_t count = ba_json_file_count(f, BA_RESULTS_BENCHMARKS), capacity = 0;
	int rc = ba_json_get_array(&array, root, "benchmarks", err);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		BA_AUTO_PTR(ba_json) ba_json *one = NULL;
		rc = ba_json_file_element(&one, f, BA_RESULTS_BENCHMARKS, i, err);
		rc = rc ? rc : ba_json_as_object(&object, ba_json_root(one), err);
		if (rc)
			break;
		ba_benchmark *b = BA_PUSH(r->run.benchmarks, r->run.benchmark_count, capacity);
		*b = (ba_benchmark){0};
		rc = ba_benchmark_read(b, object, err);
	}
	return rc;
}

static int read_root(ba_result *r, ba_json_file *f, ba_json_value root, ba_error *err)
{
	ba_json_value env;
	int rc = ba_json_as_object(&root, root, err);
	rc = rc ? rc : check_schema(root, err);
	rc = rc ? rc : ba_verdict_read(&r->decided.verdict, root, "verdict", err);
	rc = rc ? rc : ba_fields_read(r, BA_TABLE(ba_run_table), root, err);
	rc = rc ? rc : read_decision(r, root, err);
	rc = rc ? rc : ba_fields_read_object(r, BA_TABLE(ba_gate_table), root, "gate", err);
	rc = rc ? rc
		: ba_fields_read_object(
			  &r->run.spent, BA_TABLE(ba_spent_table), root, "spent", err);
	rc = rc ? rc
		: ba_fields_read_object(
			  &r->run.evidence, BA_TABLE(ba_evidence_table), root, "evidence", err);
	rc = rc ? rc
		: ba_fields_read_object(
			  &r->run.overlay, BA_TABLE(ba_overlay_table), root, "overlay", err);
	rc = rc ? rc : ba_json_get_object(&env, root, "environment", err);
	rc = rc ? rc : ba_environment_read(&r->run.env, env, err);
	rc = rc ? rc : ba_origins_read(r, root, err);
	rc = rc ? rc : ba_list_read(r, "suites", &ba_suites, root, err);
	rc = rc ? rc : read_variants(r, root, err);
	rc = rc ? rc : read_benchmarks(r, f, root, err);
	return rc;
}

static const char *const lists[] = {
	[BA_RESULTS_BENCHMARKS] = "benchmarks", [BA_RESULTS_SERIES] = "series", NULL};

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

/* takes f: it stays with the result where readings are left in it */
static int read_document(ba_result *out, ba_json_file *file, size_t readings_most, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = file;
	BA_AUTO_PTR(ba_json) ba_json *head = NULL;
	ba_result r = {0};
	bool stored = false;
	int rc = ba_json_file_head(&head, f, err);
	rc = rc ? rc : read_root(&r, f, ba_json_root(head), err);
	rc = rc ? rc : check_digest(&r, f, err);
	rc = rc ? rc
		: ba_results_read_series(&r, &stored, f, ba_json_root(head), readings_most, err);
	if (rc) {
		ba_result_dispose(&r);
		return rc;
	}
	if (stored)
		r.document.stored = ba_results_stored_new(BA_TAKE(f));
	*out = r;
	return 0;
}

static ba_json_options options_of(const char *name)
{
	return (ba_json_options){
		.name = name,
		.positions = true,
		.unique_keys = true,
		.depth = DEPTH_MAX,
	};
}

int ba_results_parse_some(ba_result *out, const char *text, size_t size, const char *name,
	size_t readings_most, ba_error *err)
{
	ba_json_file *f;
	ba_json_options options = options_of(name);
	int rc = ba_json_file_parse(&f, text, size, lists, &options, err);
	return rc ? rc : read_document(out, f, readings_most, err);
}

int ba_results_read_some(ba_result *out, const char *path, size_t readings_most, ba_error *err)
{
	ba_json_file *f;
	ba_json_options options = options_of(NULL);
	int rc = ba_json_file_open(&f, path, lists, &options, err);
	return rc ? rc : read_document(out, f, readings_most, err);
}

int ba_results_parse(ba_result *out, const char *text, size_t size, const char *name, ba_error *err)
{
	return ba_results_parse_some(out, text, size, name, SIZE_MAX, err);
}

int ba_results_read(ba_result *out, const char *path, ba_error *err)
{
	return ba_results_read_some(out, path, SIZE_MAX, err);
}
