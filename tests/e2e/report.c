/* `bench-against report`, `plot` and --report on what a run leaves, and what they
 * refuse. */
#include "e2e.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

static const char *const names[] = {"report.txt", "results.json", "comment.md", "summary.md",
	"index.html", "results.csv", "junit.xml", "annotations.txt", "sweep.md", "sweep.csv"};

static bool has_file(const char *dir, const char *name)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, name);
	return ba_fs_exists(path);
}

static void assert_same(const char *dir, const char *name, const char *other)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, name);
	BA_AUTO(ba_buf) ba_buf a = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&a, path, SIZE_MAX, NULL), 0);
	assert_int_equal(ba_fs_read(&b, other, SIZE_MAX, NULL), 0);
	assert_string_equal(a.data, b.data);
}

/* one run, and everything that can be made of it; a run of its own would take seconds
 * for each */
TEST(a_run_is_reported_and_drawn)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	BA_AUTO_FREE char *dir = ba_path_join(t.dir, "deep/report");
	BA_AUTO_FREE char *kept = ba_path_join(t.dir, "kept.json");
	BA_AUTO_FREE char *file = ba_path_join(t.dir, "file");
	BA_AUTO_FREE char *svg = ba_path_join(t.dir, "a.svg");
	BA_AUTO_FREE char *png = ba_path_join(t.dir, "a.png");
	e2e_against(&t, "old", "new", "--report", dir);
	assert_status(&t, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(has_file(dir, names[i]));
	/* others may read it, as far as the umask lets them */
	struct stat st;
	mode_t mask = umask(0);
	umask(mask);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0777 & ~mask);
	assert_int_equal(rename(t.json, kept), 0);
	assert_same(dir, "results.json", kept);

	/* afterwards the same comes of the file; the verdict is no error of `report` */
	e2e_tool(&t, "report", kept, "--html", file);
	assert_status(&t, 0);
	assert_string_equal(t.out, "");
	assert_same(dir, "index.html", file);
	e2e_tool(&t, "report", kept, "--junit", file, "--format", "markdown");
	assert_status(&t, 0);
	assert_same(dir, "junit.xml", file);
	assert_has(t.out, "regressed**");
	e2e_tool(&t, "report", kept, "-q");
	assert_status(&t, 0);
	assert_has(t.out, "got slower");

	/* a comparison of files has the same reports */
	BA_AUTO_FREE char *compared = ba_path_join(t.dir, "compared");
	BA_AUTO_FREE char *old = ba_xprintf("%s#old", kept);
	BA_AUTO_FREE char *new = ba_xprintf("%s#new", kept);
	e2e_tool(&t, "compare", old, new, "--report", compared);
	assert_status(&t, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(has_file(compared, names[i]));

	/* figures */
	e2e_tool(&t, "plot", kept);
	assert_status(&t, 0);
	assert_has(t.out, "distribution       1   ");
	e2e_tool(&t, "plot", kept, "--figure", "distribution", "-o", svg);
	assert_status(&t, 0);
	assert_true(ba_fs_exists(svg));
	e2e_tool(&t, "plot", kept, "--figure", "order", "--metric", "submit");
	assert_status(&t, 0);
	assert_has(t.out, "<svg xmlns=");
	e2e_tool(&t, "plot", kept, "--figure", "changes", "-o", png);
	if (t.status == 0)
		assert_true(ba_fs_exists(png));
	else
		assert_has(t.err, "librsvg2-bin");

	/* what cannot be done is said, and nothing is left behind */
	static const struct {
		const char *options[3];
		const char *sentence;
	} refused[] = {
		{{"--figure", "pie"}, "pie"},
		{{"--figure", "sweep"}, "nothing to draw"},
		{{"--figure", "order", "--filter=nothing*"}, "nothing to draw"},
		{{"--metric=warmth"}, "no metric 'warmth'"},
		{{"-o", "x.gif"}, "ends in .svg or .png"},
		{{"-o", "x.svg"}, "which figure?"},
		{{"--figure", "order", "-o/nonexistent/x.svg"}, "/nonexistent"},
	};
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const char *const *o = refused[i].options;
		e2e_tool(&t, "plot", kept, o[0], o[1], o[2]);
		assert_true(t.status == 129 || t.status == 125);
		assert_has(t.err, refused[i].sentence);
		assert_string_equal(t.out, "");
	}
	e2e_env("PATH", "/nonexistent");
	assert_int_equal(remove(png), 0);
	e2e_tool(&t, "plot", kept, "--figure", "changes", "-o", png);
	e2e_env("PATH", NULL);
	assert_status(&t, 125);
	assert_has(t.err, "librsvg2-bin");
	assert_false(ba_fs_exists(png));
	e2e_end(&t);
}

