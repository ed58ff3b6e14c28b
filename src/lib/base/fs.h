/* Paths, files and directories. All opens are close-on-exec. Errors name the path. */
#pragma once

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strv.h"

/* ---- paths as text, without a question to the file system but for the current directory ---- */

/* an absolute name is returned without dir */
char *ba_path_join(const char *dir, const char *name);
const char *ba_path_base(const char *path); /* points into path */
char *ba_path_dir(const char *path);
/* from the current directory; links are not resolved */
char *ba_path_absolute(const char *path);
/* relative, no "..", no leading '/', not empty */
bool ba_path_is_inside(const char *relative);
/* Does `path` begin with `dir` and a '/'? Compares text only: resolve both first.
 * A '/' at the end of `dir` counts once, so that paths are below "/". */
bool ba_path_is_below(const char *path, const char *dir);
/* the same, or is it `dir` itself? */
bool ba_path_is_within(const char *path, const char *dir);

/* ---- files ---- */

/* Looks at a link itself, not at its target. True also if the system cannot tell (EIO):
 * then the open that follows reports why, and the file is not silently skipped. */
bool ba_fs_exists(const char *path);
bool ba_fs_is_dir(const char *path);
bool ba_fs_is_same(const char *a, const char *b); /* both exist and are one file */
/* Is it a regular file that lies below `dir` after links are followed? Ask before you
 * open a file in a folder of foreign origin: a pipe would block, and a link may lead
 * anywhere. */
bool ba_fs_is_file_below(const char *path, const char *dir);
int ba_fs_mkdirs(const char *path, ba_error *err); /* mode 0700 for the new ones */
int ba_fs_mkdirs_mode(const char *path, mode_t mode, ba_error *err);
/* The code for an errno of opening or reading: BA_ENOTFOUND if the path leads to
 * nothing, BA_EINVAL if it leads to a directory or cannot be followed or opened by this
 * user, else BA_EIO. */
int ba_fs_code(int error);
/* Opens a regular file for reading; *fd is the caller's. A pipe or a device is BA_EINVAL
 * at once: opening one may block, and a repository can put one in the place of a file. A
 * directory opens, and fails when it is read. Other codes as ba_fs_code(). */
int ba_fs_open(int *fd, const char *path, ba_error *err);
/* ceiling in bytes; a larger file is BA_EDATA, others as ba_fs_open() */
int ba_fs_read(ba_buf *out, const char *path, size_t ceiling, ba_error *err);
/* the same for an input that the user names, which may be a pipe: waits for its writer
 * until a signal comes */
int ba_fs_read_input(ba_buf *out, const char *path, size_t ceiling, ba_error *err);
/* replaces the file atomically: it has the old or the new content (base/replace.h
 * writes in pieces) */
int ba_fs_write_atomic(const char *path, const void *data, size_t size, ba_error *err);
int ba_fs_write(const char *path, const void *data, size_t size, mode_t mode, ba_error *err);
int ba_fs_copy(const char *to, const char *from, ba_error *err); /* content and mode */
/* rm -rf that never follows a link and stays on one file system; a missing path is
 * fine */
int ba_fs_remove_tree(const char *path, ba_error *err);
/* The names in a directory, without "." and "..", sorted; `out` is empty before. Fails if
 * the directory cannot be read to its end. */
int ba_fs_names(ba_strv *out, const char *path, ba_error *err);
/* Calls visit() for a folder and all below it, sorted, a folder before its content; links are not
 * followed. `path` is relative to `dir`: "." for itself. The first result that is not 0 ends it,
 * except BA_FS_PASS of a folder, whose content is left out. */
enum { BA_FS_PASS = 1 };
typedef int ba_fs_visitor(void *data, const char *path, const struct stat *st, ba_error *err);
int ba_fs_walk(const char *dir, ba_fs_visitor *visit, void *data, ba_error *err);
/* The bytes on disk of a tree, which does not change: a folder that cannot be read counts
 * without its content. -1 with errno. */
int ba_fs_tree_bytes(uint64_t *out, const char *path);
/* May the content of the open file be trusted with this user's rights? BA_EINVAL: it is
 * not a file, another user owns it, or others may write to it. */
int ba_fs_check_own(int fd, const char *path, ba_error *err);
/* a temporary file without a name ($TMPDIR, else /tmp); *fd is the caller's */
int ba_fs_open_unnamed(int *fd, ba_error *err);
/* read() of a file that a signal does not interrupt; waiting for a pipe fails with EINTR */
ssize_t ba_fs_read_some(int fd, void *out, size_t size);
int ba_fs_write_all(int fd, const void *data, size_t size); /* 0, or -1 with errno */

/* ---- files that may be compressed with gzip ---- */

/* limit for the decompressed bytes of one file */
#define BA_GUNZIP_MOST ((size_t)4 << 30)

/* Opens a file for reading; *fd is the caller's. If the file begins with gzip's magic
 * bytes, whatever its name, *fd is an unnamed temporary file ($TMPDIR, else /tmp) with
 * the decompressed content. Codes: those of ba_fs_code(), also for a directory.
 * BA_EDATA: a damaged file, or one with more than BA_GUNZIP_MOST bytes in it.
 * BA_EUNSUPPORTED: libz.so.1 is missing. */
int ba_gunzip_open(int *fd, const char *path, ba_error *err);
