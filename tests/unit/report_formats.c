/* the formats beside the terminal: complete, and safe with hostile names */
#include "test.h"

#include "example_result.h"
#include "format_named.h"
#include "golden.h"
#include "markup_check.h"
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
	r->decided.verdict = BA_VERDICT_REGRESSED;
	r->decided.answer = ba_xstrdup("Regressed: 5 of 5.");
}

static void rename_to(ba_result *r, const char *name)
{
	ba_text_replace(&r->run.benchmarks[0].id, name);
	ba_text_replace(&r->run.variants[1].label, name);
	ba_text_replace(&r->run.variants[1].subject, name);
	ba_text_replace(&r->decided.answer, name);
	ba_strv_push(&r->run.notes, name);
}

static void compare_with_golden(const char *format, const char *extension)
{
	BA_AUTO(ba_result) ba_result r;
	regressed(&r);
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	format_named(format)->write(&got, &r, &plain);
	BA_AUTO_FREE char *file = ba_xprintf("three.%s", extension);
	assert_golden(file, &got);
}

TEST(markdown_is_as_reviewed)
{
	compare_with_golden("markdown", "md");
}

TEST(csv_is_as_reviewed)
{
	compare_with_golden("csv", "csv");
}

TEST(summary_is_as_reviewed)
{
	compare_with_golden("summary", "summary.md");
}

TEST(junit_is_as_reviewed)
{
	compare_with_golden("junit", "junit.xml");
}

TEST(annotations_are_as_reviewed)
{
	compare_with_golden("github", "annotations.txt");
}

TEST(verdicts_are_as_reviewed)
{
	compare_with_golden("verdict", "verdict.json");
	compare_with_golden("verdict-text", "verdict.txt");
}

