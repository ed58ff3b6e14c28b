#include "base/replace.h"

#include <pthread.h>

#include "base/base.h"

#define LINKS_MOST 40 /* as the kernel */
#define NAMES_MOST 100

/* keeps the first write error, which stdio forgets after the next write */
struct ba_replacement_fd {
	int fd, error;
	const char *temporary; /* name of the temporary file while it is listed */
	struct ba_replacement_fd *next;
};

/* ---- what exit() removes ---- */

static struct ba_replacement_fd *listed;
/* a forked child has a copy of the list, but does not own the files */
static pid_t owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Allocates no memory under the lock: a failure would call exit(), which comes here
 * again. */
static void remove_listed(void)
{
	if (getpid() != owner)
		return;
	pthread_mutex_lock(&lock);
	for (struct ba_replacement_fd *f = listed; f; f = f->next)
		unlink(f->temporary);
	pthread_mutex_unlock(&lock);
}

static void start_list(void)
{
	owner = getpid();
	atexit(remove_listed);
}

static void list(struct ba_replacement_fd *f, const char *temporary)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, start_list);
	pthread_mutex_lock(&lock);
	f->temporary = temporary;
	f->next = listed;
	listed = f;
	pthread_mutex_unlock(&lock);
}

static void forget_temporary(ba_replacement *f)
{
	pthread_mutex_lock(&lock);
	for (struct ba_replacement_fd **at = &listed; *at; at = &(*at)->next)
		if (*at == f->fd) {
			*at = f->fd->next;
			break;
		}
	pthread_mutex_unlock(&lock);
	free(f->temporary);
	f->temporary = NULL;
}

/* ---- writing ---- */

static ssize_t write_piece(void *cookie, const char *data, size_t size)
{
	struct ba_replacement_fd *f = cookie;
	if (f->error == 0 && ba_fs_write_all(f->fd, data, size))
		f->error = errno;
	errno = f->error;
	return f->error ? 0 : (ssize_t)size;
}

static int fail(const ba_replacement *f, ba_error *err)
{
	return ba_fail_errno(err, BA_EIO, "cannot write '%s'", f->path);
}

/* ---- which file it is ---- */

/* *next: the target of a link; NULL if the path is not a link. A link is followed only if it
 * belongs to this user or to root: others may have put it there (into /tmp, into a folder of
 * a group) to make us overwrite one of our files. */
static int follow(char **next, const ba_replacement *f, const char *path, ba_error *err)
{
	char target[PATH_MAX];
	struct stat st;
	*next = NULL;
	if (lstat(path, &st))
		return errno == ENOENT ? 0 : fail(f, err);
	if (!S_ISLNK(st.st_mode))
		return 0;
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return ba_fail(err, BA_EIO,
			"cannot write '%s': '%s' is a symbolic link that another user (%ld) made; remove it, or name its target",
			f->path, path, (long)st.st_uid);
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return fail(f, err);
	target[n] = '\0';
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	*next = ba_path_join(dir, target);
	return 0;
}

/* f->target: the file to which the path leads, directly or through links. */
static int resolve(ba_replacement *f, ba_error *err)
{
	f->target = ba_xstrdup(f->path);
	for (int links = 0;; links++) {
		char *next;
		int rc = follow(&next, f, f->target, err);
		if (rc || !next)
			return rc;
		ba_text_own(&f->target, next);
		if (links == LINKS_MOST) {
			errno = ELOOP;
			return fail(f, err);
		}
	}
}

/* ---- opening ---- */

/* Writes to a pipe or a device directly: with --output /dev/null, root would replace
 * /dev/null by a file. `seen`: what the path led to a moment ago. */
