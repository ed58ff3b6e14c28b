#include "test.h"

#include "base/base.h"
#include "materialise.h"

TEST_GROUP(tmprepo_isolate, NULL);

#define NEEDS_GIT ((ba_tree_request){.run_git = run_git_for_tests})

struct nest {
	char *scratch; /* holds them all */
	char *outer;   /* has lib (named "the lib") which has deep */
};

static char *make_at(const char *scratch, const char *name, const char *text)
{
	char *dir = at("%s/%s", scratch, name);
	git(scratch, "init", "-q", name);
	put(dir, "file", text);
	commit_all(dir, text);
	return dir;
}

static struct nest nest_make(void)
{
	struct nest n = {.scratch = tmp_make()};
	BA_AUTO_FREE char *deep = make_at(n.scratch, "deep.src", "deep");
	BA_AUTO_FREE char *lib = make_at(n.scratch, "lib.src", "lib");
	git(lib, "submodule", "--quiet", "add", deep, "inner/deep");
	commit_all(lib, "lib with deep");
	git(lib, "tag", "-a", "lib-1", "-m", "release");
	n.outer = make_at(n.scratch, "outer", "outer");
	git(n.outer, "submodule", "--quiet", "add", "--name", "the lib", lib, "third/lib");
	git(n.outer, "submodule", "--quiet", "update", "--init", "--recursive");
	commit_all(n.outer, "outer with lib");
	return n;
}

static void nest_remove(struct nest *n)
{
	free(n->outer);
	tmp_remove(n->scratch);
}

static void expect_nested(const char *start)
{
	char *ours = tmp_make();
	materialise(start, "HEAD", ours);
	BA_AUTO_FREE char *lib = slurp(ours, "third/lib/file");
	BA_AUTO_FREE char *deep = slurp(ours, "third/lib/inner/deep/file");
	BA_AUTO_FREE char *lib_dir = at("%s/third/lib", ours);
	BA_AUTO_FREE char *described = git_says(lib_dir, "describe");
	BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
	BA_AUTO_FREE char *head = git_says(lib_dir, "rev-parse", "HEAD");
	BA_AUTO_FREE char *link = git_says(ours, "rev-parse", "HEAD:third/lib");
	assert_string_equal(lib, "lib");
	assert_string_equal(deep, "deep");
	assert_string_equal(described, "lib-1");
	assert_string_equal(status, "");
	assert_string_equal(head, link);
	tmp_remove(ours);
}

TEST(submodules_are_written_recursively_without_the_network)
{
	struct nest n = nest_make();
	BA_AUTO_FREE char *deep = at("%s/deep.src", n.scratch);
	BA_AUTO_FREE char *lib = at("%s/lib.src", n.scratch);
	ba_error err;
	/* no place left to fetch from */
	assert_int_equal(ba_fs_remove_tree(deep, &err), 0);
	assert_int_equal(ba_fs_remove_tree(lib, &err), 0);
	BA_AUTO_FREE char *before = manifest(n.outer, true);
	expect_nested(n.outer);
	BA_AUTO_FREE char *after = manifest(n.outer, true);
	assert_string_equal(before, after);
	nest_remove(&n);
}

TEST(a_linked_worktree_finds_the_modules_of_the_main_checkout)
{
	struct nest n = nest_make();
	BA_AUTO_FREE char *linked = at("%s/linked", n.scratch);
	git(n.outer, "worktree", "add", "-q", "--detach", linked);
	expect_nested(linked);
	nest_remove(&n);
}

TEST(a_submodule_that_is_its_own_clone_is_read_in_place)
{
	struct nest n = nest_make();
	BA_AUTO_FREE char *place = at("%s/third/lib", n.outer);
	BA_AUTO_FREE char *modules = at("%s/.git/modules", n.outer);
	BA_AUTO_FREE char *lib = at("%s/lib.src", n.scratch);
	ba_error err;
	assert_int_equal(ba_fs_remove_tree(place, &err), 0);
	assert_int_equal(ba_fs_remove_tree(modules, &err), 0);
	git(n.outer, "clone", "-q", "--recurse-submodules", lib, place);
	expect_nested(n.outer);
	nest_remove(&n);
}

TEST(a_missing_submodule_is_named_with_its_commit)
{
	struct nest n = nest_make();
	char *ours = tmp_make();
	BA_AUTO_FREE char *clone = at("%s/clone", n.scratch);
	BA_AUTO_FREE char *commit = git_says(n.outer, "rev-parse", "HEAD:third/lib");
	ba_error err = {0};
	git(n.scratch, "clone", "-q", n.outer, clone);
	assert_int_equal(materialise_with(NEEDS_GIT, clone, "HEAD", ours, &err), BA_EUNSUPPORTED);
	assert_has(err.text, "'third/lib' (the lib)");
	assert_has(err.text, commit);
	assert_has(err.text, "git submodule update --init --recursive");
	tmp_remove(ours);
	nest_remove(&n);
}