/* One failure among ten benchmarks of one candidate: its word, and its exit status. */
TEST(the_compact_answer_has_one_word)
{
	static const struct {
		ba_verdict all, first, second;
		const char *failure; /* of the candidate in the second; then it failed */
		int status;
		const char *word, *next;
	} rows[] = {
		{BA_VERDICT_UNCHANGED, BA_VERDICT_UNCHANGED, BA_VERDICT_UNCHANGED, NULL, 0, "same",
			"try a larger change"},
		{BA_VERDICT_IMPROVED, BA_VERDICT_UNCHANGED, BA_VERDICT_IMPROVED, NULL, 0, "faster",
			"take the candidate"},
		{BA_VERDICT_INCONCLUSIVE, BA_VERDICT_IMPROVED, BA_VERDICT_INCONCLUSIVE, NULL, 0,
			"undecided", "about 6 more"},
		{BA_VERDICT_REGRESSED, BA_VERDICT_IMPROVED, BA_VERDICT_REGRESSED, NULL, 1, "slower",
			"keep the baseline"},
		{BA_VERDICT_REGRESSED, BA_VERDICT_REGRESSED, BA_VERDICT_FAILED,
			"drifted: 40 times the error", 1, "drifted", "as precisely as"},
		{BA_VERDICT_FAILED, BA_VERDICT_IMPROVED, BA_VERDICT_FAILED, "wrong answer: 3 of 9",
			125, "wrong", "make launch/args=1 work"},
		{BA_VERDICT_FAILED, BA_VERDICT_IMPROVED, BA_VERDICT_FAILED, "killed by signal 11",
			125, "wrong", "make launch/args=1 work"},
		{BA_VERDICT_FAILED, BA_VERDICT_IMPROVED, BA_VERDICT_FAILED,
			"cheated: its worker reported 1 ms", 1, "cheated", "reject the candidate"},
		{BA_VERDICT_FAILED, BA_VERDICT_REMOVED, BA_VERDICT_UNCHANGED, NULL, 1, "wrong",
			"make every benchmark work"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		example_begin(&r, 2);
		for (unsigned k = 0; k < 10; k++) {
			BA_AUTO_FREE char *id = ba_xprintf("launch/args=%u", k);
			ba_verdict v = k == 0	? rows[i].first
				       : k == 1 ? rows[i].second
						: BA_VERDICT_UNCHANGED;
			const double figures[] = {1234.5678, 1250.9876};
			ba_series *s = example_series(
				&r, example_benchmark(&r, id, k), BA_METRIC_SUBMIT, figures, &v);
			s->comparisons[0].threshold_slower = 0.02;
			if (v == BA_VERDICT_INCONCLUSIVE)
				s->comparisons[0].hint = ba_xstrdup("about 6 more invocations");
			if (k == 1)
				s->variants[1].failure = ba_xstrdup(rows[i].failure);
		}
		r.decided.verdict = rows[i].all;
		r.decided.exit_status = rows[i].status;
		r.decided.answer = ba_xstrdup("So it is.");
		BA_AUTO(ba_buf) ba_buf json = BA_BUF_INIT, text = BA_BUF_INIT;
		BA_AUTO_FREE char *begin = ba_xprintf(
			"{\"schema\":\"bench-against.verdict/1\",\"verdict\":\"%s\",\"exit_status\":%d,",
			rows[i].word, rows[i].status);
		BA_AUTO_FREE char *line = ba_xprintf("%s: So it is.\n", rows[i].word);
		ba_verdict_write(&json, &r, &plain);
		ba_verdict_text_write(&text, &r, &plain);
		assert_true(ba_text_starts(json.data, begin));
		assert_true(ba_text_starts(text.data, line));
		assert_non_null(strstr(json.data, rows[i].next));
		assert_non_null(strstr(text.data, rows[i].next));
		/* all ten, in one line */
		assert_non_null(strstr(json.data, "launch/args=9"));
		assert_true(json.len <= 2048 && text.len <= 2048);
		assert_ptr_equal(strchr(json.data, '\n'), json.data + json.len - 1);
	}
}

/* What does not fit is counted, whatever the names are. */
TEST(the_compact_answer_is_bounded)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
	ba_buf_pad(&name, '"', 4000);
	example_begin(&r, 2);
	for (unsigned k = 0; k < 200; k++) {
		BA_AUTO_FREE char *id = ba_xprintf("%u/%s", k, name.data);
		const double figures[] = {1000, 1001};
		const ba_verdict v = k == 100 ? BA_VERDICT_REGRESSED : BA_VERDICT_UNCHANGED;
		example_series(&r, example_benchmark(&r, id, k), BA_METRIC_SUBMIT, figures, &v);
	}
	for (size_t i = 0; i < 2; i++)
		ba_text_replace(&r.run.variants[i].spec, name.data);
	rename_to(&r, name.data);
	r.decided.verdict = BA_VERDICT_REGRESSED;
	BA_AUTO(ba_buf) ba_buf json = BA_BUF_INIT, text = BA_BUF_INIT;
	ba_verdict_write(&json, &r, &plain);
	ba_verdict_text_write(&text, &r, &plain);
	assert_true(json.len <= 2048 && text.len <= 2048);
	assert_non_null(strstr(json.data, "\"left_out\":19"));
	assert_non_null(strstr(text.data, "left out: 19"));
	assert_non_null(strstr(json.data, "{\"name\":\"100/"));
}

TEST(json_is_the_stored_document)
{
	BA_AUTO(ba_result) ba_result r;
	regressed(&r);
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf stored = BA_BUF_INIT;
	format_named("json")->write(&got, &r, &plain);
	ba_results_format(&stored, &r);
	assert_string_equal(got.data, stored.data);
}

/* Long texts go to a file in pieces; put together they are the text. */
TEST(pieces_are_the_whole)
{
	BA_AUTO(ba_result) ba_result r;
	regressed(&r);
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
	ba_buf_pad(&name, 'n', 70000);
	free(r.run.benchmarks[0].id);
	r.run.benchmarks[0].id = ba_xstrdup(name.data);
	static const char *const unbounded[] = {"csv", "junit", "json"};
	for (size_t i = 0; i < 3; i++) {
		const ba_format *f = format_named(unbounded[i]);
		BA_AUTO(ba_buf) ba_buf whole = BA_BUF_INIT;
		BA_AUTO(ba_buf) ba_buf rest = BA_BUF_INIT;
		BA_AUTO_FREE char *pieces = NULL;
		size_t size;
		ba_format_options o = plain;
		f->write(&whole, &r, &o);
		o.file = open_memstream(&pieces, &size);
		f->write(&rest, &r, &o);
		fflush(o.file);
		assert_true(size > whole.len / 2);
		fwrite(rest.data, 1, rest.len, o.file);
		fclose(o.file);
		assert_string_equal(pieces, whole.data);
	}
}

