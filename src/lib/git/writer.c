#include "git/checkout.h"

int ba_writer_cannot(const ba_writer *w, const char *path, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(path);
	if (errno == EEXIST)
		return ba_fail(err, BA_EDATA,
			"the tree names '%s' twice (here file names may not differ by case alone)",
			safe);
	return ba_fail_errno(err, BA_EIO, "cannot write '%s/%s'", w->req->dir, safe);
}

static int create(const ba_writer *w, const ba_item *item)
{
	mode_t mode = item->mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0777 : 0666;
	return openat(
		w->root, item->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int ba_writer_put_raw(
	const ba_writer *w, ba_item *item, const void *data, size_t size, ba_error *err)
{
	BA_AUTO_FD int fd = create(w, item);
	if (fd < 0 || ba_fs_write_all(fd, data, size) || fstat(fd, &item->stat))
		return ba_writer_cannot(w, item->path, err);
	item->written = true;
	return 0;
}

int ba_writer_read(git_blob **out, git_repository *repo, const ba_item *item, ba_error *err)
{
	int rc = git_blob_lookup(out, repo, &item->id);
	if (rc == 0)
		return 0;
	const char *hex = git_oid_tostr_s(&item->id);
	if (rc == GIT_ENOTFOUND)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the content of '%s' (%s) is not in the repository; in a partial clone, `git cat-file -e %s` fetches it, and `git checkout` of the commit fetches all of them",
			item->path, hex, hex);
	return ba_git_fail(err, BA_EIO, "the content of '%s' (%s) cannot be read", item->path, hex);
}

/* What libgit2 converts itself: line endings, ident. The text is in `out` if anything
 * was converted, otherwise it is the blob's. */
static int convert(const ba_writer *w, git_repository *repo, const ba_item *item, git_blob *blob,
	git_buf *out, bool *converted, ba_error *err)
{
	git_filter_list *filters = NULL;
	int rc = 0;
	*converted = false;
	/* without the blob, so that libgit2's `ident` does not interfere with ours */
	if (ba_attributes_may_convert(&w->attributes, item->path) &&
		git_filter_list_load(&filters, repo, NULL, item->path, GIT_FILTER_TO_WORKTREE,
			GIT_FILTER_DEFAULT))
		return ba_git_fail(
			err, BA_EIO, "the attributes of '%s' cannot be read", item->path);
	if (!filters)
		return 0;
	*converted = true;
	if (git_filter_list_apply_to_buffer(
		    out, filters, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob)))
		rc = ba_git_fail(err, BA_EIO, "'%s' cannot be converted", item->path);
	git_filter_list_free(filters);
	return rc;
}

/* `again`: replaces a file whose first version decided about its own attributes */
static int write_converted(const ba_writer *w, git_repository *repo, ba_item *item, git_blob *blob,
	bool again, ba_error *err)
{
	git_buf text = {0};
	bool converted;
	int rc = convert(w, repo, item, blob, &text, &converted, err);
	if (rc == 0 && again && unlinkat(w->root, item->path, 0))
		rc = ba_writer_cannot(w, item->path, err);
	if (rc == 0 && converted)
		rc = ba_writer_put_raw(w, item, text.ptr, text.size, err);
	else if (rc == 0)
		rc = ba_writer_put_raw(
			w, item, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob), err);
	git_buf_dispose(&text);
	return rc;
}

static int copy_verified(const ba_writer *w, ba_item *item, const char *from,
	const ba_lfs_pointer *pointer, ba_error *err)
{
	BA_AUTO_FD int in = -1;
	BA_TRY(ba_fs_open(&in, from, err));
	BA_AUTO_FD int out = create(w, item);
	if (out < 0)
		return ba_writer_cannot(w, item->path, err);
	BA_AUTO_FREE char *chunk = ba_xmalloc(1 << 20);
	ba_sha256 hash;
	char sha256[65];
	ssize_t n;
	ba_sha256_init(&hash);
	while ((n = ba_fs_read_some(in, chunk, 1 << 20)) > 0) {
		ba_sha256_add(&hash, chunk, (size_t)n);
		if (ba_fs_write_all(out, chunk, (size_t)n))
			return ba_writer_cannot(w, item->path, err);
	}
	if (n < 0)
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", from);
	ba_sha256_hex(&hash, sha256);
	if (strcmp(sha256, pointer->sha256) != 0)
		return ba_fail(err, BA_EDATA,
			"the Git LFS store has damaged content for '%s'; run: git lfs fsck",
			item->path);
	if (fstat(out, &item->stat))
		return ba_writer_cannot(w, item->path, err);
	item->written = true;
	return 0;
}

