#include "build/frozen.h"

#include <limits.h>

#include "base/hash.h"
#include "base/manifest.h"

#define MOUNTS_MOST 2000 /* bubblewrap accepts at most 9000 arguments */

void ba_frozen_dispose(ba_frozen *f)
{
	BA_DISPOSE(ba_strv, &f->files, &f->digests);
}

/* digest of a file's content or a link's target; "" if it is missing or something else */
static void digest_of(char out[65], const char *path)
{
	struct stat s;
	char target[PATH_MAX];
	out[0] = '\0';
	if (lstat(path, &s))
		return;
	ssize_t n = S_ISLNK(s.st_mode) ? readlink(path, target, sizeof(target)) : -1;
	if (n >= 0)
		ba_sha256_of(out, target, (size_t)n);
	else if (S_ISREG(s.st_mode) && ba_sha256_file(out, path, NULL))
		out[0] = '\0';
}

static void add(ba_frozen *f, char *path)
{
	char digest[65];
	digest_of(digest, path);
	ba_strv_push_take(&f->files, path);
	ba_strv_push(&f->digests, digest);
}

static int add_folder(ba_frozen *f, const char *path, ba_error *err)
{
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	int rc = ba_manifest_scan(&m, path, NULL, NULL, err);
	for (size_t i = 0; rc == 0 && i < m.count; i++)
		if (m.entries[i].kind != BA_MANIFEST_FOLDER)
			add(f, ba_path_join(path, m.entries[i].path));
	return rc;
}

int ba_frozen_take(ba_frozen *out, const char *dir, const ba_strv *paths, ba_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < paths->count; i++) {
		struct stat s;
		char *path = ba_path_join(dir, paths->items[i]);
		bool there = lstat(path, &s) == 0;
		if (there && S_ISDIR(s.st_mode))
			rc = add_folder(out, path, err);
		if (there && !S_ISDIR(s.st_mode))
			add(out, path);
		else
			free(path);
	}
	return rc;
}

void ba_frozen_mounts(ba_strv *readable, const ba_frozen *f)
{
	struct stat s;
	for (size_t i = 0; i < f->files.count && i < MOUNTS_MOST; i++)
		if (lstat(f->files.items[i], &s) == 0 && S_ISREG(s.st_mode))
			ba_strv_push(readable, f->files.items[i]);
}

int ba_frozen_check(const ba_frozen *f, ba_error *err)
{
	for (size_t i = 0; i < f->files.count; i++) {
		char digest[65];
		digest_of(digest, f->files.items[i]);
		if (strcmp(digest, f->digests.items[i]) == 0)
			continue;
		BA_AUTO_FREE char *safe = ba_text_safe(f->files.items[i]);
		return ba_fail(err, BA_EBUILD,
			"the build changed '%s', which 'overlay' gives to all variants alike; let it write elsewhere, or take the file out of the overlay",
			safe);
	}
	return 0;
}
