#include "test.h"

#include "base/strv.h"
#include "git/commit.h"
#include "tmprepo.h"

TEST_GROUP(tmprepo_isolate, NULL);

static void expect_same(const char *dir, const char *spec)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit c = {0};
	ba_error err = {0};
	/* `:/text` takes everything after it as text */
	BA_AUTO_FREE char *peeled = at("%s%s", spec, spec[0] == ':' ? "" : "^{commit}");
	BA_AUTO_FREE char *expected = git_says(dir, "rev-parse", "-q", "--verify", peeled);
	BA_AUTO_FREE char *spec_tree = at("%s^{tree}", expected);
	BA_AUTO_FREE char *tree = git_says(dir, "rev-parse", spec_tree);
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	if (ba_commit_resolve(&c, repo, spec, &err))
		print_message("%s: %s\n", spec, err.text);
	assert_string_equal(c.commit, expected);
	assert_string_equal(c.tree, tree);
}

static void expect_error(const char *dir, const char *spec, int code, const char *text)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	ba_commit c = {0};
	ba_error err = {0};
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_commit_resolve(&c, repo, spec, &err), code);
	assert_has(err.text, text);
	assert_null(c.describe);
}

/* four commits, a merge, tags of both kinds, a remote branch */
static char *history(void)
{
	char *dir = repo_make();
	git(dir, "tag", "-a", "v1", "-m", "an annotated tag");
	git(dir, "tag", "-a", "v1-again", "v1", "-m", "a tag of a tag");
	git(dir, "checkout", "-q", "-b", "feature/x");
	put(dir, "b.txt", "b\n");
	commit_all(dir, "fix the launcher");
	git(dir, "checkout", "-q", "main");
	put(dir, "c.txt", "c\n");
	commit_all(dir, "another way");
	git(dir, "tag", "light");
	git(dir, "merge", "-q", "--no-edit", "feature/x");
	git(dir, "update-ref", "refs/remotes/origin/topic", "HEAD~");
	git(dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/topic");
	return dir;
}

TEST(every_kind_of_expression_names_the_commit_git_names)
{
	char *dir = history();
	static const char *const specs[] = {"HEAD", "@", "HEAD~", "HEAD^", "HEAD^2", "HEAD~2", "v1",
		"v1-again", "v1^{}", "refs/tags/v1", "light", "main", "feature/x", "heads/main",
		"refs/heads/feature/x", "origin/topic", "origin", "HEAD^{/launcher}",
		":/another way", "main@{1}", "HEAD^{commit}", "@{-1}", "tags/light"};
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		expect_same(dir, specs[i]);
	BA_AUTO_FREE char *full = git_says(dir, "rev-parse", "HEAD");
	BA_AUTO_FREE char *shorter = git_says(dir, "rev-parse", "--short=7", "HEAD");
	BA_AUTO_FREE char *described = git_says(dir, "describe", "--long");
	expect_same(dir, full);
	expect_same(dir, shorter);
	expect_same(dir, described);
	tmp_remove(dir);
}

TEST(a_commit_is_described_as_git_does)
{
	char *dir = history();
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit c = {0};
	BA_AUTO(ba_commit) ba_commit older = {0};
	BA_AUTO_FREE char *expected = git_says(dir, "describe", "--tags", "HEAD");
	ba_error err = {0};
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_commit_resolve(&c, repo, "HEAD", &err), 0);
	assert_string_equal(c.describe, expected);
	assert_true(c.time == 1767323045);
	assert_int_equal(ba_commit_resolve(&older, repo, "feature/x", &err), 0);
	assert_string_equal(older.subject, "fix the launcher");
	tmp_remove(dir);
}

TEST(a_subject_is_made_safe_for_a_terminal)
{
	char *dir = repo_make();
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit c = {0};
	ba_error err = {0};
	commit_all(dir, "red \033[31m alert");
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_commit_resolve(&c, repo, "HEAD", &err), 0);
	assert_null(strchr(c.subject, '\033'));
	assert_has(c.subject, "alert");
	tmp_remove(dir);
}

TEST(an_unknown_ref_suggests_the_nearest_name)
{
	char *dir = history();
	expect_error(dir, "featrue/x", BA_ENOTFOUND, "did you mean 'feature/x'?");
	expect_error(dir, "topic", BA_ENOTFOUND, "did you mean 'origin/topic'?");
	expect_error(dir, "zzzzzzzzzzzz", BA_ENOTFOUND, "no such ref 'zzzzzzzzzzzz'");
	expect_error(dir, "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef", BA_ENOTFOUND, "no such ref");
	expect_error(dir, "main@{yesterday", BA_ENOTFOUND, "no such ref");
	expect_error(dir, "bad\033ref", BA_ENOTFOUND, "control characters");
	expect_error(dir, "", BA_EINVAL, "empty");
	tmp_remove(dir);
}

