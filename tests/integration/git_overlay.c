/* Paths of one tree laid over another are written as in the tree that they are from. */
#include "test.h"

#include "base/hash.h"
#include "base/base.h"
#include "git/snapshot.h"
#include "materialise.h"

TEST_GROUP(tmprepo_isolate, NULL);

#define CONTENT "the real content, not a pointer\n"

static void put_lfs(const char *dir, const char *path)
{
	char sha256[65];
	ba_sha256_of(sha256, CONTENT, strlen(CONTENT));
	BA_AUTO_FREE char *pointer =
		at("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %zu\n", sha256,
			strlen(CONTENT));
	BA_AUTO_FREE char *store = at(".git/lfs/objects/%.2s/%.2s/%s", sha256, sha256 + 2, sha256);
	put(dir, path, pointer);
	put(dir, store, CONTENT);
}

/* two commits, "theirs" from whom the paths are, and "mine"; each made by a callback */
typedef struct pair {
	char *dir, *scratch, *written;
	ba_overlaid overlaid;
} pair;

static pair lay_over(
	void (*theirs)(const char *), void (*mine)(const char *), const char *path, int expected)
{
	pair p = {.dir = repo_make(), .scratch = tmp_make()};
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_strv) ba_strv paths = {0};
	BA_AUTO(ba_strv) ba_strv changed = {0};
	BA_AUTO_FREE char *objects = at("%s/objects", p.scratch);
	ba_error err = {0};
	p.written = at("%s/tree", p.scratch);
	theirs(p.dir);
	commit_all(p.dir, "theirs");
	BA_AUTO_FREE char *source = git_says(p.dir, "rev-parse", "HEAD^{tree}");
	git(p.dir, "rm", "-rqf", ".");
	mine(p.dir);
	commit_all(p.dir, "mine");
	BA_AUTO_FREE char *commit = git_says(p.dir, "rev-parse", "HEAD");
	BA_AUTO_FREE char *tree = git_says(p.dir, "rev-parse", "HEAD^{tree}");
	ba_strv_push(&paths, path);
	assert_int_equal(ba_repo_open(&repo, p.dir, &err), 0);
	int rc = ba_repo_overlay(&p.overlaid, &changed, repo, objects, tree, source, &paths, &err);
	ba_tree_request req = {.repo = repo,
		.commit = commit,
		.tree = p.overlaid.tree,
		.own = p.overlaid.own,
		.laid = p.overlaid.laid,
		.laid_paths = &paths,
		.objects_dir = objects,
		.dir = p.written,
		.run_git = run_git_for_tests};
	rc = rc ? rc : ba_tree_materialise(&req, &err);
	if (rc != expected)
		print_message("%s\n", err.text);
	assert_int_equal(rc, expected);
	return p;
}

static void pair_remove(pair *p)
{
	BA_AUTO_FREE char *side = at("%s/.git/overlay", p->written);
	assert_false(ba_fs_exists(side));
	free(p->written);
	tmp_remove(p->scratch);
	tmp_remove(p->dir);
}

static void expect(const pair *p, const char *path, const char *text)
{
	BA_AUTO_FREE char *got = slurp(p->written, path);
	assert_string_equal(got, text);
}

static void with_attributes(const char *dir)
{
	put(dir, ".gitattributes", "*.bin filter=lfs -text\n*.dos text eol=crlf\n");
	put_lfs(dir, "bench/deep/data.bin");
	put(dir, "bench/a.dos", "x\n");
	put(dir, "bench/a.sh", "x\n");
}

static void without_attributes(const char *dir)
{
	put(dir, ".gitattributes", "*.sh text eol=crlf\n");
	put(dir, "own.sh", "x\n");
	put(dir, "own.dos", "x\n");
	put(dir, "bench/old", "x\n");
}

