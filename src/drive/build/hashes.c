#include <sys/stat.h>

#include "base/hash.h"
#include "build/hashes.h"
#include "json/json.h"
#include "json/writer.h"

#define FORMAT "bench-against.toolchain/1"
#define CEILING (1u << 20)
#define ROWS_MAX 512 /* then we begin anew: tools of the past */

typedef struct stamp {
	uint64_t device, inode, size, mtime_ns, ctime_ns;
} stamp;

struct ba_hash_row {
	char *path;
	stamp stamp;
	char sha256[65];
};

static ba_hash_row *row_add(ba_hashes *h)
{
	ba_hash_row *row = BA_PUSH(h->rows, h->count, h->capacity);
	*row = (ba_hash_row){0};
	return row;
}

void ba_hashes_dispose(ba_hashes *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->rows[i].path);
	free(h->rows);
	*h = (ba_hashes){0};
}

/* the members of a stamp, for reading and for writing */
typedef struct stamp_member {
	const char *name;
	size_t offset;
} stamp_member;

static const stamp_member stamp_members[] = {
	{"device", offsetof(stamp, device)},
	{"inode", offsetof(stamp, inode)},
	{"size", offsetof(stamp, size)},
	{"mtime_ns", offsetof(stamp, mtime_ns)},
	{"ctime_ns", offsetof(stamp, ctime_ns)},
};
enum { STAMP_MEMBERS = BA_COUNT(stamp_members) };

static uint64_t *member_of(stamp *s, size_t i)
{
	return (uint64_t *)(void *)((char *)s + stamp_members[i].offset);
}

static bool load_row(ba_hashes *h, ba_json_value v)
{
	const char *path, *sha;
	stamp s;
	if (ba_json_get_string(&path, v, "path", NULL) ||
		ba_json_get_string(&sha, v, "sha256", NULL) || strlen(sha) != 64)
		return false;
	for (size_t i = 0; i < STAMP_MEMBERS; i++)
		if (ba_json_get_u64(
			    member_of(&s, i), v, stamp_members[i].name, 0, UINT64_MAX, NULL))
			return false;
	ba_hash_row *row = row_add(h);
	row->path = ba_xstrdup(path);
	row->stamp = s;
	memcpy(row->sha256, sha, 65);
	return true;
}

void ba_hashes_load(ba_hashes *h, const char *path)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	const char *format;
	ba_json_options options = {.ceiling = CEILING};
	*h = (ba_hashes){0};
	if (!path || ba_json_read(&doc, path, &options, NULL) < 0 ||
		ba_json_get_string(&format, ba_json_root(doc), "format", NULL) ||
		strcmp(format, FORMAT) != 0)
		return;
	for (ba_json_value v = ba_json_first(ba_json_find(ba_json_root(doc), "files"));
		ba_json_is(v) && h->count < ROWS_MAX; v = ba_json_next(v))
		if (!load_row(h, v))
			return;
}

void ba_hashes_save(const ba_hashes *h, const char *path, const ba_log *log)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w;
	ba_error err;
	if (!path || !h->changed)
		return;
	ba_json_writer_to_buf(&w, &text, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "format", FORMAT);
	ba_json_open_array(&w, "files");
	for (size_t i = 0; i < h->count; i++) {
		ba_json_open_object(&w, NULL);
		ba_json_write_string(&w, "path", h->rows[i].path);
		for (size_t k = 0; k < STAMP_MEMBERS; k++)
			ba_json_write_u64(
				&w, stamp_members[k].name, *member_of(&h->rows[i].stamp, k));
		ba_json_write_string(&w, "sha256", h->rows[i].sha256);
		ba_json_close(&w);
	}
	ba_json_close(&w);
	ba_json_close(&w);
	if (ba_json_writer_finish(&w, &err) < 0 ||
		ba_fs_write_atomic(path, text.data, text.len, &err) < 0)
		ba_log_printf(log, BA_LOG_WARNING,
			"the compilers must be hashed again next time: %s", err.text);
}

static uint64_t time_ns(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int ba_hashes_get(char out[65], ba_hashes *h, const char *path, ba_error *err)
{
	ba_hash_row *row = NULL;
	struct stat st;
	char sha256[65];
	if (stat(path, &st))
		return ba_fail_errno(err, BA_EIO, "'%s'", path);
	stamp now = {(uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
		time_ns(st.st_mtim), time_ns(st.st_ctim)};
	for (size_t i = 0; !row && i < h->count; i++)
		if (!strcmp(h->rows[i].path, path))
			row = &h->rows[i];
	if (!row || memcmp(&row->stamp, &now, sizeof(now)) != 0) {
		int rc = ba_sha256_file(sha256, path, err);
		if (rc < 0)
			return rc;
		if (!row) {
			row = row_add(h);
			row->path = ba_xstrdup(path);
		}
		row->stamp = now;
		memcpy(row->sha256, sha256, 65);
		h->changed = true;
	}
	memcpy(out, row->sha256, 65);
	return 0;
}
