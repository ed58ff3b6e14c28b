/* the page: whole, self-contained, bounded, usable without eyes or a mouse, and safe
 * with hostile names */
#include "test.h"

#include "base/base.h"
#include "example_result.h"
#include "markup_check.h"
#include "report/format.h"
#include "report/html/page.h"
#include "report/view.h"

static void three(ba_result *r)
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
	failed->failure = ba_xstrdup("killed by signal 11 (SIGSEGV)");
	failed->output = ba_xstrdup("launcher: <state> & more\nsegmentation fault\n");
	r->series[4].comparisons[1].verdict = BA_VERDICT_FAILED;
	ba_strv_push(&r->run.env.warnings, "the load is 9 — Stop what runs beside it.");
	ba_strv_push(&r->run.notes, "11 other launch paths not measured (--path all)");
	r->decided.verdict = BA_VERDICT_REGRESSED;
	r->decided.exit_status = 1;
	r->decided.answer = ba_xstrdup("Regressed in contextvar: 5 of 5 benchmarks got slower.");
}

static void render(ba_buf *out, const ba_result *r)
{
	ba_html_write(out, r, &(ba_format_options){0});
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;
	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

/* also written down, for the test that opens it in a browser */
TEST(the_page_is_whole)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	ba_error err;
	three(&r);
	render(&page, &r);
	assert_well_formed(page.data);
	static const char *const parts[] = {"<!DOCTYPE html>", "<html lang=\"en\">",
		"<meta charset=\"utf-8\">", "name=\"viewport\"", "name=\"color-scheme\"",
		"<title>regressed: contextvar, v2 against baseline</title>", "<main>",
		"Stop what runs beside it.", "killed by signal 11", "launcher: &lt;state&gt;",
		"11 other launch paths", "GPU-01234567", "build/<wbr>liblaunch.so",
		"bbbbbbbbbbbbbbbb", "18364758544493064720", "The change in each invocation",
		"the readings in the order of time", "number of arguments"};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		assert_has(page.data, parts[i]);
	int rc = ba_fs_write(BA_BINARY_DIR "/page.html", page.data, page.len, 0644, &err);
	if (rc)
		fail_msg("%s", err.text);
}

TEST(the_verdict_is_first)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	three(&r);
	render(&page, &r);
	const char *h1 = strstr(page.data, "<h1>"), *answer = strstr(page.data, "Regressed in");
	assert_non_null(h1);
	assert_true(h1 < answer && answer < strstr(page.data, "<h2"));
	/* what failed is the first row, then the sweep that regressed, in its order */
	const char *rows = strstr(page.data, "<table class=\"results\">");
	assert_true(strstr(rows, "args=4") < strstr(rows, "args=0"));
	assert_true(strstr(rows, "args=0") < strstr(rows, "args=3"));
}

TEST(nothing_is_fetched_and_no_other_script_runs)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	three(&r);
	render(&page, &r);
	assert_null(strstr(page.data, "http:"));
	assert_null(strstr(page.data, "https:"));
	assert_null(strstr(page.data, " src="));
	assert_null(strstr(page.data, "url("));
	assert_null(strstr(page.data, "@import"));
	assert_int_equal(count_of(page.data, "<script"), 1);
	assert_int_equal(count_of(page.data, "default-src &#39;none&#39;"), 1);
	/* 32 bytes in base64, 43 digits and the padding */
	const char *digest = strstr(page.data, "script-src &#39;sha256-");
	assert_non_null(digest);
	digest += strlen("script-src &#39;sha256-");
	assert_int_equal(strcspn(digest, "="), 43);
	assert_memory_equal(digest + 43, "=&#39;", 6);
}

/* each `open` has `needed` before its tag ends */
static void all_have(const char *page, const char *open, const char *needed)
{
	for (const char *p = page; (p = strstr(p, open)); p++) {
		const char *end = strchr(p, '>');
		BA_AUTO_FREE char *tag = ba_xstrndup(p, (size_t)(end - p));
		if (!strstr(tag, needed))
			fail_msg("'%s' without '%s'", tag, needed);
	}
}

