/* Accounts: what was expected and is missing, what nobody expects, what has a new name
 */
#include "test.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "example_result.h"
#include "gate/status.h"
#include "series_of.h"

/* one benchmark: 'u' in both, 'a' new in the candidate, 'd' gone from it, 'f' failed
 * there, 's' skipped in both, 'e' without samples */
static void add(ba_result *r, const char *id, char letter)
{
	ba_series *s = series_of(r, example_benchmark(r, id, 0), BA_METRIC_SUBMIT);
	ba_summary *a = &s->variants[0], *b = &s->variants[1];
	if (!strchr("ase", letter))
		example_summary(a, 2500, 12);
	if (!strchr("dfse", letter))
		example_summary(b, 2500, 12);
	a->present = letter != 'a';
	b->present = letter != 'd';
	if (letter == 'f')
		b->failure = ba_xstrdup("killed by signal 11 (SIGSEGV)");
	if (letter == 's')
		a->skipped = ba_xstrdup("needs two GPUs");
	example_compare(s, 1,
		letter == 'u'	? BA_VERDICT_UNCHANGED
		: letter == 'a' ? BA_VERDICT_ADDED
		: letter == 'd' ? BA_VERDICT_REMOVED
				: BA_VERDICT_FAILED,
		0.004);
}

static void account_of(ba_strv *out, const ba_result *r, const char *expected)
{
	BA_AUTO(ba_strv) ba_strv globs = {0};
	if (*expected)
		ba_strv_split(&globs, expected, ' ');
	ba_gate_account(out, r, &(ba_gate_policy){.expected = &globs});
}

TEST(each_missing_one_is_named_with_what_became_of_it)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_strv) ba_strv notes = {0};
	example_begin(&r, 2);
	add(&r, "launch/args=0", 'u');
	add(&r, "launch/args=1", 'f');
	add(&r, "launch/args=2", 's');
	add(&r, "launch/args=3", 'e');
	account_of(&notes, &r,
		"launch/args=0 launch/args=1 launch/args=2 launch/args=3 launch/arks=0 "
		"copy/*");
	assert_int_equal(notes.count, 5);
	assert_has(notes.items[0], "expected and not measured: 'launch/args=1': it "
				   "failed in contextvar: killed by signal 11");
	assert_has(notes.items[1], "'launch/args=2': it was skipped in baseline: needs two");
	assert_has(notes.items[2], "'launch/args=3': it came without samples from baseline");
	assert_has(notes.items[3],
		"'launch/arks=0': there is no such benchmark; is it 'launch/args=0' "
		"now?");
	assert_has(notes.items[4], "'copy/*': there is no such benchmark");
}

static const char *missing_of(const ba_result *r, const char *expected)
{
	BA_AUTO(ba_strv) ba_strv globs = {0};
	ba_strv_split(&globs, expected, ' ');
	const char *missing = ba_gate_first_missing(r, &(ba_gate_policy){.expected = &globs});
	/* it may be the list's, which ends here */
	return missing && strpbrk(missing, "*?[") ? "a glob" : missing;
}

/* the slow one is gone, the quick one of the same glob is there */
TEST(a_glob_stands_for_all_that_the_baseline_has)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_strv) ba_strv notes = {0};
	example_begin(&r, 2);
	add(&r, "attention/quick", 'u');
	add(&r, "attention/slow", 'd');
	add(&r, "attention/slower", 'f');
	add(&r, "attention/two", 's');
	add(&r, "attention/new", 'a');
	assert_string_equal(missing_of(&r, "attention/*"), "attention/slow");
	assert_string_equal(missing_of(&r, "attention/slower*"), "attention/slower");
	assert_string_equal(missing_of(&r, "copy/*"), "a glob");
	assert_string_equal(missing_of(&r, "attention/two*"), "a glob");
	assert_null(missing_of(&r, "attention/quick attention/q*"));
	/* what the baseline itself skips, and what is new, is not owed */
	assert_null(missing_of(&r, "attention/[qtn]*"));
	account_of(&notes, &r, "attention/*");
	assert_int_equal(notes.count, 3); /* and a guess at a new name */
	assert_has(notes.items[0], "expected and not measured: 'attention/*': "
				   "attention/slow: contextvar does not have it");
	assert_has(notes.items[1], "'attention/*': attention/slower: it failed in");
}

TEST(a_new_name_is_suspected)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_strv) ba_strv notes = {0};
	example_begin(&r, 2);
	add(&r, "attention/head=64", 'd');
	add(&r, "copy/bytes=4096", 'd');
	add(&r, "attention/heads=64", 'a');
	account_of(&notes, &r, "");
	assert_int_equal(notes.count, 1);
	assert_has(notes.items[0], "contextvar: 'attention/head=64' was removed and "
				   "'attention/heads=64' is new");
}

TEST(what_nobody_expects_is_told)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_strv) ba_strv notes = {0};
	example_begin(&r, 2);
	for (int i = 0; i < 8; i++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%d", i);
		add(&r, id, 'u');
	}
	account_of(&notes, &r, "launch/args=0");
	assert_int_equal(notes.count, 1);
	assert_has(notes.items[0], "so that a gate would not miss them: launch/args=1, "
				   "launch/args=2, launch/args=3, launch/args=4, "
				   "launch/args=5 and 2 more");
	ba_strv_dispose(&notes);
	account_of(&notes, &r, "launch/args=0 launch/*");
	assert_int_equal(notes.count, 0);
	account_of(&notes, &r, "");
	assert_int_equal(notes.count, 0);
}

/* a list as long as the result: neither a million sentences nor a million squared */
TEST(a_long_list_takes_a_moment)
{
	enum { MANY = 100000 };
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_strv) ba_strv notes = {0};
	BA_AUTO(ba_strv) ba_strv expected = {0};
	example_begin(&r, 2);
	r.run.benchmarks = ba_xcalloc(MANY, sizeof(*r.run.benchmarks));
	r.series = ba_xcalloc(MANY, sizeof(*r.series));
	r.run.benchmark_count = r.series_count = MANY;
	for (size_t i = 0; i < MANY; i++) {
		r.run.benchmarks[i].id = ba_xprintf("launch/args=%zu", i);
		r.series[i] = (ba_series){.benchmark = i,
			.variants = ba_xcalloc(2, sizeof(ba_summary)),
			.comparisons = ba_xcalloc(2, sizeof(ba_comparison))};
		for (int v = 0; v < 2; v++)
			r.series[i].variants[v] = (ba_summary){.present = true, .launches = 1};
		ba_strv_push_take(&expected, ba_xprintf("launch/args=%zu", i % 2 ? i : i + MANY));
	}
	int64_t start = ba_now_ns();
	ba_gate_account(&notes, &r, &(ba_gate_policy){.expected = &expected});
	assert_true(ba_now_ns() - start < 20 * BA_SECOND);
	assert_int_equal(notes.count, 22);
	assert_has(notes.items[20], "and 49980 more that were expected");
	assert_has(notes.items[21], "and 49995 more");
}
