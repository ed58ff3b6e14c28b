/* `bench-against merge`: runs that were made apart, on a driver with a virtual clock. */
#include "e2e.h"

#include "base/mem.h"
#include "base/base.h"

static char *moved(const e2e *t, const char *name)
{
	char *path = ba_path_join(t->dir, name);
	assert_int_equal(rename(t->json, path), 0);
	return path;
}

/* eight invocations of that seed, or a part of them */
static char *measured(e2e *t, const char *name, const char *seed, const char *part)
{
	if (part)
		e2e_against(t, "old", "new", "--fixed", "8", "--seed", seed, "--part", part);
	else
		e2e_against(t, "old", "new", "--fixed", "8", "--seed", seed);
	assert_true(t->doc != NULL);
	return moved(t, name);
}

static e2e begin(const char *candidate)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", candidate);
	/* each process and burst a little different */
	e2e_env("BA_FAKE_CUDA", "launch_ns=0;clock_ns=0;call_ns=10;jitter_ns=3");
	return t;
}

static ba_json_value find(const ba_json *doc, const char *list, size_t index)
{
	ba_json_value array;
	assert_int_equal(ba_json_get_array(&array, ba_json_root(doc), list, NULL), 0);
	ba_json_value v = ba_json_first(array);
	while (index--)
		v = ba_json_next(v);
	return v;
}

static ba_json_value comparison(const ba_json *doc)
{
	ba_json_value array;
	assert_int_equal(ba_json_get_array(&array, find(doc, "series", 0), "comparisons", NULL), 0);
	return ba_json_first(array);
}

static double number(ba_json_value object, const char *name)
{
	double x = 0;
	assert_int_equal(ba_json_as_f64(&x, ba_json_find(object, name), NULL), 0);
	return x;
}

static const char *text(ba_json_value object, const char *name)
{
	const char *s = NULL;
	assert_int_equal(ba_json_get_string(&s, object, name, NULL), 0);
	return s;
}

static ba_json *document(const char *path)
{
	ba_json *doc = NULL;
	ba_error err;
	if (ba_json_read(&doc, path, NULL, &err))
		fail_msg("%s", err.text);
	return doc;
}

/* Who is measured when: a text without the readings. */
static char *schedule(const ba_json *doc)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_json_value array, order;
	assert_int_equal(ba_json_get_array(&array, find(doc, "series", 0), "samples", NULL), 0);
	for (ba_json_value v = ba_json_first(array); ba_json_is(v); v = ba_json_next(v)) {
		ba_buf_printf(&out, "%g:", number(v, "invocation"));
		assert_int_equal(ba_json_get_array(&order, v, "order", NULL), 0);
		for (ba_json_value o = ba_json_first(order); ba_json_is(o); o = ba_json_next(o)) {
			double who = 0;
			assert_int_equal(ba_json_as_f64(&who, o, NULL), 0);
			ba_buf_printf(&out, " %g", who);
		}
	}
	return ba_buf_detach(&out);
}

/* The clock is virtual: a part measures what the whole run measures there, but that each
 * process that finds its sizes leaves the random numbers of the driver elsewhere. That
 * equal samples give equal numbers is in unit.run_merge. */
