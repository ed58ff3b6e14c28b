/* Trees that are rare: what libgit2 1.5 understands otherwise than git does. */
#include "test.h"

#include "as_git.h"
#include "git/snapshot.h"
#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(tmprepo_isolate, NULL);

TEST(every_keyword_is_expanded)
{
	char *dir = repo_make();
	put(dir, ".gitattributes", "*.id ident\n*.crlf ident text eol=crlf\n");
	put(dir, "a.id", "$Id$ $Id$ and $Id: old $\n$Id$\n");
	put(dir, "b.id", "$Id: a.c 1.2 me $ $Id$ $Id: x\n$ $Id$");
	put(dir, "c.crlf", "$Id$ $Id$\n$Id$\n");
	put(dir, "d.id", "");
	put(dir, "e.id", "nothing\n");
	/* as it is: `git add` would shrink what is expanded */
	BA_AUTO_FREE char *odd = git_says(dir, "hash-object", "-w", "--no-filters", "b.id");
	BA_AUTO_FREE char *entry = at("100644,%s,b.id", odd);
	commit_all(dir, "keywords");
	git(dir, "update-index", "--cacheinfo", entry);
	git(dir, "commit", "-q", "-m", "as it is");
	expect_files_as_git(dir, "HEAD");
	tmp_remove(dir);
}

TEST(a_clean_checkout_with_many_keywords_is_clean)
{
	char *dir = repo_make();
	bool dirty = true;
	ba_error err = {0};
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	put(dir, ".gitattributes", "*.id ident\n");
	put(dir, "a.id", "$Id$ $Id$\n$Id$\n");
	commit_all(dir, "keywords");
	git(dir, "rm", "-q", "--cached", "a.id");
	git(dir, "reset", "-q", "--hard");
	git(dir, "update-index", "--refresh");
	BA_AUTO_FREE char *text = slurp(dir, "a.id");
	put(dir, "a.id", text); /* other times: it has to be read */
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_repo_is_dirty(&dirty, repo, &err), 0);
	assert_false(dirty);
	tmp_remove(dir);
}

TEST(modes_of_old_are_those_that_git_makes_of_them)
{
	static const char *const modes[] = {"100664", "100600", "100640", "100755", "100775",
		"100700", "100666", "100777", "0100644"};
	char *dir = repo_make();
	BA_AUTO(ba_buf) ba_buf tree = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf outer = BA_BUF_INIT;
	char hex[65], outer_hex[65];
	BA_AUTO_FREE char *blob = git_says(dir, "rev-parse", "HEAD:a.txt");
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		BA_AUTO_FREE char *name = at("f%zu", i);
		raw_entry(&tree, modes[i], name, blob);
	}
	put_raw_tree(dir, tree.data, tree.len, hex);
	raw_entry(&outer, "100664", "a", blob);
	raw_entry(&outer, "040000", "d", hex);
	put_raw_tree(dir, outer.data, outer.len, outer_hex);
	BA_AUTO_FREE char *commit = git_says(dir, "commit-tree", "-m", "old", outer_hex);
	expect_as_git(dir, commit);
	tmp_remove(dir);
}

TEST(long_lines_and_marks_of_attribute_files_are_read_as_git_reads_them)
{
	char *dir = repo_make();
	for (int more = -1; more <= 1; more++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_buf_puts(&text, "*.long eol=crlf");
		while (text.len < (size_t)(2048 + more))
			ba_buf_putc(&text, ' ');
		ba_buf_puts(&text, "\n*.short eol=crlf\n");
		BA_AUTO_FREE char *name = at("d%d/.gitattributes", more + 1);
		BA_AUTO_FREE char *a = at("d%d/a.long", more + 1);
		BA_AUTO_FREE char *b = at("d%d/a.short", more + 1);
		put(dir, name, text.data);
		put(dir, a, "x\n");
		put(dir, b, "x\n");
	}
	/* what follows a NUL is not read */
	static const char nul[] = "*.a eol=crlf\n*.b\0 eol=crlf\n*.c eol=crlf\n";
	put_bytes(dir, "nul/.gitattributes", nul, sizeof(nul) - 1);
	put(dir, "nul/x.a", "x\n");
	put(dir, "nul/x.b", "x\n");
	put(dir, "nul/x.c", "x\n");
	put(dir, "bom/.gitattributes", "\xef\xbb\xbf*.a eol=crlf\n*.b eol=crlf\n");
	put(dir, "bom/x.a", "x\n");
	put(dir, "bom/x.b", "x\n");
	commit_all(dir, "attributes");
	expect_files_as_git(dir, "HEAD");
	tmp_remove(dir);
}

/* What a filter program needs is not fetched behind the user's back: every program that
 * serves a fetch leaves a mark. */
