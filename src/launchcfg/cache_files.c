/* The cache's directory: reading, publishing, and making room. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"

/* An entry is a cubin: one much larger than any is not ours. */
#define ENTRY_LIMIT (1u << 30)
/* Waiting longer for another process would cost more than compiling once more. */
#define LOCK_TRIES 2000
#define LOCK_PAUSE_NS (1000 * 1000)
/* Nobody writes a file for that long. */
#define STALE_SECONDS 600

char *lcfg_cache_path(
	const lcfg_cache *cache, const char *kind, const lcfg_digest *name)
{
	char hex[65];
	lcfg_digest_hex(hex, name);
	size_t size = strlen(cache->root) + strlen(kind) + sizeof(hex) + 8;
	char *path = malloc(size);
	if (!path)
		return NULL;
	/* two letters as a directory, as git does: some file systems are slow with many
	 */
	if (strcmp(kind, "entries") == 0)
		snprintf(path, size, "%s/%s/%.2s/%s", cache->root, kind, hex, hex);
	else
		snprintf(path, size, "%s/%s/%s", cache->root, kind, hex);
	return path;
}

static int read_all(void **data, size_t *size, int fd)
{
	struct stat st;
	if (fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode) || st.st_size > (off_t)ENTRY_LIMIT) {
		errno = EFBIG;
		return -1;
	}
	size_t wanted = (size_t)st.st_size;
	char *bytes = malloc(wanted + 1);
	if (!bytes)
		return -1;
	size_t n = 0;
	while (n < wanted) {
		ssize_t got = read(fd, bytes + n, wanted - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(bytes);
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

int lcfg_file_read(void **data, size_t *size, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -1;
	int rc = read_all(data, size, fd);
	if (rc == 0) {
		/* last use, for eviction; the time of change stays */
		const struct timespec times[2] = {
			{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
		int ignored = futimens(fd, times);
		(void)ignored;
	}
	close(fd);
	return rc;
}

/* Makes the directories above the last '/' of path. */
static int make_parents(const char *path)
{
	char *copy = strdup(path);
	if (!copy)
		return -1;
	int rc = 0;
	for (char *p = copy + 1; rc == 0 && (p = strchr(p, '/')); p++) {
		*p = 0;
		if (mkdir(copy, 0700) && errno != EEXIST && access(copy, F_OK))
			rc = -1;
		*p = '/';
	}
	free(copy);
	return rc;
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		size -= (size_t)n;
	}
	return fsync(fd);
}

/* fd of the lock file, locked; -1 with errno. The lock goes with the process, however
 * it ends. */
static int lock_directory(const lcfg_cache *cache)
{
	char *path = NULL;
	if (asprintf(&path, "%s/lock", cache->root) < 0)
		return -1;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 && errno == ENOENT && make_parents(path) == 0)
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	free(path);
	for (int i = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB); i++) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || i == LOCK_TRIES) {
			int saved = errno;
			close(fd);
			errno = saved;
			return -1;
		}
		nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_NS}, NULL);
	}
	return fd;
}

static int sync_directory_of(const char *path)
{
	char *copy = strdup(path);
	if (!copy)
		return -1;
	*strrchr(copy, '/') = 0;
	int fd = open(copy, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	if (fd < 0)
		return -1;
	int rc = fsync(fd);
	close(fd);
	return rc;
}

static int write_temporary(const char *path, const void *data, size_t size)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd = open(path, flags, 0600);
	if (fd < 0 && errno == ENOENT && make_parents(path) == 0)
		fd = open(path, flags, 0600);
	if (fd < 0)
		return -1;
	int rc = write_all(fd, data, size);
	int saved = errno;
	if (close(fd) && rc == 0) {
		saved = errno;
		rc = -1;
	}
	errno = saved;
	return rc;
}

