#include "base/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/hash.h"

/* more threads than that wait for the disk or the memory */
#define THREADS_MOST 8
#define FILES_A_THREAD 64 /* fewer take less time than starting a thread */

static const char kinds[] = {[BA_MANIFEST_FILE] = 'f',
	[BA_MANIFEST_LINK] = 'l',
	[BA_MANIFEST_FOLDER] = 'd',
	[BA_MANIFEST_OTHER] = 'o'};

void ba_manifest_dispose(ba_manifest *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->entries[i].path);
	free(m->entries);
	*m = (ba_manifest){0};
}

/* ---- reading a directory ---- */

typedef struct scan {
	ba_manifest list;
	size_t capacity;
	const char *top;
	bool (*stopped)(void *data);
	void *data;
	ba_error *err;
} scan;

static ba_manifest_entry *add(ba_manifest *m, size_t *capacity)
{
	if (m->count == *capacity) {
		*capacity = *capacity ? 2 * *capacity : 256;
		m->entries = ba_xreallocarray(m->entries, *capacity, sizeof(*m->entries));
	}
	m->entries[m->count] = (ba_manifest_entry){0};
	return &m->entries[m->count++];
}

static int fail(const scan *s, const char *path)
{
	return ba_fail_errno(s->err, BA_EIO, "cannot read '%s/%s'", s->top, path);
}

static int take_link(const scan *s, ba_manifest_entry *e, int dir, const char *name)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));
	if (n < 0)
		return fail(s, e->path);
	ba_sha256_of(e->sha256, target, (size_t)n);
	return 0;
}

static int scan_folder(scan *s, int parent, const char *name, const char *path);

static int take_entry(scan *s, int dir, const char *name, char *path)
{
	struct stat st;
	ba_manifest_entry *e = add(&s->list, &s->capacity);
	e->path = path;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return fail(s, path);
	e->mode = st.st_mode & 07777;
	if (S_ISLNK(st.st_mode)) {
		e->kind = BA_MANIFEST_LINK;
		return take_link(s, e, dir, name);
	}
	if (S_ISDIR(st.st_mode)) {
		e->kind = BA_MANIFEST_FOLDER;
		return scan_folder(s, dir, name, path);
	}
	e->kind = S_ISREG(st.st_mode) ? BA_MANIFEST_FILE : BA_MANIFEST_OTHER;
	e->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	return 0;
}

static int scan_folder(scan *s, int parent, const char *name, const char *path)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int rc = 0;
	if (!dir) {
		/* if its permissions forbid reading, the variant cannot read it either */
		rc = errno == EACCES && *path ? 0 : fail(s, path);
		if (fd >= 0)
			close(fd);
		return rc;
	}
	while (rc == 0 && (errno = 0, entry = readdir(dir))) {
		const char *n = entry->d_name;
		if (strcmp(n, ".") == 0 || strcmp(n, "..") == 0)
			continue;
		rc = take_entry(s, dirfd(dir), n, *path ? ba_path_join(path, n) : ba_xstrdup(n));
	}
	if (rc == 0 && errno)
		rc = fail(s, path);
	closedir(dir);
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const ba_manifest_entry *x = a, *y = b;
	return strcmp(x->path, y->path);
}

/* ---- what is in it ---- */

typedef struct crew {
	scan *scan;
	int top;
	atomic_size_t next;
	atomic_bool stop;
	pthread_mutex_t lock; /* of the first error */
	int rc;
} crew;

static void end_crew(crew *c, int rc, const char *path, int error)
{
	pthread_mutex_lock(&c->lock);
	if (c->rc == 0) {
		c->rc = rc;
		errno = error;
		if (rc == BA_EINTERRUPTED)
			ba_fail(c->scan->err, rc, "interrupted");
		else
			fail(c->scan, path);
	}
	pthread_mutex_unlock(&c->lock);
	atomic_store(&c->stop, true);
}

