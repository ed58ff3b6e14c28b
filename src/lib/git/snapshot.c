#include "git/snapshot.h"

#include "git/attributes.h"

#include <git2/sys/repository.h>

int ba_git_open_beside(
	git_repository **out, const ba_repo *repo, const char *objects_dir, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *handle = NULL;
	BA_TRY(ba_git_open_at(&handle, repo->workdir ? repo->workdir : repo->git_dir, err));
	if (objects_dir) {
		BA_AUTO_PTR(git_odb) git_odb *odb = NULL;
		BA_AUTO_FREE char *theirs = ba_path_join(repo->common_dir, "objects");
		if (git_odb_open(&odb, objects_dir) || git_odb_add_disk_alternate(odb, theirs) ||
			git_repository_set_odb(handle, odb))
			return ba_git_fail(err, BA_EIO, "the object directory '%s' cannot be used",
				objects_dir);
	}
	*out = BA_TAKE(handle);
	return 0;
}

static int head_tree(git_commit **commit, git_tree **tree, git_repository *handle,
	const ba_repo *repo, ba_error *err)
{
	BA_AUTO_PTR(git_object) git_object *object = NULL;
	if (git_repository_head_unborn(handle) == 1)
		return ba_fail(err, BA_ENOTFOUND,
			"'%s' has no commit yet; make one before comparing with it", repo->workdir);
	if (git_revparse_single(&object, handle, "HEAD^{commit}") ||
		git_commit_dup(commit, (git_commit *)object) || git_commit_tree(tree, *commit))
		return ba_git_fail(err, BA_EIO, "HEAD of '%s' cannot be read", repo->workdir);
	return 0;
}

/* without GIT_DIFF_UPDATE_INDEX, which would write the user's index */
static git_diff_options diff_options(void)
{
	git_diff_options options = GIT_DIFF_OPTIONS_INIT;
	options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS |
			GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_INCLUDE_UNREADABLE;
	return options;
}

static const char *delta_path(const git_diff_delta *delta)
{
	return delta->status == GIT_DELTA_DELETED ? delta->old_file.path : delta->new_file.path;
}

/* An untracked folder that is a repository: git does not look into it either. libgit2
 * reports it with a trailing slash. */
static bool is_nested_repository(const git_diff_delta *delta)
{
	size_t n = strlen(delta->new_file.path);
	return delta->status == GIT_DELTA_UNTRACKED && n > 0 && delta->new_file.path[n - 1] == '/';
}

static bool is_skipped(git_index *index, const git_diff_delta *delta)
{
	const git_index_entry *entry =
		delta->status == GIT_DELTA_DELETED
			? git_index_get_bypath(index, delta->old_file.path, 0)
			: NULL;
	return entry && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE);
}

enum change {
	CHANGE_NONE,	 /* equal content in another form */
	CHANGE_CONTENT,	 /* take the content from the disk */
	CHANGE_FILTERED, /* only a filter program could decide */
};

struct walk {
	git_repository *handle;
	git_index *index;
	const char *workdir;
};

/* Whether a path that differs by its bytes differs in what git would store. LFS content
 * is compared with its pointer; other filter programs are not run. */
static enum change change_of(const struct walk *w, const git_diff_delta *delta)
{
	const char *filter, *encoding, *path = delta_path(delta);
	if (delta->status == GIT_DELTA_DELETED || delta->new_file.mode == GIT_FILEMODE_LINK ||
		delta->new_file.mode == GIT_FILEMODE_COMMIT)
		return CHANGE_CONTENT;
	if (ba_git_filter_of(&filter, &encoding, w->handle, path))
		return CHANGE_CONTENT;
	if (filter && strcmp(filter, "lfs") == 0) {
		BA_AUTO_FREE char *file = ba_path_join(w->workdir, path);
		bool same = delta->status == GIT_DELTA_MODIFIED &&
			    delta->old_file.mode == delta->new_file.mode &&
			    ba_lfs_file_matches(w->handle, &delta->old_file.id, file);
		return same ? CHANGE_NONE : CHANGE_CONTENT;
	}
	bool by_program = filter && ba_git_filter_is_configured(w->handle, filter);
	return encoding || by_program ? CHANGE_FILTERED : CHANGE_CONTENT;
}

static int stop_at_change(
	const git_diff *diff, const git_diff_delta *delta, const char *matched, void *data)
{
	const struct walk *w = data;
	if (is_nested_repository(delta) || is_skipped(w->index, delta))
		return 1;
	return change_of(w, delta) == CHANGE_NONE ? 1 : GIT_EUSER;
}

