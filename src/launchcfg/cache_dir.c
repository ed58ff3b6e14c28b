/* The cache's directories: opened step by step, each checked before the next. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cache.h"

char *lcfg_cache_path(const lcfg_cache *cache, const char *kind, const lcfg_digest *name)
{
	char hex[65] = "";
	if (name)
		lcfg_digest_hex(hex, name);
	size_t size = strlen(cache->root) + (kind ? strlen(kind) : 0) + sizeof(hex) + 8;
	char *path = malloc(size);
	if (!path)
		return NULL;
	/* two letters as a directory, as git does: many files in one may be slow */
	if (kind && name && strcmp(kind, "entries") == 0)
		snprintf(path, size, "%s/%s/%.2s/%s", cache->root, kind, hex, hex);
	else
		snprintf(path, size, "%s%s%s%s%s", cache->root, kind ? "/" : "", kind ? kind : "",
			name ? "/" : "", hex);
	return path;
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
	free(copy); /* keeps errno */
	return rc;
}

int lcfg_cache_check(lcfg_cache *cache, const struct stat *st, const char *what)
{
	bool ours = st->st_uid == geteuid() || st->st_uid == 0;
	if (ours && !(st->st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	LCFG_HOLD(&cache->lock);
	if (!ours)
		snprintf(cache->trouble, sizeof(cache->trouble),
			"not used: '%s%s%s' belongs to user %u, not to user %u: give the cache a directory of its own",
			cache->dir, *what ? "/" : "", what, (unsigned)st->st_uid,
			(unsigned)geteuid());
	else
		snprintf(cache->trouble, sizeof(cache->trouble),
			"not used: others can write to '%s%s%s' (mode %04o): remove what is in it, then chmod go-w it",
			cache->dir, *what ? "/" : "", what, (unsigned)st->st_mode & 07777);
	errno = LCFG_REFUSED;
	return -1;
}

/* Takes fd; gives it back where its directory can be trusted, else -1 with errno. */
static int checked(lcfg_cache *cache, int fd, const char *what)
{
	struct stat st;
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && lcfg_cache_check(cache, &st, what) == 0)
		return fd;
	lcfg_file_close(fd);
	return -1;
}

static int open_top(lcfg_cache *cache, bool make)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	/* the user's own path: symbolic links in it are the user's */
	int fd = open(cache->dir, flags);
	if (fd < 0 && errno == ENOENT && make && make_parents(cache->root) == 0)
		fd = open(cache->dir, flags);
	return checked(cache, fd, "");
}

/* Takes parent; what is the path below dir. */
static int step(lcfg_cache *cache, int parent, const char *name, const char *what, bool make)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
	if (parent < 0)
		return -1;
	int fd = openat(parent, name, flags);
	if (fd < 0 && errno == ENOENT && make &&
		(mkdirat(parent, name, 0700) == 0 || errno == EEXIST))
		fd = openat(parent, name, flags);
	lcfg_file_close(parent);
	return checked(cache, fd, what);
}

int lcfg_cache_dir_open(lcfg_cache *cache, const char *kind, const lcfg_digest *name, bool make)
{
	char what[64];
	int fd = step(cache, open_top(cache, make), "v1", "v1", make);
	if (!kind)
		return fd;
	snprintf(what, sizeof(what), "v1/%s", kind);
	fd = step(cache, fd, kind, what, make);
	if (!name || strcmp(kind, "entries") != 0)
		return fd;
	char shard[3];
	snprintf(shard, sizeof(shard), "%02x", name->bytes[0]);
	snprintf(what, sizeof(what), "v1/%s/%s", kind, shard);
	return step(cache, fd, shard, what, make);
}