TEST(a_commit_the_submodule_does_not_have_is_named)
{
	struct nest n = nest_make();
	char *ours = tmp_make();
	ba_error err = {0};
	static const char absent[] = "0123456789012345678901234567890123456789";
	BA_AUTO_FREE char *entry = at("160000,%s,third/lib", absent);
	git(n.outer, "update-index", "--cacheinfo", entry);
	git(n.outer, "commit", "-q", "-m", "points into the blue");
	assert_int_equal(materialise_with(NEEDS_GIT, n.outer, "HEAD", ours, &err), BA_EUNSUPPORTED);
	assert_has(err.text, absent);
	assert_has(err.text, "fetch origin");
	tmp_remove(ours);
	nest_remove(&n);
}

TEST(a_missing_inner_submodule_is_named_with_the_outer_one)
{
	struct nest n = nest_make();
	char *ours = tmp_make();
	BA_AUTO_FREE char *clone = at("%s/clone", n.scratch);
	ba_error err = {0};
	git(n.scratch, "clone", "-q", n.outer, clone);
	git(clone, "submodule", "--quiet", "update", "--init");
	assert_int_equal(materialise_with(NEEDS_GIT, clone, "HEAD", ours, &err), BA_EUNSUPPORTED);
	assert_has(err.text, "submodule 'third/lib': the submodule 'inner/deep'");
	tmp_remove(ours);
	nest_remove(&n);
}

TEST(a_submodule_that_is_switched_off_stays_empty)
{
	struct nest n = nest_make();
	char *ours = tmp_make();
	BA_AUTO_FREE char *clone = at("%s/clone", n.scratch);
	git(n.scratch, "clone", "-q", n.outer, clone);
	git(clone, "config", "submodule.the lib.update", "none");
	materialise(clone, "HEAD", ours);
	BA_AUTO_FREE char *place = at("%s/third/lib", ours);
	BA_AUTO_FREE char *inside = manifest(place, true);
	assert_string_equal(inside, "");
	tmp_remove(ours);
	nest_remove(&n);
}

/* `path` alone, which no `git config` writes, and which a stranger's commit may have */
TEST(a_path_without_a_value_names_no_submodule)
{
	struct nest n = nest_make();
	char *ours = tmp_make();
	BA_AUTO_FREE char *modules = slurp(n.outer, ".gitmodules");
	BA_AUTO_FREE char *text = at("[submodule "
				     "\"a\"]\n\tpath\n\tupdate\n%s\tactive\n[submodule]\n\tpath\n",
		modules);
	put(n.outer, "hostile", text);
	/* git does not work where that is checked out */
	BA_AUTO_FREE char *blob = git_says(n.outer, "hash-object", "-w", "hostile");
	BA_AUTO_FREE char *entry = at("100644,%s,.gitmodules", blob);
	git(n.outer, "update-index", "--cacheinfo", entry);
	BA_AUTO_FREE char *tree = git_says(n.outer, "write-tree");
	BA_AUTO_FREE char *commit = git_says(n.outer, "commit-tree", "-m", "x", tree);
	materialise(n.outer, commit, ours);
	BA_AUTO_FREE char *lib = slurp(ours, "third/lib/file");
	assert_string_equal(lib, "lib");
	tmp_remove(ours);
	nest_remove(&n);
}

TEST(a_submodule_name_does_not_lead_out_of_the_repository)
{
	struct nest n = nest_make();
	char *ours = tmp_make();
	ba_error err = {0};
	BA_AUTO_FREE char *modules = at("%s/.git/modules", n.outer);
	BA_AUTO_FREE char *place = at("%s/third/lib", n.outer);
	BA_AUTO_FREE char *stash = at("%s/stash", n.scratch);
	const char *move[] = {"mv", modules, stash, NULL};
	assert_int_equal(ba_fs_remove_tree(place, &err), 0);
	assert_int_equal(run_program(NULL, "/", move, NULL, 0), 0);
	assert_int_equal(ba_fs_mkdirs(modules, &err), 0);
	/* modules/../../../stash/the lib is there and has the commit */
	BA_AUTO_FREE char *there = at("%s/../../../stash/the lib/HEAD", modules);
	assert_true(ba_fs_exists(there));
	BA_AUTO_FREE char *config = at("%s/the lib/config", stash);
	git(n.outer, "config", "-f", config, "--unset", "core.worktree");
	put(n.outer, ".gitmodules",
		"[submodule \"../../../stash/the lib\"]\n\tpath = third/lib\n\turl = "
		"x\n");
	git(n.outer, "commit", "-q", "-m", "hostile", ".gitmodules");
	assert_int_equal(materialise_with(NEEDS_GIT, n.outer, "HEAD", ours, &err), BA_EUNSUPPORTED);
	/* not found at all, rather than found and then incomplete */
	assert_ptr_equal(strstr(err.text, "the submodule 'third/lib'"), err.text);
	tmp_remove(ours);
	nest_remove(&n);
}
