/* what a result says of many benchmarks, each thing once */
#include "test.h"

#include "example_result.h"
#include "report/format.h"
#include "report/remarks.h"

enum { FAILED = 3, OPEN = 47, ALL = 66 };

static const ba_format_options wide = {.width = 120, .unicode = true};

/* 66 benchmarks of two suites: three fail, 47 are inconclusive, the rest is unchanged */
static void build(ba_result *r)
{
	const double figures[] = {2500, 2510};
	example_begin(r, 2);
	for (size_t i = 0; i < ALL; i++) {
		BA_AUTO_FREE char *id = ba_xprintf(
			"%s/n=%zu", i < FAILED || i >= FAILED + OPEN ? "copy" : "scan", i);
		bool open = i >= FAILED && i < FAILED + OPEN;
		const ba_verdict verdicts[] = {i < FAILED ? BA_VERDICT_FAILED
					       : open	  ? BA_VERDICT_INCONCLUSIVE
							  : BA_VERDICT_UNCHANGED};
		ba_series *s = example_series(
			r, example_benchmark(r, id, 0), BA_METRIC_SUBMIT, figures, verdicts);
		ba_comparison *c = &s->comparisons[0];
		if (i < FAILED)
			s->variants[1].failure = ba_xstrdup("killed by signal 11 (SIGSEGV)");
		if (!open)
			continue;
		c->high = 1.05 + 0.001 * (double)i;
		c->reason = ba_xstrdup(
			"4 invocations cannot prove a single change among 66 comparisons");
		c->hint = ba_xprintf("about %d more invocations would be enough", i % 2 ? 4 : 8);
	}
}

static size_t lines_of(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

TEST(a_reason_is_said_once_with_its_names)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_remarks) ba_remarks m = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	build(&r);
	ba_remarks_of(&m, &r, false);
	assert_int_equal(m.count, 3);
	assert_int_equal(m.items[0].kind, BA_REMARK_FAILED);
	ba_remark_put(&text, &r, &m.items[0]);
	assert_string_equal(
		text.data, "3 benchmarks failed in contextvar: killed by signal 11 (SIGSEGV)");
	assert_int_equal(m.items[1].count + m.items[2].count, OPEN);
	ba_buf_clear(&text);
	ba_remark_put(&text, &r, &m.items[1]);
	assert_has(text.data, " benchmarks are inconclusive in contextvar (they could be up to ");
	assert_has(text.data,
		" % slower): 4 invocations cannot prove a single change among 66 comparisons; about ");
}

TEST(many_reasons_leave_one_for_the_rest)
{
	BA_AUTO(ba_result) ba_result r;
	build(&r);
	for (size_t i = FAILED; i < FAILED + OPEN; i++) {
		ba_comparison *c = &r.series[i].comparisons[0];
		free(c->reason);
		c->reason = ba_xprintf("reason %zu", i);
	}
	for (int all = 0; all < 2; all++) {
		BA_AUTO(ba_remarks) ba_remarks m = {0};
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_remarks_of(&m, &r, all);
		assert_int_equal(m.count, 1 + (all ? OPEN : BA_REMARKS_MOST + 1));
		ba_remark_put(&text, &r, &m.items[m.count - 1]);
		if (all)
			assert_has(text.data, ": reason ");
		else
			assert_has(text.data, "41 more benchmarks are inconclusive in contextvar");
	}
}

TEST(names_are_globs_only_where_those_match_nothing_else)
{
	static const struct {
		size_t from, to, most;
		const char *names;
	} rows[] = {
		{0, 2, 8, "copy/n=0, copy/n=1"},
		{0, 3, 2, "copy/n=0, copy/n=1 and 1 more"},
		{3, 50, 8, "scan/*"},
		{4, 50, 2, "scan/n=4, scan/n=5 and 44 more"},
		{2, 50, 8, "copy/n=2, scan/*"},
		{47, 50, 0, "scan/n=47, scan/n=48, scan/n=49"},
	};
	BA_AUTO(ba_result) ba_result r;
	build(&r);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t list[ALL], count = 0;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		for (size_t b = rows[i].from; b < rows[i].to; b++)
			list[count++] = b;
		/* twice: of two metrics */
		list[count] = list[0];
		ba_names_put(&text, &r, list, count + 1, rows[i].most);
		assert_string_equal(text.data, rows[i].names);
	}
}

TEST(sixty_six_benchmarks_fit_on_two_screens)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	build(&r);
	ba_term_write(&got, &r, &wide);
	const char *failed = strstr(got.data, "3 benchmarks failed in");
	const char *open = strstr(got.data, "benchmarks are inconclusive in");
	assert_true(failed && open && failed < open);
	if (lines_of(got.data) > 100 || lines_of(failed) > 20)
		fail_msg("%zu lines:\n%s", lines_of(got.data), got.data);
	/* the list is complete on demand */
	ba_format_options verbose = wide;
	verbose.verbose = true;
	ba_buf_clear(&got);
	ba_term_write(&got, &r, &verbose);
	open = strstr(got.data, "benchmarks are inconclusive in");
	for (size_t i = FAILED; i < FAILED + OPEN; i++) {
		BA_AUTO_FREE char *id = ba_xprintf("scan/n=%zu", i);
		assert_has(open, id);
	}
}
