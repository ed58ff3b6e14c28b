#include "base/manifest.h"

#include "base/base.h"
#include "base/parallel.h"

#define FILES_A_THREAD 64 /* for fewer files, starting a thread takes longer */

static const char kinds[] = {[BA_MANIFEST_FILE] = 'f',
	[BA_MANIFEST_LINK] = 'l',
	[BA_MANIFEST_FOLDER] = 'd',
	[BA_MANIFEST_OTHER] = 'o'};

BA_OWNS(ba_manifest, m, BA_FREE_EACH(x, m->entries, m->count, free(x->path)))

/* ---- reading a directory ---- */

typedef struct scan {
	ba_manifest list;
	size_t capacity;
	const char *top;
	int top_fd;
} scan;

static ba_manifest_entry *add(ba_manifest *m, size_t *capacity)
{
	ba_manifest_entry *e = BA_PUSH(m->entries, m->count, *capacity);
	*e = (ba_manifest_entry){0};
	return e;
}

static int fail(const scan *s, const char *path, ba_error *err)
{
	return ba_fail_errno(err, BA_EIO, "cannot read '%s/%s'", s->top, path);
}

/* If permissions forbid reading a folder, the variant cannot read it either. */
static int take_entry(void *data, const char *path, const struct stat *st, ba_error *err)
{
	scan *s = data;
	char target[PATH_MAX];
	errno = ENOTDIR;
	if (strcmp(path, ".") == 0)
		return S_ISDIR(st->st_mode) ? 0 : fail(s, path, err);
	ba_manifest_entry *e = add(&s->list, &s->capacity);
	*e = (ba_manifest_entry){.path = ba_xstrdup(path),
		.mode = st->st_mode & 07777,
		.kind = S_ISLNK(st->st_mode)   ? BA_MANIFEST_LINK
			: S_ISDIR(st->st_mode) ? BA_MANIFEST_FOLDER
			: S_ISREG(st->st_mode) ? BA_MANIFEST_FILE
					       : BA_MANIFEST_OTHER,
		.size = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0};
	if (e->kind == BA_MANIFEST_FOLDER)
		return faccessat(s->top_fd, path, R_OK, 0) == 0 ? 0
		       : errno == EACCES			? BA_FS_PASS
								: fail(s, path, err);
	ssize_t n = e->kind == BA_MANIFEST_LINK
			    ? readlinkat(s->top_fd, path, target, sizeof(target))
			    : 0;
	if (n < 0)
		return fail(s, path, err);
	if (e->kind == BA_MANIFEST_LINK)
		ba_sha256_of(e->sha256, target, (size_t)n);
	return 0;
}

BA_DEFINE_ORDER(by_path, ba_manifest_entry, strcmp(a->path, b->path))

/* ---- the content of its files ---- */

static int digest_file(void *data, unsigned thread, size_t i, ba_error *err)
{
	const scan *s = data;
	ba_manifest_entry *e = &s->list.entries[i];
	ba_sha256 sum;
	if (e->kind != BA_MANIFEST_FILE)
		return 0;
	/* O_NONBLOCK, because the file may have become a pipe, which would block */
	BA_AUTO_FD int fd =
		openat(s->top_fd, e->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && errno == EACCES) {
		e->kind = BA_MANIFEST_OTHER; /* the variant cannot read it either */
		return 0;
	}
	ba_sha256_init(&sum);
	if (fd < 0 || ba_sha256_add_fd(&sum, fd))
		return fail(s, e->path, err);
	e->size = sum.bytes;
	ba_sha256_hex(&sum, e->sha256);
	return 0;
}

int ba_manifest_scan(
	ba_manifest *out, const char *dir, bool (*stopped)(void *data), void *data, ba_error *err)
{
	BA_AUTO_FD int top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scan s = {.top = dir, .top_fd = top};
	int rc = top < 0 ? ba_fail_errno(err, BA_EIO, "cannot read '%s'", dir) : 0;
	rc = rc ? rc : ba_fs_walk(dir, take_entry, &s, err);
	if (rc == 0 && s.list.count) {
		qsort(s.list.entries, s.list.count, sizeof(*s.list.entries), by_path);
		rc = ba_parallel_run(&(ba_parallel){.count = s.list.count,
					     .chunk = 1,
					     .threads = ba_parallel_threads(s.list.count,
						     FILES_A_THREAD, BA_PARALLEL_MOST),
					     .work = digest_file,
					     .data = &s,
					     .stopped = stopped,
					     .stopped_data = data},
			err);
	}
	if (rc)
		ba_manifest_dispose(&s.list);
	else
		*out = s.list;
	return rc;
}

/* ---- to bytes and back ---- */

static void put_entry(ba_buf *out, const ba_manifest_entry *e)
{
	ba_buf_printf(
		out, "%c %o %s %s", kinds[e->kind], e->mode, *e->sha256 ? e->sha256 : "-", e->path);
	ba_buf_putc(out, '\0'); /* the only byte that cannot be in a name */
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
		if (BA_ANY(globs->items, globs->count, x, ba_text_glob(*x, part)))
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
