#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "git/repo.h"
#include "tmprepo.h"

TEST_GROUP(tmprepo_isolate, NULL);

TEST(opens_from_the_top_a_folder_and_through_a_link)
{
	char *dir = repo_make();
	put(dir, "deep/er/file", "x");
	BA_AUTO_FREE char *deep = at("%s/deep/er", dir);
	BA_AUTO_FREE char *expected = at("%s/.git", dir);
	const char *starts[] = {dir, deep};
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
		ba_error err = {0};
		assert_int_equal(ba_repo_open(&repo, starts[i], &err), 0);
		assert_string_equal(ba_repo_workdir(repo), dir);
		assert_string_equal(ba_repo_common_dir(repo), expected);
	}
	tmp_remove(dir);
}

TEST(opens_a_bare_repository_and_a_linked_worktree)
{
	char *dir = repo_make();
	char *elsewhere = tmp_make();
	BA_AUTO_FREE char *bare = at("%s/bare.git", elsewhere);
	BA_AUTO_FREE char *linked = at("%s/linked", elsewhere);
	BA_AUTO_FREE char *common = at("%s/.git", dir);
	BA_AUTO_PTR(ba_repo) ba_repo *a = NULL;
	BA_AUTO_PTR(ba_repo) ba_repo *b = NULL;
	ba_error err = {0};
	git(dir, "clone", "-q", "--bare", dir, bare);
	git(dir, "worktree", "add", "-q", "--detach", linked);
	assert_int_equal(ba_repo_open(&a, bare, &err), 0);
	assert_null(ba_repo_workdir(a));
	assert_int_equal(ba_repo_open(&b, linked, &err), 0);
	assert_string_equal(ba_repo_workdir(b), linked);
	assert_string_equal(ba_repo_common_dir(b), common);
	tmp_remove(elsewhere);
	tmp_remove(dir);
}

static void refuse(const char *dir, const char *first, const char *second)
{
	ba_repo *repo = NULL;
	ba_error err = {0};
	assert_int_equal(ba_repo_open(&repo, dir, &err), BA_EREPO);
	assert_null(repo);
	assert_has(err.text, first);
	assert_has(err.text, second);
}

