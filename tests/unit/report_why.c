/* Explanations in every form, byte for byte: tests/golden/why.*. */
#include "test.h"

#include "base/text.h"
#include "example_why.h"
#include "golden.h"
#include "report/format.h"
#include "report/why.h"

static const ba_format_options plain = {.width = 80, .unicode = true};

static void put_all(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_whys) ba_whys whys = {0};
	ba_whys_of(&whys, r);
	for (size_t i = 0; i < whys.count; i++)
		ba_why_term(out, r, &whys, i, o);
}

TEST(a_changed_benchmark_has_three_lines_below_the_tables)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_why_result(&r);
	ba_term_write(&got, &r, &plain);
	assert_golden("why-three-lines.txt", &got);
}

TEST(functions_have_three_lines_where_there_is_no_python)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_why_result(&r);
	ba_explanation_free(r.series[1].comparisons[0].why);
	r.series[1].comparisons[0].why = example_why(false);
	ba_term_write(&got, &r, &plain);
	assert_has(got.data, "why launch/args=2: +18 instructions (+13.5 %), exactly\n"
			     "   +16  launch_with_lock  liblaunch.so  launch.c:88  new\n"
			     "    +2  dispatch          liblaunch.so  launch.c:40\n");
}

TEST(rows_say_what_is_due_to_which_function)
{
	ba_explanation *e = example_why(false);
	BA_AUTO(ba_why_rows) ba_why_rows rows = {0};
	ba_why w = {.e = e};
	e->functions[0].calls_candidate = 190;
	/* its callees alone changed */
	e->functions[1].candidate = e->functions[1].baseline;
	e->functions[1].line_count = 0;
	e->functions[1].calls_baseline = 12;
	free(e->functions[1].lines[0].file);
	e->functions[2].through = ba_xstrdup("launch_with_lock(int)");
	ba_why_functions(&rows, &w);
	assert_string_equal(rows.items[0].note, "new, calls +190");
	assert_true(rows.items[0].differs);
	assert_string_equal(rows.items[1].note, "calls -12");
	assert_true(rows.items[1].differs);
	assert_string_equal(rows.items[2].note, "renamed, through launch_with_lock");
	assert_false(rows.items[2].differs);
	ba_explanation_free(e);
}

TEST(everything_is_shown_by_function)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_why_result(&r);
	put_all(&got, &r, &plain);
	assert_golden("why.txt", &got);
	char *save = NULL;
	for (char *line = strtok_r(got.data, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (ba_text_width(line) > 80)
			fail_msg("wider than 80: %s", line);
}

TEST(a_comment_has_it_folded_and_a_summary_open)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf open = BA_BUF_INIT;
	example_why_result(&r);
	ba_markdown_write(&got, &r, &plain);
	assert_golden("why.md", &got);
	assert_has(got.data, "<details><summary>Why: instructions by function (2)");
	ba_summary_write(&open, &r, &plain);
	assert_has(open.data, "\n#### Why: instructions by function (2)\n");
}

TEST(the_page_has_a_section)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_why_result(&r);
	ba_html_write(&got, &r, &plain);
	char *from = strstr(got.data, "<section aria-labelledby=\"why\">");
	assert_non_null(from);
	char *end = strstr(from, "</section>");
	assert_non_null(end);
	BA_AUTO(ba_buf) ba_buf section = BA_BUF_INIT;
	ba_buf_put(&section, from, (size_t)(end - from));
	assert_golden("why.html", &section);
}

TEST(json_has_the_member_of_the_document)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_whys) ba_whys whys = {0};
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_why_result(&r);
	ba_whys_of(&whys, &r);
	ba_why_json(&got, &r, &whys, &(ba_code_rows){0});
	assert_golden("why.json", &got);
}

static void rename_first(ba_explanation *e, const char *name)
{
	free(e->functions[0].name);
	e->functions[0].name = ba_xstrdup(name);
}

