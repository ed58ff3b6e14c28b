#include "build/hashes.h"
#include "json/fields.h"

#define FORMAT "bench-against.toolchain/1"
#define CEILING (1u << 20)
#define ROWS_MAX 512 /* beyond this, start again without old rows */

typedef struct stamp {
	uint64_t device, inode, size, mtime_ns, ctime_ns;
} stamp;

struct ba_hash_row {
	char *path;
	stamp stamp;
	char sha256[65];
};

static const ba_json_field row_fields[] = {
	BA_FIELD(ba_hash_row, path, TEXT),
	BA_FIELD_AS("device", ba_hash_row, stamp.device, U64),
	BA_FIELD_AS("inode", ba_hash_row, stamp.inode, U64),
	BA_FIELD_AS("size", ba_hash_row, stamp.size, U64),
	BA_FIELD_AS("mtime_ns", ba_hash_row, stamp.mtime_ns, U64),
	BA_FIELD_AS("ctime_ns", ba_hash_row, stamp.ctime_ns, U64),
	BA_FIELD(ba_hash_row, sha256, DIGEST),
};

static const ba_json_field fields[] = {BA_FIELD_SCHEMA("format", FORMAT),
	BA_FIELD_LIST("files", ba_hashes, rows, count, BA_FIELDS(row_fields), .most = ROWS_MAX)};

static void row_dispose(ba_hash_row *row)
{
	free(row->path);
}

void ba_hashes_dispose(ba_hashes *h)
{
	BA_FREE_ARRAY(row_dispose, h->rows, h->count);
	*h = (ba_hashes){0};
}

static bool load(ba_hashes *h, const char *path)
{
	ba_json_options options = {.ceiling = CEILING};
	if (!path || ba_fields_load(h, BA_FIELDS(fields), path, &options, NULL))
		return false;
	for (size_t i = 0; i < h->count; i++)
		if (strlen(h->rows[i].sha256) != 64)
			return false;
	return true;
}

void ba_hashes_load(ba_hashes *h, const char *path)
{
	*h = (ba_hashes){0};
	if (!load(h, path))
		ba_hashes_dispose(h);
}

void ba_hashes_save(const ba_hashes *h, const char *path, const ba_log *log)
{
	ba_error err;
	if (path && h->changed && ba_fields_save(path, 1, BA_FIELDS(fields), h, &err) < 0)
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
			row = BA_PUSH(h->rows, h->count, h->capacity);
			*row = (ba_hash_row){.path = ba_xstrdup(path)};
		}
		row->stamp = now;
		memcpy(row->sha256, sha256, 65);
		h->changed = true;
	}
	memcpy(out, row->sha256, 65);
	return 0;
}