TEST(parts_together_are_the_whole_run)
{
	static const char *const candidates[] = {"cost110", "cost100"};
	for (size_t i = 0; i < 2; i++) {
		e2e t = begin(candidates[i]);
		BA_AUTO_FREE char *whole = measured(&t, "whole", "7", NULL);
		int status = t.status;
		BA_AUTO_FREE char *one = measured(&t, "1", "7", "1/3");
		BA_AUTO_FREE char *two = measured(&t, "2", "7", "2/3");
		BA_AUTO_FREE char *three = measured(&t, "3", "7", "3/3");
		BA_AUTO_FREE char *merged = ba_path_join(t.dir, "merged");
		e2e_tool(&t, "verify", three);
		/* invocations 2 and 5; identical code is not measured */
		assert_has(t.out, i ? " in 0 invocations" : " in 2 invocations");
		/* in any order */
		e2e_tool(&t, "merge", three, one, two, "-o", merged);
		assert_status(&t, status);
		BA_AUTO_PTR(ba_json) ba_json *a = document(whole);
		BA_AUTO_PTR(ba_json) ba_json *b = document(merged);
		ba_json_value x = comparison(a), y = comparison(b);
		assert_string_equal(text(x, "verdict"), i ? "identical" : "regressed");
		assert_string_equal(text(y, "verdict"), text(x, "verdict"));
		assert_true(number(y, "ratio") > number(x, "ratio") - 0.01 &&
			    number(y, "ratio") < number(x, "ratio") + 0.01);
		BA_AUTO_FREE char *then = schedule(a);
		BA_AUTO_FREE char *now = schedule(b);
		assert_string_equal(then, now);
		assert_string_equal(text(find(b, "origins", 0), "name"), "part 3");
		assert_int_equal(number(find(b, "origins", 2), "place"), 0);
		e2e_tool(&t, "verify", merged);
		assert_status(&t, 0);
		assert_has(t.out, "everything agrees");
		static const char *const forms[] = {
			"markdown", "csv", "html", "junit", "json", "summary", "github"};
		for (size_t k = 0; k < sizeof(forms) / sizeof(*forms); k++) {
			e2e_tool(&t, "report", merged, "--format", forms[k]);
			assert_status(&t, 0);
		}
		e2e_tool(&t, "plot", merged);
		assert_status(&t, 0);
		e2e_end(&t);
	}
}

TEST(fixed_runs_are_one_planned_look)
{
	e2e t = begin("cost110");
	BA_AUTO_FREE char *one = measured(&t, "1", "7", NULL);
	BA_AUTO_FREE char *two = measured(&t, "2", "8", NULL);
	BA_AUTO_FREE char *merged = ba_path_join(t.dir, "merged");
	BA_AUTO_FREE char *again = ba_path_join(t.dir, "again");
	e2e_tool(&t, "merge", one, two, "-o", merged);
	assert_status(&t, 1);
	BA_AUTO_PTR(ba_json) ba_json *doc = document(merged);
	assert_int_equal(number(comparison(doc), "invocations"), 16);
	assert_int_equal(number(find(doc, "origins", 1), "first"), 8);
	e2e_tool(&t, "verify", merged);
	assert_status(&t, 0);
	/* what was merged can be merged, and nothing in it twice */
	BA_AUTO_FREE char *three = measured(&t, "3", "9", NULL);
	e2e_tool(&t, "merge", merged, three, "-o", again);
	assert_status(&t, 1);
	e2e_tool(&t, "verify", again);
	assert_status(&t, 0);
	e2e_tool(&t, "verify", "--lane", "isolated", merged);
	assert_status(&t, 1);
	assert_has(t.out, "its verdicts are from a file");
	e2e_tool(&t, "merge", merged, two);
	assert_status(&t, 129);
	assert_has(t.err, "both have invocation 0 of seed 8: it would be counted twice");
	e2e_end(&t);
}

/* Each stopped at a look of its own. */
TEST(sequential_runs_are_combined)
{
	e2e t = begin("cost110");
	e2e_tool(&t, "old", "new", "--fake-driver",
		BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1", "--metrics", "submit", "--blocks",
		"8", "--seed", "1", "-o", t.json);
	assert_status(&t, 1);
	BA_AUTO_FREE char *one = moved(&t, "1");
	e2e_tool(&t, "old", "new", "--fake-driver",
		BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1", "--metrics", "submit", "--blocks",
		"8", "--seed", "2", "-o", t.json);
	BA_AUTO_FREE char *two = moved(&t, "2");
	BA_AUTO_FREE char *merged = ba_path_join(t.dir, "merged");
	e2e_tool(&t, "merge", one, two, "-o", merged);
	assert_status(&t, 1);
	BA_AUTO_PTR(ba_json) ba_json *a = document(one);
	BA_AUTO_PTR(ba_json) ba_json *doc = document(merged);
	double p = number(comparison(a), "p_regressed");
	assert_true(number(comparison(doc), "p_regressed") < p);
	e2e_tool(&t, "verify", merged);
	assert_status(&t, 0);
	/* fixed and sequential runs do not mix */
	BA_AUTO_FREE char *fixed = measured(&t, "3", "9", NULL);
	e2e_tool(&t, "merge", one, fixed);
	assert_status(&t, 129);
	assert_has(t.err, "--fixed: 'no' in '");
	e2e_end(&t);
}