int lcfg_cache_publish(
	lcfg_cache *cache, const char *path, const void *data, size_t size)
{
	int lock = lock_directory(cache);
	if (lock < 0)
		return -1;
	char *temporary = NULL;
	unsigned serial = atomic_fetch_add(&cache->serial, 1);
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	int rc = asprintf(&temporary, "%s/tmp/%d-%u-%lx", cache->root, (int)getpid(),
			 serial, (unsigned long)now.tv_nsec) < 0
			 ? -1
			 : write_temporary(temporary, data, size);
	if (rc == 0)
		rc = rename(temporary, path);
	if (rc && errno == ENOENT && make_parents(path) == 0)
		rc = rename(temporary, path);
	if (rc == 0)
		rc = sync_directory_of(path);
	int saved = errno;
	if (rc && temporary)
		unlink(temporary);
	free(temporary);
	close(lock);
	errno = saved;
	return rc;
}

/* ---- making room ---- */

typedef struct file {
	char *path;
	uint64_t bytes;
	struct timespec used;
} file;

typedef struct listing {
	file *files;
	size_t count, capacity;
	uint64_t bytes;
} listing;

static void list_file(listing *list, const char *path)
{
	struct stat st;
	if (lstat(path, &st) || !S_ISREG(st.st_mode))
		return;
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 64;
		file *files = realloc(list->files, capacity * sizeof(*files));
		if (!files)
			return;
		list->files = files;
		list->capacity = capacity;
	}
	char *copy = strdup(path);
	if (!copy)
		return;
	list->files[list->count++] = (file){copy, (uint64_t)st.st_size, st.st_atim};
	list->bytes += (uint64_t)st.st_size;
}

static void list_directory(listing *list, const char *dir, int depth)
{
	DIR *d = opendir(dir);
	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		char *path = NULL;
		if (e->d_name[0] == '.' || asprintf(&path, "%s/%s", dir, e->d_name) < 0)
			continue;
		if (depth > 0)
			list_directory(list, path, depth - 1);
		else
			list_file(list, path);
		free(path);
	}
	closedir(d);
}

static listing list_kind(const lcfg_cache *cache, const char *kind, int depth)
{
	listing list = {0};
	char *dir = NULL;
	if (asprintf(&dir, "%s/%s", cache->root, kind) >= 0) {
		list_directory(&list, dir, depth);
		free(dir);
	}
	return list;
}

static void free_listing(listing *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->files[i].path);
	free(list->files);
}

static int older_first(const void *a, const void *b)
{
	const struct timespec *x = &((const file *)a)->used;
	const struct timespec *y = &((const file *)b)->used;
	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static void remove_stale(const lcfg_cache *cache)
{
	listing tmp = list_kind(cache, "tmp", 0);
	time_t now = time(NULL);
	for (size_t i = 0; i < tmp.count; i++) {
		if (now - tmp.files[i].used.tv_sec > STALE_SECONDS)
			unlink(tmp.files[i].path);
	}
	free_listing(&tmp);
}

int lcfg_cache_scan(lcfg_cache *cache)
{
	int lock = lock_directory(cache);
	if (lock < 0)
		return -1;
	remove_stale(cache);
	listing list = list_kind(cache, "entries", 1);
	uint64_t bytes = list.bytes;
	uint64_t evicted = 0;
	if (bytes > cache->max_bytes) {
		/* down to 7/8, so that not every store evicts */
		uint64_t goal = cache->max_bytes - cache->max_bytes / 8;
		qsort(list.files, list.count, sizeof(list.files[0]), older_first);
		for (size_t i = 0; i < list.count && bytes > goal; i++) {
			if (unlink(list.files[i].path))
				continue;
			bytes -= list.files[i].bytes;
			evicted++;
		}
	}
	free_listing(&list);
	close(lock);
	pthread_mutex_lock(&cache->lock);
	cache->stats.bytes = bytes;
	cache->stats.evicted += evicted;
	pthread_mutex_unlock(&cache->lock);
	return 0;
}
