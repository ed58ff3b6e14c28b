/* Git configurations that no `git config` writes: keys without a value, which libgit2
 * hands out as NULL. Where git makes a checkout, the tree is the same as its own. */
#include "test.h"

#include "materialise.h"

TEST_GROUP(tmprepo_isolate, NULL);

static char *repo_with_attributes(void)
{
	char *dir = repo_make();
	put(dir, ".gitattributes", "*.id ident\n*.txt text\n*.x filter=x\n*.bin filter=lfs\n");
	put(dir, "a.txt", "one\ntwo\n");
	put(dir, "b.id", "$Id$\n");
	put(dir, "c.x", "as it is\n");
	put(dir, "d.bin", "committed without LFS\n");
	commit_all(dir, "files");
	return dir;
}

static int check_out(const char *dir, const char *to)
{
	const char *argv[] = {
		"git", "worktree", "add", "-q", "--detach", "--force", to, "HEAD", NULL};
	return run_program(NULL, dir, argv, NULL, 0);
}

static void compare_with_git(const char *dir, const char *what)
{
	char *scratch = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	BA_AUTO_FREE char *theirs = at("%s/theirs", scratch);
	ba_tree_request req = {.run_git = run_git_for_tests};
	ba_error err = {0};
	int rc = materialise_with(req, dir, "HEAD", ours, &err);
	int status = check_out(dir, theirs);
	if (rc)
		print_message("%s: %s\n", what, err.text);
	if (status == 0) {
		assert_int_equal(rc, 0);
		BA_AUTO_FREE char *a = manifest(ours, false);
		BA_AUTO_FREE char *b = manifest(theirs, false);
		if (strcmp(a, b) != 0)
			print_message("%s\n", what);
		assert_string_equal(a, b);
	}
	tmp_remove(scratch);
}

TEST(a_key_without_a_value_is_read_as_git_reads_it)
{
	static const char *const keys[] = {"core]\n\tautocrlf", "core]\n\teol", "core]\n\tsymlinks",
		"core]\n\tignorecase", "core]\n\thooksPath", "core]\n\tattributesFile",
		"core]\n\texcludesFile", "core]\n\tcheckRoundtripEncoding", "core]\n\tfsmonitor",
		"extensions]\n\tworktreeConfig", "lfs]\n\tstorage", "filter \"x\"]\n\tsmudge",
		"filter \"x\"]\n\tprocess", "filter \"lfs\"]\n\tsmudge", "submodule \"x\"]\n\tpath",
		"remote \"origin\"]\n\turl", "remote \"origin\"]\n\tfetch",
		"branch \"main\"]\n\tremote", "branch \"main\"]\n\tmerge", "include]\n\tpath",
		"includeIf \"gitdir:/\"]\n\tpath", "url \"x\"]\n\tinsteadOf", "user]\n\tname"};
	char *dir = repo_with_attributes();
	BA_AUTO_FREE char *config = slurp(dir, ".git/config");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		BA_AUTO_FREE char *text = at("%s[%s\n", config, keys[i]);
		put(dir, ".git/config", text);
		compare_with_git(dir, keys[i]);
		put(dir, ".git/config", config);
	}
	tmp_remove(dir);
}
