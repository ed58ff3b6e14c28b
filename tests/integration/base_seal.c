/* Changes of real files, seen without reading them. */
#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "base/seal.h"

typedef struct tree {
	char dir[32];
	char *file, *folder, *link;
} tree;

static int set_up(void **state)
{
	tree *t = ba_xcalloc(1, sizeof(*t));
	strcpy(t->dir, "/tmp/ba-seal-XXXXXX");
	if (!mkdtemp(t->dir))
		return -1;
	t->folder = ba_path_join(t->dir, "lib");
	t->file = ba_path_join(t->folder, "x.so");
	t->link = ba_path_join(t->dir, "x");
	if (ba_fs_mkdirs(t->folder, NULL) || ba_fs_write(t->file, "1234", 4, 0644, NULL) ||
		symlink("lib/x.so", t->link))
		return -1;
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	tree *t = *state;
	ba_fs_remove_tree(t->dir, NULL);
	free(t->file);
	free(t->folder);
	free(t->link);
	free(t);
	return 0;
}
TEST_GROUP(set_up, tear_down);

static void assert_change(const ba_seal *s, const char *expected)
{
	char *changed = NULL;
	assert_int_equal(ba_seal_check(&changed, s, NULL), 0);
	if (expected && changed)
		assert_string_equal(changed, expected);
	assert_int_equal(changed != NULL, expected != NULL);
	free(changed);
}

TEST(reading_changes_nothing)
{
	const tree *t = *state;
	BA_AUTO(ba_seal) ba_seal s = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_seal_make(&s, t->dir, NULL), 0);
	assert_int_equal(ba_fs_read(&text, t->file, 100, NULL), 0);
	assert_change(&s, NULL);
}

/* of the same size, with the times that it had before */
TEST_WITH(content_cannot_be_changed_unseen, set_up, tear_down)
{
	const tree *t = *state;
	BA_AUTO(ba_seal) ba_seal s = {0};
	struct stat before;
	assert_int_equal(ba_seal_make(&s, t->dir, NULL), 0);
	assert_int_equal(stat(t->file, &before), 0);
	usleep(20000); /* the kernel's clock of files has ticks */
	BA_AUTO_FD int fd = open(t->file, O_WRONLY);
	assert_int_equal(pwrite(fd, "9", 1, 0), 1);
	const struct timespec times[] = {before.st_atim, before.st_mtim};
	assert_int_equal(futimens(fd, times), 0);
	assert_change(&s, "'lib/x.so' was changed");
}

TEST_WITH(names_cannot_be_changed_unseen, set_up, tear_down)
{
	const tree *t = *state;
	BA_AUTO(ba_seal) ba_seal s = {0};
	BA_AUTO(ba_seal) ba_seal more = {0};
	BA_AUTO_FREE char *added = ba_path_join(t->folder, "sitecustomize.py");
	assert_int_equal(ba_seal_make(&s, t->dir, NULL), 0);
	assert_int_equal(ba_fs_write(added, "", 0, 0644, NULL), 0);
	assert_change(&s, "'lib/sitecustomize.py' was added");
	assert_int_equal(ba_seal_make(&more, t->dir, NULL), 0);
	assert_int_equal(unlink(added), 0);
	assert_change(&more, "'lib/sitecustomize.py' was removed");
	assert_int_equal(unlink(t->link), 0);
	assert_int_equal(symlink("lib/y.so", t->link), 0);
	assert_change(&s, "'x' was changed");
}

TEST_WITH(permissions_count, set_up, tear_down)
{
	const tree *t = *state;
	BA_AUTO(ba_seal) ba_seal s = {0};
	assert_int_equal(ba_seal_make(&s, t->dir, NULL), 0);
	assert_int_equal(chmod(t->folder, 0755), 0);
	assert_change(&s, "'lib' was changed");
}

TEST(missing_directory_is_an_error)
{
	BA_AUTO(ba_seal) ba_seal s = {0};
	assert_int_equal(ba_seal_make(&s, "/nowhere", NULL), BA_EIO);
}