/* Equal libraries are measured as a control, in each run. */
TEST(identical_variants_stay_identical)
{
	e2e t = begin("cost100");
	char *files[2];
	for (size_t i = 0; i < 2; i++) {
		e2e_tool(&t, "old", "new", "--fake-driver",
			BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1", "--metrics", "submit",
			"--blocks", "8", "--seed", i ? "2" : "1", "-o", t.json);
		assert_status(&t, 0);
		files[i] = moved(&t, i ? "2" : "1");
	}
	BA_AUTO_FREE char *merged = ba_path_join(t.dir, "merged");
	e2e_tool(&t, "merge", files[0], files[1], "-o", merged);
	assert_status(&t, 0);
	BA_AUTO_PTR(ba_json) ba_json *doc = document(merged);
	assert_string_equal(text(comparison(doc), "verdict"), "identical");
	e2e_tool(&t, "verify", merged);
	assert_status(&t, 0);
	free(files[0]);
	free(files[1]);
	e2e_end(&t);
}

/* Runs on two devices each: four origins at two places. */
TEST(runs_on_several_devices_are_merged)
{
	e2e t = begin("cost110");
	char *files[2];
	e2e_env("BA_FAKE_CUDA", "launch_ns=0;clock_ns=0;call_ns=10;jitter_ns=3;devices=2");
	for (size_t i = 0; i < 2; i++) {
		e2e_tool(&t, "old", "new", "--fake-driver",
			BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1", "--metrics", "submit",
			"--blocks", "8", "--device", "0,1", "--seed", i ? "2" : "1", "-o", t.json);
		assert_status(&t, 1);
		files[i] = moved(&t, i ? "2" : "1");
	}
	BA_AUTO_FREE char *merged = ba_path_join(t.dir, "merged");
	e2e_tool(&t, "merge", files[0], files[1], "-o", merged);
	assert_status(&t, 1);
	BA_AUTO_PTR(ba_json) ba_json *doc = document(merged);
	assert_string_equal(text(find(doc, "origins", 0), "name"), "GPU 0");
	assert_string_equal(text(find(doc, "origins", 2), "name"), "run 2, GPU 0");
	assert_int_equal(number(find(doc, "origins", 3), "place"), 1);
	assert_int_equal(number(find(doc, "origins", 3), "run"), 1);
	e2e_tool(&t, "verify", merged);
	assert_status(&t, 0);
	free(files[0]);
	free(files[1]);
	e2e_end(&t);
}

/* Counted instructions stay explained, by the first run's explanation. */
TEST(what_was_explained_stays_explained)
{
	e2e t = begin("more20");
	char *files[2];
	for (size_t i = 0; i < 2; i++) {
		e2e_tool(&t, "old", "new", "--target", "host", "--metrics", "instructions",
			"--seed", i ? "2" : "1", "-o", t.json);
		if (strstr(t.out, "does not step through instructions") ||
			strstr(t.out, "counted on x86-64")) {
			e2e_end(&t);
			skip();
		}
		assert_status(&t, 1);
		files[i] = moved(&t, i ? "2" : "1");
	}
	BA_AUTO_FREE char *merged = ba_path_join(t.dir, "merged");
	e2e_tool(&t, "explain", files[0]);
	BA_AUTO_FREE char *alone = ba_xstrdup(t.out);
	assert_has(alone, "baseline  candidate  function");
	e2e_tool(&t, "merge", files[0], files[1], "-o", merged);
	assert_status(&t, 1);
	e2e_tool(&t, "explain", merged);
	assert_string_equal(t.out, alone);
	e2e_tool(&t, "verify", merged);
	assert_status(&t, 0);
	free(files[0]);
	free(files[1]);
	e2e_end(&t);
}

