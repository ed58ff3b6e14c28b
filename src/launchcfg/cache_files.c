/* The cache's files: reading, publishing, removing. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"

/* An entry is a cubin: one much larger than any is not ours. */
#define ENTRY_LIMIT (1u << 30)
/* Waiting longer for another process would cost more than compiling once more. */
#define LOCK_TRIES 2000
#define LOCK_PAUSE_NS 1000000

void lcfg_file_close(int fd)
{
	int saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
}

static int read_all(void **data, size_t *size, const struct stat *st, int fd)
{
	if (!S_ISREG(st->st_mode) || st->st_size > (off_t)ENTRY_LIMIT) {
		errno = EFBIG;
		return -1;
	}
	size_t wanted = (size_t)st->st_size;
	char *bytes = malloc(wanted + 1);
	if (!bytes) {
		errno = ENOMEM;
		return -1;
	}
	size_t n = 0;
	while (n < wanted) {
		ssize_t got = read(fd, bytes + n, wanted - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(bytes); /* keeps errno */
			return -1;
		}
		if (got == 0)
			break;
		n += (size_t)got;
	}
	*data = bytes;
	*size = n;
	return 0;
}

static int open_file(lcfg_cache *cache, const char *kind, const lcfg_digest *name)
{
	char hex[65];
	int dir = lcfg_cache_dir_open(cache, kind, name, false);
	if (dir < 0)
		return -1;
	lcfg_digest_hex(hex, name);
	int fd = openat(dir, hex, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	lcfg_file_close(dir);
	return fd;
}

int lcfg_cache_read(void **data, size_t *size, struct stat *st, lcfg_cache *cache, const char *kind,
	const lcfg_digest *name)
{
	struct stat own = {0};
	st = st ? st : &own;
	int fd = open_file(cache, kind, name);
	if (fd < 0)
		return -1;
	int rc = fstat(fd, st);
	rc = rc ? rc : lcfg_cache_check(cache, st, kind);
	rc = rc ? rc : read_all(data, size, st, fd);
	if (rc == 0) {
		/* last use, for eviction; the time of change stays */
		const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
		int ignored = futimens(fd, times);
		(void)ignored;
	}
	lcfg_file_close(fd);
	return rc;
}

int lcfg_file_write(int dir, const char *name, const void *data, size_t size, bool sync)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -1;
	const char *p = data;
	int rc = 0;
	while (rc == 0 && size > 0) {
		ssize_t n = write(fd, p, size);
		if (n < 0 && errno != EINTR)
			rc = -1;
		if (n > 0) {
			p += n;
			size -= (size_t)n;
		}
	}
	if (rc == 0 && sync)
		rc = fsync(fd);
	int saved = errno;
	if (close(fd) && rc == 0) {
		saved = errno;
		rc = -1;
	}
	if (rc)
		unlinkat(dir, name, 0);
	errno = saved;
	return rc;
}

/* The lock file's fd, locked; -1 with errno. The lock goes with the process. */
static int lock_directory(int root)
{
	int fd = openat(root, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	for (int i = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB); i++) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || i == LOCK_TRIES) {
			lcfg_file_close(fd);
			return -1;
		}
		nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_NS}, NULL);
	}
	return fd;
}

static int move_into_place(lcfg_cache *cache, const char *kind, const lcfg_digest *name, int tmp,
	const char *temporary)
{
	char hex[65];
	int dir = lcfg_cache_dir_open(cache, kind, name, true);
	if (dir < 0)
		return -1;
	lcfg_digest_hex(hex, name);
	int rc = renameat(tmp, temporary, dir, hex);
	rc = rc ? rc : fsync(dir);
	lcfg_file_close(dir);
	return rc;
}

static int publish_locked(
	lcfg_cache *cache, const char *kind, const lcfg_digest *name, const void *data, size_t size)
{
	int tmp = lcfg_cache_dir_open(cache, "tmp", NULL, true);
	if (tmp < 0)
		return -1;
	char temporary[64];
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(temporary, sizeof(temporary), "%d-%u-%lx", (int)getpid(),
		atomic_fetch_add(&cache->serial, 1), (unsigned long)now.tv_nsec);
	int rc = lcfg_file_write(tmp, temporary, data, size, true);
	if (rc == 0 && (rc = move_into_place(cache, kind, name, tmp, temporary))) {
		int saved = errno;
		unlinkat(tmp, temporary, 0);
		errno = saved;
	}
	lcfg_file_close(tmp);
	return rc;
}

int lcfg_cache_publish(
	lcfg_cache *cache, const char *kind, const lcfg_digest *name, const void *data, size_t size)
{
	int root = lcfg_cache_dir_open(cache, NULL, NULL, true);
	int lock = root < 0 ? -1 : lock_directory(root);
	int rc = lock < 0 ? -1 : publish_locked(cache, kind, name, data, size);
	if (rc == 0 && strcmp(kind, "entries") == 0)
		lcfg_cache_make_room(cache, root, name->bytes[0]);
	lcfg_file_close(lock);
	lcfg_file_close(root);
	return rc;
}

int lcfg_cache_unlink(lcfg_cache *cache, const char *kind, const lcfg_digest *name, uint64_t device,
	uint64_t inode)
{
	char hex[65];
	struct stat now;
	int root = lcfg_cache_dir_open(cache, NULL, NULL, false);
	int lock = root < 0 ? -1 : lock_directory(root);
	int dir = lock < 0 ? -1 : lcfg_cache_dir_open(cache, kind, name, false);
	int rc = -1;
	if (dir >= 0) {
		lcfg_digest_hex(hex, name);
		rc = fstatat(dir, hex, &now, AT_SYMLINK_NOFOLLOW);
		/* under the lock nothing is published: the entries of now stay */
		if (rc == 0 && now.st_dev == device && now.st_ino == inode)
			rc = unlinkat(dir, hex, 0);
	}
	lcfg_file_close(dir);
	lcfg_file_close(lock);
	lcfg_file_close(root);
	return rc;
}
