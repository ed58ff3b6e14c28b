#include "git/checkout.h"

int ba_checkout_open_private(git_repository **out, const char *dir, ba_error *err)
{
	const unsigned flags = GIT_REPOSITORY_OPEN_NO_SEARCH;
	int rc = git_repository_open_ext(out, dir, flags, NULL);
	if (rc) {
		git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
		rc = git_repository_open_ext(out, dir, flags, NULL);
		git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
	}
	if (rc)
		return ba_git_fail(
			err, BA_EREPO, "the private repository of '%s' cannot be opened", dir);
	return 0;
}

uint32_t ba_canonical_mode(uint32_t mode)
{
	if (S_ISREG(mode))
		return mode & 0100 ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
	return S_ISLNK(mode) ? GIT_FILEMODE_LINK : mode;
}

static git_index_time index_time(struct timespec t)
{
	return (git_index_time){.seconds = (int32_t)t.tv_sec, .nanoseconds = (uint32_t)t.tv_nsec};
}

/* so that `git status` need not read every file again */
static int note_stat(git_index *index, const ba_item *item, ba_error *err)
{
	const git_index_entry *found = git_index_get_bypath(index, item->path, 0);
	if (!found)
		return 0;
	git_index_entry entry = *found;
	entry.path = item->path;
	entry.mode = item->mode;
	entry.ctime = index_time(item->stat.st_ctim);
	entry.mtime = index_time(item->stat.st_mtim);
	entry.dev = (uint32_t)item->stat.st_dev;
	entry.ino = (uint32_t)item->stat.st_ino;
	entry.uid = item->stat.st_uid;
	entry.gid = item->stat.st_gid;
	entry.file_size = (uint32_t)item->stat.st_size;
	if (git_index_add(index, &entry))
		return ba_git_fail(err, BA_EIO, "the index cannot take '%s'", item->path);
	return 0;
}

static int canonicalise_modes(git_index *index, ba_error *err)
{
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		git_index_entry entry = *git_index_get_byindex(index, i);
		uint32_t mode = ba_canonical_mode(entry.mode);
		if (mode == entry.mode)
			continue;
		BA_AUTO_FREE char *path = ba_xstrdup(entry.path);
		entry.path = path;
		entry.mode = mode;
		if (git_index_add(index, &entry))
			return ba_git_fail(err, BA_EIO, "the index cannot take '%s'", path);
	}
	return 0;
}

static int write_index(git_index *index, const char *dir, ba_error *err)
{
	return git_index_write(index)
		       ? ba_git_fail(err, BA_EIO, "the index of '%s' cannot be written", dir)
		       : 0;
}

/* Keeps the stat data of files that are equal in the commit. */
static int settle(git_repository *repo, git_index *index, const char *dir, const char *commit_hex,
	ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	git_oid id, tree_id;
	BA_TRY(ba_git_oid(&id, commit_hex, err));
	BA_TRY(ba_git_replaced_tree(&tree_id, repo, &id, commit_hex, commit_hex, err));
	if (git_tree_lookup(&tree, repo, &tree_id) || git_index_read_tree(index, tree))
		return ba_git_fail(err, BA_EIO, "the index of '%s' cannot be made", dir);
	BA_TRY(canonicalise_modes(index, err));
	return write_index(index, dir, err);
}

int ba_checkout_settle(const char *dir, const char *commit, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *repo = NULL;
	BA_AUTO_PTR(git_index) git_index *index = NULL;
	BA_AUTO_FREE char *path = ba_path_join(dir, ".git/index");
	BA_TRY(ba_checkout_open_private(&repo, dir, err));
	if (git_index_open(&index, path))
		return ba_git_fail(err, BA_EIO, "the index of '%s' cannot be read", dir);
	return settle(repo, index, dir, commit, err);
}

int ba_checkout_write_index(git_repository *repo, git_index *index, const ba_item *items,
	size_t count, const ba_checkout_request *req, ba_error *err)
{
	bool filtered = false;
	for (size_t i = 0; i < count; i++) {
		BA_TRY(items[i].written ? note_stat(index, &items[i], err) : 0);
		filtered = filtered || items[i].filtered;
	}
	if (!filtered)
		return settle(repo, index, req->dir, req->commit, err);
	BA_TRY(canonicalise_modes(index, err));
	return write_index(index, req->dir, err);
}
