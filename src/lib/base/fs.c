#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"

bool ba_fs_exists(const char *path)
{
	struct stat st;
	if (lstat(path, &st) == 0)
		return true;
	/* other errors (EIO, ENOMEM, ESTALE) say nothing about the file */
	return ba_fs_code(errno) == BA_EIO;
}

bool ba_fs_is_same(const char *a, const char *b)
{
	struct stat sa, sb;
	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

bool ba_fs_is_file_below(const char *path, const char *dir)
{
	BA_AUTO_FREE char *file = realpath(path, NULL), *top = realpath(dir, NULL);
	struct stat st;
	if (!file || !top || stat(file, &st) || !S_ISREG(st.st_mode))
		return false;
	return ba_path_is_below(file, top);
}

bool ba_fs_is_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int ba_fs_mkdirs(const char *path, ba_error *err)
{
	return ba_fs_mkdirs_mode(path, 0700, err);
}

int ba_fs_mkdirs_mode(const char *path, mode_t mode, ba_error *err)
{
	BA_AUTO_FREE char *copy = ba_xstrdup(path);
	for (char *p = copy + 1;; p++) {
		if (*p != '/' && *p != '\0')
			continue;
		char kept = *p;
		*p = '\0';
		if (mkdir(copy, mode) && errno != EEXIST)
			return ba_fail_errno(err, BA_EIO, "cannot create the directory '%s'", copy);
		*p = kept;
		if (kept == '\0')
			break;
	}
	if (!ba_fs_is_dir(path))
		return ba_fail(err, BA_EIO, "'%s' is not a directory", path);
	return 0;
}

static int too_large(const char *path, size_t ceiling, ba_error *err)
{
	return ba_fail(err, BA_EDATA, "'%s' is larger than the limit of %zu bytes", path, ceiling);
}

ssize_t ba_fs_read_some(int fd, void *out, size_t size)
{
	struct stat st;
	ssize_t n;
	do
		n = read(fd, out, size);
	while (n < 0 && errno == EINTR && fstat(fd, &st) == 0 && S_ISREG(st.st_mode));
	return n;
}

int ba_fs_code(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return BA_ENOTFOUND;
	case EISDIR:
	case EACCES:
	case ELOOP:
	case ENAMETOOLONG:
		return BA_EINVAL;
	default:
		return BA_EIO;
	}
}

int ba_fs_open(int *fd, const char *path, ba_error *err)
{
	struct stat st;
	BA_AUTO_FD int file =
		TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
	if (file < 0 || fstat(file, &st))
		return ba_fail_errno(err, ba_fs_code(errno), "cannot read '%s'", path);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return ba_fail(err, BA_EINVAL, "'%s' is a pipe or a device, not a file", path);
	*fd = file;
	file = -1; /* NOLINT(clang-analyzer-deadcode.DeadStores): the scope closes it */
	return 0;
}

static int read_all(ba_buf *out, int fd, const char *path, size_t ceiling, ba_error *err)
{
	struct stat st;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	/* the size may change before the file is read, and pipes have none */
	bool known = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	if (known && (uintmax_t)st.st_size > ceiling)
		return too_large(path, ceiling, err);
	if (known)
		ba_buf_reserve(&text, (size_t)st.st_size + 65536);
	for (;;) {
		ba_buf_reserve(&text, 65536);
		ssize_t n = ba_fs_read_some(fd, text.data + text.len, 65536);
		if (n < 0)
			return ba_fail_errno(err, ba_fs_code(errno), "cannot read '%s'", path);
		if (n == 0)
			break;
		text.len += (size_t)n;
		text.data[text.len] = '\0';
		if (text.len > ceiling)
			return too_large(path, ceiling, err);
	}
	if (out->len) {
		ba_buf_put(out, text.data, text.len);
	} else { /* avoids a second copy of the content */
		ba_buf_dispose(out);
		*out = text;
		text = (ba_buf)BA_BUF_INIT;
	}
	return 0;
}

int ba_fs_read(ba_buf *out, const char *path, size_t ceiling, ba_error *err)
{
	BA_AUTO_FD int fd = -1;
	BA_TRY(ba_fs_open(&fd, path, err));
	return read_all(out, fd, path, ceiling, err);
}

int ba_fs_read_input(ba_buf *out, const char *path, size_t ceiling, ba_error *err)
{
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return ba_fail_errno(err, ba_fs_code(errno), "cannot read '%s'", path);
	return read_all(out, fd, path, ceiling, err);
}

int ba_fs_write_all(int fd, const void *data, size_t size)
{
	const char *p = data;
	while (size > 0) {
		ssize_t n = write(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		size -= (size_t)n;
	}
	return 0;
}

int ba_fs_write(const char *path, const void *data, size_t size, mode_t mode, ba_error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, mode);
	if (fd < 0)
		return ba_fail_errno(err, BA_EIO, "cannot write '%s'", path);
	int rc = ba_fs_write_all(fd, data, size);
	int saved = errno;
	if (close(fd) && rc == 0) {
		rc = -1;
		saved = errno;
	}
	errno = saved;
	return rc ? ba_fail_errno(err, BA_EIO, "cannot write '%s'", path) : 0;
}

int ba_fs_check_own(int fd, const char *path, ba_error *err)
{
	struct stat st;
	if (fstat(fd, &st))
		return ba_fail_errno(err, BA_EINVAL, "cannot read '%s'", path);
	if (!S_ISREG(st.st_mode))
		return ba_fail(err, BA_EINVAL, "'%s' is not a file", path);
	if (st.st_uid != geteuid())
		return ba_fail(err, BA_EINVAL,
			"'%s' belongs to user %u, and a search or run is resumed only from a file of your own; if you trust it, make a copy",
			path, (unsigned)st.st_uid);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return ba_fail(err, BA_EINVAL,
			"'%s' can be written by other users; if you trust it, run: chmod go-w '%s'",
			path, path);
	return 0;
}

