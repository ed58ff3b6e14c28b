/* `bench-against verify` on what runs leave, and on files that nobody's run left. */
#include "e2e.h"

#include <signal.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

/* every child has a results file of its own: this one is kept */
static char *kept;

static void keep(const e2e *t)
{
	free(kept);
	kept = ba_path_join(t->dir, "kepkept");
	assert_int_equal(rename(t->json, kept), 0);
}

/* the fake driver measures two variants, one of which is slower */
static e2e measured(void)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	keep(&t);
	return t;
}

static void save(const char *path, const char *text, size_t size)
{
	assert_int_equal(ba_fs_write(path, text, size, 0600, NULL), 0);
}

/* the results file with the first `from` after `after` replaced */
static void edit(const char *after, const char *from, const char *to)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, kept, SIZE_MAX, NULL), 0);
	const char *at = strstr(text.data, after);
	assert_non_null(at);
	at = strstr(at, from);
	assert_non_null(at);
	ba_buf_put(&out, text.data, (size_t)(at - text.data));
	ba_buf_puts(&out, to);
	ba_buf_puts(&out, at + strlen(from));
	save(kept, out.data, out.len);
}

TEST(what_was_measured_verifies)
{
	e2e t = measured();
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 0);
	assert_has(t.out, "everything agrees: ");
	assert_string_equal(t.err, "");
	e2e_tool(&t, "verify", "-q", kept);
	assert_status(&t, 0);
	assert_string_equal(t.out, "");
	e2e_end(&t);
}

TEST(counts_agree_with_their_nouns)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_stop_at(1, SIGINT);
	e2e_start_against(&t, "old", "new");
	free(e2e_stopped(&t, SIGINT));
	keep(&t);
	e2e_tool(&t, "verify", kept);
	assert_has(t.out, " in 1 invocation\n");
	e2e_end(&t);
}

/* How many there were, and how far apart, is computed again. */
TEST(layouts_verify)
{
#ifndef __x86_64__
	skip();
#endif
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "place0");
	e2e_commit(&t, "new", "place32");
	e2e_against(&t, "--layouts", "4", "--blocks", "16", "old", "new");
	keep(&t);
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 0);
	edit("\"layout_sd\": ", "\"layout_sd\": ", "\"layout_sd\": 1");
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 1);
	assert_has(t.out, "layout_sd is 1");
	edit("\"samples\"", "\"layouts\": 4", "\"layouts\": 2");
	e2e_tool(&t, "verify", kept);
	assert_has(t.out, "layouts is 4 in the file, 2 from the samples");
	edit("\"samples\"", "\"layouts\": 2", "\"layouts\": 5");
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 129);
	assert_has(t.err, "has 5 layouts, which do not fit 16 blocks");
	e2e_end(&t);
}

/* Numbers that were thought of later are missing, and nothing disagrees. */
TEST(a_file_of_an_earlier_version_verifies)
{
	e2e t = measured();
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, kept, SIZE_MAX, NULL), 0);
	static const char *const later[] = {"\"iqr_ns\"", "\"max_ns\"", "\"sm_mhz\"",
		"\"schema_revision\"", "\"document_sha256\""};
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		for (char *at = text.data; (at = strstr(at, later[i]));)
			at[1] = 'x';
	save(kept, text.data, text.len);
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 0);
	assert_has(t.out, "everything present agrees: ");
	assert_has(t.out, "(written by an earlier version: ");
	assert_has(t.out, "without a digest: damage to names, commits, builds");
	assert_has(t.out, "are not in the file and not compared: iqr_ns, max_ns)");
	/* what is not known is not shown as a number */
	static const char *const formats[] = {"term", "markdown", "csv", "html", "junit"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		e2e_tool(&t, "report", kept, "--format", formats[i]);
		assert_status(&t, 0);
		assert_null(strstr(t.out, "nan"));
	}
	e2e_tool(&t, "report", kept);
	assert_has(t.out, "sd");
	/* and one that is there is compared all the same */
	edit("\"series\"", "\"xqr_ns\": ", "\"iqr_ns\": 12345, \"was\": ");
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 1);
	assert_has(t.out, "iqr_ns is 12345 in the file, ");
	e2e_end(&t);
}