TEST(files_are_written_by_the_attributes_of_their_own_tree)
{
	pair p = lay_over(with_attributes, without_attributes, "bench/", 0);
	assert_int_equal(strlen(p.overlaid.laid), 40);
	expect(&p, "bench/deep/data.bin", CONTENT);
	expect(&p, "bench/a.dos", "x\r\n");
	expect(&p, "bench/a.sh", "x\n");
	expect(&p, "own.sh", "x\r\n");
	expect(&p, "own.dos", "x\n");
	expect(&p, ".gitattributes", "*.sh text eol=crlf\n");
	BA_AUTO_FREE char *old = at("%s/bench/old", p.written);
	assert_false(ba_fs_exists(old));
	pair_remove(&p);
}

static void with_the_same_attributes(const char *dir)
{
	with_attributes(dir);
	put(dir, "bench/a.dos", "other\n");
	put(dir, "own", "x\n");
}

TEST(equal_attributes_need_no_care)
{
	pair p = lay_over(with_attributes, with_the_same_attributes, "bench", 0);
	assert_string_equal(p.overlaid.laid, "");
	assert_string_equal(p.overlaid.own, "");
	expect(&p, "bench/a.dos", "x\r\n");
	pair_remove(&p);
}

static void attributes_in_between(const char *dir)
{
	put(dir, "a/.gitattributes", "*.x text eol=crlf\n");
	put(dir, "a/b/c/f.x", "x\n");
}

static void no_attributes_in_between(const char *dir)
{
	put(dir, "a/b/c/f.x", "mine\n");
	put(dir, "a/other.x", "x\n");
}

TEST(attributes_on_the_way_to_a_path_count)
{
	pair p = lay_over(attributes_in_between, no_attributes_in_between, "a/b/c", 0);
	expect(&p, "a/b/c/f.x", "x\r\n");
	expect(&p, "a/other.x", "x\n");
	pair_remove(&p);
}

static void filtered(const char *dir)
{
	git(dir, "config", "filter.rot.smudge", "tr a-z n-za-m");
	git(dir, "config", "filter.rot.clean", "tr a-z n-za-m");
	put(dir, ".gitattributes", "*.rot filter=rot\n");
	put(dir, "bench/f.rot", "theirs\n");
}

static void filtered_too(const char *dir)
{
	put(dir, ".gitattributes", "*.rot filter=rot\n");
	put(dir, "bench/f.rot", "mine\n");
	put(dir, "own.rot", "mine\n");
}

static void not_filtered(const char *dir)
{
	put(dir, "bench/f.rot", "mine\n");
}

/* the index that git checks out from is the tree's, and the commit's afterwards */
TEST(what_goes_through_a_filter_is_the_overlays)
{
	pair p = lay_over(filtered, filtered_too, "bench", 0);
	expect(&p, "bench/f.rot", "theirs\n");
	expect(&p, "own.rot", "mine\n");
	BA_AUTO_FREE char *status = git_says(p.written, "status", "--porcelain");
	assert_string_equal(status, " M bench/f.rot");
	pair_remove(&p);
	p = lay_over(filtered, not_filtered, "bench", 0);
	expect(&p, "bench/f.rot", "theirs\n");
	pair_remove(&p);
}

static void a_file(const char *dir)
{
	put(dir, ".gitattributes", "*.x text eol=crlf\n");
	put(dir, "bench/data/f.x", "theirs\n");
}

static void a_link_in_its_way(const char *dir)
{
	BA_AUTO_FREE char *link = at("%s/bench", dir);
	const char *argv[] = {"ln", "-s", "..", link, NULL};
	assert_int_equal(run_program(NULL, "/", argv, NULL, 0), 0);
}

TEST(nothing_is_written_through_a_link)
{
	pair p = lay_over(a_file, a_link_in_its_way, "bench/data", BA_EIO);
	BA_AUTO_FREE char *outside = at("%s/data", p.scratch);
	assert_false(ba_fs_exists(outside));
	pair_remove(&p);
}
