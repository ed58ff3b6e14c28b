/* A copy is a copy only when the file system has said so. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"

/* as NFS does where there is no room (tests/CMakeLists.txt wraps it) */
static bool close_fails;
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	bool writes = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
	int rc = __real_close(fd);
	if (!close_fails || !writes)
		return rc;
	errno = ENOSPC;
	return -1;
}

TEST(a_copy_has_content_and_mode_or_an_error)
{
	char top[] = "/tmp/base_copy_XXXXXX";
	assert_non_null(mkdtemp(top));
	BA_AUTO_FREE char *from = ba_path_join(top, "from");
	BA_AUTO_FREE char *to = ba_path_join(top, "to");
	ba_error err = {0};
	assert_int_equal(ba_fs_write(from, "abc", 3, 0640, &err), 0);
	assert_int_equal(ba_fs_copy(to, from, &err), 0);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	struct stat st;
	assert_int_equal(ba_fs_read(&text, to, 10, &err), 0);
	assert_string_equal(text.data, "abc");
	assert_int_equal(stat(to, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	close_fails = true;
	int rc = ba_fs_copy(to, from, &err);
	close_fails = false;
	assert_int_equal(rc, BA_EIO);
	assert_has(err.text, "cannot write '");
	assert_has(err.text, "No space left on device");
	assert_int_equal(ba_fs_copy("/nonexistent/to", from, &err), BA_EIO);
	assert_int_equal(ba_fs_copy(to, "/nonexistent/from", &err), BA_EIO);
	ba_fs_remove_tree(top, NULL);
}
