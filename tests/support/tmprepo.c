#include "tmprepo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <git2.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/base.h"
#include "base/strv.h"

#define AUTHOR "A U Thor"
#define AUTHOR_EMAIL "author@example.com"
#define COMMITTER "C O Mitter"
#define COMMITTER_EMAIL "committer@example.com"
#define DATE "2026-01-02T03:04:05Z"
#define DATE_SECONDS 1767323045

static void die(const char *what, const char *detail)
{
	fprintf(stderr, "tmprepo: %s: %s\n", what, detail);
	abort();
}

static void check(int rc, const ba_error *err)
{
	if (rc)
		die("cannot go on", err->text);
}

static char *home;

static void remove_home(void)
{
	tmp_remove(home);
}

int tmprepo_isolate(void **state)
{
	(void)state;
	static const char *const unset[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
		"GIT_OBJECT_DIRECTORY", "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME",
		"GIT_CEILING_DIRECTORIES", "GIT_CONFIG_COUNT"};
	static const char *const set[][2] = {
		{"GIT_CONFIG_NOSYSTEM", "1"},
		{"GIT_AUTHOR_NAME", AUTHOR},
		{"GIT_AUTHOR_EMAIL", AUTHOR_EMAIL},
		{"GIT_COMMITTER_NAME", COMMITTER},
		{"GIT_COMMITTER_EMAIL", COMMITTER_EMAIL},
		{"GIT_AUTHOR_DATE", DATE},
		{"GIT_COMMITTER_DATE", DATE},
		{"LC_ALL", "C"},
	};
	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	for (size_t i = 0; i < sizeof(set) / sizeof(set[0]); i++)
		setenv(set[i][0], set[i][1], 1);
	home = tmp_make();
	setenv("HOME", home, 1);
	put(home, ".gitconfig",
		"[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = "
		"always\n[maintenance]\n\tauto = false\n");
	/* tests that give up root still read it */
	if (chmod(home, 0755))
		die(home, strerror(errno));
	return atexit(remove_home);
}

/* Memory where there is enough: thousands of small files come and go, which some disks
 * take very slowly. Tests put hooks there, so programs must be allowed to run. */
static const char *place(void)
{
	const char *asked = getenv("TMPDIR");
	struct statvfs fs;
	if (asked && asked[0] == '/')
		return asked;
	if (access("/dev/shm", W_OK) == 0 && statvfs("/dev/shm", &fs) == 0 &&
		!(fs.f_flag & ST_NOEXEC) && fs.f_bavail * fs.f_frsize > (256u << 20))
		return "/dev/shm";
	return "/tmp";
}

char *tmp_make(void)
{
	BA_AUTO_FREE char *path = ba_xprintf("%s/ba-test-XXXXXX", place());
	if (!mkdtemp(path))
		die("mkdtemp", strerror(errno));
	char *resolved = realpath(path, NULL);
	if (!resolved)
		die(path, strerror(errno));
	return resolved;
}

void tmp_remove(char *dir)
{
	ba_error err;
	if (dir && ba_fs_remove_tree(dir, &err))
		fprintf(stderr, "tmprepo: %s\n", err.text);
	free(dir);
}

char *at(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *path = ba_xvprintf(fmt, ap);
	va_end(ap);
	return path;
}

/* Both streams go to a file that is read afterwards, as does the input: nothing can
 * block on a full pipe. */
static int temporary_file(const void *data, size_t size)
{
	char name[] = "/tmp/ba-test-stream-XXXXXX";
	int fd = mkstemp(name);
	if (fd < 0)
		die("mkstemp", strerror(errno));
	unlink(name);
	if (ba_fs_write_all(fd, data, size) || lseek(fd, 0, SEEK_SET))
		die("temporary file", strerror(errno));
	return fd;
}

static char *read_back(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = ba_xcalloc(1, (size_t)size + 1);
	if (pread(fd, text, (size_t)size, 0) != size)
		die("temporary file", strerror(errno));
	return text;
}

