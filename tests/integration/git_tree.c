#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "as_git.h"

TEST_GROUP(tmprepo_isolate, NULL);

#define NEEDS_GIT ((ba_tree_request){.run_git = run_git_for_tests})

static void make_executable(const char *dir, const char *name)
{
	BA_AUTO_FREE char *path = at("%s/%s", dir, name);
	assert_int_equal(chmod(path, 0755), 0);
}

static void make_link(const char *dir, const char *name, const char *target)
{
	BA_AUTO_FREE char *path = at("%s/%s", dir, name);
	assert_int_equal(symlink(target, path), 0);
}

static void put_long_path(const char *dir)
{
	BA_AUTO(ba_buf) ba_buf path = BA_BUF_INIT;
	for (int i = 0; i < 4; i++) {
		ba_buf_pad(&path, (char)('a' + i), 100);
		ba_buf_putc(&path, '/');
	}
	ba_buf_puts(&path, "end");
	put(dir, path.data, "far\n");
}

/* names, modes, links and attributes that have broken such tools before */
static char *nasty(void)
{
	char *dir = repo_make();
	put(dir, "!first", "a\nb\n"); /* sorts before .gitattributes */
	put(dir, ".gitattributes",
		"*.crlf text eol=crlf\n?first text eol=crlf\n*.id ident\n*.bin -text\n"
		"*.u16 text working-tree-encoding=UTF-16LE-BOM\n"
		"[attr]dos text eol=crlf\n*.mac dos\n/rooted eol=crlf text\n"
		"whole/** text eol=crlf\nclass.[ab] eol=crlf text\n"
		"esc\\aped eol=crlf text\n\twith-tab\teol=crlf\ttext\r\n"
		"\"quo ted \\303\\251*\" text eol=crlf\n"
		"* text=auto\n*.auto text=auto eol=crlf\n");
	put(dir, "quo ted \xc3\xa9!", "a\nb\n");
	put(dir, "x.mac", "a\nb\n");
	put(dir, "rooted", "a\nb\n");
	put(dir, "sub/rooted", "a\nb\n");
	put(dir, "whole/of/it", "a\nb\n");
	put(dir, "class.a", "a\nb\n");
	put(dir, "class.c", "a\nb\n");
	put(dir, "escaped", "a\nb\n");
	put(dir, "with-tab", "a\nb\n");
	put(dir, "x.auto", "a\nb\n");
	put_bytes(dir, "binary.auto", "a\n\0b\n", 5);
	put(dir, "x.crlf", "a\nb\n");
	put(dir, "x.id", "$Id$\nrest\n");
	put(dir, "x.bin", "a\r\nb\n");
	put_bytes(dir, "text.u16",
		"\xff\xfe"
		"a\0\n\0",
		6);
	put(dir, "sub/.gitattributes", "*.crlf text eol=lf\n*.up eol=crlf text\n");
	put(dir, "sub/x.crlf", "a\nb\n");
	put(dir, "sub/x.up", "a\nb\n");
	put(dir, "self/.gitattributes", "* text eol=crlf\n");
	put(dir, "self/x", "a\nb\n");
	put(dir, "with space/and\nnewline", "n\n");
	put(dir, "quote\"back\\slash", "q\n");
	put(dir, "-leading-dash", "d\n");
	put(dir, "latin\xe9", "not UTF-8\n");
	put(dir, "\xc3\xa9t\xc3\xa9", "UTF-8\n");
	put(dir, "empty", "");
	put(dir, "run.sh", "#!/bin/sh\n");
	put(dir, ".gitignore", "ignored\n");
	put(dir, ".github/x", "y\n");
	put(dir, "a/b", "1\n");
	put(dir, "a-b", "sorts between\n");
	put(dir, "a.b", "and here\n");
	make_executable(dir, "run.sh");
	make_link(dir, "good-link", "a.txt");
	make_link(dir, "dangling", "no/such/place");
	make_link(dir, "absolute", "/etc/passwd");
	make_link(dir, "escaping", "../../..");
	make_link(dir, "dir-link", "sub");
	put_long_path(dir);
	commit_all(dir, "nasty");
	return dir;
}

