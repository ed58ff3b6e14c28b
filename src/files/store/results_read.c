/* Reads an untrusted results document: its head, then its lists one element at a time. */

#include "store/parts.h"
#include "store/results.h"

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

/* reads benchmarks one at a time, because there may be a million */
static int read_benchmarks(ba_result *r, ba_json_file *f, ba_json_value root, ba_error *err)
{
	ba_json_value array, object;
	size_t count = ba_json_file_count(f, BA_RESULTS_BENCHMARKS), capacity = 0;
	BA_TRY(ba_json_get_array(&array, root, "benchmarks", err));
	for (size_t i = 0; i < count; i++) {
		BA_AUTO_PTR(ba_json) ba_json *one = NULL;
		BA_TRY(ba_json_file_element(&one, f, BA_RESULTS_BENCHMARKS, i, err));
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
	BA_TRY(ba_results_read_series(&r, &stored, f, ba_json_root(head), readings_most, err));
	if (stored)
		r.document.stored = ba_results_stored_new(BA_TAKE(f));
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