/* What the document's revision always has cannot have been left out. */
TEST(a_number_edited_to_null_is_found)
{
	enum { NEWER = 5 };
	static const struct {
		const char *after, *key, *path;
	} rows[] = {
		/* those that earlier versions did not write */
		{"\"floor\": {", "iqr_ns", "$.series[0].floor.iqr_ns"},
		{"\"floor\": {", "max_ns", "$.series[0].floor.max_ns"},
		{"\"series\"", "iqr_ns", "$.series[0].variants[0].iqr_ns"},
		{"\"series\"", "max_ns", "$.series[0].variants[0].max_ns"},
		{"\"series\"", "sm_mhz", "$.series[0].variants[0].sm_mhz"},
		/* the others */
		{"\"series\"", "p95_ns", "$.series[0].variants[0].p95_ns"},
		{"\"comparisons\"", "high", "$.series[0].comparisons[0].high"},
		{"\"comparisons\"", "s_within", "$.series[0].comparisons[0].s_within"},
	};
	e2e t = measured();
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, kept, SIZE_MAX, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO_FREE char *from = at("\"%s\": ", rows[i].key);
		BA_AUTO_FREE char *null = at("\"%s\": null, \"was\": ", rows[i].key);
		BA_AUTO_FREE char *gone = at("\"was%zu\": ", i);
		BA_AUTO_FREE char *says =
			at("%s is null in the file (%s), ", rows[i].key, rows[i].path);
		save(kept, text.data, text.len);
		edit(rows[i].after, from, null);
		e2e_tool(&t, "verify", kept);
		assert_status(&t, 1);
		assert_has(t.out, says);
		assert_has(t.out, "document: its SHA-256 is ");
		assert_has(t.out, ": 2 disagreements in ");
		if (i >= NEWER)
			continue;
		/* and so is one that was taken out */
		save(kept, text.data, text.len);
		edit(rows[i].after, from, gone);
		e2e_tool(&t, "verify", kept);
		assert_status(&t, 1);
		assert_has(t.out, rows[i].key);
	}
	/* what is written again as JSON is as complete as it was */
	save(kept, text.data, text.len);
	edit("{", "\"schema_revision\": 11", "\"schema_revision\": 0");
	edit("\"series\"", "\"iqr_ns\": ", "\"iqr_ns\": null, \"was\": ");
	e2e_tool(&t, "report", kept, "--format", "json");
	assert_status(&t, 0);
	save(kept, t.out, strlen(t.out));
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 0);
	assert_has(t.out, "1 number is not in the file and not compared: iqr_ns");
	e2e_end(&t);
}

TEST(an_edited_verdict_is_found)
{
	e2e t = measured();
	edit("\"comparisons\"", "\"regressed\"", "\"unchanged\"");
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 1);
	assert_has(t.out, ", submit, new: verdict is 'unchanged' in the file, "
			  "'regressed' from the samples\n");
	assert_has(t.out, "\ndocument: its SHA-256 is ");
	assert_has(t.out, ": 2 disagreements in ");
	e2e_end(&t);
}

TEST(an_edited_plan_or_threshold_is_found)
{
	e2e t = measured();
	edit("\"benchmarks\"", "\"loops\": 1", "\"loops\": 2");
	edit("\"comparisons\"", "\"threshold_slower\": ", "\"threshold_slower\": -0, \"was\": ");
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 1);
	assert_has(t.out, "run: suite_sha256 is '");
	assert_has(t.out, "new: the thresholds are -0 and ");
	e2e_end(&t);
}

/* Indented by another program it is the same document. */
TEST(white_space_is_no_edit)
{
	e2e t = measured();
	edit("{", "\"verdict\"", "\n\t \r\n\"verdict\"");
	edit("\"series\"", ": ", ":   ");
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 0);
	assert_has(t.out, "everything agrees: ");
	e2e_end(&t);
}

