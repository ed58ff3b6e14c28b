#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/base.h"
#include "git/snapshot.h"
#include "materialise.h"

TEST_GROUP(tmprepo_isolate, NULL);

struct taken {
	ba_snapshot snapshot;
	char *scratch;
	char *tree; /* materialised */
};

static void taken_dispose(struct taken *t)
{
	free(t->tree);
	tmp_remove(t->scratch);
}

struct heard {
	ba_buf text;
};

static void hear(void *data, ba_log_level level, const char *text)
{
	struct heard *heard = data;
	if (level == BA_LOG_WARNING)
		ba_buf_printf(&heard->text, "%s\n", text);
}

/* Snapshot and materialise; the repository is byte for byte the same afterwards. */
static struct taken take(const char *start, const char *watched, struct heard *heard)
{
	struct taken t = {.scratch = tmp_make()};
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO_FREE char *objects = at("%s/objects", t.scratch);
	BA_AUTO_FREE char *before = manifest(watched, true);
	ba_log log = {.line = hear, .data = heard};
	ba_error err = {0};
	int rc = ba_repo_open(&repo, start, &err);
	if (rc == 0)
		rc = ba_repo_snapshot(&t.snapshot, repo, objects, heard ? &log : NULL, &err);
	t.tree = at("%s/tree", t.scratch);
	if (rc == 0)
		rc = ba_tree_materialise(&(ba_tree_request){.repo = repo,
						 .commit = t.snapshot.commit,
						 .tree = t.snapshot.tree,
						 .objects_dir = objects,
						 .dir = t.tree,
						 .run_git = run_git_for_tests},
			&err);
	if (rc)
		print_message("%s\n", err.text);
	assert_int_equal(rc, 0);
	BA_AUTO_FREE char *after = manifest(watched, true);
	assert_string_equal(before, after);
	/* the tree stands on its own once the run's objects are gone */
	assert_int_equal(ba_fs_remove_tree(objects, &err), 0);
	return t;
}

static bool is_dirty(const char *dir)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO_FREE char *before = manifest(dir, true);
	ba_error err = {0};
	bool dirty = false;
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_repo_is_dirty(&dirty, repo, &err), 0);
	BA_AUTO_FREE char *after = manifest(dir, true);
	assert_string_equal(before, after);
	return dirty;
}

static void expect_refused(const char *dir, const char *text)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	char *objects = tmp_make();
	ba_snapshot s = {0};
	ba_error err = {0};
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_repo_snapshot(&s, repo, objects, NULL, &err), BA_EUNSUPPORTED);
	assert_has(err.text, text);
	tmp_remove(objects);
}

TEST(a_clean_tree_is_head)
{
	char *dir = repo_make();
	put(dir, ".gitignore", "ignored\n");
	commit_all(dir, "ignore");
	put(dir, "ignored", "x");
	assert_false(is_dirty(dir));
	struct taken t = take(dir, dir, NULL);
	BA_AUTO_FREE char *head = git_says(dir, "rev-parse", "HEAD");
	BA_AUTO_FREE char *tree = git_says(dir, "rev-parse", "HEAD^{tree}");
	assert_string_equal(t.snapshot.commit, head);
	assert_string_equal(t.snapshot.tree, tree);
	assert_false(t.snapshot.dirty);
	assert_string_equal(t.snapshot.diff_sha256, "");
	assert_int_equal(t.snapshot.changed, 0);
	taken_dispose(&t);
	tmp_remove(dir);
}

