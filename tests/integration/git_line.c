/* the first parents of a commit */
#include "test.h"

#include "base/mem.h"
#include "git/commit.h"
#include "tmprepo.h"

TEST_GROUP(tmprepo_isolate, NULL);

static char *commit(const char *dir, const char *name)
{
	put(dir, name, name);
	commit_all(dir, name);
	return git_says(dir, "rev-parse", "HEAD");
}

TEST(a_merged_branch_is_not_on_the_line)
{
	char *dir = repo_make();
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_strv) ba_strv line = {0};
	BA_AUTO_FREE char *first = git_says(dir, "rev-parse", "HEAD");
	BA_AUTO_FREE char *second = commit(dir, "second");
	git(dir, "checkout", "-q", "-b", "side");
	BA_AUTO_FREE char *side = commit(dir, "side");
	git(dir, "checkout", "-q", "-");
	BA_AUTO_FREE char *third = commit(dir, "third");
	git(dir, "merge", "-q", "--no-ff", "-m", "merge", "side");
	BA_AUTO_FREE char *merge = git_says(dir, "rev-parse", "HEAD");
	assert_int_equal(ba_repo_open(&repo, dir, NULL), 0);
	assert_int_equal(ba_git_line(&line, repo, merge, NULL, 100, NULL), 0);
	assert_int_equal(line.count, 4);
	assert_string_equal(line.items[0], merge);
	assert_string_equal(line.items[1], third);
	assert_string_equal(line.items[2], second);
	assert_string_equal(line.items[3], first);
	ba_strv_dispose(&line);
	assert_int_equal(ba_git_line(&line, repo, merge, second, 100, NULL), 0);
	assert_int_equal(line.count, 3);
	ba_strv_dispose(&line);
	assert_int_equal(ba_git_line(&line, repo, merge, merge, 100, NULL), 0);
	assert_int_equal(line.count, 1);
	ba_strv_dispose(&line);
	assert_int_equal(ba_git_line(&line, repo, merge, NULL, 2, NULL), 0);
	assert_int_equal(line.count, 2);
	ba_error err = {0};
	assert_int_equal(ba_git_line(&line, repo, merge, side, 100, &err), BA_ENOTFOUND);
	assert_has(err.text, "is not in the first-parent history of");
	assert_int_equal(ba_git_line(&line, repo, merge, first, 2, &err), BA_ENOTFOUND);
	assert_int_equal(line.count, 2);
	tmp_remove(dir);
}

/* Each parent after the first brought the commits from where its line left the first's. */
TEST(each_parent_of_a_merge_brought_its_own_commits)
{
	char *dir = repo_make();
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO_FREE char *fork = git_says(dir, "rev-parse", "HEAD");
	git(dir, "checkout", "-q", "-b", "one");
	BA_AUTO_FREE char *one = commit(dir, "one");
	git(dir, "checkout", "-q", "-b", "two", fork);
	BA_AUTO_FREE char *two = commit(dir, "two");
	git(dir, "checkout", "-q", "--orphan", "alien");
	BA_AUTO_FREE char *alien = commit(dir, "alien");
	git(dir, "checkout", "-q", "-b", "trunk", fork);
	BA_AUTO_FREE char *trunk = commit(dir, "trunk");
	/* the fifth parent is the first's own past */
	BA_AUTO_FREE char *merge = git_out(dir, "commit-tree", "-m", "merge", "-p", trunk, "-p",
		one, "-p", two, "-p", alien, "-p", fork, "HEAD^{tree}", NULL);
	const char *brought[] = {NULL, NULL, one, two, NULL, NULL, NULL};
	merge[40] = '\0';
	assert_int_equal(ba_repo_open(&repo, dir, NULL), 0);
	for (size_t n = 0; n < 7; n++) {
		BA_AUTO_FREE char *base = NULL;
		BA_AUTO_FREE char *tip = NULL;
		assert_int_equal(ba_git_merged(&base, &tip, repo, merge, n, NULL), 0);
		assert_true(!tip == !brought[n] && !base == !brought[n]);
		if (tip) {
			assert_string_equal(tip, brought[n]);
			assert_string_equal(base, fork);
		}
	}
	tmp_remove(dir);
}