/* What no sample shows: names, commits, the environment, what no reader knows. */
TEST(an_edit_that_no_sample_shows_is_found)
{
	static const struct {
		const char *after, *from, *to;
	} rows[] = {
		{"\"variants\"", "\"label\": \"new\"", "\"label\": \"new \""},
		{"\"environment\"", "\"host_name\": \"", "\"host_name\": \"x"},
		{"{", "\"schema\"", "\"unknown\": 1, \"schema\""},
		{"{", "\"started\"", "\"Started\""},
		{"\"document_sha256\"", "\"document_sha256\"", "\"document_sha257\""},
		{"\"document_sha256\"", "\"document_sha256\": \"", "\"document_sha256\": \"0"},
	};
	e2e t = measured();
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, kept, SIZE_MAX, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		save(kept, text.data, text.len);
		edit(rows[i].after, rows[i].from, rows[i].to);
		e2e_tool(&t, "verify", kept);
		assert_status(&t, 1);
		assert_has(t.out, "document: ");
		assert_has(t.out, "it was damaged or edited after it was written\n");
	}
	/* shown all the same, and every form of it says so */
	save(kept, text.data, text.len);
	edit("\"variants\"", "\"label\": \"new\"", "\"label\": \"newest\"");
	static const char *const formats[] = {"term", "markdown", "html", "json"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		e2e_tool(&t, "report", kept, "--format", formats[i]);
		assert_status(&t, 0);
		assert_has(t.err, "was damaged or edited after bench-against wrote it");
		assert_has(t.out, "was damaged or edited after bench-against wrote it");
	}
	/* and not compared, unless that is asked for */
	BA_AUTO_FREE char *one = at("a=%s#old", kept);
	BA_AUTO_FREE char *two = at("b=%s#newest", kept);
	e2e_tool(&t, "compare", one, two);
	assert_status(&t, 125);
	assert_has(t.err, "was damaged or edited after it was written (its SHA-256 is ");
	assert_has(t.err, "delete its \"document_sha256\" or use --force");
	e2e_tool(&t, "compare", "--force", one, two);
	assert_status(&t, 1);
	assert_has(t.out, "--force: '");
	/* as who edited it on purpose is told */
	edit("\"document_sha256\"", "\"document_sha256\"", "\"edited\"");
	e2e_tool(&t, "compare", one, two);
	assert_status(&t, 1);
	assert_string_equal(t.err, "");
	e2e_end(&t);
}

TEST(what_cannot_be_read_ends_with_129)
{
	e2e t = measured();
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, kept, SIZE_MAX, NULL), 0);
	BA_AUTO_FREE char *path = ba_path_join(t.dir, "bad.json");
	text.data[text.len / 2] = '\0';
	const struct {
		const char *text, *says;
	} rows[] = {
		{text.data, "bad.json"},
		{"{\"context\": {}, \"benchmarks\": []}", "no 'schema'"},
		{"{\"schema\": \"bench-against.results/2\"}", "another version"},
		{"{\"schema\": NaN}", "bad.json"},
		{"", "bad.json"},
		{"\x1b[2J", "bad.json"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		save(path, rows[i].text, strlen(rows[i].text));
		e2e_tool(&t, "verify", path);
		assert_status(&t, 129);
		assert_has(t.err, "bench-against: ");
		assert_has(t.err, rows[i].says);
		assert_null(strchr(t.err, '\x1b'));
		assert_string_equal(t.out, "");
	}
	edit("\"samples\"", "\"ns\": [", "\"ns\": [NaN, ");
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 129);
	assert_has(t.err, "line ");
	e2e_tool(&t, "verify", t.dir);
	assert_status(&t, 129);
	e2e_tool(&t, "verify", "/nonexistent/file");
	assert_status(&t, 129);
	e2e_tool(&t, "verify");
	assert_status(&t, 129);
	assert_has(t.err, "verify needs FILE: ");
	e2e_tool(&t, "verify", kept, path);
	assert_status(&t, 129);
	e2e_end(&t);
}

TEST(failures_and_lone_benchmarks_verify)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "crash", "crash_launch");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "crash", "new");
	assert_status(&t, 1);
	assert_has(e2e_failure(&t, 1), "signal 11");
	keep(&t);
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 0);
	e2e_end(&t);
}