TEST(names_of_cpp_have_no_parameters)
{
	static const char *const names[][2] = {
		{"queue::push(int, std::less<int>) const", "queue::push"},
		{"void f<int (*)(long)>(int)", "void f<int (*)(long)>"},
		{"operator()(int)", "operator()"},
		{"plain", "plain"},
		{"(anonymous namespace)::f", "(anonymous namespace)::f"},
		{"odd)", "odd)"},
		{")", ")"},
		{"()", "()"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ba_explanation *e = example_why(false);
		BA_AUTO(ba_why_rows) ba_why_rows rows = {0};
		ba_why w = {.e = e};
		rename_first(e, names[i][0]);
		ba_why_functions(&rows, &w);
		assert_string_equal(rows.items[0].name, names[i][1]);
		ba_explanation_free(e);
	}
}

/* the points of a sweep */
TEST(one_reason_of_several_benchmarks_is_shown_once)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf comment = BA_BUF_INIT;
	example_why_result(&r);
	ba_explanation_free(r.series[3].comparisons[0].why);
	r.series[3].comparisons[0].why = example_why(true);
	ba_term_write(&got, &r, &plain);
	assert_has(got.data, "why launch/args=2 and 1 more: +18 instructions");
	assert_null(strstr(got.data, "why launch/args=3"));
	ba_markdown_write(&comment, &r, &plain);
	assert_has(comment.data, "`launch/args=2` and 1 more: +18 instructions");
	/* what does not change may be executed more often */
	ba_explanation *other = r.series[3].comparisons[0].why;
	other->functions[3].baseline = other->functions[3].candidate += 1000;
	other->baseline[BA_SCOPE_OWN] = other->candidate[BA_SCOPE_OWN] += 1000;
	other->baseline[BA_SCOPE_OWN] -= 18;
	ba_buf_clear(&got);
	ba_term_write(&got, &r, &plain);
	assert_has(got.data,
		"why launch/args=2 and 1 more: +18 instructions (up to +13.5 %), exactly\n");
	BA_AUTO(ba_whys) ba_whys whys = {0};
	ba_buf_clear(&got);
	ba_whys_of(&whys, &r);
	assert_true(whys.items[1].repeated);
	ba_why_term(&got, &r, &whys, 0, &plain);
	assert_golden("why-alike.txt", &got);
	/* another count in one function is another reason */
	r.series[3].comparisons[0].why->functions[0].candidate++;
	ba_buf_clear(&got);
	ba_term_write(&got, &r, &plain);
	assert_has(got.data, "why launch/args=3: +18 instructions");
	ba_whys_group(&whys);
	assert_false(whys.items[1].repeated);
	/* unless it varies; and so is another line */
	r.series[3].comparisons[0].exact = false;
	ba_whys_group(&whys);
	assert_true(whys.items[1].repeated);
	other->functions[1].lines[0].line++;
	ba_whys_group(&whys);
	assert_false(whys.items[1].repeated);
}

/* more of one cause than are looked back at */
TEST(a_long_sweep_of_one_reason_has_one_item)
{
	enum { POINTS = 150 };
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_whys) ba_whys whys = {0};
	example_begin(&r, 2);
	for (unsigned i = 0; i < POINTS; i++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%u", i);
		ba_series *s = example_series(&r, example_benchmark(&r, id, i),
			BA_METRIC_INSTRUCTIONS, (const double[]){133, 151},
			(const ba_verdict[]){BA_VERDICT_REGRESSED});
		s->comparisons[0].why = example_why(false);
		s->comparisons[0].why->functions[1].lines[0].line += i == 70;
	}
	ba_whys_of(&whys, &r);
	assert_int_equal(whys.changed, 2);
	assert_int_equal(whys.items[0].alike, POINTS - 2);
}

TEST(more_or_fewer_are_said_in_words)
{
	ba_explanation e = {.baseline = {100, 20, 5}, .candidate = {99, 20, 8}};
	ba_comparison k = {0};
	ba_why w = {.e = &e, .counted = &k};
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_why_put_sentence(&got, &w);
	assert_string_equal(got.data, "-1 instruction (-0.8 %)");
	ba_buf_clear(&got);
	ba_why_put_scopes(&got, &w);
	assert_string_equal(got.data,
		"own -1 (100 to 99), runtime 0 (20 to 20), driver +3 (5 to 8), which decides nothing");
	e.candidate[BA_SCOPE_OWN] = 100;
	ba_buf_clear(&got);
	ba_why_put_sentence(&got, &w);
	assert_string_equal(got.data, "as many instructions, by another path");
}
