/* Python code objects: rows by difference, which add up. */
#include "test.h"

#include "model/explanation.h"

static uint64_t sum(const ba_explanation *e, bool candidate)
{
	uint64_t all = 0;
	for (size_t i = 0; i < e->code_count; i++)
		all += candidate ? e->codes[i].candidate : e->codes[i].baseline;
	return all;
}

TEST(code_objects_match_though_their_lines_moved)
{
	static const ba_code_count b[] = {
		{"call", "d.py", 214, 37}, {"old", "d.py", 300, 5}, {"same", "d.py", 10, 100}};
	static const ba_code_count c[] = {{"call", "d.py", 220, 60}, {"same", "d.py", 12, 100},
		{"__enter__", "/usr/lib/contextlib.py", 130, 9}};
	ba_explanation e = {0};
	ba_explain_code(&e, b, BA_COUNT(b), c, BA_COUNT(c));
	assert_int_equal(e.code_count, 4);
	assert_string_equal(e.codes[0].name, "call");
	assert_int_equal(e.codes[0].kind, BA_ROW_BOTH);
	assert_int_equal(e.codes[0].line, 220);
	assert_int_equal(e.codes[0].baseline, 37);
	assert_string_equal(e.codes[1].name, "__enter__");
	assert_int_equal(e.codes[1].kind, BA_ROW_NEW);
	assert_string_equal(e.codes[2].name, "old");
	assert_int_equal(e.codes[2].kind, BA_ROW_GONE);
	assert_int_equal(e.codes[3].kind, BA_ROW_OTHERS);
	assert_int_equal(sum(&e, false), 142);
	assert_int_equal(sum(&e, true), 169);
	ba_explanation_dispose(&e);
}

/* "deepcopy" executes more; "record" calls it */
TEST(code_comes_first_that_calls_what_differs)
{
	static const ba_code_count b[] = {{"run", "d.py", 10, 20, 0}};
	static const ba_code_count c[] = {{"deepcopy", "/usr/lib/copy.py", 1, 90, 0},
		{"record", "d.py", 30, 8, 90}, {"run", "d.py", 10, 24, 0}};
	ba_explanation e = {0};
	ba_explain_code(&e, b, BA_COUNT(b), c, BA_COUNT(c));
	assert_string_equal(e.codes[0].name, "record");
	assert_int_equal(e.codes[0].candidate, 8);
	assert_int_equal(e.codes[0].calls_candidate, 90);
	assert_string_equal(e.codes[1].name, "deepcopy");
	assert_int_equal(e.codes[1].calls_candidate, 0);
	assert_int_equal(sum(&e, true), 122);
	ba_explanation_dispose(&e);
}

/* lambdas of one function have one name: the first is the first */
TEST(code_objects_of_one_name_match_in_their_order)
{
	static const ba_code_count b[] = {{"<lambda>", "d.py", 9, 4}, {"<lambda>", "d.py", 5, 10},
		{"<lambda>", "d.py", 5, 2}};
	static const ba_code_count c[] = {{"<lambda>", "d.py", 6, 13}, {"<lambda>", "d.py", 10, 4},
		{"<lambda>", "d.py", 20, 1}};
	ba_explanation e = {0};
	ba_explain_code(&e, b, BA_COUNT(b), c, BA_COUNT(c));
	assert_int_equal(e.code_count, 3);
	assert_int_equal(e.codes[0].line, 6);
	assert_int_equal(e.codes[0].baseline, 12);
	assert_int_equal(e.codes[0].candidate, 13);
	assert_int_equal(e.codes[1].kind, BA_ROW_NEW);
	assert_int_equal(e.codes[1].line, 20);
	/* again, in place of the first */
	ba_explain_code(&e, b, BA_COUNT(b), b, BA_COUNT(b));
	assert_int_equal(e.code_count, 1);
	assert_int_equal(e.codes[0].kind, BA_ROW_OTHERS);
	ba_explanation_dispose(&e);
}

TEST(what_is_beyond_the_limit_is_one_row)
{
	enum { MANY = 100 };
	ba_code_count c[MANY];
	char names[MANY][8];
	ba_explanation e = {0};
	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "f%zu", i);
		c[i] = (ba_code_count){names[i], "d.py", 1, i};
	}
	ba_explain_code(&e, NULL, 0, c, MANY);
	assert_int_equal(e.code_count, BA_EXPLAINED_CODES + 1);
	assert_string_equal(e.codes[0].name, "f99");
	assert_int_equal(e.codes[BA_EXPLAINED_CODES].count, MANY - BA_EXPLAINED_CODES);
	assert_int_equal(sum(&e, true), 4950);
	ba_explanation_dispose(&e);
	ba_explain_code(&e, NULL, 0, NULL, 0);
	assert_int_equal(e.code_count, 0);
	ba_explanation_dispose(&e);
}

TEST(scopes_and_kinds_have_names)
{
	/* that they are read is in unit/store_results.c */
	assert_string_equal(ba_scope_name(BA_SCOPE_OWN), "own");
	assert_string_equal(ba_scope_name(BA_SCOPE_DRIVER), "driver");
	assert_string_equal(ba_row_kind_name(BA_ROW_BOTH), "both");
	assert_string_equal(ba_row_kind_name(BA_ROW_OTHERS), "others");
}
