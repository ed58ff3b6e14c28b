/* One version of the benchmark code for every variant: `overlay` of the configuration.
 */
#include "e2e.h"

#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

/* bench/ has the library that is measured; what its commit says stands beside it */
static void configure(e2e *t, const char *overlay)
{
	BA_AUTO_FREE char *text =
		at("{\n  \"build\": { \"commands\": [[\"cp\", \"bench/variant.so\", "
		   "\"launcher.so\"]] },\n  \"suites\": { \"launch\": { \"kind\": "
		   "\"launcher\", \"library\": \"launcher.so\", \"args\": [0] } }%s\n}\n",
			overlay);
	put(t->repo, ".bench-against.json", text);
}

static void commit(e2e *t, const char *name, const char *library)
{
	BA_AUTO_FREE char *from = e2e_library(library);
	BA_AUTO_FREE char *dir = at("%s/bench", t->repo);
	BA_AUTO_FREE char *to = at("%s/variant.so", dir);
	assert_int_equal(ba_fs_mkdirs(dir, NULL), 0);
	assert_int_equal(ba_fs_copy(to, from, NULL), 0);
	put(t->repo, "source.txt", name);
	commit_tagged(t->repo, name);
}

#define OVERLAY ",\n \"overlay\": "

TEST(paths_of_the_candidate_are_everybodys)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost100");
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	/* the rest of the trees is their own */
	assert_string_not_equal(
		e2e_text(&t, "variants.0.tree_id"), e2e_text(&t, "variants.1.tree_id"));
	assert_string_equal(e2e_text(&t, "variants.0.artefacts.0.sha256"),
		e2e_text(&t, "variants.1.artefacts.0.sha256"));
	assert_has(t.out, "benchmark sources differ: bench of old is taken from new");
	assert_null(strstr(t.err, "benchmark sources differ"));
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(before, after);
	e2e_end(&t);
}

TEST(paths_of_the_baseline_when_asked)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "{\"from\": \"baseline\", \"paths\": [\"bench/\"]}");
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench of new is taken from old");
	e2e_end(&t);
}

/* the candidate has a quick version of the benchmark code: no gate takes it from there
 */
TEST(in_a_gate_the_candidate_does_not_bring_the_benchmarks)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "{\"from\": \"candidate\", \"paths\": [\"bench\"]}");
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--gate", "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench of new is taken from old (overlay; in a gate, from the "
			  "variant whose configuration applies)");
	assert_null(strstr(t.out, "bench of old is taken"));
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_has(t.out, "bench of old is taken from new (overlay)");
	e2e_against(&t, "--gate", "--config-from", "new", "--measure-identical", "old", "new");
	assert_has(t.out, "bench of old is taken from new (overlay; in a gate");
	e2e_end(&t);
}

/* built before with the files of the same names and contents, written otherwise */
TEST(other_attributes_are_another_build)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	put(t.repo, "bench/text.x", "x\n");
	commit(&t, "old", "cost100");
	put(t.repo, ".gitattributes", "*.x text eol=crlf\n");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--gate", "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "overlay: the .gitattributes of new and old differ; the "
			  "overlaid files are written by those of old");
	BA_AUTO_FREE char *key = ba_xstrdup(e2e_text(&t, "variants.1.build_key"));
	e2e_against(&t, "--gate", "--measure-identical", "new", "new");
	assert_status(&t, 0);
	assert_string_not_equal(key, e2e_text(&t, "variants.1.build_key"));
	e2e_end(&t);
}

#define FROM_WORKTREE OVERLAY "{\"from\": \"worktree\", \"paths\": [\"bench\"]}"

static void put_library(e2e *t, const char *library)
{
	BA_AUTO_FREE char *from = e2e_library(library);
	BA_AUTO_FREE char *dir = at("%s/bench", t->repo);
	BA_AUTO_FREE char *to = at("%s/variant.so", dir);
	assert_int_equal(ba_fs_mkdirs(dir, NULL), 0);
	assert_int_equal(ba_fs_copy(to, from, NULL), 0);
}

/* two commits, the same but for a file, without a benchmark */
static e2e begin_without_benchmarks(const char *overlay)
{
	e2e t = e2e_begin();
	configure(&t, overlay);
	put(t.repo, "source.txt", "old");
	commit_all(t.repo, "old");
	git(t.repo, "tag", "old");
	put(t.repo, "source.txt", "new");
	commit_all(t.repo, "new");
	git(t.repo, "tag", "new");
	return t;
}