/* as git does: `git rev-parse --show-toplevel` in the same places */
TEST(ceilings_end_the_search_above_where_it_starts)
{
	char *dir = repo_make();
	put(dir, "deep/er/file", "x");
	BA_AUTO_FREE char *deep = at("%s/deep", dir);
	BA_AUTO_FREE char *deeper = at("%s/deep/er", dir);
	BA_AUTO_FREE char *several = at("/no/such/dir:%s:%s", deeper, deep);
	const struct {
		const char *ceilings, *start;
		bool found;
	} cases[] = {
		{deep, deeper, false},
		{deep, deep, true},
		{deep, dir, true},
		{dir, deep, false},
		{dir, dir, true},
		{deeper, deeper, true},
		{several, deeper, false},
		{several, deep, true},
		{"", deeper, true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
		ba_error err = {0};
		setenv("GIT_CEILING_DIRECTORIES", cases[i].ceilings, 1);
		int rc = ba_repo_open(&repo, cases[i].start, &err);
		assert_int_equal(rc, cases[i].found ? 0 : BA_EREPO);
		if (rc)
			assert_has(err.text, "is not in a git repository");
	}
	unsetenv("GIT_CEILING_DIRECTORIES");
	tmp_remove(dir);
}

TEST(outside_a_repository_the_error_says_what_else_can_be_done)
{
	char *dir = tmp_make();
	refuse(dir, "is not in a git repository", "path:DIR");
	refuse("/nonexistent/place", "is not a directory", "/nonexistent/place");
	tmp_remove(dir);
}

TEST(a_sha256_repository_is_refused_in_its_own_sentence)
{
	char *dir = tmp_make();
	git(dir, "init", "-q", "--object-format=sha256");
	refuse(dir, "SHA-256", "path:DIR");
	tmp_remove(dir);
}

TEST(reftable_and_unknown_extensions_are_refused_by_name)
{
	char *dir = repo_make();
	/* a git that does not know an extension will not edit the file again */
	put(dir, ".git/config",
		"[core]\n\trepositoryformatversion = 1\n"
		"[extensions]\n\trefstorage = reftable\n");
	refuse(dir, "reftable", "git refs migrate");
	put(dir, ".git/config",
		"[core]\n\trepositoryformatversion = 1\n"
		"[extensions]\n\tfromthefuture = true\n");
	refuse(dir, "newer libgit2", "fromthefuture");
	tmp_remove(dir);
}

TEST(harmless_extensions_are_accepted)
{
	char *dir = repo_make();
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	ba_error err = {0};
	git(dir, "config", "core.repositoryformatversion", "1");
	git(dir, "config", "extensions.worktreeConfig", "true");
	git(dir, "config", "extensions.preciousObjects", "true");
	git(dir, "config", "extensions.partialClone", "origin");
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	tmp_remove(dir);
}

static void give_away(const char *dir)
{
	const char *argv[] = {"chown", "-R", "12345:12345", dir, NULL};
	assert_int_equal(run_program(NULL, "/", argv, NULL, 0), 0);
}

TEST(a_foreign_owner_is_refused_with_the_line_that_helps)
{
	if (geteuid() != 0)
		skip();
	char *dir = repo_make();
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	ba_error err = {0};
	put(dir, "sub/file", "x");
	give_away(dir);
	BA_AUTO_FREE char *line = at("git config --global --add safe.directory '%s'", dir);
	BA_AUTO_FREE char *sub = at("%s/sub", dir);
	refuse(dir, "belongs to another user", line);
	refuse(sub, "belongs to another user", line);
	git("/", "config", "--global", "--add", "safe.directory", dir);
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	git("/", "config", "--global", "--unset-all", "safe.directory");
	tmp_remove(dir);
}

TEST(a_safe_directory_of_star_is_honoured_as_git_does)
{
	if (geteuid() != 0)
		skip();
	char *dir = repo_make();
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	ba_error err = {0};
	give_away(dir);
	git("/", "config", "--global", "--add", "safe.directory", "*");
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	/* an empty entry takes back what stands before it */
	git("/", "config", "--global", "--add", "safe.directory", "");
	refuse(dir, "belongs to another user", "safe.directory");
	git("/", "config", "--global", "--unset-all", "safe.directory");
	tmp_remove(dir);
}

/* libgit2 1.5 reads that one through NULL where the owner is another */
TEST(a_safe_directory_without_a_value_is_refused_in_a_sentence)
{
	char *dir = repo_make();
	BA_AUTO_FREE char *config = slurp(getenv("HOME"), ".gitconfig");
	BA_AUTO_FREE char *more = at("%s[safe]\n\tdirectory\n", config);
	if (geteuid() == 0)
		give_away(dir);
	put(getenv("HOME"), ".gitconfig", more);
	refuse(dir, "'safe.directory' without a value", "git config --global --edit");
	put(getenv("HOME"), ".gitconfig", config);
	tmp_remove(dir);
}

TEST(files_and_ids_are_read_from_a_tree)
{
	char *dir = repo_make();
	put(dir, "cfg/x.json", "{}");
	BA_AUTO_FREE char *link = ba_path_join(dir, "cfg/link.json");
	assert_int_equal(symlink("x.json", link), 0);
	commit_all(dir, "second");
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *tree = git_says(dir, "rev-parse", "HEAD^{tree}");
	BA_AUTO_FREE char *folder = git_says(dir, "rev-parse", "HEAD:cfg");
	ba_error err = {0};
	char id[65];
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_repo_read_file(&text, repo, tree, "cfg/x.json", 100, &err), 0);
	assert_string_equal(text.data, "{}");
	assert_int_equal(ba_repo_read_file(&text, repo, tree, "cfg/x.json", 1, &err), BA_EDATA);
	assert_int_equal(ba_repo_read_file(&text, repo, tree, "none", 100, &err), BA_ENOTFOUND);
	assert_int_equal(
		ba_repo_read_file(&text, repo, tree, "cfg/link.json", 100, &err), BA_EDATA);
	assert_non_null(strstr(err.text, "is a symbolic link"));
	assert_int_equal(ba_repo_read_file(&text, repo, tree, "cfg", 100, &err), BA_ENOTFOUND);
	assert_int_equal(ba_repo_path_id(id, repo, tree, "cfg/", &err), 0);
	assert_string_equal(id, folder);
	assert_int_equal(ba_repo_path_id(id, repo, tree, ".", &err), 0);
	assert_string_equal(id, tree);
	tmp_remove(dir);
}