int run_program(
	char **output, const char *dir, const char *const *argv, const void *input, size_t size)
{
	BA_AUTO_FD int in = temporary_file(input, size);
	BA_AUTO_FD int out = temporary_file(NULL, 0);
	int status;
	pid_t pid = fork();
	if (pid < 0)
		die("fork", strerror(errno));
	if (pid == 0) {
		if (chdir(dir) || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
			_exit(126);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("waitpid", strerror(errno));
	if (output)
		*output = read_back(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool have_program(const char *name)
{
	const char *argv[] = {name, "--version", NULL};
	return run_program(NULL, "/", argv, NULL, 0) == 0;
}

static char *run_git_list(const char *dir, const char *first, va_list ap)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	char *output = NULL;
	ba_strv_push(&argv, "git");
	for (const char *arg = first; arg; arg = va_arg(ap, const char *))
		ba_strv_push(&argv, arg);
	if (run_program(&output, dir, (const char *const *)argv.items, NULL, 0)) {
		BA_AUTO_FREE char *line = ba_strv_join(&argv, " ");
		die(line, output);
	}
	size_t n = strlen(output);
	if (n > 0 && output[n - 1] == '\n')
		output[n - 1] = '\0';
	return output;
}

char *git_out(const char *dir, const char *first, ...)
{
	va_list ap;
	va_start(ap, first);
	char *output = run_git_list(dir, first, ap);
	va_end(ap);
	return output;
}

void git_run(const char *dir, const char *first, ...)
{
	va_list ap;
	va_start(ap, first);
	free(run_git_list(dir, first, ap));
	va_end(ap);
}

void put_bytes(const char *dir, const char *path, const void *data, size_t size)
{
	ba_error err;
	BA_AUTO_FREE char *file = ba_path_join(dir, path);
	BA_AUTO_FREE char *parent = ba_path_dir(file);
	check(ba_fs_mkdirs(parent, &err), &err);
	check(ba_fs_write(file, data, size, 0644, &err), &err);
}

void put(const char *dir, const char *path, const char *text)
{
	put_bytes(dir, path, text, strlen(text));
}

char *slurp(const char *dir, const char *path)
{
	ba_error err;
	ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *file = ba_path_join(dir, path);
	check(ba_fs_read(&text, file, 1u << 30, &err), &err);
	return ba_buf_detach(&text);
}

void commit_all(const char *dir, const char *message)
{
	git(dir, "add", "-A");
	git(dir, "commit", "-q", "--allow-empty", "-m", message);
}

static void check_git(int rc)
{
	if (rc < 0)
		die("libgit2", git_error_last()->message);
}

static git_signature *signature_of(const char *name, const char *email)
{
	git_signature *who;
	check_git(git_signature_new(&who, name, email, DATE_SECONDS, 0));
	return who;
}

/* two programs would take ten times as long, and some tests have hundreds of commits */
void commit_tagged(const char *dir, const char *name)
{
	static bool started;
	git_repository *repo;
	git_index *index;
	git_tree *tree;
	git_commit *parent = NULL;
	git_oid id;
	BA_AUTO_FREE char *merging = at("%s/.git/MERGE_HEAD", dir);
	char hex[GIT_OID_HEXSZ + 1];
	if (ba_fs_exists(merging)) {
		commit_all(dir, name);
		git(dir, "tag", name);
		return;
	}
	/* not each time: it reads all certificates of the system */
	if (!started)
		git_libgit2_init();
	started = true;
	check_git(git_repository_open(&repo, dir));
	check_git(git_repository_index(&index, repo));
	check_git(git_index_add_all(index, NULL, 0, NULL, NULL));
	check_git(git_index_write(index));
	check_git(git_index_write_tree(&id, index));
	check_git(git_tree_lookup(&tree, repo, &id));
	if (git_reference_name_to_id(&id, repo, "HEAD") == 0)
		check_git(git_commit_lookup(&parent, repo, &id));
	git_signature *author = signature_of(AUTHOR, AUTHOR_EMAIL);
	git_signature *committer = signature_of(COMMITTER, COMMITTER_EMAIL);
	BA_AUTO_FREE char *message = at("%s\n", name);
	check_git(git_commit_create(&id, repo, "HEAD", author, committer, NULL, message, tree,
		parent != NULL, (const git_commit **)&parent));
	BA_AUTO_FREE char *tag = at(".git/refs/tags/%s", name);
	put(dir, tag, git_oid_tostr(hex, sizeof(hex), &id));
	git_signature_free(committer);
	git_signature_free(author);
	git_commit_free(parent);
	git_tree_free(tree);
	git_index_free(index);
	git_repository_free(repo);
}

char *repo_make(void)
{
	char *dir = tmp_make();
	git(dir, "init", "-q");
	put(dir, "a.txt", "one\n");
	commit_all(dir, "first");
	return dir;
}

static void describe_entry(
	ba_strv *lines, const char *path, const char *relative, const struct stat *st)
{
	char detail[4096] = "";
	char kind = S_ISLNK(st->st_mode) ? 'l' : S_ISDIR(st->st_mode) ? 'd' : 'f';
	ba_error err;
	if (kind == 'l') {
		ssize_t n = readlink(path, detail, sizeof(detail) - 1);
		detail[n < 0 ? 0 : n] = '\0';
	} else if (kind == 'f') {
		char sha256[65];
		check(ba_sha256_file(sha256, path, &err), &err);
		memcpy(detail, sha256, sizeof(sha256));
	}
	ba_strv_push_take(lines, ba_xprintf("%s\t%c%03o %s", relative, kind,
					 kind == 'l' ? 0 : (unsigned)st->st_mode & 0777, detail));
}

static void describe_dir(ba_strv *lines, const char *dir, const char *prefix, bool with_git)
{
	DIR *handle = opendir(dir);
	struct dirent *entry;
	if (!handle)
		die(dir, strerror(errno));
	while ((entry = readdir(handle))) {
		const char *name = entry->d_name;
		struct stat st;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (!with_git && strcmp(name, ".git") == 0)
			continue;
		BA_AUTO_FREE char *path = ba_path_join(dir, name);
		BA_AUTO_FREE char *relative = ba_path_join(prefix, name);
		if (lstat(path, &st))
			die(path, strerror(errno));
		describe_entry(lines, path, relative, &st);
		if (S_ISDIR(st.st_mode))
			describe_dir(lines, path, relative, with_git);
	}
	closedir(handle);
}

char *manifest(const char *dir, bool with_git)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	describe_dir(&lines, dir, "", with_git);
	if (lines.count == 0)
		return ba_xstrdup("");
	ba_strv_sort(&lines);
	return ba_strv_join(&lines, "\n");
}

int run_git_for_tests(void *data, const char *const *argv, const char *cwd, const void *input,
	size_t size, ba_error *err)
{
	BA_AUTO_FREE char *output = NULL;
	int *calls = data;
	if (calls)
		++*calls;
	int status = run_program(&output, cwd, argv, input, size);
	if (status == 127)
		return ba_fail(err, BA_ENOTFOUND, "there is no program '%s'", argv[0]);
	return status ? ba_fail(err, BA_EIO, "%s: %s", argv[0], output) : 0;
}