/* the working tree has benchmarks that no commit has: untracked, and not a variant */
TEST(new_benchmarks_measure_old_commits)
{
	e2e t = begin_without_benchmarks(FROM_WORKTREE);
	put_library(&t, "cost100");
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench of old and new is taken from the working tree (overlay)");
	assert_string_equal(e2e_text(&t, "overlay.from"), "worktree");
	assert_string_equal(e2e_text(&t, "overlay.label"), "the working tree");
	assert_string_equal(e2e_text(&t, "overlay.paths.0"), "bench");
	assert_int_equal(strlen(e2e_text(&t, "overlay.diff_sha256")), 64);
	assert_string_equal(e2e_text(&t, "overlay.commit"), e2e_text(&t, "variants.1.commit"));
	e2e_check_verifies(&t);
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(before, after);
	e2e_end(&t);
}

TEST(the_option_needs_no_line_in_the_configuration)
{
	e2e t = begin_without_benchmarks("");
	put_library(&t, "cost100");
	e2e_against(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "old has no 'bench', but the working tree has: --overlay bench "
			  "takes it from there for every variant");
	assert_has(t.err, "\"overlay\": {\"from\": \"worktree\", \"paths\": "
			  "[\"bench\"]}");
	e2e_against(&t, "--overlay", "./bench/", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "overlay.from"), "worktree");
	e2e_against(&t, "--overlay", "bench", "old", "WORKTREE");
	assert_status(&t, 0);
	assert_has(t.out, "bench of old is taken from WORKTREE (overlay)");
	/* a variant that has it is named where the working tree has it not */
	commit(&t, "has", "cost100");
	git(t.repo, "checkout", "-q", "old");
	e2e_against(&t, "old", "has");
	assert_status(&t, 125);
	assert_has(t.err, "old has no 'bench', but has has: add \"overlay\": {\"from\": "
			  "\"candidate\", \"paths\": [\"bench\"]}");
	e2e_end(&t);
}

/* changed since it was committed, beside another change that no variant gets */
TEST(a_changed_working_tree_is_not_the_commit)
{
	e2e t = e2e_begin();
	configure(&t, FROM_WORKTREE);
	put(t.repo, "bench/text.x", "x\n");
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost110");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_null(strstr(t.out, "benchmark sources differ"));
	assert_string_equal(e2e_text(&t, "overlay.diff_sha256"), "");
	BA_AUTO_FREE char *key = ba_xstrdup(e2e_text(&t, "variants.1.build_key"));
	put(t.repo, ".gitattributes", "*.x text eol=crlf\n");
	put(t.repo, "source.txt", "not committed");
	put_library(&t, "cost100");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "overlay: the .gitattributes of new and the working tree differ");
	assert_string_not_equal(key, e2e_text(&t, "variants.1.build_key"));
	BA_AUTO_FREE char *text = at("%s/bench/text.x", e2e_text(&t, "variants.1.tree_dir"));
	BA_AUTO_FREE char *written = e2e_text_of(text);
	assert_string_equal(written, "x\r\n");
	BA_AUTO_FREE char *own = at("%s/source.txt", e2e_text(&t, "variants.1.tree_dir"));
	BA_AUTO_FREE char *source = e2e_text_of(own);
	assert_string_equal(source, "new");
	e2e_end(&t);
}

