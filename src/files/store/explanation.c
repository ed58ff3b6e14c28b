/* Why instructions differ, in a comparison of a results document. */

#include "store/parts.h"

/* limit for one list, because documents are untrusted */
#define ROWS_MOST 1000u

static const ba_json_field line_fields[] = {
	BA_FIELD(ba_explained_line, file, TEXT),
	BA_FIELD(ba_explained_line, line, UNSIGNED),
	BA_FIELD(ba_explained_line, gone, BOOL),
	BA_FIELD_EACH(ba_explained_line, U64, baseline, candidate),
};

#define UNKNOWN "has a word that this version does not know"
BA_DEFINE_WORDS(static, scopes, BA_SCOPE_COUNT, ba_scope_name((ba_scope)value), UNKNOWN);
BA_DEFINE_WORDS(
	static, row_kinds, BA_ROW_OTHERS + 1, ba_row_kind_name((ba_row_kind)value), UNKNOWN);

static const ba_json_field function_fields[] = {
	BA_FIELD_WORD("kind", ba_explained_function, kind, row_kinds, .required = true),
	BA_FIELD_WORD("scope", ba_explained_function, scope, scopes, .required = true),
	BA_FIELD(ba_explained_function, name, TEXT),
	BA_FIELD(ba_explained_function, was, MAYBE),
	BA_FIELD(ba_explained_function, object, TEXT),
	BA_FIELD(ba_explained_function, file, MAYBE),
	BA_FIELD(ba_explained_function, line, UNSIGNED),
	BA_FIELD_EACH(
		ba_explained_function, U64, baseline, candidate, calls_baseline, calls_candidate),
	BA_FIELD(ba_explained_function, through, MAYBE),
	BA_FIELD(ba_explained_function, count, U64),
	BA_FIELD_LIST("lines", ba_explained_function, lines, line_count, BA_FIELDS(line_fields),
		.most = ROWS_MOST),
};

static const ba_json_field code_fields[] = {
	BA_FIELD_WORD("kind", ba_explained_code, kind, row_kinds, .required = true),
	BA_FIELD_EACH(ba_explained_code, TEXT, name, file),
	BA_FIELD(ba_explained_code, line, UNSIGNED),
	BA_FIELD_EACH(ba_explained_code, U64, baseline, candidate, calls_baseline, calls_candidate,
		count),
};

static const ba_json_field explanation_rows[] = {
	BA_FIELD(ba_explanation, same_path, BOOL),
	BA_FIELD(ba_explanation, parting, MAYBE),
	BA_FIELD_LIST("functions", ba_explanation, functions, function_count,
		BA_FIELDS(function_fields), .most = ROWS_MOST),
	BA_FIELD_LIST("code_objects", ba_explanation, codes, code_count, BA_FIELDS(code_fields),
		.most = ROWS_MOST),
	BA_FIELD_COUNTS("baseline", ba_explanation, baseline, scopes, .required = true),
	BA_FIELD_COUNTS("candidate", ba_explanation, candidate, scopes, .required = true),
};

const ba_json_fields ba_explanation_fields = BA_FIELDS_INIT(explanation_rows);
