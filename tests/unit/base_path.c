#include "test.h"

#include <errno.h>

#include "base/base.h"

TEST(a_path_is_below_the_folders_above_it)
{
	assert_true(ba_path_is_below("/a/b", "/a"));
	assert_true(ba_path_is_below("/a/b", "/a/"));
	assert_true(ba_path_is_below("/a/b", "/"));
	assert_true(ba_path_is_below("a/b", "a"));
	assert_false(ba_path_is_below("/a/b", "/a/b"));
	assert_false(ba_path_is_below("/ab", "/a"));
	assert_false(ba_path_is_below("/a", "/a/b"));
	assert_false(ba_path_is_below("a", "/"));
}

/* A name that cannot be read is the user's mistake; trouble while reading is not. */
TEST(what_cannot_be_read_is_a_wrong_name)
{
	static const struct {
		int error, code;
	} rows[] = {{ENOENT, BA_ENOTFOUND}, {ENOTDIR, BA_ENOTFOUND}, {EISDIR, BA_EINVAL},
		{EACCES, BA_EINVAL}, {ELOOP, BA_EINVAL}, {EIO, BA_EIO}, {EMFILE, BA_EIO},
		{ESTALE, BA_EIO}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(ba_fs_code(rows[i].error), rows[i].code);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int fd = -1;
	ba_error err;
	assert_int_equal(ba_fs_read(&text, "/", SIZE_MAX, &err), BA_EINVAL);
	assert_string_equal(err.text, "cannot read '/': Is a directory");
	assert_int_equal(ba_gunzip_open(&fd, "/", &err), BA_EINVAL);
	assert_string_equal(err.text, "cannot read '/': Is a directory");
	assert_int_equal(ba_gunzip_open(&fd, "/dev/null/x", &err), BA_ENOTFOUND);
}
