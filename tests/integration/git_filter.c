#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/fs.h"
#include "materialise.h"

TEST_GROUP(tmprepo_isolate, NULL);

#define NEEDS_GIT ((ba_tree_request){.run_git = run_git_for_tests})

static const char content[] = "the real content, not a pointer\n";

static void sha_of(char out[65], const char *text)
{
	ba_sha256_of(out, text, strlen(text));
}

static char *pointer_to(const char *text)
{
	char sha256[65];
	sha_of(sha256, text);
	return at("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %zu\n", sha256,
		strlen(text));
}

static char *store_path(const char *text)
{
	char sha256[65];
	sha_of(sha256, text);
	return at(".git/lfs/objects/%.2s/%.2s/%s", sha256, sha256 + 2, sha256);
}

/* what `git lfs track` and a commit leave, made by hand so that no git-lfs is needed */
static char *lfs_repo(void)
{
	char *dir = repo_make();
	BA_AUTO_FREE char *pointer = pointer_to(content);
	BA_AUTO_FREE char *store = store_path(content);
	put(dir, ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
	put(dir, "data/big.bin", pointer);
	put(dir, "raw.bin", "committed without LFS\n");
	commit_all(dir, "large");
	put(dir, store, content);
	return dir;
}

TEST(lfs_files_have_their_real_content)
{
	char *dir = lfs_repo();
	char *ours = tmp_make();
	BA_AUTO_FREE char *before = manifest(dir, true);
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *after = manifest(dir, true);
	BA_AUTO_FREE char *big = slurp(ours, "data/big.bin");
	BA_AUTO_FREE char *raw = slurp(ours, "raw.bin");
	assert_string_equal(before, after);
	assert_string_equal(big, content);
	assert_string_equal(raw, "committed without LFS\n");
	tmp_remove(ours);
	tmp_remove(dir);
}

TEST(lfs_content_that_is_not_here_names_the_file_and_the_fetch)
{
	char *dir = lfs_repo();
	char *ours = tmp_make();
	char *left = tmp_make();
	BA_AUTO_FREE char *store = store_path(content);
	BA_AUTO_FREE char *stored = at("%s/%s", dir, store);
	BA_AUTO_FREE char *pointer = pointer_to(content);
	ba_error err = {0};
	assert_int_equal(unlink(stored), 0);
	assert_int_equal(materialise_with(NEEDS_GIT, dir, "HEAD", ours, &err), BA_EUNSUPPORTED);
	assert_has(err.text, "'data/big.bin' is in Git LFS");
	assert_has(err.text, "git lfs fetch origin");
	/* unless pointers are asked for */
	ba_tree_request leave = {.leave_lfs_pointers = true};
	assert_int_equal(materialise_with(leave, dir, "HEAD", left, &err), 0);
	BA_AUTO_FREE char *text = slurp(left, "data/big.bin");
	assert_string_equal(text, pointer);
	tmp_remove(left);
	tmp_remove(ours);
	tmp_remove(dir);
}

TEST(damaged_lfs_content_is_not_handed_to_a_build)
{
	char *dir = lfs_repo();
	char *ours = tmp_make();
	BA_AUTO_FREE char *store = store_path(content);
	ba_error err = {0};
	put(dir, store, "the real content, but one byte..\n");
	assert_int_equal(materialise_with(NEEDS_GIT, dir, "HEAD", ours, &err), BA_EDATA);
	assert_has(err.text, "git lfs fsck");
	tmp_remove(ours);
	tmp_remove(dir);
}

TEST(the_lfs_store_may_be_elsewhere)
{
	char *dir = lfs_repo();
	char *ours = tmp_make();
	char *elsewhere = tmp_make();
	BA_AUTO_FREE char *from = at("%s/.git/lfs", dir);
	BA_AUTO_FREE char *to = at("%s/store", elsewhere);
	const char *move[] = {"mv", from, to, NULL};
	assert_int_equal(run_program(NULL, "/", move, NULL, 0), 0);
	git(dir, "config", "lfs.storage", to);
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *big = slurp(ours, "data/big.bin");
	assert_string_equal(big, content);
	tmp_remove(elsewhere);
	tmp_remove(ours);
	tmp_remove(dir);
}

TEST(what_git_lfs_itself_stored_comes_out_and_is_clean)
{
	if (!have_program("git-lfs"))
		skip();
	char *dir = repo_make();
	char *scratch = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	BA_AUTO_FREE char *theirs = at("%s/theirs", scratch);
	git(dir, "lfs", "install", "--local", "--skip-repo");
	git(dir, "lfs", "track", "*.dat");
	put(dir, "one.dat", "first content\n");
	put(dir, "two words.dat", "second content\n");
	put(dir, "empty.dat", "");
	commit_all(dir, "tracked by LFS");
	BA_AUTO_FREE char *stored = git_says(dir, "cat-file", "-p", "HEAD:one.dat");
	assert_has(stored, "git-lfs.github.com/spec/v1");
	BA_AUTO_FREE char *before = manifest(dir, true);
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *after = manifest(dir, true);
	assert_string_equal(before, after);
	git(dir, "worktree", "add", "-q", "--detach", theirs, "HEAD");
	BA_AUTO_FREE char *a = manifest(ours, false);
	BA_AUTO_FREE char *b = manifest(theirs, false);
	BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
	assert_string_equal(a, b);
	assert_string_equal(status, "");
	tmp_remove(scratch);
	tmp_remove(dir);
}

/* a filter driver of the user's: rot13 both ways */
static char *filtered_repo(void)
{
	char *dir = repo_make();
	git(dir, "config", "filter.rot.smudge", "tr a-z n-za-m");
	git(dir, "config", "filter.rot.clean", "tr a-z n-za-m");
	put(dir, ".gitattributes", "*.rot filter=rot\n*.other filter=unknown\n");
	put(dir, "sub/secret word.rot", "hello\n");
	put(dir, "plain.other", "as it is\n");
	commit_all(dir, "filtered");
	return dir;
}

TEST(a_filter_program_runs_as_in_a_checkout)
{
	char *dir = filtered_repo();
	char *ours = tmp_make();
	int calls = 0;
	ba_error err = {0};
	BA_AUTO_FREE char *stored = git_says(dir, "cat-file", "-p", "HEAD:sub/secret word.rot");
	assert_string_equal(stored, "uryyb");
	ba_tree_request req = {.run_git = run_git_for_tests, .run_git_data = &calls};
	assert_int_equal(materialise_with(req, dir, "HEAD", ours, &err), 0);
	BA_AUTO_FREE char *text = slurp(ours, "sub/secret word.rot");
	BA_AUTO_FREE char *other = slurp(ours, "plain.other");
	BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
	assert_string_equal(text, "hello\n");
	assert_string_equal(other, "as it is\n");
	assert_string_equal(status, "");
	assert_int_equal(calls, 1);
	tmp_remove(ours);
	tmp_remove(dir);
}

static int no_such_program(void *data, const char *const *argv, const char *cwd, const void *input,
	size_t size, ba_error *err)
{
	(void)data, (void)cwd, (void)input, (void)size;
	return ba_fail(err, BA_ENOTFOUND, "there is no program '%s'", argv[0]);
}

TEST(without_git_a_filtered_file_is_an_error_that_names_it)
{
	char *dir = filtered_repo();
	char *a = tmp_make();
	char *b = tmp_make();
	ba_error err = {0};
	assert_int_equal(
		materialise_with((ba_tree_request){0}, dir, "HEAD", a, &err), BA_EUNSUPPORTED);
	assert_has(err.text, "'sub/secret word.rot'");
	ba_tree_request req = {.run_git = no_such_program};
	assert_int_equal(materialise_with(req, dir, "HEAD", b, &err), BA_ENOTFOUND);
	assert_has(err.text, "'sub/secret word.rot'");
	assert_has(err.text, "there is no program 'git'");
	tmp_remove(b);
	tmp_remove(a);
	tmp_remove(dir);
}

TEST(a_filter_that_fails_or_is_required_and_missing_is_an_error)
{
	char *dir = filtered_repo();
	char *a = tmp_make();
	char *b = tmp_make();
	ba_error err = {0};
	git(dir, "config", "filter.rot.smudge", "false");
	git(dir, "config", "filter.rot.required", "true");
	assert_int_not_equal(materialise_with(NEEDS_GIT, dir, "HEAD", a, &err), 0);
	assert_has(err.text, "rot");
	git(dir, "config", "--remove-section", "filter.rot");
	git(dir, "config", "filter.rot.required", "true");
	assert_int_equal(materialise_with(NEEDS_GIT, dir, "HEAD", b, &err), BA_EUNSUPPORTED);
	assert_has(err.text, "filter.rot.smudge");
	tmp_remove(b);
	tmp_remove(a);
	tmp_remove(dir);
}
