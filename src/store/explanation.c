/* Why instructions differ, in a comparison of a results document. */
#include <stdlib.h>

#include "base/count.h"
#include "base/mem.h"
#include "store/fields.h"
#include "store/parts.h"

/* of one list, in a document from anywhere */
#define ROWS_MOST 1000u

static const ba_json_field explanation_fields[] = {
	BA_FIELD(ba_explanation, same_path, BOOL),
	BA_FIELD(ba_explanation, parting, MAYBE),
};

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
};

static const ba_json_field line_fields[] = {
	BA_FIELD(ba_explained_line, file, TEXT),
	BA_FIELD(ba_explained_line, line, UNSIGNED),
	BA_FIELD(ba_explained_line, gone, BOOL),
	BA_FIELD(ba_explained_line, baseline, U64),
	BA_FIELD(ba_explained_line, candidate, U64),
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

/* ---- to write ---- */

static void write_totals(ba_json_writer *w, const char *key, const uint64_t *totals)
{
	ba_json_open_object(w, key);
	for (int s = 0; s < BA_SCOPE_COUNT; s++)
		ba_json_write_u64(w, ba_scope_name((ba_scope)s), totals[s]);
	ba_json_close(w);
}

static void write_function(ba_json_writer *w, const ba_explained_function *f)
{
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "kind", ba_row_kind_name(f->kind));
	ba_json_write_string(w, "scope", ba_scope_name(f->scope));
	ba_fields_write(w, function_fields, BA_COUNT(function_fields), f);
	ba_json_open_array(w, "lines");
	for (size_t i = 0; i < f->line_count; i++) {
		ba_json_open_object(w, NULL);
		ba_fields_write(w, line_fields, BA_COUNT(line_fields), &f->lines[i]);
		ba_json_close(w);
	}
	ba_json_close(w);
	ba_json_close(w);
}

void ba_explanation_write(ba_json_writer *w, const ba_explanation *e)
{
	if (!e)
		return;
	ba_json_open_object(w, "why");
	write_totals(w, "baseline", e->baseline);
	write_totals(w, "candidate", e->candidate);
	ba_fields_write(w, explanation_fields, BA_COUNT(explanation_fields), e);
	ba_json_open_array(w, "functions");
	for (size_t i = 0; i < e->function_count; i++)
		write_function(w, &e->functions[i]);
	ba_json_close(w);
	ba_json_open_array(w, "code_objects");
	for (size_t i = 0; i < e->code_count; i++) {
		ba_json_open_object(w, NULL);
		ba_json_write_string(w, "kind", ba_row_kind_name(e->codes[i].kind));
		ba_fields_write(w, code_fields, BA_COUNT(code_fields), &e->codes[i]);
		ba_json_close(w);
	}
	ba_json_close(w);
	ba_json_close(w);
}

/* ---- to read ---- */

static int read_totals(uint64_t *totals, ba_json_value object, const char *key, ba_error *err)
{
	ba_json_value side;
	int rc = ba_json_get_object(&side, object, key, err);
	for (int s = 0; rc == 0 && s < BA_SCOPE_COUNT; s++)
		rc = ba_json_get_u64(
			&totals[s], side, ba_scope_name((ba_scope)s), 0, UINT64_MAX, err);
	return rc;
}

static int read_word(int *out, ba_json_value object, const char *key,
	int (*from_name)(const char *), ba_error *err)
{
	const char *word;
	int rc = ba_json_get_string(&word, object, key, err);
	if (rc)
		return rc;
	*out = from_name(word);
	return *out >= 0 ? 0
			 : ba_json_fail(err, ba_json_find(object, key),
				   "has a word that this version does not know");
}

/* An array of objects; *count: how many there may be. Absent: none */
static int open_rows(
	ba_json_value *array, size_t *count, ba_json_value object, const char *key, ba_error *err)
{
	*array = (ba_json_value){0};
	int rc = ba_json_opt_array(array, object, key, err);
	*count = rc || !ba_json_is(*array) ? 0 : ba_json_count(*array);
	if (*count > ROWS_MOST)
		return ba_json_fail(
			err, *array, "has %zu rows: at most %u are allowed", *count, ROWS_MOST);
	return rc;
}

static int read_lines(ba_explained_function *f, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	size_t count;
	int rc = open_rows(&array, &count, object, "lines", err);
	if (rc || !count)
		return rc;
	f->lines = ba_xcalloc(count, sizeof(*f->lines));
	for (ba_json_value v = ba_json_first(array); rc == 0 && ba_json_is(v);
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		if (rc == 0)
			rc = ba_fields_read(&f->lines[f->line_count++], line_fields,
				BA_COUNT(line_fields), one, err);
	}
	return rc;
}

static int read_function(ba_explained_function *f, ba_json_value object, ba_error *err)
{
	int kind, scope;
	int rc = read_word(&kind, object, "kind", ba_row_kind_from_name, err);
	rc = rc ? rc : read_word(&scope, object, "scope", ba_scope_from_name, err);
	if (rc)
		return rc;
	f->kind = (ba_row_kind)kind;
	f->scope = (ba_scope)scope;
	rc = ba_fields_read(f, function_fields, BA_COUNT(function_fields), object, err);
	return rc ? rc : read_lines(f, object, err);
}

static int read_functions(ba_explanation *e, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	size_t count;
	int rc = open_rows(&array, &count, object, "functions", err);
	e->functions = ba_xcalloc(count + 1, sizeof(*e->functions));
	for (ba_json_value v = ba_json_first(array); rc == 0 && ba_json_is(v);
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		if (rc == 0)
			rc = read_function(&e->functions[e->function_count++], one, err);
	}
	return rc;
}

static int read_codes(ba_explanation *e, ba_json_value object, ba_error *err)
{
	ba_json_value array, one;
	size_t count;
	int rc = open_rows(&array, &count, object, "code_objects", err);
	e->codes = ba_xcalloc(count + 1, sizeof(*e->codes));
	for (ba_json_value v = ba_json_first(array); rc == 0 && ba_json_is(v);
		v = ba_json_next(v)) {
		int kind = 0;
		ba_explained_code *c = &e->codes[e->code_count++];
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : read_word(&kind, one, "kind", ba_row_kind_from_name, err);
		c->kind = (ba_row_kind)kind;
		rc = rc ? rc : ba_fields_read(c, code_fields, BA_COUNT(code_fields), one, err);
	}
	return rc;
}

int ba_explanation_read(ba_explanation **out, ba_json_value object, ba_error *err)
{
	ba_json_value why = ba_json_find(object, "why");
	if (!ba_json_is(why) || ba_json_type_of(why) == BA_JSON_NULL)
		return 0;
	int rc = ba_json_as_object(&why, why, err);
	if (rc)
		return rc;
	ba_explanation *e = *out = ba_xcalloc(1, sizeof(*e));
	rc = read_totals(e->baseline, why, "baseline", err);
	rc = rc ? rc : read_totals(e->candidate, why, "candidate", err);
	rc = rc ? rc
		: ba_fields_read(e, explanation_fields, BA_COUNT(explanation_fields), why, err);
	rc = rc ? rc : read_functions(e, why, err);
	return rc ? rc : read_codes(e, why, err);
}
