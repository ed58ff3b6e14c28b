/* Why instructions differ, in a comparison of a results document. */

#include "base/mem.h"
#include "json/fields.h"
#include "store/parts.h"

/* of one list, in a document from anywhere */
#define ROWS_MOST 1000u

static const ba_json_field line_fields[] = {
	BA_FIELD(ba_explained_line, file, TEXT),
	BA_FIELD(ba_explained_line, line, UNSIGNED),
	BA_FIELD(ba_explained_line, gone, BOOL),
	BA_FIELD(ba_explained_line, baseline, U64),
	BA_FIELD(ba_explained_line, candidate, U64),
};

static const ba_json_list lines = {BA_ITEMS(ba_explained_function, lines, line_count),
	.most = ROWS_MOST, .fields = BA_FIELDS(line_fields)};

static const ba_json_field function_fields[] = {
	BA_FIELD(ba_explained_function, name, TEXT),
	BA_FIELD(ba_explained_function, was, MAYBE),
	BA_FIELD(ba_explained_function, object, TEXT),
	BA_FIELD(ba_explained_function, file, MAYBE),
	BA_FIELD(ba_explained_function, line, UNSIGNED),
	BA_FIELD(ba_explained_function, baseline, U64),
	BA_FIELD(ba_explained_function, candidate, U64),
	BA_FIELD(ba_explained_function, calls_baseline, U64),
	BA_FIELD(ba_explained_function, calls_candidate, U64),
	BA_FIELD(ba_explained_function, through, MAYBE),
	BA_FIELD(ba_explained_function, count, U64),
	BA_FIELD_LIST("lines", lines),
};

static const ba_json_field code_fields[] = {
	BA_FIELD(ba_explained_code, name, TEXT),
	BA_FIELD(ba_explained_code, file, TEXT),
	BA_FIELD(ba_explained_code, line, UNSIGNED),
	BA_FIELD(ba_explained_code, baseline, U64),
	BA_FIELD(ba_explained_code, candidate, U64),
	BA_FIELD(ba_explained_code, calls_baseline, U64),
	BA_FIELD(ba_explained_code, calls_candidate, U64),
	BA_FIELD(ba_explained_code, count, U64),
};

static int read_word(int *out, ba_json_value object, const char *key,
	int (*from_name)(const char *), ba_error *err)
{
	const char *word;
	BA_TRY(ba_json_get_string(&word, object, key, err));
	*out = from_name(word);
	return *out >= 0 ? 0
			 : ba_json_fail(err, ba_json_find(object, key),
				   "has a word that this version does not know");
}

static void write_function(ba_json_writer *w, const void *item)
{
	const ba_explained_function *f = item;
	ba_json_write_string(w, "kind", ba_row_kind_name(f->kind));
	ba_json_write_string(w, "scope", ba_scope_name(f->scope));
}

static int read_function(void *item, ba_json_value object, ba_error *err)
{
	ba_explained_function *f = item;
	int kind = 0, scope = 0;
	int rc = read_word(&kind, object, "kind", ba_row_kind_from_name, err);
	rc = rc ? rc : read_word(&scope, object, "scope", ba_scope_from_name, err);
	f->kind = rc ? f->kind : (ba_row_kind)kind;
	f->scope = rc ? f->scope : (ba_scope)scope;
	return rc;
}

static void write_code(ba_json_writer *w, const void *item)
{
	const ba_explained_code *c = item;
	ba_json_write_string(w, "kind", ba_row_kind_name(c->kind));
}

static int read_code(void *item, ba_json_value object, ba_error *err)
{
	ba_explained_code *c = item;
	int kind = 0, rc = read_word(&kind, object, "kind", ba_row_kind_from_name, err);
	c->kind = rc ? c->kind : (ba_row_kind)kind;
	return rc;
}

static const ba_json_list functions = {BA_ITEMS(ba_explanation, functions, function_count),
	.most = ROWS_MOST, .fields = BA_FIELDS(function_fields), .write = write_function,
	.read = read_function};

static const ba_json_list codes = {BA_ITEMS(ba_explanation, codes, code_count), .most = ROWS_MOST,
	.fields = BA_FIELDS(code_fields), .write = write_code, .read = read_code};

static const ba_json_field explanation_fields[] = {
	BA_FIELD(ba_explanation, same_path, BOOL),
	BA_FIELD(ba_explanation, parting, MAYBE),
	BA_FIELD_LIST("functions", functions),
	BA_FIELD_LIST("code_objects", codes),
};

static void write_totals(ba_json_writer *w, const char *key, const uint64_t *totals)
{
	ba_json_open_object(w, key);
	for (int s = 0; s < BA_SCOPE_COUNT; s++)
		ba_json_write_u64(w, ba_scope_name((ba_scope)s), totals[s]);
	ba_json_close(w);
}

void ba_explanation_write(ba_json_writer *w, const ba_explanation *e)
{
	if (!e)
		return;
	ba_json_open_object(w, "why");
	write_totals(w, "baseline", e->baseline);
	write_totals(w, "candidate", e->candidate);
	ba_fields_write(w, BA_FIELDS(explanation_fields), e);
	ba_json_close(w);
}

static int read_totals(uint64_t *totals, ba_json_value object, const char *key, ba_error *err)
{
	ba_json_value side;
	int rc = ba_json_get_object(&side, object, key, err);
	for (int s = 0; rc == 0 && s < BA_SCOPE_COUNT; s++)
		rc = ba_json_get_u64(
			&totals[s], side, ba_scope_name((ba_scope)s), 0, UINT64_MAX, err);
	return rc;
}

int ba_explanation_read(ba_explanation **out, ba_json_value object, ba_error *err)
{
	ba_json_value why = ba_json_find(object, "why");
	if (!ba_json_is(why) || ba_json_type_of(why) == BA_JSON_NULL)
		return 0;
	BA_TRY(ba_json_as_object(&why, why, err));
	ba_explanation *e = *out = ba_xcalloc(1, sizeof(*e));
	int rc = read_totals(e->baseline, why, "baseline", err);
	rc = rc ? rc : read_totals(e->candidate, why, "candidate", err);
	return rc ? rc : ba_fields_read(e, BA_FIELDS(explanation_fields), why, err);
}