/* launches with an argument beside those without, of both variants */
TEST(benchmarks_stand_side_by_side)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	BA_AUTO_FREE char *file = ba_path_join(t.dir, "file");
	BA_AUTO_FREE char *dir = ba_path_join(t.dir, "all");
	BA_AUTO_FREE char *kept = ba_path_join(t.dir, "kept.json");
	e2e_against(&t, "old", "new", "--args", "0,1");
	assert_status(&t, 1);
	assert_int_equal(rename(t.json, kept), 0);
	e2e_tool(&t, "report", kept, "--across", "args", "--csv", file);
	assert_status(&t, 0);
	assert_string_equal(t.out, "");
	e2e_tool(&t, "report", kept, "--across", "args=0", "--format", "markdown");
	assert_status(&t, 0);
	assert_has(t.out, "| `args=0` | `args=1` |");
	assert_has(t.out, "### submit, ns/launch, `new`");
	e2e_tool(&t, "plot", kept, "--figure", "across", "--across", "args", "--metric", "submit");
	assert_status(&t, 0);
	assert_has(t.out, "<title>submit side by side");
	e2e_tool(&t, "plot", kept, "--figure", "across");
	assert_status(&t, 129);
	assert_has(t.err, "--across names the axes in which they differ");
	e2e_tool(&t, "report", kept, "--across", "args", "--filter", "*args=1*");
	assert_status(&t, 129);
	assert_has(t.err, "no two benchmarks differ only in these axes");
	e2e_tool(&t, "report", kept, "--across", "args", "--junit", file);
	assert_status(&t, 129);
	assert_has(t.err, "term, html, markdown, csv and json, and no junit");
	e2e_tool(&t, "report", kept, "--across", "args", "--report", dir);
	assert_status(&t, 129);
	assert_has(t.err, "no folder of all of them");
	e2e_tool(&t, "report", kept, "--filter", "*args=1*");
	assert_status(&t, 129);
	assert_has(t.err, "--filter needs --across");
	assert_false(ba_fs_exists(dir));
	e2e_end(&t);
}

TEST(what_is_no_result_is_refused)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *file = ba_path_join(t.dir, "bad.json");
	static const char *const texts[] = {"", "{", "[1, 2]", "{\"schema\": \"x/1\"}",
		"{\"schema\": \"bench-against.results/1\"}", "\x1b[2J"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		BA_AUTO_FREE char *out = ba_path_join(t.dir, "out.html");
		assert_int_equal(ba_fs_write(file, texts[i], strlen(texts[i]), 0600, NULL), 0);
		e2e_tool(&t, "report", file, "--html", out);
		assert_status(&t, 129);
		assert_has(t.err, "bad.json");
		assert_null(strchr(t.err, '\033'));
		assert_false(ba_fs_exists(out));
		e2e_tool(&t, "plot", file, "--figure", "changes");
		assert_status(&t, 129);
	}
	e2e_tool(&t, "report");
	assert_status(&t, 129);
	assert_has(t.err, "report needs FILE: ");
	e2e_tool(&t, "plot", "a", "b");
	assert_status(&t, 129);
	assert_has(t.err, "cannot read 'a'");
	e2e_end(&t);
}

TEST(a_report_that_cannot_be_written_is_said_before_measuring)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost100");
	BA_AUTO_FREE char *file = ba_path_join(t.dir, "file");
	assert_int_equal(ba_fs_write(file, "x", 1, 0600, NULL), 0);
	e2e_against(&t, "old", "new", "--report", file);
	assert_status(&t, 129);
	assert_has(t.err, "--report: ");
	assert_has(t.err, "is a file; a report is a directory");
	assert_null(t.doc);
	e2e_end(&t);
}