TEST(a_nasty_tree_comes_out_as_git_writes_it)
{
	char *dir = nasty();
	expect_as_git(dir, "HEAD");
	expect_as_git(dir, "HEAD~");
	tmp_remove(dir);
}

TEST(a_file_no_pattern_can_match_is_not_looked_up_and_still_right)
{
	char *dir = repo_make();
	put(dir, ".gitattributes",
		"*.crlf text eol=crlf\n/rooted text eol=crlf\nesc\\aped eol=crlf text\n"
		"a/?.mid text eol=crlf\n*.id ident\n\tblank\teol=crlf\ttext\r\n");
	static const char *const names[] = {"x.crlf", "d/x.crlf", "x.CRLF", "rooted", "d/rooted",
		"escaped", "a/b.mid", "a/bb.mid", "b.mid", "x.id", "blank", "d/blank", "plain"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		put(dir, names[i], "a\n$Id$\n");
	put(dir, "d/.gitattributes", "*.txt eol=crlf\n");
	put(dir, "d/x.txt", "a\n");
	commit_all(dir, "narrow");
	expect_as_git(dir, "HEAD");
	tmp_remove(dir);
}

TEST(attributes_come_from_the_ref_not_from_the_main_checkout)
{
	char *dir = nasty();
	git(dir, "checkout", "-q", "-b", "other");
	git(dir, "rm", "-q", "--cached", "-r", ".");
	put(dir, ".gitattributes", "*.crlf -text\n*.bin text eol=crlf\n");
	put(dir, "sub/.gitattributes", "*.crlf text eol=crlf\n");
	commit_all(dir, "the same files under other attributes");
	expect_as_git(dir, "main");
	expect_as_git(dir, "other");
	git(dir, "checkout", "-q", "-f", "main");
	expect_as_git(dir, "other");
	tmp_remove(dir);
}

TEST(the_users_autocrlf_and_info_attributes_are_honoured)
{
	char *dir = repo_make();
	put(dir, "plain", "a\nb\n");
	put(dir, "special.q", "a\nb\n");
	commit_all(dir, "text");
	git(dir, "config", "core.autocrlf", "true");
	expect_as_git(dir, "HEAD");
	git(dir, "config", "core.autocrlf", "false");
	put(dir, ".git/info/attributes", "*.q text eol=crlf\n");
	expect_as_git(dir, "HEAD");
	char *ours = tmp_make();
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *text = slurp(ours, "special.q");
	assert_string_equal(text, "a\r\nb\r\n");
	tmp_remove(ours);
	tmp_remove(dir);
}

TEST(a_conditional_include_counts_as_in_the_users_repository)
{
	char *dir = repo_make();
	char *conf = tmp_make();
	put(conf, "crlf.inc", "[core]\n\tautocrlf = true\n");
	BA_AUTO_FREE char *key = at("includeIf.gitdir:%s/.path", dir);
	BA_AUTO_FREE char *value = at("%s/crlf.inc", conf);
	git(dir, "config", "--global", key, value);
	char *ours = tmp_make();
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *text = slurp(ours, "a.txt");
	assert_string_equal(text, "one\r\n");
	git(dir, "config", "--global", "--unset", key);
	tmp_remove(ours);
	tmp_remove(conf);
	tmp_remove(dir);
}

TEST(a_negative_attribute_pattern_is_ignored_as_git_does)
{
	char *dir = repo_make();
	put(dir, ".gitattributes", "!none text eol=crlf\n  !other text eol=crlf\n*.q -text\n");
	put(dir, "self/.gitattributes", "!none text eol=crlf\n* text eol=crlf\n");
	put(dir, "self/x", "x\n");
	commit_all(dir, "negative");
	char *ours = tmp_make();
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *plain = slurp(ours, "a.txt");
	BA_AUTO_FREE char *top = slurp(ours, ".gitattributes");
	BA_AUTO_FREE char *self = slurp(ours, "self/.gitattributes");
	assert_string_equal(plain, "one\n");
	assert_has(top, "!none text eol=crlf\n  !other");
	assert_has(self, "!none text eol=crlf\r\n");
	tmp_remove(ours);
	expect_as_git(dir, "HEAD~");
	tmp_remove(dir);
}

TEST(files_links_and_folders_change_into_each_other)
{
	char *dir = repo_make();
	put(dir, "x", "file\n");
	put(dir, "y/in", "folder\n");
	make_link(dir, "z", "x");
	commit_all(dir, "one way");
	git(dir, "rm", "-q", "-r", "x", "y", "z");
	make_link(dir, "x", "a.txt");
	put(dir, "y", "file\n");
	put(dir, "z/in", "folder\n");
	commit_all(dir, "the other way");
	expect_as_git(dir, "HEAD~");
	expect_as_git(dir, "HEAD");
	tmp_remove(dir);
}

TEST(describe_and_rev_parse_answer_as_in_a_checkout)
{
	char *dir = repo_make();
	git(dir, "tag", "-a", "v1.0", "-m", "release");
	put(dir, "b", "b\n");
	commit_all(dir, "next");
	git(dir, "tag", "light");
	git(dir, "update-ref", "refs/remotes/origin/main", "HEAD");
	git(dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
	git(dir, "pack-refs", "--all");
	git(dir, "branch", "loose");
	git(dir, "config", "remote.origin.url", "https://example.com/x.git");
	put(dir, "c", "c\n");
	commit_all(dir, "later");
	static const char *const questions[][4] = {
		{"describe", NULL},
		{"describe", "--tags", "--always"},
		{"describe", "--all", NULL},
		{"rev-parse", "HEAD", NULL},
		{"rev-parse", "loose", NULL},
		{"rev-parse", "origin", NULL},
		{"rev-list", "--count", "HEAD"},
		{"log", "-1", "--format=%H %s"},
		{"show-ref", NULL},
		{"config", "remote.origin.url", NULL},
	};
	char *scratch = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	BA_AUTO_FREE char *theirs = at("%s/theirs", scratch);
	materialise(dir, "HEAD~", ours);
	git(dir, "worktree", "add", "-q", "--detach", theirs, "HEAD~");
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		const char *const *q = questions[i];
		BA_AUTO_FREE char *a = git_says(ours, q[0], q[1], q[1] ? q[2] : NULL);
		BA_AUTO_FREE char *b = git_says(theirs, q[0], q[1], q[1] ? q[2] : NULL);
		expect_text(a, b);
	}
	BA_AUTO_FREE char *top = git_says(ours, "rev-parse", "--show-toplevel");
	assert_string_equal(top, ours);
	/* a build may commit, tag and clean up: nothing of it reaches the user */
	BA_AUTO_FREE char *before = manifest(dir, true);
	put(ours, "new", "n\n");
	commit_all(ours, "by a build");
	git(ours, "tag", "built");
	git(ours, "gc", "-q", "--prune=now");
	BA_AUTO_FREE char *after = manifest(dir, true);
	expect_text(before, after);
	tmp_remove(scratch);
	tmp_remove(dir);
}

TEST(works_from_a_bare_repository)
{
	char *dir = nasty();
	char *scratch = tmp_make();
	BA_AUTO_FREE char *bare = at("%s/bare.git", scratch);
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	git(dir, "clone", "-q", "--bare", dir, bare);
	BA_AUTO_FREE char *before = manifest(bare, true);
	materialise(bare, "HEAD", ours);
	BA_AUTO_FREE char *after = manifest(bare, true);
	BA_AUTO_FREE char *a = manifest(ours, false);
	BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
	expect_text(before, after);
	assert_string_equal(status, "");
	assert_has(a, "x.crlf");
	tmp_remove(scratch);
	tmp_remove(dir);
}

TEST(works_from_a_linked_worktree_inside_the_repository)
{
	char *dir = repo_make();
	char *scratch = tmp_make();
	BA_AUTO_FREE char *linked = at("%s/inner", dir);
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	put(dir, "b", "b\n");
	commit_all(dir, "second");
	git(dir, "worktree", "add", "-q", "--detach", linked, "HEAD~");
	BA_AUTO_FREE char *before = manifest(dir, true);
	materialise(linked, "HEAD", ours);
	BA_AUTO_FREE char *after = manifest(dir, true);
	BA_AUTO_FREE char *a = git_says(ours, "rev-parse", "HEAD");
	BA_AUTO_FREE char *b = git_says(linked, "rev-parse", "HEAD");
	expect_text(a, b);
	expect_text(before, after);
	tmp_remove(scratch);
	tmp_remove(dir);
}

TEST(worktree_configuration_of_a_sparse_checkout_does_not_hide_files)
{
	char *dir = repo_make();
	char *ours = tmp_make();
	put(dir, "in/x", "x\n");
	put(dir, "out/y", "y\n");
	commit_all(dir, "two folders");
	git(dir, "sparse-checkout", "set", "in");
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
	BA_AUTO_FREE char *y = slurp(ours, "out/y");
	BA_AUTO_FREE char *sparse = git_says(ours, "config", "core.sparseCheckout");
	assert_string_equal(sparse, "false");
	assert_string_equal(status, "");
	assert_string_equal(y, "y\n");
	tmp_remove(ours);
	tmp_remove(dir);
}

TEST(works_from_a_shallow_clone)
{
	char *dir = repo_make();
	char *scratch = tmp_make();
	BA_AUTO_FREE char *url = at("file://%s", dir);
	BA_AUTO_FREE char *clone = at("%s/clone", scratch);
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	put(dir, "b", "b\n");
	commit_all(dir, "second");
	git(dir, "clone", "-q", "--depth=1", url, clone);
	materialise(clone, "HEAD", ours);
	BA_AUTO_FREE char *count = git_says(ours, "rev-list", "--count", "HEAD");
	assert_string_equal(count, "1");
	tmp_remove(scratch);
	tmp_remove(dir);
}

/* Root may write anywhere, so the repository is made another user's and read as nobody.
 */
TEST(works_from_a_repository_that_cannot_be_written)
{
	char *dir = nasty();
	char *scratch = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	const char *lock[] = {"chmod", "-R", "a-w", dir, NULL};
	const char *unlock[] = {"chmod", "-R", "u+w", dir, NULL};
	assert_int_equal(run_program(NULL, "/", lock, NULL, 0), 0);
	BA_AUTO_FREE char *before = manifest(dir, true);
	if (geteuid() == 0) {
		const char *give[] = {"chown", "-R", "65534", dir, scratch, NULL};
		assert_int_equal(run_program(NULL, "/", give, NULL, 0), 0);
		assert_int_equal(seteuid(65534), 0);
	}
	materialise(dir, "HEAD", ours);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	BA_AUTO_FREE char *after = manifest(dir, true);
	BA_AUTO_FREE char *a = manifest(ours, false);
	expect_text(before, after);
	assert_has(a, "x.crlf");
	assert_int_equal(run_program(NULL, "/", unlock, NULL, 0), 0);
	tmp_remove(scratch);
	tmp_remove(dir);
}

TEST(the_users_hooks_do_not_run)
{
	char *dir = nasty(); /* working-tree-encoding makes git itself run too */
	char *ours = tmp_make();
	BA_AUTO_FREE char *trace = at("%s/ran", dir);
	BA_AUTO_FREE char *hook = at("#!/bin/sh\ntouch '%s'\n", trace);
	static const char *const names[] = {
		".git/hooks/post-checkout", ".git/hooks/post-index-change"};
	for (size_t i = 0; i < 2; i++) {
		put(dir, names[i], hook);
		make_executable(dir, names[i]);
	}
	materialise(dir, "HEAD", ours);
	assert_false(ba_fs_exists(trace));
	/* nor do those of a directory the configuration names */
	char *again = tmp_make();
	BA_AUTO_FREE char *hooks = at("%s/.git/hooks", dir);
	git(dir, "config", "core.hooksPath", hooks);
	materialise(dir, "HEAD", again);
	assert_false(ba_fs_exists(trace));
	tmp_remove(again);
	/* the trap works */
	git(dir, "checkout", "-q", "HEAD~");
	assert_true(ba_fs_exists(trace));
	tmp_remove(ours);
	tmp_remove(dir);
}

static void refuse_tree(const char *dir, const ba_buf *entries)
{
	char tree[65];
	char *scratch = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	BA_AUTO_FREE char *outside = at("%s/pwned", scratch);
	ba_error err = {0};
	put_raw_tree(dir, entries->data, entries->len, tree);
	BA_AUTO_FREE char *commit = git_says(dir, "commit-tree", "-m", "hostile", tree);
	assert_int_equal(materialise_with(NEEDS_GIT, dir, commit, ours, &err), BA_EDATA);
	assert_false(ba_fs_exists(outside));
	BA_AUTO_FREE char *config = slurp(ours, ".git/config");
	assert_null(strstr(config, "hostile"));
	tmp_remove(scratch);
}

TEST(hostile_trees_are_refused)
{
	char *dir = repo_make();
	put(dir, "evil", "[core]\n\tfsmonitor = hostile\n");
	put(dir, "up", "..");
	BA_AUTO_FREE char *evil = git_says(dir, "hash-object", "-w", "evil");
	BA_AUTO_FREE char *up = git_says(dir, "hash-object", "-w", "up");
	BA_AUTO(ba_buf) ba_buf inner = BA_BUF_INIT;
	char folder[65];
	raw_entry(&inner, "100644", "config", evil);
	raw_entry(&inner, "100644", "pwned", evil);
	put_raw_tree(dir, inner.data, inner.len, folder);
	static const char *const names[] = {".git", ".GIT", ".Git", "git~1", ".git ", "..", ".",
		".git.", ".git::$INDEX_ALLOCATION"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		BA_AUTO(ba_buf) ba_buf tree = BA_BUF_INIT;
		raw_entry(&tree, "40000", names[i], folder);
		refuse_tree(dir, &tree);
	}
	/* a link and a folder of one name: the folder's files would go through the link
	 */
	BA_AUTO(ba_buf) ba_buf twice = BA_BUF_INIT;
	raw_entry(&twice, "120000", "d", up);
	raw_entry(&twice, "40000", "d", folder);
	refuse_tree(dir, &twice);
	/* a link where git reads a configuration */
	BA_AUTO(ba_buf) ba_buf modules = BA_BUF_INIT;
	raw_entry(&modules, "120000", ".gitmodules", up);
	refuse_tree(dir, &modules);
	tmp_remove(dir);
}

TEST(a_linked_attribute_file_is_not_followed)
{
	char *dir = repo_make();
	char *ours = tmp_make();
	char *outside = tmp_make();
	put(outside, "attributes", "* text eol=crlf\n");
	BA_AUTO_FREE char *target = at("%s/attributes", outside);
	make_link(dir, ".gitattributes", target);
	commit_all(dir, "link");
	materialise(dir, "HEAD", ours);
	BA_AUTO_FREE char *text = slurp(ours, "a.txt");
	assert_string_equal(text, "one\n");
	tmp_remove(outside);
	tmp_remove(ours);
	tmp_remove(dir);
}

static bool after_a_few(void *data)
{
	return ++*(int *)data > 3;
}

static char *wide(int files)
{
	char *dir = repo_make();
	for (int i = 0; i < files; i++) {
		BA_AUTO_FREE char *path = at("d%d/f%d.c", i % 37, i);
		put(dir, path, path);
	}
	commit_all(dir, "wide");
	return dir;
}

TEST(a_wish_to_stop_is_heard)
{
	char *dir = wide(600);
	char *ours = tmp_make();
	int asked = 0;
	ba_error err = {0};
	ba_tree_request req = {.stopped = after_a_few, .stopped_data = &asked, .threads = 1};
	assert_int_equal(materialise_with(req, dir, "HEAD", ours, &err), BA_EINTERRUPTED);
	assert_int_equal(asked, 4);
	tmp_remove(ours);
	tmp_remove(dir);
}

TEST(several_threads_write_what_one_writes)
{
	char *dir = wide(900);
	put(dir, ".gitattributes", "*.c text eol=crlf ident\n");
	commit_all(dir, "attributes");
	BA_AUTO_FREE char *first = NULL;
	for (unsigned threads = 1; threads <= 4; threads++) {
		char *ours = tmp_make();
		ba_error err = {0};
		ba_tree_request req = {.threads = threads};
		assert_int_equal(materialise_with(req, dir, "HEAD", ours, &err), 0);
		BA_AUTO_FREE char *m = manifest(ours, false);
		BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
		assert_string_equal(status, "");
		if (first)
			expect_text(m, first);
		else
			first = BA_TAKE(m);
		tmp_remove(ours);
	}
	tmp_remove(dir);
}

struct job {
	const char *dir;
	char *dst;
	int rc;
	ba_error err;
};

static void *run_job(void *data)
{
	struct job *job = data;
	job->rc = materialise_with(
		(ba_tree_request){.threads = 2}, job->dir, "HEAD", job->dst, &job->err);
	return NULL;
}

TEST(eight_at_once_do_not_disturb_each_other)
{
	char *dir = wide(300);
	char *scratch = tmp_make();
	struct job jobs[8] = {0};
	pthread_t threads[8];
	for (int i = 0; i < 8; i++) {
		jobs[i].dir = dir;
		jobs[i].dst = at("%s/%d", scratch, i);
		assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
	}
	for (int i = 0; i < 8; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		if (jobs[i].rc)
			print_message("%s\n", jobs[i].err.text);
		assert_int_equal(jobs[i].rc, 0);
	}
	BA_AUTO_FREE char *first = manifest(jobs[0].dst, false);
	for (int i = 0; i < 8; i++) {
		BA_AUTO_FREE char *m = manifest(jobs[i].dst, false);
		expect_text(m, first);
		free(jobs[i].dst);
	}
	tmp_remove(scratch);
	tmp_remove(dir);
}

TEST(a_directory_in_use_and_a_missing_parent_are_errors)
{
	char *dir = repo_make();
	char *full = tmp_make();
	ba_error err = {0};
	put(full, "x", "x");
	assert_int_equal(materialise_with(NEEDS_GIT, dir, "HEAD", full, &err), BA_EIO);
	assert_has(err.text, "is not empty");
	assert_int_equal(
		materialise_with(NEEDS_GIT, dir, "HEAD", "/nonexistent/place/x", &err), BA_EIO);
	assert_has(err.text, "/nonexistent/place/x");
	assert_int_equal(materialise_with(NEEDS_GIT, dir, "HEAD", "relative", &err), BA_EINVAL);
	tmp_remove(full);
	tmp_remove(dir);
}

TEST(a_missing_object_names_the_file)
{
	char *dir = repo_make();
	char *ours = tmp_make();
	ba_error err = {0};
	BA_AUTO_FREE char *blob = git_says(dir, "rev-parse", "HEAD:a.txt");
	BA_AUTO_FREE char *path = at("%s/.git/objects/%.2s/%s", dir, blob, blob + 2);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(materialise_with(NEEDS_GIT, dir, "HEAD", ours, &err), BA_EUNSUPPORTED);
	assert_has(err.text, "'a.txt'");
	assert_has(err.text, blob);
	tmp_remove(ours);
	tmp_remove(dir);
}

/* a disk of a few blocks, where we may mount one */
TEST(a_full_disk_names_the_file_and_the_reason)
{
	if (geteuid() != 0)
		skip();
	char *dir = wide(400);
	char *disk = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", disk);
	const char *mount_it[] = {"mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk, NULL};
	const char *unmount[] = {"umount", disk, NULL};
	ba_error err = {0};
	if (run_program(NULL, "/", mount_it, NULL, 0)) {
		tmp_remove(disk);
		tmp_remove(dir);
		skip();
	}
	int rc = materialise_with(NEEDS_GIT, dir, "HEAD", ours, &err);
	assert_int_equal(run_program(NULL, "/", unmount, NULL, 0), 0);
	assert_int_equal(rc, BA_EIO);
	assert_has(err.text, "No space left on device");
	assert_has(err.text, ours);
	tmp_remove(disk);
	tmp_remove(dir);
}