static int digest_file(ba_manifest_entry *e, int top, char *chunk, size_t room)
{
	/* what was a file may be a pipe by now, and waiting for it would have no end */
	BA_AUTO_FD int fd = openat(top, e->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ba_sha256 sum;
	uint64_t size = 0;
	if (fd < 0 && errno == EACCES) {
		/* its permissions close it to the variant as well */
		e->kind = BA_MANIFEST_OTHER;
		return 0;
	}
	if (fd < 0)
		return -1;
	ba_sha256_init(&sum);
	for (;;) {
		ssize_t n = ba_fs_read_some(fd, chunk, room);
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		ba_sha256_add(&sum, chunk, (size_t)n);
		size += (uint64_t)n;
	}
	e->size = size;
	ba_sha256_hex(&sum, e->sha256);
	return 0;
}

static void *read_files(void *data)
{
	enum { ROOM = 1 << 18 };
	crew *c = data;
	BA_AUTO_FREE char *chunk = ba_xmalloc(ROOM);
	while (!atomic_load(&c->stop)) {
		size_t i = atomic_fetch_add(&c->next, 1);
		if (i >= c->scan->list.count)
			break;
		ba_manifest_entry *e = &c->scan->list.entries[i];
		if (e->kind != BA_MANIFEST_FILE)
			continue;
		if (c->scan->stopped && c->scan->stopped(c->scan->data))
			end_crew(c, BA_EINTERRUPTED, "", 0);
		else if (digest_file(e, c->top, chunk, ROOM))
			end_crew(c, BA_EIO, e->path, errno);
	}
	return NULL;
}

static size_t threads_for(size_t files)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n = cores > 1 ? (size_t)cores : 1;
	n = n < THREADS_MOST ? n : THREADS_MOST;
	return files / FILES_A_THREAD < n ? files / FILES_A_THREAD : n;
}

/* This thread is one of them: without a second one it takes longer, and that is all. */
static int read_all(scan *s, int top)
{
	crew c = {.scan = s, .top = top};
	pthread_t others[THREADS_MOST];
	size_t started = 0, wanted = threads_for(s->list.count);
	pthread_mutex_init(&c.lock, NULL);
	while (started + 1 < wanted && pthread_create(&others[started], NULL, read_files, &c) == 0)
		started++;
	read_files(&c);
	for (size_t i = 0; i < started; i++)
		pthread_join(others[i], NULL);
	pthread_mutex_destroy(&c.lock);
	return c.rc;
}

int ba_manifest_scan(
	ba_manifest *out, const char *dir, bool (*stopped)(void *data), void *data, ba_error *err)
{
	scan s = {.top = dir, .stopped = stopped, .data = data, .err = err};
	BA_AUTO_FD int top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = top < 0 ? ba_fail_errno(err, BA_EIO, "cannot read '%s'", dir) : 0;
	rc = rc ? rc : scan_folder(&s, top, ".", "");
	if (rc == 0 && s.list.count) {
		qsort(s.list.entries, s.list.count, sizeof(*s.list.entries), by_path);
		rc = read_all(&s, top);
	}
	if (rc) {
		ba_manifest_dispose(&s.list);
		return rc;
	}
	*out = s.list;
	return 0;
}

/* ---- to bytes and back ---- */

static void put_entry(ba_buf *out, const ba_manifest_entry *e)
{
	ba_buf_printf(
		out, "%c %o %s %s", kinds[e->kind], e->mode, *e->sha256 ? e->sha256 : "-", e->path);
	ba_buf_putc(out, '\0'); /* the one byte that no name has */
}

void ba_manifest_format(ba_buf *out, const ba_manifest *m)
{
	for (size_t i = 0; i < m->count; i++)
		put_entry(out, &m->entries[i]);
}

static bool is_digest(const char *text, size_t size)
{
	return size == 64 && strspn(text, "0123456789abcdef") >= 64;
}