TEST(it_can_be_used_without_eyes_or_a_mouse)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	three(&r);
	render(&page, &r);
	all_have(page.data, "<th ", "scope=\"");
	assert_null(strstr(page.data, "<th>"));
	all_have(page.data, "<section", "aria-labelledby=\"");
	/* what can be scrolled can be reached by keyboard, and has a name */
	all_have(page.data, "<div class=\"scroll\"", "tabindex=\"0\"");
	all_have(page.data, "<div class=\"scroll\"", "aria-label");
	/* figures have words; those without are for eyes only */
	size_t figures = count_of(page.data, "role=\"img\"");
	assert_true(figures > 20);
	assert_int_equal(count_of(page.data, "<desc>"), figures);
	all_have(page.data, "<svg class=\"spark", "aria-hidden=\"true\"");
	/* every field is within its label */
	size_t fields = count_of(page.data, "<select") + count_of(page.data, "<input");
	assert_int_equal(count_of(page.data, "<label>"), fields);
	assert_has(page.data, "<a class=\"skip\" href=\"#results\">");
	assert_has(page.data, "aria-live=\"polite\"");
	assert_int_equal(count_of(page.data, "<h1"), 1);
}

TEST(ids_are_there_once_and_links_lead_somewhere)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	three(&r);
	render(&page, &r);
	for (const char *p = page.data; (p = strstr(p, " id=\"")); p++) {
		BA_AUTO_FREE char *id = ba_xstrndup(p, strcspn(p + 5, "\"") + 6);
		assert_int_equal(count_of(page.data, id), 1);
	}
	size_t links = 0;
	for (const char *p = page.data; (p = strstr(p, " href=\"#")); p++, links++) {
		BA_AUTO_FREE char *name = ba_xstrndup(p + 8, strcspn(p + 8, "\""));
		BA_AUTO_FREE char *id = ba_xprintf(" id=\"%s\"", name);
		assert_has(page.data, id);
	}
	assert_true(links > 10);
}

static void rename_all(ba_result *r, const char *name)
{
	char **texts[] = {&r->decided.answer, &r->run.started, &r->run.engine,
		&r->run.engine_reason, &r->run.command_line, &r->run.repository,
		&r->run.config_path, &r->run.tool_version, &r->run.env.device_name,
		&r->run.env.host_name, &r->run.env.cpu_model, &r->run.env.driver_version,
		&r->run.env.device_uuid, &r->run.env.kernel};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		free(*texts[i]);
		*texts[i] = ba_xstrdup(name);
	}
	for (size_t i = 0; i < r->run.variant_count; i++) {
		free(r->run.variants[i].label);
		r->run.variants[i].label = ba_xstrdup(name);
		free(r->run.variants[i].subject);
		r->run.variants[i].subject = ba_xstrdup(name);
		free(r->run.variants[i].artefacts[0].path);
		r->run.variants[i].artefacts[0].path = ba_xstrdup(name);
	}
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		free(r->run.benchmarks[i].id);
		r->run.benchmarks[i].id = ba_xstrdup(name);
		free(r->run.benchmarks[i].suite);
		r->run.benchmarks[i].suite = ba_xstrdup(name);
		ba_benchmark_add_axis(&r->run.benchmarks[i], name, name);
	}
	free(r->series[4].variants[2].failure);
	r->series[4].variants[2].failure = ba_xstrdup(name);
	free(r->series[4].variants[2].output);
	r->series[4].variants[2].output = ba_xstrdup(name);
	r->series[0].comparisons[0].reason = ba_xstrdup(name);
	r->series[0].comparisons[0].hint = ba_xstrdup(name);
	ba_strv_push(&r->run.notes, name);
	ba_strv_push(&r->run.env.warnings, name);
}

TEST(hostile_names_stay_text)
{
	BA_AUTO_FREE char *long_name = ba_xcalloc(10001, 1);
	memset(long_name, 'n', 10000);
	const char *const names[] = {"", long_name, "<script>alert(1)</script>",
		"</title><script>x", "</style><b>", "\" onmouseover=\"x", "' onload='x", "]]>",
		"--><b>", "&lt;b&gt;", "javascript:alert(1)", "\033[2J\a", "\xff\xfe\xef\xbf\xbf",
		"\xe2\x80\xaegnp.exe", "\xe2\x81\xa7x", "a\nb\r\nc", "{{constructor}}",
		"::error::x"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
		three(&r);
		rename_all(&r, names[i]);
		render(&page, &r);
		assert_well_formed(page.data);
		assert_int_equal(count_of(page.data, "<script"), 1);
		assert_int_equal(count_of(page.data, "<b>"), 0);
		assert_int_equal(count_of(page.data, "\" onmouse"), 0);
		assert_int_equal(count_of(page.data, "\xe2\x80\xae"), 0);
		assert_int_equal(count_of(page.data, "\xe2\x81\xa7"), 0);
		assert_true(page.len < (3 << 20));
	}
}