static int open_in_place(const ba_replacement *f, const struct stat *seen)
{
	struct stat st;
	int fd = open(f->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 ||
		(fstat(fd, &st) == 0 && st.st_dev == seen->st_dev && st.st_ino == seen->st_ino))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

/* Gives the new file the owner, group and permissions of the old one. If the group cannot be
 * kept, the group's permissions are dropped: they were meant for another group. */
static int keep_mode(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 07777;
	struct stat st;
	if (fstat(fd, &st))
		return -1;
	if (st.st_uid != old->st_uid && fchown(fd, old->st_uid, (gid_t)-1))
		mode &= ~(mode_t)06000;
	if (st.st_gid != old->st_gid && fchown(fd, (uid_t)-1, old->st_gid))
		mode &= ~(mode_t)02070;
	return fchmod(fd, mode);
}

/* Creates the temporary file, under a name that cannot be guessed and is not taken. */
static int open_beside(ba_replacement *f, const struct stat *old)
{
	int fd = -1;
	for (int i = 0; fd < 0 && i < NAMES_MOST; i++) {
		forget_temporary(f);
		f->temporary = ba_xprintf("%s.tmp-%016" PRIx64, f->target, ba_rng_entropy());
		list(f->fd, f->temporary);
		fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			old ? 0600 : 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	int saved = errno;
	if (fd < 0) {
		/* nothing was created that the end of the process should remove */
		forget_temporary(f);
	} else if (old && keep_mode(fd, old)) {
		saved = errno;
		close(fd);
		fd = -1;
	}
	errno = saved;
	return fd;
}

int ba_replacement_open(ba_replacement *out, const char *path, ba_error *err)
{
	BA_AUTO(ba_replacement) ba_replacement f = {.path = ba_xstrdup(path)};
	struct stat st;
	bool there = stat(path, &st) == 0;
	bool in_place = there && !S_ISREG(st.st_mode);
	int fd;
	f.fd = ba_xcalloc(1, sizeof(*f.fd));
	f.fd->fd = -1;
	if (in_place) {
		fd = open_in_place(&f, &st);
	} else {
		BA_TRY(resolve(&f, err));
		fd = open_beside(&f, there ? &st : NULL);
	}
	if (fd < 0)
		return fail(&f, err);
	f.fd->fd = fd;
	f.file = fopencookie(f.fd, "w", (cookie_io_functions_t){.write = write_piece});
	if (!f.file)
		return fail(&f, err);
	*out = BA_MOVE(f);
	return 0;
}

/* ---- the end ---- */

/* Puts the name on the disk, too; a file system that cannot do that returns EINVAL. */
static int sync_folder(const char *target)
{
	BA_AUTO_FREE char *dir = ba_path_dir(target);
	BA_AUTO_FD int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) /* the folder may be writable but not readable */
		return 0;
	return fsync(fd) && errno != EINVAL && errno != ENOSYS ? errno : 0;
}

int ba_replacement_commit(ba_replacement *f, ba_error *err)
{
	int error = fflush(f->file) ? errno : 0;
	error = f->fd->error ? f->fd->error : error;
	if (!error && f->temporary && fsync(f->fd->fd))
		error = errno;
	fclose(f->file);
	f->file = NULL;
	if (close(f->fd->fd) && !error)
		error = errno;
	f->fd->fd = -1;
	if (!error && f->temporary && rename(f->temporary, f->target))
		error = errno;
	if (!error && f->temporary) {
		forget_temporary(f);
		error = sync_folder(f->target);
	}
	errno = error;
	return error ? fail(f, err) : 0;
}

void ba_replacement_dispose(ba_replacement *f)
{
	int saved = errno;
	if (f->file)
		fclose(f->file);
	if (f->fd && f->fd->fd >= 0)
		close(f->fd->fd);
	if (f->temporary) {
		unlink(f->temporary);
		forget_temporary(f);
	}
	errno = saved;
	BA_FREE(f->fd, f->path, f->target);
	*f = (ba_replacement){0};
}

int ba_fs_write_atomic(const char *path, const void *data, size_t size, ba_error *err)
{
	BA_AUTO(ba_replacement) ba_replacement f = {0};
	BA_TRY(ba_replacement_open(&f, path, err));
	fwrite(data, 1, size, f.file);
	return ba_replacement_commit(&f, err);
}
