/* Links that lead out of the paths that somebody takes for all that counts. */
#include "test.h"

#include <unistd.h>

#include "base/mem.h"
#include "git/repo.h"
#include "tmprepo.h"

TEST_GROUP(tmprepo_isolate, NULL);

/* "" or what ba_repo_link_out says of a repository in which `from` is a link to `to` */
static char *link_out(const char *from, const char *to, const char *paths)
{
	char *dir = repo_make(), *out;
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_strv) ba_strv list = {0};
	BA_AUTO_FREE char *path = at("%s/%s", dir, from);
	ba_error err = {0};
	put(dir, "src/deep/a.h", "1\n");
	put(dir, "data/b.h", "2\n");
	assert_int_equal(symlink(to, path), 0);
	commit_all(dir, "one");
	BA_AUTO_FREE char *tree = git_says(dir, "rev-parse", "HEAD^{tree}");
	BA_AUTO_FREE char *words = ba_xstrdup(paths);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		ba_strv_push(&list, word);
	assert_int_equal(ba_repo_open(&repo, dir, &err), 0);
	assert_int_equal(ba_repo_link_out(&out, repo, tree, &list, &err), 0);
	tmp_remove(dir);
	return out ? out : ba_xstrdup("");
}

static void expect(const char *from, const char *to, const char *paths, const char *said)
{
	BA_AUTO_FREE char *out = link_out(from, to, paths);
	assert_string_equal(out, said);
}

TEST(a_link_within_the_paths_is_none)
{
	expect("src/l", "deep/a.h", "src", "");
	expect("src/l", "./deep", "src", "");
	expect("src/deep/l", "../../src/deep/a.h", "src", "");
	expect("src/l", "../data/b.h", "src data", "");
	expect("src/l", "../data/b.h", "src data/b.h", "");
	expect("src/l", "../data/b.h", ".", "");
	expect("l", "data/b.h", "src", "");
	expect("src/l", "../data/b.h", "data missing", "");
}

TEST(a_link_out_of_them_is_named)
{
	expect("src/l", "../data/b.h", "src", "'src/l' is a link to 'data/b.h'");
	expect("src/deep/l", "../../data", "src/", "'src/deep/l' is a link to 'data'");
	expect("src/l", "../data/b.h", "src/l", "'src/l' is a link to 'data/b.h'");
	expect("src/l", "../source", "src", "'src/l' is a link to 'source'");
	expect("src/l", "/etc/passwd", "src", "'src/l' is a link to '/etc/passwd'");
	expect("src/l", "../../x", ".", "'src/l' is a link to '../../x'");
}

/* the first component may be a link itself */
TEST(what_cannot_be_told_from_the_text_is_out)
{
	expect("src/l", "deep/../deep/a.h", "src", "'src/l' is a link to 'deep/../deep/a.h'");
}