TEST(an_ancestor_before_the_first_commit_is_said_to_be_that)
{
	char *dir = repo_make();
	expect_error(dir, "HEAD~", BA_ENOTFOUND, "does not reach that far");
	expect_error(dir, "main~7", BA_ENOTFOUND, "the history of 'main'");
	tmp_remove(dir);
}

TEST(a_repository_without_commits_says_so)
{
	char *dir = tmp_make();
	git(dir, "init", "-q");
	expect_error(dir, "HEAD", BA_ENOTFOUND, "no commit yet");
	tmp_remove(dir);
}

TEST(a_range_is_refused_with_its_two_ends)
{
	char *dir = history();
	expect_error(dir, "v1..main", BA_EINVAL, "name the two ends instead: v1 main");
	expect_error(dir, "v1...main", BA_EINVAL, "v1 main");
	expect_error(dir, "v1..", BA_EINVAL, "v1 HEAD");
	expect_error(dir, "..main", BA_EINVAL, "HEAD main");
	tmp_remove(dir);
}

TEST(what_is_no_commit_is_named)
{
	char *dir = history();
	expect_error(dir, "HEAD:a.txt", BA_EINVAL, "is a blob, not a commit");
	expect_error(dir, "HEAD^{tree}", BA_EINVAL, "is a tree, not a commit");
	tmp_remove(dir);
}

TEST(a_name_with_two_meanings_lists_both)
{
	char *dir = history();
	git(dir, "tag", "twice", "HEAD");
	git(dir, "branch", "twice", "HEAD~");
	expect_error(dir, "twice", BA_EINVAL, "refs/tags/twice");
	expect_error(dir, "twice", BA_EINVAL, "refs/heads/twice");
	expect_error(dir, "twice~1", BA_EINVAL, "ambiguous");
	expect_same(dir, "heads/twice");
	expect_same(dir, "refs/tags/twice");
	/* two names of one commit leave nothing to choose */
	git(dir, "branch", "-f", "twice", "HEAD");
	expect_same(dir, "twice");
	tmp_remove(dir);
}

/* many small commits in one go, so that some ids begin alike */
static char *crowd(void)
{
	char *dir = repo_make();
	BA_AUTO(ba_buf) ba_buf stream = BA_BUF_INIT;
	const char *argv[] = {"git", "fast-import", "--quiet", NULL};
	for (int i = 0; i < 2000; i++)
		ba_buf_printf(&stream,
			"commit refs/heads/crowd\n"
			"committer A <a@example.com> %d +0000\ndata 2\nm\n"
			"M 644 inline f\ndata 5\n%04d\n\n",
			1700000000 + i, i);
	assert_int_equal(run_program(NULL, dir, argv, stream.data, stream.len), 0);
	return dir;
}

/* four digits that `commits` commits and at least one object more begin with */
static bool shared_prefix(const char *dir, char out[5], unsigned commits)
{
	BA_AUTO_FREE char *list = git_says(dir, "cat-file", "--batch-all-objects",
		"--batch-check=%(objectname) %(objecttype)");
	BA_AUTO(ba_strv) ba_strv lines = {0};
	ba_strv_split(&lines, list, '\n');
	for (size_t i = 0, next; i < lines.count; i = next) {
		unsigned n = 0;
		for (next = i;
			next < lines.count && strncmp(lines.items[i], lines.items[next], 4) == 0;
			next++)
			n += strstr(lines.items[next], " commit") != NULL;
		if (next - i > 1 && n == commits) {
			snprintf(out, 5, "%.4s", lines.items[i]);
			return true;
		}
	}
	return false;
}

TEST(an_abbreviation_of_several_objects_is_the_only_commit_or_a_list)
{
	char *dir = crowd();
	char prefix[5];
	assert_true(shared_prefix(dir, prefix, 1));
	expect_same(dir, prefix);
	assert_true(shared_prefix(dir, prefix, 2));
	expect_error(dir, prefix, BA_EINVAL, "abbreviates several objects:\n  commit  ");
	tmp_remove(dir);
}

TEST(beyond_a_shallow_history_the_fetch_that_helps_is_named)
{
	char *dir = history();
	char *elsewhere = tmp_make();
	BA_AUTO_FREE char *url = at("file://%s", dir);
	BA_AUTO_FREE char *clone = at("%s/clone", elsewhere);
	git(dir, "clone", "-q", "--depth=1", url, clone);
	expect_same(clone, "HEAD");
	expect_error(clone, "HEAD~", BA_ENOTFOUND, "git fetch --deepen");
	tmp_remove(elsewhere);
	tmp_remove(dir);
}

TEST(a_detached_head_and_a_linked_worktree_have_their_own_head)
{
	char *dir = history();
	char *elsewhere = tmp_make();
	BA_AUTO_FREE char *linked = at("%s/linked", elsewhere);
	git(dir, "worktree", "add", "-q", "--detach", linked, "v1");
	expect_same(linked, "HEAD");
	expect_same(linked, "main");
	git(dir, "checkout", "-q", "--detach", "HEAD~1");
	expect_same(dir, "HEAD");
	tmp_remove(elsewhere);
	tmp_remove(dir);
}