TEST(what_does_not_belong_together_is_named)
{
	e2e t = begin("cost110");
	BA_AUTO_FREE char *one = measured(&t, "1", "7", NULL);
	e2e_against(&t, "old", "new", "--fixed", "8", "--seed", "8", "--threshold", "3%", "--alpha",
		"1%", "--strict");
	BA_AUTO_FREE char *two = moved(&t, "2");
	e2e_tool(&t, "merge", one, two);
	assert_status(&t, 129);
	assert_has(t.err, "these results do not belong together:");
	assert_has(t.err, "--alpha: '0.05' in '");
	assert_has(t.err, "--strict: 'no' in '");
	assert_has(t.err, "the threshold of launch/args=0");
	assert_has(t.err, "0.03 slower");
	/* another commit under the same label */
	e2e_commit(&t, "newer", "cost100");
	e2e_against(&t, "old", "new=newer", "--fixed", "8", "--seed", "9");
	BA_AUTO_FREE char *three = moved(&t, "3");
	e2e_tool(&t, "merge", one, three);
	assert_status(&t, 129);
	assert_has(t.err, "the commit of new: '");
	assert_has(t.err, "launcher.so of new: '");
	assert_null(strstr(t.err, "--alpha"));
	/* another candidate: all else that differs follows from that */
	e2e_against(&t, "old", "newer", "--fixed", "8", "--seed", "10");
	BA_AUTO_FREE char *other = moved(&t, "5");
	e2e_tool(&t, "merge", one, other);
	assert_status(&t, 129);
	assert_has(t.err, "these results do not belong together:\n  variant 2: 'new' in '");
	assert_int_equal(e2e_occurrences(t.err, "\n"), 2);
	/* a metric that one of them lacks, and its threshold with it */
	e2e_tool(&t, "old", "new", "--fake-driver",
		BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1", "--metrics", "submit,roundtrip",
		"--blocks", "8", "--fixed", "8", "--seed", "11", "-o", t.json);
	BA_AUTO_FREE char *more = moved(&t, "6");
	e2e_tool(&t, "merge", one, more);
	assert_status(&t, 129);
	assert_has(t.err, "together:\n  launch/args=0,path=direct, roundtrip: nothing in '");
	assert_int_equal(e2e_occurrences(t.err, "\n"), 2);
	/* the same twice, and the same schedule twice */
	e2e_tool(&t, "merge", one, one);
	assert_status(&t, 129);
	assert_has(t.err, "are the same document");
	BA_AUTO_FREE char *same = measured(&t, "4", "7", NULL);
	e2e_tool(&t, "merge", one, same);
	assert_status(&t, 129);
	assert_has(t.err, "both have invocation 0 of seed 7");
	e2e_tool(&t, "merge", one);
	assert_status(&t, 129);
	assert_has(t.err, "merge needs FILE FILE...");
	e2e_end(&t);
}

TEST(a_missing_part_and_a_damaged_file_are_refused)
{
	e2e t = begin("cost110");
	BA_AUTO_FREE char *one = measured(&t, "1", "7", "1/3");
	BA_AUTO_FREE char *three = measured(&t, "3", "7", "3/3");
	e2e_tool(&t, "merge", one, three);
	assert_status(&t, 129);
	assert_has(t.err, "is part 1 of 3 of seed 7, and part 2 is missing");
	BA_AUTO(ba_buf) ba_buf document = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&document, one, SIZE_MAX, NULL), 0);
	char *at = strstr(document.data, "\"regressed\"");
	assert_non_null(at);
	memcpy(at, "\"unchanged\"", 11);
	assert_int_equal(ba_fs_write(one, document.data, document.len, 0600, NULL), 0);
	e2e_tool(&t, "merge", one, three);
	assert_status(&t, 129);
	assert_has(t.err, "was damaged or edited after bench-against wrote it");
	e2e_end(&t);
}

TEST(parts_are_of_fixed_runs_with_a_seed)
{
	static const struct {
		const char *part, *seed, *fixed, *said;
	} rows[] = {
		{"4/3", "7", "8", "it must be a part and the number of parts, as in 1/4"},
		{"0/3", "7", "8", "it must be a part"},
		{"1/3x", "7", "8", "it must be a part"},
		{"1/5", "7", "8", "at most 4 parts are possible"},
		{"1/2", "0", "8", "--part needs --seed"},
		{"1/2", "7", "0", "--part needs --fixed"},
	};
	e2e t = begin("cost110");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool fixed = *rows[i].fixed != '0';
		e2e_tool(&t, "old", "new", "--part", rows[i].part, "--seed", rows[i].seed,
			fixed ? "--fixed" : "--max-invocations", fixed ? rows[i].fixed : "8");
		assert_status(&t, 129);
		assert_has(t.err, rows[i].said);
	}
	e2e_end(&t);
}
