#include "git/lock.h"

#include <sys/file.h>

/* Does the path lead to the open file? Negative, with errno: unknown. */
static int is_current(int fd, const char *path)
{
	struct stat held, there;
	if (fstat(fd, &held))
		return -1;
	if (lstat(path, &there))
		return errno == ENOENT ? 0 : -1;
	return held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

static void note_owner(int fd)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "pid %ld\n", (long)getpid());
	/* the note is for people only, so a failure does not matter */
	if (ftruncate(fd, 0) || pwrite(fd, text, (size_t)n, 0) != n)
		return;
}

int ba_lock_try(ba_lock *out, bool *busy, const char *path, bool shared, ba_error *err)
{
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0)
			return ba_fail_errno(err, BA_EIO, "cannot open the lock '%s'", path);
		int rc = flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
		if (rc && errno == EWOULDBLOCK) {
			close(fd);
			*busy = true;
			return 0;
		}
		int current = rc ? -1 : is_current(fd, path);
		if (current < 0) {
			rc = ba_fail_errno(err, BA_EIO, "cannot lock '%s'", path);
			close(fd);
			return rc;
		}
		if (!current) {
			close(fd);
			continue;
		}
		if (!shared)
			note_owner(fd);
		*out = (ba_lock){.fd = fd, .exclusive = !shared, .path = ba_xstrdup(path)};
		*busy = false;
		return 0;
	}
}

int ba_lock_share(ba_lock *lock, ba_error *err)
{
	/* the system releases the present lock before it waits for the shared one */
	lock->exclusive = false;
	if (flock(lock->fd, LOCK_SH))
		return ba_fail_errno(err, errno == EINTR ? BA_EINTERRUPTED : BA_EIO,
			"cannot share the lock '%s'", lock->path);
	return 0;
}

bool ba_lock_upgrade(ba_lock *lock)
{
	lock->exclusive = flock(lock->fd, LOCK_EX | LOCK_NB) == 0;
	/* Linux releases the shared lock even if it then refuses the exclusive one */
	bool held = lock->exclusive || flock(lock->fd, LOCK_SH | LOCK_NB) == 0;
	if (!held || is_current(lock->fd, lock->path) <= 0)
		ba_lock_release(lock);
	else if (lock->exclusive)
		note_owner(lock->fd);
	return lock->exclusive;
}

void ba_lock_release(ba_lock *lock)
{
	if (lock->fd >= 0)
		close(lock->fd);
	free(lock->path);
	*lock = BA_LOCK_NONE;
}

int ba_lock_remove(ba_lock *lock, ba_error *err)
{
	int rc = 0;
	if (lock->fd >= 0 && unlink(lock->path) && errno != ENOENT)
		rc = ba_fail_errno(err, BA_EIO, "cannot remove '%s'", lock->path);
	ba_lock_release(lock);
	return rc;
}

char *ba_lock_owner(const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (ba_fs_read(&text, path, 64, NULL) || strncmp(text.data, "pid ", 4) != 0)
		return ba_xstrdup("another process");
	text.data[strcspn(text.data, "\n")] = '\0';
	return ba_xstrdup(text.data);
}