TEST(big_results_make_a_bounded_page)
{
	enum { COUNT = 2500 };
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	example_begin(&r, 2);
	for (size_t i = 0; i < COUNT; i++) {
		char name[64];
		bool slower = i == COUNT - 1;
		const double figures[] = {1000, slower ? 1200 : 1001};
		const ba_verdict verdicts[] = {
			slower ? BA_VERDICT_REGRESSED : BA_VERDICT_UNCHANGED};
		snprintf(name, sizeof(name), "launch/args=%zu", i);
		size_t b = example_benchmark(&r, name, (unsigned)i);
		ba_series *s = example_series(&r, b, BA_METRIC_SUBMIT, figures, verdicts);
		if (i % 10 == 9)
			example_samples(&r, s);
	}
	r.decided.verdict = BA_VERDICT_REGRESSED;
	r.decided.answer = ba_xstrdup("Regressed.");
	render(&page, &r);
	assert_well_formed(page.data);
	assert_true(page.len < (10 << 20));
	assert_has(page.data, "The 2000 rows that matter most, of 2500");
	assert_has(page.data, "The 400 of 2500 benchmarks that matter most have a section.");
	/* the one that got slower is not among those left out */
	const char *row = strstr(page.data, "<tr data-section");
	assert_memory_equal(row, "<tr data-section=\"s2499\"", 24);
}

TEST(hundreds_of_variants_make_a_bounded_page)
{
	enum { VARIANTS = 300, BENCHMARKS = 20 };
	BA_AUTO(ba_result)
	ba_result r = {.run.variant_count = VARIANTS,
		.run.variants = ba_xcalloc(VARIANTS, sizeof(ba_variant)),
		.decided.answer = ba_xstrdup("No regression.")};
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	double figures[VARIANTS];
	ba_verdict verdicts[VARIANTS];
	for (size_t i = 0; i < VARIANTS; i++) {
		r.run.variants[i].label = ba_xprintf("v%zu", i);
		r.run.variants[i].spec = ba_xstrdup("");
		figures[i] = 1000 + (double)i;
		verdicts[i] = BA_VERDICT_UNCHANGED;
	}
	for (unsigned i = 0; i < BENCHMARKS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "launch/args=%u", i);
		size_t b = example_benchmark(&r, name, i);
		example_series(&r, b, BA_METRIC_SUBMIT, figures, verdicts);
	}
	render(&page, &r);
	assert_well_formed(page.data);
	assert_true(page.len < (6 << 20));
	assert_has(page.data, "The table above has 260 more variants.");
	assert_has(page.data, "The 2000 rows that matter most, of 5980");
}

TEST(one_variant_makes_a_page_too)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_result) ba_result none;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf empty = BA_BUF_INIT;
	example_begin(&r, 1);
	example_launch_suite(&r, NULL, NULL);
	render(&page, &r);
	assert_well_formed(page.data);
	assert_has(page.data, "measured</span>");
	assert_null(strstr(page.data, "inf"));
	example_begin(&none, 2);
	render(&empty, &none);
	assert_well_formed(empty.data);
	assert_has(empty.data, "Nothing was measured.");
}

TEST(figures_of_a_test_driver_are_no_figures)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	three(&r);
	free(r.run.env.target);
	r.run.env.target = ba_xstrdup("fake");
	render(&page, &r);
	assert_has(page.data, "A test driver with a simulated clock");
}

