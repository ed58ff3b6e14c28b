/* A file is the old one or all of the new one. */
#include "test.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "base/replace.h"

typedef struct folder {
	char dir[32];
	char *path;
} folder;

static void folder_dispose(folder *f)
{
	ba_fs_remove_tree(f->dir, NULL);
	free(f->path);
}
BA_DEFINE_AUTO(folder, folder_dispose)

static folder folder_with(const char *content)
{
	folder f = {.dir = "/tmp/ba_replace_XXXXXX"};
	assert_non_null(mkdtemp(f.dir));
	f.path = ba_path_join(f.dir, "f");
	assert_int_equal(ba_fs_write(f.path, content, strlen(content), 0600, NULL), 0);
	return f;
}

static void assert_holds(const folder *f, const char *content)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	uint64_t bytes;
	assert_int_equal(ba_fs_read(&text, f->path, 1 << 20, NULL), 0);
	assert_string_equal(text.data, content);
	/* and nothing is left beside it */
	assert_int_equal(ba_fs_tree_bytes(&bytes, f->dir), 0);
	assert_in_range(bytes, 0, 16384);
}

TEST(a_commit_puts_the_new_in_place_of_the_old)
{
	BA_AUTO(folder) folder f = folder_with("old");
	BA_AUTO(ba_replacement) ba_replacement r = {0};
	assert_int_equal(ba_replacement_open(&r, f.path, NULL), 0);
	fputs("new ", r.file);
	fflush(r.file);
	assert_holds(&f, "old");
	fputs("content", r.file);
	assert_int_equal(ba_replacement_commit(&r, NULL), 0);
	assert_holds(&f, "new content");
}

TEST(without_a_commit_the_old_stays)
{
	BA_AUTO(folder) folder f = folder_with("old");
	ba_replacement r = {0};
	assert_int_equal(ba_replacement_open(&r, f.path, NULL), 0);
	BA_AUTO_FREE char *temporary = ba_xstrdup(r.temporary);
	fputs("new", r.file);
	assert_true(ba_fs_exists(temporary));
	ba_replacement_dispose(&r);
	assert_false(ba_fs_exists(temporary));
	assert_holds(&f, "old");
}

/* This program again, with two arguments: it opens a file and ends in the middle of it,
 * as it does where memory runs out. */
static void leave(int status, void *data)
{
	(void)data;
	_exit(status); /* before leaks are looked for */
}

static void end_in_the_middle(const char *path)
{
	ba_replacement r = {0};
	int status;
	on_exit(leave, NULL);
	if (ba_replacement_open(&r, path, NULL))
		exit(1);
	pid_t pid = fork();
	if (pid == 0)
		exit(0);
	/* the file is this process's, and still there when a child of it has ended */
	if (waitpid(pid, &status, 0) != pid || !ba_fs_exists(r.temporary))
		exit(2);
	fputs("half", r.file);
	exit(125);
}

TEST(exit_removes_what_was_not_committed)
{
	int status;
	BA_AUTO(folder) folder f = folder_with("old");
	pid_t pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", "test_base_replace", "end", f.path, NULL);
		_exit(3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 125);
	assert_holds(&f, "old");
	assert_int_equal(unlink(f.path), 0);
	assert_int_equal(rmdir(f.dir), 0); /* there was nothing else */
}

TEST(a_link_stays_one)
{
	struct stat st;
	BA_AUTO(folder) folder f = folder_with("old");
	BA_AUTO_FREE char *link = ba_path_join(f.dir, "link");
	assert_int_equal(symlink("f", link), 0);
	assert_int_equal(ba_fs_write_atomic(link, "new", 3, NULL), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_holds(&f, "new");
}

/* Names that were to be guessed: that of this process, and those of many others. */
TEST(a_link_that_was_planted_for_us_is_not_written_through)
{
	BA_AUTO(folder) folder f = folder_with("old");
	BA_AUTO_FREE char *victim = ba_path_join(f.dir, "victim");
	BA_AUTO_FREE char *planted = ba_xprintf("%s.tmp-%ld", f.path, (long)getpid());
	assert_int_equal(ba_fs_write(victim, "precious", 8, 0600, NULL), 0);
	assert_int_equal(symlink("victim", planted), 0);
	assert_int_equal(ba_fs_write_atomic(f.path, "new", 3, NULL), 0);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, victim, 100, NULL), 0);
	assert_string_equal(text.data, "precious");
	assert_int_equal(unlink(planted), 0);
	assert_holds(&f, "new");
}

TEST(temporary_names_are_never_the_same)
{
	BA_AUTO(folder) folder f = folder_with("old");
	BA_AUTO(ba_replacement) ba_replacement a = {0}, b = {0};
	assert_int_equal(ba_replacement_open(&a, f.path, NULL), 0);
	assert_int_equal(ba_replacement_open(&b, f.path, NULL), 0);
	assert_string_not_equal(a.temporary, b.temporary);
	fputs("first", a.file);
	fputs("second", b.file);
	assert_int_equal(ba_replacement_commit(&a, NULL), 0);
	assert_int_equal(ba_replacement_commit(&b, NULL), 0);
	assert_holds(&f, "second");
}