int ba_fs_copy(const char *to, const char *from, ba_error *err)
{
	BA_AUTO_FD int in = -1;
	struct stat st;
	if (ba_fs_open(&in, from, err))
		return ba_error_as(err, BA_EIO);
	if (fstat(in, &st))
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", from);
	BA_AUTO_FD int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, st.st_mode & 0777);
	if (out < 0)
		return ba_fail_errno(err, BA_EIO, "cannot write '%s'", to);
	char chunk[65536];
	ssize_t n;
	while ((n = ba_fs_read_some(in, chunk, sizeof(chunk))) > 0)
		if (ba_fs_write_all(out, chunk, (size_t)n))
			return ba_fail_errno(err, BA_EIO, "cannot write '%s'", to);
	if (n < 0)
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", from);
	/* some file systems report a full disk only here */
	int fd = out;
	out = -1; /* NOLINT(clang-analyzer-deadcode.DeadStores): the scope closes it */
	return close(fd) ? ba_fail_errno(err, BA_EIO, "cannot write '%s'", to) : 0;
}

static int remove_entry(int dir, const char *name, const struct stat *st, void *data)
{
	int flags = S_ISDIR(st->st_mode) ? AT_REMOVEDIR : 0;
	if (unlinkat(dir, name, flags) == 0 || errno == ENOENT)
		return 0;
	/* a directory without write permission keeps its entries: make it writable */
	if (errno == EACCES && fchmod(dir, 0700) == 0 && unlinkat(dir, name, flags) == 0)
		return 0;
	return -1;
}

/* Calls fn for every entry below a directory, for folders after their content. Never
 * follows a link, never leaves the file system. A folder that cannot be read is made
 * readable to be removed; otherwise its content is left out. */
typedef int (*entry_fn)(int dir, const char *name, const struct stat *st, void *data);

static int walk(int parent, const char *name, dev_t device, entry_fn fn, void *data)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == EACCES && fn != remove_entry)
		return 0;
	if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0)
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	int rc = 0;
	struct dirent *entry;
	while (rc == 0 && (errno = 0, entry = readdir(dir))) {
		struct stat st;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW)) {
			rc = errno == ENOENT ? 0 : -1;
			continue;
		}
		if (S_ISDIR(st.st_mode) && st.st_dev == device)
			rc = walk(dirfd(dir), entry->d_name, device, fn, data);
		rc = rc ? rc : fn(dirfd(dir), entry->d_name, &st, data);
	}
	int saved = errno;
	closedir(dir);
	errno = saved;
	return rc == 0 && saved ? -1 : rc;
}

int ba_fs_remove_tree(const char *path, ba_error *err)
{
	struct stat st;
	if (lstat(path, &st)) {
		if (errno == ENOENT)
			return 0;
		return ba_fail_errno(err, BA_EIO, "cannot remove '%s'", path);
	}
	int rc = S_ISDIR(st.st_mode) ? walk(AT_FDCWD, path, st.st_dev, remove_entry, NULL) : 0;
	rc = rc ? rc : S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path);
	if (rc && errno != ENOENT)
		return ba_fail_errno(err, BA_EIO, "cannot remove '%s'", path);
	return 0;
}

static int add_bytes(int dir, const char *name, const struct stat *st, void *data)
{
	*(uint64_t *)data += (uint64_t)st->st_blocks * 512;
	return 0;
}

int ba_fs_tree_bytes(uint64_t *out, const char *path)
{
	struct stat st;
	if (lstat(path, &st))
		return -1;
	uint64_t bytes = (uint64_t)st.st_blocks * 512;
	if (S_ISDIR(st.st_mode) && walk(AT_FDCWD, path, st.st_dev, add_bytes, &bytes))
		return -1;
	*out = bytes;
	return 0;
}

int ba_fs_names(ba_strv *out, const char *path, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	DIR *dir = opendir(path);
	struct dirent *entry;
	if (!dir)
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", path);
	while ((errno = 0, entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			ba_strv_push(&names, entry->d_name);
	int rc = errno ? ba_fail_errno(err, BA_EIO, "cannot read '%s'", path) : 0;
	closedir(dir);
	if (rc)
		return rc;
	ba_strv_sort(&names);
	*out = BA_MOVE(names);
	return 0;
}

static int visit_below(
	const char *full, const char *path, ba_fs_visitor *visit, void *data, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	struct stat st;
	if (lstat(full, &st))
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", full);
	int rc = visit(data, path, &st, err);
	if (rc || !S_ISDIR(st.st_mode))
		return rc == BA_FS_PASS ? 0 : rc;
	rc = ba_fs_names(&names, full, err);
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		const char *name = names.items[i];
		BA_AUTO_FREE char *inner = ba_path_join(full, name);
		BA_AUTO_FREE char *below = ba_path_join(strcmp(path, ".") ? path : "", name);
		rc = visit_below(inner, below, visit, data, err);
	}
	return rc;
}

int ba_fs_walk(const char *dir, ba_fs_visitor *visit, void *data, ba_error *err)
{
	return visit_below(dir, ".", visit, data, err);
}

int ba_fs_open_unnamed(int *fd, ba_error *err)
{
	const char *dir = getenv("TMPDIR");
	BA_AUTO_FREE char *name = ba_path_join(dir && *dir ? dir : "/tmp", "bench-against-XXXXXX");
	int made = mkostemp(name, O_CLOEXEC);
	if (made < 0)
		return ba_fail_errno(err, BA_EIO, "cannot make '%s'", name);
	unlink(name);
	*fd = made;
	return 0;
}