/* Reports a pointer whose content is missing on this machine. */
static int lfs_missing(
	const ba_writer *w, git_repository *repo, ba_item *item, git_blob *blob, ba_error *err)
{
	if (w->req->leave_lfs_pointers) {
		ba_log_printf(w->req->log, BA_LOG_WARNING,
			"'%s' stays a Git LFS pointer, because its content is not on this machine",
			item->path);
		return write_converted(w, repo, item, blob, false, err);
	}
	return ba_fail(err, BA_EUNSUPPORTED,
		"'%s' is in Git LFS and its content is not on this machine, so a build would see a pointer; with git-lfs installed, run: git lfs fetch origin %s",
		item->path, w->req->commit);
}

static int write_lfs(
	const ba_writer *w, git_repository *repo, ba_item *item, git_blob *blob, ba_error *err)
{
	const char *data = git_blob_rawcontent(blob);
	size_t size = (size_t)git_blob_rawsize(blob);
	ba_lfs_pointer pointer;
	if (!ba_lfs_pointer_parse(&pointer, data, size)) {
		static const char start[] = "version https://git-lfs";
		bool foreign = size >= strlen(start) && memcmp(data, start, strlen(start)) == 0;
		if (foreign && w->req->has_git && ba_git_filter_is_configured(repo, "lfs")) {
			item->filtered = true; /* only git-lfs knows extensions */
			return 0;
		}
		/* committed without LFS: the content is here, as for git-lfs */
		return foreign ? lfs_missing(w, repo, item, blob, err)
			       : write_converted(w, repo, item, blob, false, err);
	}
	BA_AUTO_FREE char *from = ba_lfs_object_path(w->req->lfs_storage, &pointer);
	if (!ba_fs_exists(from))
		return lfs_missing(w, repo, item, blob, err);
	return copy_verified(w, item, from, &pointer, err);
}

int ba_writer_put_file(const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	ba_route route = BA_ROUTE_PLAIN;
	if (ba_attributes_may_program(&w->attributes, item->path))
		BA_TRY(ba_attributes_route(&route, repo, item->path, err));
	if (route == BA_ROUTE_PROGRAM && !w->req->has_git)
		return ba_fail(err, BA_EUNSUPPORTED,
			"'%s' goes through a filter program or an encoding, which needs the git program; install git",
			item->path);
	/* also reads files that git will write: in a partial clone, git would fetch
	 * their content */
	BA_TRY(ba_writer_read(&blob, repo, item, err));
	if (route == BA_ROUTE_PROGRAM) {
		item->filtered = true;
		return 0;
	}
	return route == BA_ROUTE_LFS ? write_lfs(w, repo, item, blob, err)
				     : write_converted(w, repo, item, blob, false, err);
}

int ba_writer_put_link(const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	BA_TRY(ba_writer_read(&blob, repo, item, err));
	const char *data = git_blob_rawcontent(blob);
	size_t size = (size_t)git_blob_rawsize(blob);
	if (w->links_as_files)
		return ba_writer_put_raw(w, item, data, size, err);
	BA_AUTO_FREE char *target = ba_xmemdup0(data, size);
	if (symlinkat(target, w->root, item->path) ||
		fstatat(w->root, item->path, &item->stat, AT_SYMLINK_NOFOLLOW))
		return ba_writer_cannot(w, item->path, err);
	item->written = true;
	return 0;
}

int ba_writer_replace(const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	BA_TRY(ba_writer_read(&blob, repo, item, err));
	return write_converted(w, repo, item, blob, true, err);
}