TEST(permissions_stay_what_they_were)
{
	static const mode_t modes[] = {0600, 0640, 0644, 0755, 0400};
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		BA_AUTO(folder) folder f = folder_with("old");
		struct stat st;
		assert_int_equal(chmod(f.path, modes[i]), 0);
		assert_int_equal(ba_fs_write_atomic(f.path, "new", 3, NULL), 0);
		assert_int_equal(stat(f.path, &st), 0);
		assert_int_equal(st.st_mode & 07777, modes[i]);
	}
}

TEST(a_new_file_has_the_permissions_of_the_umask)
{
	BA_AUTO(folder) folder f = folder_with("old");
	BA_AUTO_FREE char *path = ba_path_join(f.dir, "new");
	struct stat st;
	mode_t mask = umask(027);
	int rc = ba_fs_write_atomic(path, "new", 3, NULL);
	umask(mask);
	assert_int_equal(rc, 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

/* `-o link.json` of the user: also before there is a file */
TEST(a_link_that_leads_to_nothing_yet_is_followed)
{
	BA_AUTO(folder) folder f = folder_with("old");
	BA_AUTO_FREE char *link = ba_path_join(f.dir, "link");
	BA_AUTO_FREE char *second = ba_path_join(f.dir, "second");
	struct stat st;
	assert_int_equal(symlink("second", link), 0);
	assert_int_equal(symlink(f.path, second), 0);
	assert_int_equal(unlink(f.path), 0);
	assert_int_equal(ba_fs_write_atomic(link, "new", 3, NULL), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_holds(&f, "new");
	/* in a circle */
	assert_int_equal(unlink(second), 0);
	assert_int_equal(symlink("link", second), 0);
	ba_error err = {0};
	assert_int_equal(ba_fs_write_atomic(link, "new", 3, &err), BA_EIO);
	assert_has(err.text, "Too many levels of symbolic links");
}

/* only root can make a file of somebody else */
TEST(a_link_of_another_user_is_refused)
{
	if (geteuid() != 0)
		skip();
	BA_AUTO(folder) folder f = folder_with("old");
	BA_AUTO_FREE char *link = ba_path_join(f.dir, "link");
	ba_error err = {0};
	assert_int_equal(symlink("f", link), 0);
	assert_int_equal(lchown(link, 65534, 65534), 0);
	assert_int_equal(ba_fs_write_atomic(link, "new", 3, &err), BA_EIO);
	assert_has(err.text, "is a symbolic link that another user (65534) made");
	assert_holds(&f, "old");
}

/* what is written in pieces fails at its end, with the file's name */
TEST(a_full_disk_is_told)
{
	static char much[1 << 17];
	for (size_t pieces = 1; pieces < 3; pieces++) {
		BA_AUTO(ba_replacement) ba_replacement r = {0};
		ba_error err = {0};
		assert_int_equal(ba_replacement_open(&r, "/dev/full", &err), 0);
		for (size_t i = 0; i < pieces; i++)
			fwrite(much, 1, i ? sizeof(much) : 3, r.file);
		assert_int_equal(ba_replacement_commit(&r, &err), BA_EIO);
		assert_string_equal(err.text, "cannot write '/dev/full': No space left on device");
	}
}

TEST(a_folder_that_is_not_there_is_told)
{
	ba_replacement r = {0};
	ba_error err = {0};
	assert_int_equal(ba_replacement_open(&r, "/nowhere/at/all/f", &err), BA_EIO);
	assert_has(err.text, "cannot write '/nowhere/at/all/f': No such file");
	assert_null(r.file);
}

/* as an ordinary user: root can read every folder */
TEST(counting_a_tree_changes_no_permission)
{
	BA_AUTO(folder) folder f = folder_with("content");
	BA_AUTO_FREE char *closed = ba_path_join(f.dir, "closed");
	bool root = geteuid() == 0;
	struct stat st;
	uint64_t bytes = 0;
	assert_int_equal(mkdir(closed, 0000), 0);
	if (root) {
		assert_int_equal(chown(f.dir, 65534, (gid_t)-1), 0);
		assert_int_equal(chown(closed, 65534, (gid_t)-1), 0);
		assert_int_equal(seteuid(65534), 0);
	}
	int rc = ba_fs_tree_bytes(&bytes, f.dir);
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(rc, 0);
	assert_true(bytes > 0);
	assert_int_equal(stat(closed, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0000);
}

int main(int argc, char **argv)
{
	if (argc == 3)
		end_in_the_middle(argv[2]);
	return test_run();
}