/* staged, unstaged, deleted, untracked, renamed, type-changed, executable */
static char *messy(void)
{
	char *dir = repo_make();
	BA_AUTO_FREE char *script = at("%s/script", dir);
	BA_AUTO_FREE char *link = at("%s/becomes-link", dir);
	BA_AUTO_FREE char *folder = at("%s/becomes-file", dir);
	ba_error err;
	put(dir, ".gitignore", "*.o\nbuild/\n");
	put(dir, "gone", "x\n");
	put(dir, "gone-staged", "x\n");
	put(dir, "staged", "x\n");
	put(dir, "staged-then-edited", "x\n");
	put(dir, "script", "#!/bin/sh\n");
	put(dir, "becomes-link", "x\n");
	put(dir, "becomes-folder", "x\n");
	put(dir, "becomes-file/in", "x\n");
	put(dir, "tracked.o", "tracked although ignored\n");
	git(dir, "add", "-f", "tracked.o");
	commit_all(dir, "before");
	put(dir, "a.txt", "edited\n");
	put(dir, "tracked.o", "edited\n");
	git(dir, "rm", "-q", "gone-staged");
	put(dir, "staged", "staged\n");
	put(dir, "staged-then-edited", "staged\n");
	put(dir, "staged-new", "staged\n");
	git(dir, "add", "staged", "staged-then-edited", "staged-new");
	put(dir, "staged-then-edited", "edited later\n");
	put(dir, "new/deep/file", "untracked\n");
	put(dir, "intended", "git add -N\n");
	git(dir, "add", "-N", "intended");
	put(dir, "out.o", "ignored");
	put(dir, "build/x", "ignored");
	assert_int_equal(chmod(script, 0755), 0);
	const char *remove[] = {"rm", "gone", "becomes-link", "becomes-folder", NULL};
	assert_int_equal(run_program(NULL, dir, remove, NULL, 0), 0);
	assert_int_equal(ba_fs_remove_tree(folder, &err), 0);
	assert_int_equal(symlink("a.txt", link), 0);
	put(dir, "becomes-folder/in", "now a folder\n");
	put(dir, "becomes-file", "now a file\n");
	return dir;
}

/* what the snapshot should be: everything git would add, added in a copy */
static char *tree_by_git(const char *dir)
{
	char *scratch = tmp_make();
	BA_AUTO_FREE char *copy = at("%s/copy", scratch);
	const char *cp[] = {"cp", "-a", dir, copy, NULL};
	assert_int_equal(run_program(NULL, "/", cp, NULL, 0), 0);
	git(copy, "add", "-A");
	char *tree = git_says(copy, "write-tree");
	tmp_remove(scratch);
	return tree;
}