/* GIT_EUSER means that stop_at_change ended the diff: dirty */
static int compare_quickly(bool *out, struct walk *w, git_tree *head, ba_error *err)
{
	git_diff_options options = diff_options();
	BA_AUTO_PTR(git_diff) git_diff *staged = NULL, *unstaged = NULL;
	if (git_diff_tree_to_index(&staged, w->handle, head, w->index, &options))
		return ba_git_fail(err, BA_EIO, "the index of '%s' cannot be compared", w->workdir);
	if (git_diff_num_deltas(staged) > 0) {
		*out = true;
		return 0;
	}
	options.notify_cb = stop_at_change;
	options.payload = w;
	int rc = git_diff_index_to_workdir(&unstaged, w->handle, w->index, &options);
	if (rc && rc != GIT_EUSER)
		return ba_git_fail(err, BA_EIO, "the files of '%s' cannot be compared", w->workdir);
	*out = rc == GIT_EUSER;
	return 0;
}

static int refuse_pipe(const char *dir, int size, const char *path, const char *name, ba_error *err)
{
	struct stat st;
	BA_AUTO_FREE char *file = ba_xprintf("%s/%.*s%s", dir, size, path, name);
	if (stat(file, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return ba_fail(err, BA_EINVAL, "'%s' is a pipe or a device, not a file", file);
	return 0;
}

/* Opens the index before files are compared. If a .gitignore is a pipe, libgit2 would wait
 * for ever for its writer. */
static int open_index(git_index **out, git_repository *handle, const ba_repo *repo, ba_error *err)
{
	const char *last = "";
	if (git_repository_index(out, handle))
		return ba_git_fail(err, BA_EIO, "the index of '%s' cannot be read", repo->workdir);
	BA_TRY(refuse_pipe(repo->common_dir, 0, "", "info/exclude", err));
	BA_TRY(refuse_pipe(repo->workdir, 0, "", ".gitignore", err));
	for (size_t i = 0; i < git_index_entrycount(*out); i++) {
		const char *path = git_index_get_byindex(*out, i)->path;
		size_t at = 0;
		while (path[at] && path[at] == last[at])
			at++;
		/* each folder that the entry before was not in */
		for (; path[at]; at++)
			if (path[at] == '/')
				BA_TRY(refuse_pipe(
					repo->workdir, (int)at + 1, path, ".gitignore", err));
		last = path;
	}
	return 0;
}

int ba_repo_is_dirty(bool *out, ba_repo *repo, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *handle = NULL;
	BA_AUTO_PTR(git_index) git_index *index = NULL;
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	if (!repo->workdir) {
		*out = false;
		return 0;
	}
	BA_TRY(ba_git_open_beside(&handle, repo, NULL, err));
	BA_TRY(head_tree(&commit, &tree, handle, repo, err));
	BA_TRY(open_index(&index, handle, repo, err));
	struct walk w = {.handle = handle, .index = index, .workdir = repo->workdir};
	return compare_quickly(out, &w, tree, err);
}

/* A submodule's commit is recorded; uncommitted changes inside it have no tree. */
static int check_submodule(const struct walk *w, const char *path, ba_error *err)
{
	unsigned status = 0;
	if (git_submodule_status(&status, w->handle, path, GIT_SUBMODULE_IGNORE_UNSPECIFIED))
		return 0; /* a repository without an entry in .gitmodules */
	if (GIT_SUBMODULE_STATUS_IS_WD_DIRTY(status) ||
		(status & (GIT_SUBMODULE_STATUS_WD_INDEX_MODIFIED |
				  GIT_SUBMODULE_STATUS_WD_WD_MODIFIED |
				  GIT_SUBMODULE_STATUS_WD_UNTRACKED)))
		return ba_fail(err, BA_EUNSUPPORTED,
			"the submodule '%s' has uncommitted changes, which WORKTREE does not include; commit or stash them in '%s/%s'",
			path, w->workdir, path);
	return 0;
}

static int take_from_disk(const struct walk *w, const git_diff_delta *delta, ba_error *err)
{
	const char *path = delta_path(delta);
	if (delta->new_file.mode == GIT_FILEMODE_COMMIT)
		BA_TRY(check_submodule(w, path, err));
	if (delta->status == GIT_DELTA_DELETED) {
		git_index_remove_bypath(w->index, path);
		return 0;
	}
	if (delta->status == GIT_DELTA_CONFLICTED) {
		BA_AUTO_FREE char *file = ba_path_join(w->workdir, path);
		git_index_conflict_remove(w->index, path);
		if (!ba_fs_exists(file))
			return 0;
	}
	if (delta->status == GIT_DELTA_UNREADABLE)
		return ba_fail(err, BA_EIO, "'%s/%s' cannot be read", w->workdir, path);
	if (git_index_add_bypath(w->index, path))
		return ba_git_fail(err, BA_EIO, "'%s/%s' cannot be recorded", w->workdir, path);
	return 0;
}

static int record(struct walk *w, const git_diff_delta *delta, const ba_log *log, ba_error *err)
{
	const char *path = delta_path(delta);
	if (is_nested_repository(delta)) {
		ba_log_printf(log, BA_LOG_WARNING,
			"'%s' is a repository of its own, neither a submodule nor ignored: WORKTREE leaves it out; ignore it or add it as a submodule",
			path);
		return 0;
	}
	if (is_skipped(w->index, delta))
		return 0;
	switch (change_of(w, delta)) {
	case CHANGE_NONE:
		return 0;
	case CHANGE_FILTERED:
		return ba_fail(err, BA_EUNSUPPORTED,
			"'%s' has uncommitted changes and goes through a filter or an encoding that only git applies; commit it to measure it",
			path);
	case CHANGE_CONTENT:
		break;
	}
	return take_from_disk(w, delta, err);
}

/* The diff reads the index lazily, so it is gathered before the index changes. */
static int record_all(struct walk *w, const ba_log *log, ba_error *err)
{
	git_diff_options options = diff_options();
	BA_AUTO_PTR(git_diff) git_diff *diff = NULL;
	if (git_diff_index_to_workdir(&diff, w->handle, w->index, &options))
		return ba_git_fail(err, BA_EIO, "the files of '%s' cannot be compared", w->workdir);
	size_t n = git_diff_num_deltas(diff);
	/* removals first, because a removed file may be in the way of a new folder */
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n; i++) {
			const git_diff_delta *delta = git_diff_get_delta(diff, i);
			if ((delta->status == GIT_DELTA_DELETED) != (pass == 0))
				continue;
			BA_TRY(record(w, delta, log, err));
		}
	}
	return 0;
}

