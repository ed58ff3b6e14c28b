/* the formats beside the terminal: complete, and safe with hostile names */
#include "test.h"

#include "base/path.h"
#include "example_result.h"
#include "report/format.h"
#include "store/results.h"

static const ba_format_options plain = {.width = 80, .unicode = true};

static void regressed(ba_result *r)
{
	const double ratios[] = {1.041, 0.999};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED, BA_VERDICT_UNCHANGED};
	const ba_verdict reported[] = {BA_VERDICT_REPORTED, BA_VERDICT_REPORTED};
	const double classic[] = {2510, 2612, 2490};
	example_begin(r, 3);
	example_launch_suite(r, ratios, verdicts);
	example_series(r, 1, BA_METRIC_SUSTAINED, classic, reported);
	ba_summary *failed = &r->series[4].variants[2];
	failed->launches = 0;
	failed->failure = ba_xstrdup("killed by signal 11");
	r->series[4].comparisons[1].verdict = BA_VERDICT_FAILED;
	r->verdict = BA_VERDICT_REGRESSED;
	r->answer = ba_xstrdup("Yes: 5 of 5.");
}

static void compare_with_golden(const char *format, const char *extension)
{
	BA_AUTO(ba_result) ba_result r;
	regressed(&r);
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_format_named(format)->write(&got, &r, &plain);
	BA_AUTO_FREE char *path =
		ba_xprintf(BA_SOURCE_DIR "/tests/golden/three.%s", extension);
	ba_error err;
	if (getenv("BA_UPDATE_GOLDEN")) {
		assert_int_equal(ba_fs_write(path, got.data, got.len, 0644, &err), 0);
		return;
	}
	BA_AUTO(ba_buf) ba_buf expected = BA_BUF_INIT;
	if (ba_fs_read(&expected, path, 1 << 20, &err))
		fail_msg("%s", err.text);
	assert_string_equal(got.data, expected.data);
}

static void markdown_is_as_reviewed(void **state)
{
	(void)state;
	compare_with_golden("markdown", "md");
}

static void csv_is_as_reviewed(void **state)
{
	(void)state;
	compare_with_golden("csv", "csv");
}

static void json_is_the_stored_document(void **state)
{
	(void)state;
	BA_AUTO(ba_result) ba_result r;
	regressed(&r);
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf stored = BA_BUF_INIT;
	ba_format_named("json")->write(&got, &r, &plain);
	ba_results_format(&stored, &r);
	assert_string_equal(got.data, stored.data);
}

static void rename_to(ba_result *r, const char *name)
{
	free(r->benchmarks[0].id);
	r->benchmarks[0].id = ba_xstrdup(name);
	free(r->variants[1].label);
	r->variants[1].label = ba_xstrdup(name);
	free(r->variants[1].subject);
	r->variants[1].subject = ba_xstrdup(name);
	free(r->answer);
	r->answer = ba_xstrdup(name);
	ba_strv_push(&r->notes, name);
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	static const char *const names[] = {"<script>alert(1)</script>", "a|b",
		"`x` <b>", "[x](javascript:y)", "\033[2J\033]0;x\007", "a\n::error::b",
		"@everyone", "\xff\xfe", "![i](http://x)"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		regressed(&r);
		rename_to(&r, names[i]);
		for (const ba_format *f = ba_formats; f->name; f++) {
			BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
			f->write(&got, &r, &plain);
			assert_null(strchr(got.data, '\033'));
			assert_null(strstr(got.data, "\n::error::"));
		}
		BA_AUTO(ba_buf) ba_buf md = BA_BUF_INIT;
		ba_markdown_write(&md, &r, &plain);
		/* outside of code spans no markup survives */
		bool code = false;
		for (const char *c = md.data; *c; c++) {
			if (*c == '\\' && c[1]) {
				c++;
				continue;
			}
			code = *c == '`' ? !code : *c == '\n' ? false : code;
			if (!code && *c == '<')
				assert_true(strncmp(c, "<details>", 9) == 0 ||
					    strncmp(c, "<summary>", 9) == 0 ||
					    strncmp(c, "</", 2) == 0 ||
					    strncmp(c, "<sub>", 5) == 0);
			if (!code)
				assert_true(*c != '[' && strncmp(c, "@e", 2) != 0 &&
					    strncmp(c, "</script", 8) != 0);
		}
	}
}

/* cells of a line by RFC 4180 */
static size_t cells_of(const char *line, size_t length)
{
	size_t cells = 1;
	bool quoted = false;
	for (size_t i = 0; i < length; i++) {
		quoted ^= line[i] == '"';
		cells += line[i] == ',' && !quoted;
	}
	return cells;
}

static void every_csv_row_has_every_cell(void **state)
{
	(void)state;
	BA_AUTO(ba_result) ba_result r;
	regressed(&r);
	rename_to(&r, "a,\"b\"\nc");
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_csv_write(&got, &r, &plain);
	size_t header = cells_of(got.data, strcspn(got.data, "\n")), rows = 0;
	for (const char *line = got.data; *line; rows++) {
		size_t length = strcspn(line, "\n");
		assert_int_equal(cells_of(line, length), header);
		line += length + (line[length] == '\n');
	}
	assert_int_equal(rows, 1 + 6 * 3);
}

static void the_names_are_those_of_the_formats(void **state)
{
	(void)state;
	size_t i = 0;
	for (; ba_formats[i].name; i++) {
		assert_string_equal(ba_formats[i].name, ba_format_names[i]);
		assert_ptr_equal(ba_format_named(ba_formats[i].name), &ba_formats[i]);
	}
	assert_null(ba_format_names[i]);
	assert_null(ba_format_named("pdf"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markdown_is_as_reviewed),
		cmocka_unit_test(csv_is_as_reviewed),
		cmocka_unit_test(json_is_the_stored_document),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(every_csv_row_has_every_cell),
		cmocka_unit_test(the_names_are_those_of_the_formats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