TEST(a_snapshot_is_the_tree_git_add_all_would_make)
{
	char *dir = messy();
	BA_AUTO_FREE char *expected = tree_by_git(dir);
	assert_true(is_dirty(dir));
	struct taken t = take(dir, dir, NULL);
	assert_string_equal(t.snapshot.tree, expected);
	assert_true(t.snapshot.dirty);
	assert_int_equal(strlen(t.snapshot.diff_sha256), 64);
	BA_AUTO_FREE char *untracked = slurp(t.tree, "new/deep/file");
	BA_AUTO_FREE char *later = slurp(t.tree, "staged-then-edited");
	BA_AUTO_FREE char *ignored = at("%s/build", t.tree);
	assert_string_equal(untracked, "untracked\n");
	assert_string_equal(later, "edited later\n");
	assert_false(ba_fs_exists(ignored));
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(in_a_snapshot_git_says_dirty_on_top_of_head)
{
	char *dir = messy();
	git(dir, "tag", "-a", "v1", "-m", "release");
	struct taken t = take(dir, dir, NULL);
	BA_AUTO_FREE char *described = git_says(t.tree, "describe", "--dirty");
	BA_AUTO_FREE char *status =
		git_says(t.tree, "status", "--porcelain", "-uall", "a.txt", "new");
	assert_string_equal(described, "v1-dirty");
	assert_string_equal(status, " M a.txt\n?? new/deep/file");
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(the_same_state_has_the_same_hash_and_another_has_not)
{
	char *dir = messy();
	struct taken a = take(dir, dir, NULL);
	/* times and the index do not matter, content does */
	const char *touch[] = {"touch", "-d", "2001-01-01", "a.txt", NULL};
	assert_int_equal(run_program(NULL, dir, touch, NULL, 0), 0);
	git(dir, "add", "-A");
	struct taken b = take(dir, dir, NULL);
	put(dir, "a.txt", "edited differently\n");
	struct taken c = take(dir, dir, NULL);
	assert_string_equal(a.snapshot.diff_sha256, b.snapshot.diff_sha256);
	assert_string_equal(a.snapshot.tree, b.snapshot.tree);
	assert_string_not_equal(a.snapshot.diff_sha256, c.snapshot.diff_sha256);
	taken_dispose(&a);
	taken_dispose(&b);
	taken_dispose(&c);
	tmp_remove(dir);
}

TEST(each_kind_of_change_makes_it_dirty)
{
	char *dir = repo_make();
	BA_AUTO_FREE char *file = at("%s/a.txt", dir);
	assert_false(is_dirty(dir));
	put(dir, "untracked", "x");
	assert_true(is_dirty(dir));
	git(dir, "add", "untracked");
	assert_true(is_dirty(dir));
	commit_all(dir, "x");
	assert_false(is_dirty(dir));
	assert_int_equal(chmod(file, 0755), 0);
	assert_true(is_dirty(dir));
	assert_int_equal(chmod(file, 0644), 0);
	assert_int_equal(unlink(file), 0);
	assert_true(is_dirty(dir));
	put(dir, "a.txt", "one\n"); /* the same content, another time */
	assert_false(is_dirty(dir));
	tmp_remove(dir);
}

TEST(an_unfinished_merge_is_taken_as_it_lies_on_disk)
{
	char *dir = repo_make();
	git(dir, "checkout", "-q", "-b", "side");
	put(dir, "a.txt", "side\n");
	commit_all(dir, "side");
	git(dir, "checkout", "-q", "main");
	put(dir, "a.txt", "main\n");
	commit_all(dir, "main");
	const char *merge[] = {"git", "merge", "side", NULL};
	assert_int_equal(run_program(NULL, dir, merge, NULL, 0), 1);
	assert_true(is_dirty(dir));
	struct taken t = take(dir, dir, NULL);
	BA_AUTO_FREE char *text = slurp(t.tree, "a.txt");
	assert_has(text, "<<<<<<<");
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(a_linked_worktree_has_a_state_of_its_own)
{
	char *dir = repo_make();
	BA_AUTO_FREE char *linked = at("%s/wt", dir);
	put(dir, ".git/info/exclude", "wt\n");
	git(dir, "worktree", "add", "-q", "--detach", linked);
	put(linked, "a.txt", "edited in the worktree\n");
	assert_false(is_dirty(dir));
	struct taken t = take(linked, dir, NULL);
	BA_AUTO_FREE char *text = slurp(t.tree, "a.txt");
	assert_string_equal(text, "edited in the worktree\n");
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(a_repository_inside_is_left_out_with_a_warning)
{
	char *dir = repo_make();
	struct heard heard = {.text = BA_BUF_INIT};
	git(dir, "init", "-q", "clone");
	put(dir, "clone/x", "x\n");
	put(dir, "beside", "y\n");
	struct taken t = take(dir, dir, &heard);
	BA_AUTO_FREE char *inside = at("%s/clone", t.tree);
	assert_has(heard.text.data, "'clone/'");
	assert_false(ba_fs_exists(inside));
	assert_int_equal(t.snapshot.changed, 1);
	ba_buf_dispose(&heard.text);
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(line_endings_survive_the_way_there_and_back)
{
	char *dir = repo_make();
	put(dir, ".gitattributes", "*.bat text eol=crlf\n");
	put(dir, "run.bat", "one\r\n");
	commit_all(dir, "bat");
	put(dir, "run.bat", "one\r\ntwo\r\n");
	struct taken t = take(dir, dir, NULL);
	BA_AUTO_FREE char *text = slurp(t.tree, "run.bat");
	assert_string_equal(text, "one\r\ntwo\r\n");
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(skipped_files_of_a_sparse_checkout_are_not_deletions)
{
	char *dir = repo_make();
	put(dir, "in/x", "x\n");
	put(dir, "out/y", "y\n");
	commit_all(dir, "two folders");
	git(dir, "sparse-checkout", "set", "in");
	assert_false(is_dirty(dir));
	put(dir, "in/x", "edited\n");
	struct taken t = take(dir, dir, NULL);
	BA_AUTO_FREE char *y = slurp(t.tree, "out/y");
	assert_string_equal(y, "y\n");
	assert_int_equal(t.snapshot.changed, 1);
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(an_lfs_file_is_changed_only_if_its_content_is)
{
	char *dir = repo_make();
	static const char content[] = "large\n";
	char sha256[65];
	ba_sha256_of(sha256, content, strlen(content));
	BA_AUTO_FREE char *pointer =
		at("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 6\n", sha256);
	put(dir, ".gitattributes", "*.bin filter=lfs -text\n");
	put(dir, "x.bin", pointer);
	commit_all(dir, "pointer");
	put(dir, "x.bin", content); /* what git-lfs leaves in a checkout */
	assert_false(is_dirty(dir));
	put(dir, "x.bin", "LARGE\n");
	assert_true(is_dirty(dir));
	struct taken t = take(dir, dir, NULL);
	BA_AUTO_FREE char *text = slurp(t.tree, "x.bin");
	assert_string_equal(text, "LARGE\n");
	taken_dispose(&t);
	tmp_remove(dir);
}

TEST(a_changed_file_behind_a_filter_program_is_refused)
{
	char *dir = repo_make();
	git(dir, "config", "filter.rot.smudge", "tr a-z n-za-m");
	git(dir, "config", "filter.rot.clean", "tr a-z n-za-m");
	put(dir, ".gitattributes", "*.rot filter=rot\n*.u16 working-tree-encoding=UTF-16\n");
	put(dir, "x.rot", "hello\n");
	commit_all(dir, "filtered");
	put(dir, "x.rot", "changed\n");
	expect_refused(dir, "'x.rot' has uncommitted changes and goes through a filter");
	tmp_remove(dir);
}

static char *with_submodule(char **scratch)
{
	*scratch = tmp_make();
	char *outer = at("%s/outer", *scratch);
	BA_AUTO_FREE char *inner = at("%s/inner", *scratch);
	git(*scratch, "init", "-q", "inner");
	put(inner, "file", "inner\n");
	commit_all(inner, "inner");
	git(*scratch, "init", "-q", "outer");
	git(outer, "submodule", "--quiet", "add", inner, "sub");
	commit_all(outer, "outer");
	return outer;
}

TEST(a_submodule_at_another_commit_is_taken_there)
{
	char *scratch;
	char *outer = with_submodule(&scratch);
	BA_AUTO_FREE char *sub = at("%s/sub", outer);
	assert_false(is_dirty(outer));
	put(sub, "file", "newer\n");
	commit_all(sub, "newer");
	assert_true(is_dirty(outer));
	struct taken t = take(outer, outer, NULL);
	BA_AUTO_FREE char *text = slurp(t.tree, "sub/file");
	assert_string_equal(text, "newer\n");
	taken_dispose(&t);
	free(outer);
	tmp_remove(scratch);
}

TEST(a_submodule_with_uncommitted_changes_is_refused)
{
	char *scratch;
	char *outer = with_submodule(&scratch);
	BA_AUTO_FREE char *sub = at("%s/sub", outer);
	put(sub, "file", "edited\n");
	assert_true(is_dirty(outer));
	expect_refused(outer, "submodule 'sub' has uncommitted changes");
	git(sub, "checkout", "-q", ".");
	put(sub, "untracked", "x\n");
	expect_refused(outer, "submodule 'sub' has uncommitted changes");
	free(outer);
	tmp_remove(scratch);
}

TEST(bare_and_empty_repositories_have_no_working_state)
{
	char *dir = tmp_make();
	char *bare = tmp_make();
	BA_AUTO_PTR(ba_repo) ba_repo *a = NULL;
	BA_AUTO_PTR(ba_repo) ba_repo *b = NULL;
	ba_snapshot s = {0};
	ba_error err = {0};
	bool dirty = true;
	git(dir, "init", "-q");
	git(bare, "init", "-q", "--bare");
	assert_int_equal(ba_repo_open(&a, dir, &err), 0);
	assert_int_equal(ba_repo_is_dirty(&dirty, a, &err), BA_ENOTFOUND);
	assert_has(err.text, "no commit yet");
	assert_int_equal(ba_repo_open(&b, bare, &err), 0);
	assert_int_equal(ba_repo_is_dirty(&dirty, b, &err), 0);
	assert_false(dirty);
	assert_int_equal(ba_repo_snapshot(&s, b, dir, NULL, &err), BA_EREPO);
	assert_has(err.text, "bare repository");
	tmp_remove(bare);
	tmp_remove(dir);
}