TEST(a_partial_clone_fetches_nothing_for_a_filter)
{
	char *dir = repo_make();
	char *scratch = tmp_make();
	BA_AUTO_FREE char *clone = at("%s/clone", scratch);
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	BA_AUTO_FREE char *mark = at("%s/fetched", scratch);
	BA_AUTO_FREE char *url = at("file://%s", dir);
	BA_AUTO_FREE char *server = at("touch %s; git-upload-pack", mark);
	ba_error err = {0};
	put(dir, ".gitattributes", "*.rot filter=rot\n");
	put(dir, "secret.rot", "hello\n");
	commit_all(dir, "filtered");
	git(dir, "config", "uploadpack.allowFilter", "true");
	git(dir, "config", "uploadpack.allowAnySHA1InWant", "true");
	git(scratch, "clone", "-q", "--no-checkout", "--filter=blob:none", url, clone);
	git(clone, "config", "filter.rot.smudge", "tr a-z n-za-m");
	git(clone, "cat-file", "-e", "HEAD:.gitattributes");
	git(clone, "cat-file", "-e", "HEAD:a.txt");
	BA_AUTO_FREE char *blob = git_says(dir, "rev-parse", "HEAD:secret.rot");
	git(clone, "config", "remote.origin.uploadpack", server);
	ba_tree_request req = {.run_git = run_git_for_tests};
	assert_int_equal(materialise_with(req, clone, "HEAD", ours, &err), BA_EUNSUPPORTED);
	assert_has(err.text, "'secret.rot'");
	assert_has(err.text, blob);
	assert_has(err.text, "git cat-file -e");
	assert_false(ba_fs_exists(mark));
	/* the mark is one */
	git(clone, "cat-file", "-e", "HEAD:secret.rot");
	assert_true(ba_fs_exists(mark));
	tmp_remove(scratch);
	tmp_remove(dir);
}

static int resolve(ba_commit *out, const char *dir, const char *spec, ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	assert_int_equal(ba_repo_open(&repo, dir, err), 0);
	return ba_commit_resolve(out, repo, spec, err);
}

static void expect_tree(const char *dir, const char *spec)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	BA_AUTO_FREE char *tree_spec = at("%s^{tree}", spec);
	BA_AUTO_FREE char *tree = git_says(dir, "rev-parse", tree_spec);
	BA_AUTO_FREE char *commit = git_says(dir, "rev-parse", spec);
	ba_error err = {0};
	if (resolve(&c, dir, spec, &err))
		print_message("%s\n", err.text);
	assert_string_equal(c.commit, commit);
	assert_string_equal(c.tree, tree);
}

static void expect_refused(const char *dir, const char *spec, const char *why)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	ba_error err = {0};
	assert_int_equal(resolve(&c, dir, spec, &err), BA_EUNSUPPORTED);
	assert_has(err.text, why);
}

TEST(replaced_commits_are_those_that_git_reads)
{
	char *dir = repo_make();
	put(dir, "a.txt", "two\n");
	commit_all(dir, "two");
	put(dir, "a.txt", "three\n");
	commit_all(dir, "three");
	put(dir, "a.txt", "four\n");
	commit_all(dir, "four");
	BA_AUTO_FREE char *two = git_says(dir, "rev-parse", "HEAD~2");
	BA_AUTO_FREE char *three = git_says(dir, "rev-parse", "HEAD~");
	BA_AUTO_FREE char *old = git_says(dir, "rev-parse", "HEAD~2^{tree}");
	/* the same parents, another tree */
	BA_AUTO_FREE char *other = git_says(dir, "commit-tree", "-m", "instead", "-p", two, old);
	git(dir, "replace", three, other);
	expect_tree(dir, "HEAD");
	expect_tree(dir, "HEAD~");
	expect_tree(dir, "HEAD~2");
	char *ours = tmp_make();
	BA_AUTO(ba_commit) ba_commit c = {0};
	ba_error err = {0};
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_commit_resolve(&c, repo, "HEAD~", &err), 0);
	assert_int_equal(
		ba_tree_materialise(
			&(ba_tree_request){
				.repo = repo, .commit = c.commit, .tree = c.tree, .dir = ours},
			&err),
		0);
	BA_AUTO_FREE char *text = slurp(ours, "a.txt");
	BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
	assert_string_equal(text, "two\n");
	assert_string_equal(status, "");
	tmp_remove(ours);
	/* unless they are not wanted */
	git(dir, "config", "core.useReplaceRefs", "false");
	expect_tree(dir, "HEAD~");
	git(dir, "config", "core.useReplaceRefs", "true");
	/* other parents */
	git(dir, "replace", "-d", three);
	git(dir, "replace", "--graft", three);
	expect_tree(dir, "HEAD");
	expect_tree(dir, "HEAD~");
	expect_refused(dir, "HEAD~2", "whose parents refs/replace changes");
	tmp_remove(dir);
}

TEST(replaced_content_is_refused_by_name)
{
	char *dir = repo_make();
	put(dir, "d/f", "one\n");
	put(dir, "other", "two\n");
	commit_all(dir, "files");
	BA_AUTO_FREE char *from = git_says(dir, "rev-parse", "HEAD:d/f");
	BA_AUTO_FREE char *to = git_says(dir, "rev-parse", "HEAD:other");
	git(dir, "replace", from, to);
	expect_refused(dir, "HEAD", "refs/replace gives 'a.txt' another content");
	tmp_remove(dir);
}