/* what CI has checked out is the candidate */
TEST(in_a_gate_the_working_tree_does_not_bring_the_benchmarks)
{
	e2e t = e2e_begin();
	configure(&t, FROM_WORKTREE);
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--gate", "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench of new is taken from old (overlay; in a gate");
	assert_string_equal(e2e_text(&t, "overlay.from"), "variant");
	assert_string_equal(e2e_text(&t, "overlay.label"), "old");
	e2e_against(&t, "--gate", "--overlay", "bench", "--measure-identical", "old", "new");
	assert_string_equal(e2e_text(&t, "overlay.label"), "old");
	/* somebody says so */
	e2e_against(&t, "--gate", "--config-from", "worktree", "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "overlay.from"), "worktree");
	assert_has(t.out, "bench of old is taken from the working tree");
	e2e_end(&t);
}

TEST(a_gate_says_which_variant_must_bring_the_benchmarks)
{
	e2e t = begin_without_benchmarks(FROM_WORKTREE);
	commit(&t, "has", "cost100");
	e2e_against(&t, "--gate", "old", "has");
	assert_status(&t, 129);
	assert_has(t.err, "in a gate the benchmarks come from old, and it has no 'bench'");
	configure(&t, "");
	commit_all(t.repo, "without");
	git(t.repo, "rm", "-q", "-r", "--cached", "bench");
	git(t.repo, "commit", "-q", "-m", "lacks");
	git(t.repo, "tag", "lacks");
	e2e_against(&t, "--gate", "lacks", "has");
	assert_status(&t, 125);
	assert_null(strstr(t.err, "--overlay"));
	assert_has(t.err, "let has bring its own with --config-from has");
	e2e_end(&t);
}

TEST(in_a_gate_pytest_loads_nothing_of_the_candidate)
{
	e2e t = e2e_begin();
	put(t.repo, ".bench-against.json",
		"{\"target\": \"host\", \"overlay\": [\"bench/deep/test_a.py\"], \"suites\": {\"s\": "
		"{\"kind\": \"command\", \"command\": [\"python3\", \"-m\", \"pytest\"]}}}\n");
	put(t.repo, "bench/deep/test_a.py", "");
	put(t.repo, "bench/unrelated/conftest.py", "");
	commit(&t, "old", "cost100");
	put(t.repo, "bench/unrelated/conftest.py", "# another\n");
	put(t.repo, "bench/conftest.py", "");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--gate", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "pytest loads each variant's own 'bench/conftest.py', which differs "
			  "between old and new; name it in the overlay, too");
	e2e_end(&t);
}

TEST(a_run_is_not_resumed_with_other_benchmarks)
{
	e2e t = begin_without_benchmarks(FROM_WORKTREE);
	put_library(&t, "cost100");
	e2e_stop_at(2, SIGKILL);
	e2e_start_against(&t, "--measure-identical", "--fixed", "12", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	put(t.repo, "bench/more.txt", "more");
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 129);
	assert_has(t.err, "variant 1");
	BA_AUTO_FREE char *more = at("%s/bench/more.txt", t.repo);
	assert_int_equal(unlink(more), 0);
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(what_the_working_tree_lacks_is_told)
{
	e2e t = begin_without_benchmarks("");
	e2e_against(&t, "--overlay", "bench", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "overlay: the working tree has no 'bench'; paths are from the top "
			  "of the repository");
	put(t.repo, ".gitignore", "bench\n");
	put_library(&t, "cost100");
	e2e_against(&t, "--overlay", "bench", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "the working tree has no 'bench' that git would add: it is ignored");
	static const char *const wrong[] = {"/etc", "../x", "", ".", "./"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		e2e_against(&t, "--overlay", wrong[i], "old", "new");
		assert_status(&t, 129);
		assert_has(t.err, "name a file or folder from the top of the repository");
	}
	BA_AUTO_FREE char *bare = at("%s/bare.git", t.dir);
	git(t.repo, "clone", "-q", "--bare", t.repo, bare);
	e2e_against(&t, "-C", bare, "--overlay", "bench", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "is a bare repository and has no working tree");
	e2e_end(&t);
}

/* a tree that was built by hand, with the configuration of its repository */
TEST(a_directory_alone_has_its_own_benchmarks)
{
	e2e t = e2e_begin();
	configure(&t, FROM_WORKTREE);
	commit(&t, "old", "cost100");
	BA_AUTO_FREE char *dir = at("path:%s", t.repo);
	e2e_against(&t, "--in-place", dir, dir);
	assert_true(t.status == 0);
	e2e_against(&t, "--in-place", "--overlay", "bench", dir, dir);
	assert_has(t.err, "is a directory, whose files");
	e2e_end(&t);
}

TEST(what_does_not_differ_needs_no_word)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	commit(&t, "old", "cost100");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_null(strstr(t.out, "benchmark sources differ"));
	e2e_end(&t);
}

TEST(the_working_tree_can_be_the_one)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	commit(&t, "old", "cost110");
	BA_AUTO_FREE char *from = e2e_library("cost100");
	BA_AUTO_FREE char *to = at("%s/bench/variant.so", t.repo);
	assert_int_equal(ba_fs_copy(to, from, NULL), 0);
	e2e_against(&t, "--measure-identical", "old", "WORKTREE");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_has(t.out, "bench of old is taken from WORKTREE");
	e2e_end(&t);
}

TEST(a_path_that_only_one_has_comes_or_goes)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\", \"extra.txt\"]");
	put(t.repo, "extra.txt", "old has it\n");
	commit(&t, "old", "cost100");
	BA_AUTO_FREE char *extra = at("%s/extra.txt", t.repo);
	assert_int_equal(unlink(extra), 0);
	commit(&t, "new", "cost110");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench, extra.txt of old are taken from new");
	e2e_end(&t);
}

TEST(what_cannot_be_laid_over_is_told)
{
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"benches\"]");
	commit(&t, "old", "cost100");
	commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_true(t.status == 125 || t.status == 129);
	assert_has(t.err, "overlay: no variant has 'benches'");
	configure(&t, OVERLAY "[\"bench\"]");
	BA_AUTO_FREE char *dir = at("path:%s", t.repo);
	e2e_against(&t, "old", dir);
	assert_true(t.status == 125 || t.status == 129);
	assert_has(t.err, "is a directory, whose files bench-against does not change");
	e2e_end(&t);
}