static void hash_side(ba_sha256 *hash, const git_diff_file *file)
{
	char line[64];
	snprintf(line, sizeof(line), "%06o %s", (unsigned)file->mode, git_oid_tostr_s(&file->id));
	ba_sha256_add_string(hash, line);
}

/* what differs, as the two trees see it: sorted by path, so the same state hashes the
 * same */
static int hash_difference(
	ba_snapshot *out, git_repository *handle, git_tree *from, git_tree *to, ba_error *err)
{
	BA_AUTO_PTR(git_diff) git_diff *diff = NULL;
	git_diff_options options = GIT_DIFF_OPTIONS_INIT;
	options.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
	if (git_diff_tree_to_tree(&diff, handle, from, to, &options))
		return ba_git_fail(err, BA_EIO, "the difference to HEAD cannot be computed");
	out->changed = git_diff_num_deltas(diff);
	out->dirty = out->changed > 0;
	if (!out->dirty)
		return 0;
	ba_sha256 hash;
	ba_sha256_init(&hash);
	for (size_t i = 0; i < out->changed; i++) {
		const git_diff_delta *delta = git_diff_get_delta(diff, i);
		ba_sha256_add_string(&hash, delta_path(delta));
		hash_side(&hash, &delta->old_file);
		hash_side(&hash, &delta->new_file);
	}
	ba_sha256_hex(&hash, out->diff_sha256);
	return 0;
}

static int snapshot_with(ba_snapshot *out, git_repository *handle, const ba_repo *repo,
	const ba_log *log, ba_error *err)
{
	BA_AUTO_PTR(git_index) git_index *index = NULL;
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	BA_AUTO_PTR(git_tree) git_tree *head = NULL, *tree = NULL;
	git_oid id;
	BA_TRY(head_tree(&commit, &head, handle, repo, err));
	/* this handle's copy in memory: never written back */
	BA_TRY(open_index(&index, handle, repo, err));
	struct walk w = {.handle = handle, .index = index, .workdir = repo->workdir};
	BA_TRY(record_all(&w, log, err));
	if (git_index_write_tree_to(&id, index, handle) || git_tree_lookup(&tree, handle, &id))
		return ba_git_fail(
			err, BA_EIO, "the state of '%s' cannot be recorded", repo->workdir);
	ba_snapshot s = {0};
	git_oid_tostr(s.commit, sizeof(s.commit), git_commit_id(commit));
	git_oid_tostr(s.tree, sizeof(s.tree), &id);
	BA_TRY(hash_difference(&s, handle, head, tree, err));
	*out = s;
	return 0;
}

int ba_repo_snapshot(
	ba_snapshot *out, ba_repo *repo, const char *objects_dir, const ba_log *log, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *handle = NULL;
	if (!repo->workdir)
		return ba_fail(err, BA_EREPO, "'%s' is a bare repository and has no working tree",
			repo->git_dir);
	BA_TRY(ba_fs_mkdirs(objects_dir, err));
	BA_TRY(ba_git_open_beside(&handle, repo, objects_dir, err));
	BA_TRY(snapshot_with(out, handle, repo, log, err));
	return ba_repo_add_objects(repo, objects_dir, err);
}
