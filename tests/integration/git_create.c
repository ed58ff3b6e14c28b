/* Repositories made from memory. */
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#include "base/auto.h"
#include "base/base.h"
#include "git/create.h"
#include "git/repo.h"

static char root[] = "/tmp/git-create-XXXXXX";

static int setup(void **state)
{
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	return ba_fs_remove_tree(root, NULL);
}
TEST_GROUP(setup, teardown);

static const ba_git_file files[] = {
	{"a.txt", "alpha\n", 6, false},
	{"deep/er/run.sh", "#!/bin/sh\n", 10, true},
	{"empty", "", 0, false},
};

TEST(files_are_committed_and_checked_out_with_their_modes)
{
	ba_error err = {0};
	BA_AUTO_FREE char *dir = ba_path_join(root, "one");
	assert_int_equal(ba_git_create_commit(dir, "main", NULL, files, 3, "first", 1, &err), 0);
	assert_int_equal(
		ba_git_create_commit(dir, "topic", "main", files, 1, "second", 2, &err), 0);
	assert_int_equal(ba_git_create_checkout(dir, "main", &err), 0);
	struct stat st;
	BA_AUTO_FREE char *script = ba_path_join(dir, "deep/er/run.sh");
	assert_int_equal(stat(script, &st), 0);
	assert_true(st.st_mode & S_IXUSR);
	assert_int_equal(st.st_size, 10);
	/* another branch takes away what it does not have */
	assert_int_equal(ba_git_create_checkout(dir, "topic", &err), 0);
	assert_false(ba_fs_exists(script));
}

TEST(what_cannot_be_done_is_said)
{
	ba_error err = {0};
	BA_AUTO_FREE char *dir = ba_path_join(root, "two");
	assert_int_equal(ba_git_create_commit(dir, "main", NULL, files, 1, "first", 1, &err), 0);
	assert_int_equal(ba_git_create_commit(dir, "main", NULL, files, 1, "x", 1, &err), BA_EREPO);
	assert_has(err.text, "has a branch 'main' already");
	assert_int_equal(
		ba_git_create_commit(dir, "new", "nobody", files, 1, "x", 1, &err), BA_ENOTFOUND);
	assert_has(err.text, "no branch 'nobody'");
	const ba_git_file bad = {"../escape", "x", 1, false};
	assert_int_equal(ba_git_create_commit(dir, "bad", NULL, &bad, 1, "x", 1, &err), BA_EIO);
	assert_has(err.text, "'../escape' cannot be committed");
	assert_int_not_equal(ba_git_create_checkout(dir, "nobody", &err), 0);
	BA_AUTO_FREE char *file = ba_path_join(dir, ".git/HEAD");
	assert_int_equal(ba_git_create_commit(file, "main", NULL, files, 1, "x", 1, &err), BA_EIO);
	assert_has(err.text, "no repository can be made");
}

/* the folders above are not asked, as they would be by a search */
TEST(a_repository_inside_another_is_its_own)
{
	ba_error err = {0};
	BA_AUTO_FREE char *outer = ba_path_join(root, "outer");
	BA_AUTO_FREE char *inner = ba_path_join(outer, "inner");
	BA_AUTO_FREE char *git = ba_path_join(inner, ".git");
	assert_int_equal(ba_git_create_commit(outer, "main", NULL, files, 1, "o", 1, &err), 0);
	assert_int_equal(ba_git_create_commit(inner, "main", NULL, files, 1, "i", 1, &err), 0);
	assert_true(ba_fs_is_dir(git));
}