static bool take_line(ba_manifest_entry *e, const char *line)
{
	const char *kind = memchr(kinds, *line, sizeof(kinds));
	char *end;
	if (!*line || !kind || line[1] != ' ' || line[2] < '0' || line[2] > '7')
		return false;
	unsigned long mode = strtoul(line + 2, &end, 8);
	if (mode > 07777 || *end != ' ')
		return false;
	const char *sum = end + 1;
	size_t n = strcspn(sum, " ");
	bool read = kind - kinds == BA_MANIFEST_FILE || kind - kinds == BA_MANIFEST_LINK;
	bool good = read ? is_digest(sum, n) : n == 1 && *sum == '-';
	if (!good || sum[n] != ' ' || !ba_path_is_inside(sum + n + 1))
		return false;
	e->kind = (ba_manifest_kind)(kind - kinds);
	e->mode = (unsigned)mode;
	if (read)
		snprintf(e->sha256, sizeof(e->sha256), "%.64s", sum);
	e->path = ba_xstrdup(sum + n + 1);
	return true;
}

int ba_manifest_parse(ba_manifest *out, const char *data, size_t size, ba_error *err)
{
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	size_t capacity = 0;
	for (size_t at = 0; at < size;) {
		const char *end = memchr(data + at, '\0', size - at);
		if (!end || !take_line(add(&m, &capacity), data + at) ||
			(m.count > 1 &&
				by_path(&m.entries[m.count - 2], &m.entries[m.count - 1]) >= 0))
			return ba_fail(err, BA_EDATA, "the list of files is damaged");
		at = (size_t)(end - data) + 1;
	}
	*out = BA_MOVE(m);
	return 0;
}

/* ---- questions ---- */

/* does one of the globs match the path or a folder above it? NULL: no */
static bool matches(const ba_strv *globs, const char *path)
{
	if (!globs || !globs->count)
		return false;
	BA_AUTO_FREE char *part = ba_xstrdup(path);
	for (char *end = part + strlen(part); end; end = strrchr(part, '/')) {
		*end = '\0';
		for (size_t i = 0; i < globs->count; i++)
			if (ba_text_glob(globs->items[i], part))
				return true;
	}
	return false;
}

void ba_manifest_digest(
	char out[65], const ba_manifest *m, const ba_strv *without, const ba_strv *unused)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	size_t u = 0, count = unused ? unused->count : 0;
	ba_sha256 sum;
	ba_sha256_init(&sum);
	for (size_t i = 0; i < m->count; i++) {
		const char *path = m->entries[i].path;
		while (u < count && strcmp(unused->items[u], path) < 0)
			u++;
		if ((u < count && strcmp(unused->items[u], path) == 0) || matches(without, path))
			continue;
		ba_buf_truncate(&line, 0);
		put_entry(&line, &m->entries[i]);
		ba_sha256_add(&sum, line.data, line.len);
	}
	ba_sha256_hex(&sum, out);
}

static bool is_same(const ba_manifest_entry *a, const ba_manifest_entry *b)
{
	return a->kind == b->kind && a->mode == b->mode && strcmp(a->sha256, b->sha256) == 0;
}

void ba_manifest_diff(const ba_manifest *a, const ba_manifest *b, const ba_strv *without,
	bool (*differs)(void *data, const ba_manifest_entry *a, const ba_manifest_entry *b),
	void *data)
{
	size_t i = 0, k = 0;
	while (i < a->count || k < b->count) {
		const ba_manifest_entry *x = i < a->count ? &a->entries[i] : NULL;
		const ba_manifest_entry *y = k < b->count ? &b->entries[k] : NULL;
		int order = !x ? 1 : !y ? -1 : strcmp(x->path, y->path);
		x = order <= 0 ? x : NULL;
		y = order >= 0 ? y : NULL;
		i += order <= 0;
		k += order >= 0;
		if (x && y && is_same(x, y))
			continue;
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): one of them is there */
		if (!matches(without, x ? x->path : y->path) && !differs(data, x, y))
			return;
	}
}