/* its driver says that it has memory and a compute capability; no GPU ran anything */
TEST(the_host_target_has_no_gpu)
{
	static const char *const of_gpu[] = {"compute capability", "GPU memory", "multiprocessors",
		"GPU-01234567", "0000:17:00.0"};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf gpu = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf host = BA_BUF_INIT;
	three(&r);
	render(&gpu, &r);
	free(r.run.env.target);
	r.run.env.target = ba_xstrdup("host");
	render(&host, &r);
	for (size_t i = 0; i < BA_COUNT(of_gpu); i++) {
		assert_has(gpu.data, of_gpu[i]);
		assert_null(strstr(host.data, of_gpu[i]));
	}
	assert_has(gpu.data, "140 GiB");
	assert_has(host.data, "Intel Xeon");
}

/* a reason that many benchmarks share is said once, with links to all of them, and above
 * the table that says which they are */
TEST(reasons_are_grouped)
{
	enum { COUNT = 47 };
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	example_begin(&r, 2);
	for (unsigned i = 0; i < COUNT; i++) {
		char name[32];
		snprintf(name, sizeof(name), "launch/args=%u", i);
		const double figures[] = {1000, 1010};
		const ba_verdict verdict = BA_VERDICT_INCONCLUSIVE;
		size_t b = example_benchmark(&r, name, i);
		ba_series *s = example_series(&r, b, BA_METRIC_SUBMIT, figures, &verdict);
		free(s->comparisons[0].reason);
		s->comparisons[0].reason = ba_xstrdup("the noise is too large");
	}
	render(&page, &r);
	assert_well_formed(page.data);
	const char *reasons = strstr(page.data, "<h2 id=\"reasons\">");
	const char *results = strstr(page.data, "<h2 id=\"results\">");
	assert_non_null(reasons);
	assert_true(reasons < results);
	BA_AUTO_FREE char *part = ba_xstrndup(reasons, (size_t)(results - reasons));
	assert_int_equal(count_of(part, "the noise is too large"), 1);
	assert_int_equal(count_of(part, "<li><a href=\"#s"), COUNT);
	assert_has(part, "<summary>these 47</summary>");
}

/* below the table, once: thresholds as they were given, what the numbers are */
TEST(words_of_the_table_are_explained_once)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	three(&r);
	for (size_t i = 0; i < r.series_count; i++)
		for (size_t c = 0; c < 2; c++) {
			ba_comparison *k = &r.series[i].comparisons[c];
			k->threshold_given = 0.02;
			k->threshold_given_ns = 200;
			k->threshold_slower = 0.08;
		}
	ba_comparison *moved = &r.series[0].comparisons[1];
	moved->ratio = 1.02;
	moved->low = 1.01;
	moved->high = 1.03;
	render(&page, &r);
	assert_int_equal(count_of(page.data, "of all readings (iqr/2)"), 1);
	assert_has(page.data, ">Threshold: 8 % (at least 200 ns). Times");
	assert_has(page.data, "slower, within 8 %</span>");
	/* the filter of the page finds it by its verdict */
	assert_has(page.data, "data-verdict=\"unchanged\">");
	assert_has(page.data, "(1 slower or faster within the threshold)");
	assert_null(strstr(page.data, "± iqr/2"));
}

TEST(rows_of_many_magnitudes_have_units_of_their_own)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	static const double levels[] = {83.3, 25.7e6};
	const ba_verdict verdict = BA_VERDICT_REGRESSED;
	example_begin(&r, 2);
	for (unsigned i = 0; i < 2; i++) {
		const double figures[] = {levels[i], 1.1 * levels[i]};
		size_t b = example_benchmark(&r, i ? "slow" : "quick", i);
		example_series(&r, b, BA_METRIC_TIME, figures, &verdict);
	}
	render(&page, &r);
	assert_has(page.data, " ns</td>");
	assert_has(page.data, " ms</td>");
	assert_has(page.data, "<th scope=\"col\" class=\"number wide-only\">change</th>");
}

/* levels of their own, pooled over all readings, contradict the change beside them */
TEST(sections_show_the_levels_of_the_tables)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf page = BA_BUF_INIT;
	three(&r);
	ba_series *s = &r.series[0];
	double shown = ba_central_ns(s, &s->variants[1]);
	s->variants[1].trimmed = 987654.321;
	assert_true(fabs(ba_central_ns(s, &s->variants[1]) - shown) < 1e-6);
	render(&page, &r);
	assert_null(strstr(page.data, "98765"));
	assert_null(strstr(page.data, "987.65"));
}