/* one of the three, with what is between its colons free of colons */
static void every_line_is_a_command(const char *text)
{
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		size_t kind = strncmp(line, "::error title=", 14) == 0	   ? 14
			      : strncmp(line, "::warning title=", 16) == 0 ? 16
			      : strncmp(line, "::notice title=", 15) == 0  ? 15
									   : 0;
		assert_true(kind > 0);
		size_t title = strcspn(line + kind, ":,\n");
		assert_memory_equal(line + kind + title, "::", 2);
	}
}

TEST(hostile_names_stay_text)
{
	static const char *const names[] = {"<script>alert(1)</script>", "a|b", "`x` <b>",
		"[x](javascript:y)", "\033[2J\033]0;x\007", "a\n::error::b", "@everyone",
		"\xff\xfe", "![i](http://x)", "]]></failure><b>", "", "x::error::y",
		"%0A::stop-commands::z", "\xef\xbf\xbe", "\xe2\x80\xaegnp.exe", "--><!--",
		"&lt;b&gt;", "\" onload=\"x"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		regressed(&r);
		rename_to(&r, names[i]);
		for (const ba_format *f = ba_formats; f->name; f++) {
			BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
			f->write(&got, &r, &plain);
			assert_null(strchr(got.data, '\033'));
			assert_null(strstr(got.data, "\n::error::"));
			if (strcmp(f->name, "json") != 0)
				assert_null(strstr(got.data, "\xe2\x80\xae"));
			if (strcmp(f->name, "junit") == 0)
				assert_well_formed(got.data);
			if (strcmp(f->name, "github") == 0)
				every_line_is_a_command(got.data);
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

/* a run of `count` benchmarks with long names, one in a hundred of them slower */
static void many(ba_result *r, size_t count, size_t name_length)
{
	example_begin(r, 2);
	for (size_t i = 0; i < count; i++) {
		bool slower = i % 100 == 99;
		const double figures[] = {1000, slower ? 1100 + (double)i : 1001};
		const ba_verdict verdicts[] = {
			slower ? BA_VERDICT_REGRESSED : BA_VERDICT_UNCHANGED};
		BA_AUTO_FREE char *name = ba_xcalloc(name_length + 32, 1);
		memset(name, 'n', name_length);
		snprintf(name + name_length, 32, "/%zu", i);
		size_t b = example_benchmark(r, name, (unsigned)i);
		example_series(r, b, BA_METRIC_SUBMIT, figures, verdicts);
	}
	r->decided.verdict = BA_VERDICT_REGRESSED;
	r->decided.exit_status = 1;
	r->decided.answer = ba_xprintf("Regressed: %s", r->run.benchmarks[count - 1].id);
}

TEST(markdown_keeps_to_githubs_limits)
{
	BA_AUTO(ba_result) ba_result r;
	many(&r, 6000, 200);
	for (int i = 0; i < 100; i++)
		ba_strv_push(&r.run.notes, r.run.benchmarks[i].id);
	BA_AUTO(ba_buf) ba_buf comment = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf summary = BA_BUF_INIT;
	ba_markdown_write(&comment, &r, &plain);
	ba_summary_write(&summary, &r, &plain);
	assert_in_range(comment.len, BA_COMMENT_BYTES - 2048, 65536);
	assert_in_range(summary.len, BA_SUMMARY_BYTES - 2048, 1 << 20);
	assert_has(comment.data, "**Regressed: nnn");
	/* the worst regression is the first row, and what is left out is said */
	const char *worst = strstr(comment.data, "/5999`");
	assert_non_null(worst);
	assert_ptr_equal(strstr(comment.data, "regressed"), strstr(worst, "regressed"));
	assert_has(comment.data, "less important rows do not fit here");
	assert_has(comment.data, "and 70 more remarks");
	assert_has(comment.data, "; seed 18364758544493064720. Times are trimmed means");
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;
	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

TEST(annotations_are_at_most_ten_of_a_kind)
{
	BA_AUTO(ba_result) ba_result r;
	many(&r, 1500, 10000);
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	ba_github_write(&got, &r, &plain);
	assert_int_equal(count_of(got.data, "::error "), 10);
	/* the answer, eight of fifteen, and this */
	assert_has(got.data, "::and 7 more;");
}

TEST(junit_is_red_exactly_when_the_exit_status_is_not_0)
{
	static const struct {
		int status;
		bool gate_strict;
		ba_verdict verdict;
		const char *first;
	} cases[] = {
		{0, false, BA_VERDICT_UNCHANGED, NULL},
		{0, false, BA_VERDICT_IMPROVED, NULL},
		{0, false, BA_VERDICT_INCONCLUSIVE, "<skipped message=\"inconclusive"},
		{0, false, BA_VERDICT_REMOVED, "<skipped message=\"removed"},
		{1, false, BA_VERDICT_REGRESSED, "<failure"},
		{1, true, BA_VERDICT_REMOVED, "<failure"},
		{125, false, BA_VERDICT_FAILED, "<error"},
		{125, true, BA_VERDICT_INCONCLUSIVE, "<error"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		const double figures[] = {1000, 1010};
		example_begin(&r, 2);
		size_t b = example_benchmark(&r, "launch/args=0", 0);
		example_series(&r, b, BA_METRIC_SUBMIT, figures, &cases[i].verdict);
		r.decided.gate_strict = cases[i].gate_strict;
		r.decided.exit_status = cases[i].status;
		r.decided.verdict = cases[i].verdict;
		r.decided.answer = ba_xstrdup("So it is.");
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		ba_junit_write(&got, &r, &plain);
		assert_well_formed(got.data);
		bool red = strstr(got.data, "<failure") || strstr(got.data, "<error");
		assert_int_equal(red, cases[i].status != 0);
		if (cases[i].first)
			assert_has(got.data, cases[i].first);
		else
			assert_int_equal(count_of(got.data, "<skipped"), 0);
	}
}

/* beside an interval far from the threshold, "inconclusive" is not all that is said */
TEST(what_is_likely_is_said_everywhere)
{
	static const struct {
		double ratio;
		bool likely;
		const char *says, *csv;
	} rows[] = {
		{1.338, true, "probably slower", ",,slower\n"},
		{0.662, true, "probably faster", ",,faster\n"},
		{1.338, false, "inconclusive", ",,\n"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		const ba_verdict verdict = BA_VERDICT_INCONCLUSIVE;
		const double figures[] = {1000, 1000 * rows[i].ratio};
		example_begin(&r, 2);
		size_t b = example_benchmark(&r, "launch/args=0", 0);
		r.run.benchmarks[b].kind = BA_SUITE_WORKER;
		ba_series *s = example_series(&r, b, BA_METRIC_SUBMIT, figures, &verdict);
		s->comparisons[0].likely = rows[i].likely;
		r.decided.verdict = verdict;
		r.decided.answer = ba_xstrdup("So it is.");
		for (size_t k = 0; ba_formats[k].name; k++) {
			const char *name = ba_formats[k].name;
			bool csv = strcmp(name, "csv") == 0;
			if (strcmp(name, "json") == 0 || strcmp(name, "sweep-csv") == 0)
				continue; /* the verdict; json with `likely` beside it */
			BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
			ba_formats[k].write(&got, &r, &plain);
			if (!strstr(got.data, csv ? rows[i].csv : rows[i].says))
				fail_msg("%s does not say %s: %s", name, rows[i].says, got.data);
		}
		/* red where the gate fails for it */
		BA_AUTO(ba_buf) ba_buf junit = BA_BUF_INIT;
		r.decided.likely_fails = true;
		ba_junit_write(&junit, &r, &plain);
		assert_int_equal(
			strstr(junit.data, "<failure message=\"probably slower: +33.8 %") != NULL,
			rows[i].likely && rows[i].ratio > 1);
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

TEST(every_csv_row_has_every_cell)
{
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

TEST(the_names_are_those_of_the_formats)
{
	size_t i = 0;
	for (; ba_formats[i].name; i++) {
		assert_string_equal(ba_formats[i].name, ba_format_names[i]);
		assert_ptr_equal(format_named(ba_formats[i].name), &ba_formats[i]);
	}
	assert_null(ba_format_names[i]);
}
