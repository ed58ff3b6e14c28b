/* Trees in the cache between runs: removes leftovers, lists, prunes. */

#include "git/workspace_internal.h"

/* The length of the tree's or scratch directory's name that a file name begins with; 0: none,
 * so the file is not ours. */
static size_t stem_of(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");
	if (n != BA_SCRATCH_NAME)
		return 0;
	if (name[n] == '-' && name[n + 1] >= 'a' && name[n + 1] <= 'z')
		n = BA_SLOT_NAME;
	return name[n] == '\0' || name[n] == '.' ? n : 0;
}

static bool is_kept_file(const char *suffix)
{
	return strcmp(suffix, "") == 0 || strcmp(suffix, BA_LOCK_SUFFIX) == 0 ||
	       strcmp(suffix, BA_COMPLETE_SUFFIX) == 0 || strcmp(suffix, BA_FILES_SUFFIX) == 0;
}

/* stems: the names of trees or scratch directories, each once although "x", "x.lock" and
 * others begin with it. leftovers (may be NULL): their files that were not renamed. */
static int list_stems(ba_strv *stems, ba_strv *leftovers, const char *path, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_TRY(ba_fs_names(&names, path, err));
	for (size_t i = 0; i < names.count; i++) {
		size_t n = stem_of(names.items[i]);
		BA_AUTO_FREE char *stem = ba_xstrndup(names.items[i], n);
		if (n && !ba_strv_has(stems, stem))
			ba_strv_push(stems, stem);
		if (n && leftovers && !is_kept_file(names.items[i] + n))
			ba_strv_push(leftovers, names.items[i]);
	}
	return 0;
}

static bool whole(const ba_tree_paths *p)
{
	BA_AUTO(ba_marker) ba_marker m = {0};
	return ba_marker_read(&m, p->marker) && ba_fs_is_dir(p->dir);
}

/* With the lock held exclusively: directory and marker go, then the lock file. */
static int discard(ba_workspace *ws, const ba_tree_paths *p, ba_lock *lock, ba_error *err)
{
	BA_TRY(ba_workspace_trash_tree(ws, p, err));
	return ba_lock_remove(lock, err);
}

/* Removes a file that was to be renamed, unless its tree is being filled. */
static int sweep_leftover(ba_workspace *ws, const char *parent, const char *name, ba_error *err)
{
	BA_AUTO_FREE char *stem = ba_xstrndup(name, stem_of(name));
	BA_AUTO(ba_tree_paths) ba_tree_paths p = ba_tree_paths_of(parent, stem);
	BA_AUTO_FREE char *path = ba_path_join(parent, name);
	BA_AUTO(ba_lock) ba_lock lock = BA_LOCK_NONE;
	bool busy;
	BA_TRY(ba_lock_try(&lock, &busy, p.lock, false, err));
	if (busy)
		return 0;
	BA_TRY(ba_workspace_trash(ws, path, err));
	return ba_fs_exists(p.dir) ? 0 : ba_lock_remove(&lock, err);
}

static int sweep_stem(ba_workspace *ws, const char *parent, const char *stem, ba_error *err)
{
	BA_AUTO(ba_tree_paths) ba_tree_paths p = ba_tree_paths_of(parent, stem);
	BA_AUTO(ba_lock) ba_lock lock = BA_LOCK_NONE;
	bool busy;
	if (whole(&p))
		return 0;
	BA_TRY(ba_lock_try(&lock, &busy, p.lock, false, err));
	if (busy || whole(&p)) /* in use, or finished while we looked */
		return 0;
	if (ba_fs_exists(p.dir))
		ba_log_printf(ws->log, BA_LOG_DEBUG,
			"'%s' was left by a run that died; removing it", p.dir);
	if (parent == ws->run && ws->died)
		ws->died(ws->died_data, p.dir);
	return discard(ws, &p, &lock, err);
}

static int sweep_dir(ba_workspace *ws, const char *parent, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv stems = {0}, leftovers = {0};
	BA_TRY(list_stems(&stems, &leftovers, parent, err));
	for (size_t i = 0; i < leftovers.count; i++)
		BA_TRY(sweep_leftover(ws, parent, leftovers.items[i], err));
	for (size_t i = 0; i < stems.count; i++)
		BA_TRY(sweep_stem(ws, parent, stems.items[i], err));
	return 0;
}

int ba_workspace_sweep(ba_workspace *ws, ba_error *err)
{
	/* first of all, ends processes that still write into a tree */
	BA_TRY(sweep_dir(ws, ws->run, err));
	return sweep_dir(ws, ws->trees, err);
}

int ba_workspace_tidy(ba_workspace *ws, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(ws->trash, BA_LOCK_SUFFIX);
	BA_AUTO(ba_lock) ba_lock lock = BA_LOCK_NONE;
	BA_AUTO(ba_strv) ba_strv names = {0};
	bool busy;
	BA_TRY(ba_lock_try(&lock, &busy, path, false, err));
	if (busy)
		return 0;
	BA_TRY(ba_fs_names(&names, ws->trash, err));
	for (size_t i = 0; i < names.count; i++) {
		BA_AUTO_FREE char *dir = ba_path_join(ws->trash, names.items[i]);
		if (names.items[i][0] != '.') /* not the lock */
			BA_TRY(ba_fs_remove_tree(dir, err));
	}
	return 0;
}

BA_OWNS(ba_workspace_list, list,
	BA_FREE_EACH(x, list->entries, list->count, BA_FREE(x->dir, x->about)), free(list->unread))

BA_DEFINE_ORDER(by_last_use, ba_workspace_entry,
	BA_ORDER(a->last_used, b->last_used) ?: strcmp(a->name, b->name))

static bool in_use(const ba_tree_paths *p)
{
	BA_AUTO(ba_lock) ba_lock lock = BA_LOCK_NONE;
	bool busy = false;
	return ba_lock_try(&lock, &busy, p->lock, false, NULL) || busy;
}

/* false: not a complete tree */
static bool describe(ba_workspace_entry *out, const ba_tree_paths *p, const char *stem)
{
	BA_AUTO(ba_marker) ba_marker m = {0};
	ba_workspace_entry entry = {0};
	struct stat st;
	if (strlen(stem) != BA_SLOT_NAME || !whole(p) || stat(p->marker, &st) ||
		ba_fs_tree_bytes(&entry.bytes, p->dir) || !ba_marker_read(&m, p->marker))
		return false;
	memcpy(entry.key, m.key, sizeof(entry.key));
	entry.about = BA_TAKE(m.about);
	memcpy(entry.name, stem, BA_SLOT_NAME + 1);
	entry.dir = ba_xstrdup(p->dir);
	entry.last_used = st.st_mtim.tv_sec;
	entry.in_use = in_use(p);
	*out = entry;
	return true;
}

int ba_workspace_list_trees(ba_workspace_list *out, ba_workspace *ws, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv stems = {0};
	ba_workspace_list list = {0};
	BA_TRY(list_stems(&stems, NULL, ws->trees, err));
	list.entries = ba_xcalloc(stems.count + 1, sizeof(*list.entries));
	for (size_t i = 0; i < stems.count; i++) {
		BA_AUTO(ba_tree_paths)
		ba_tree_paths p = ba_tree_paths_of(ws->trees, stems.items[i]);
		if (!describe(&list.entries[list.count], &p, stems.items[i])) {
			/* a run that removes a tree removes its marker first */
			if (!list.unread && ba_fs_exists(p.marker))
				list.unread = ba_xstrdup(p.dir);
			continue;
		}
		list.bytes += list.entries[list.count++].bytes;
	}
	qsort(list.entries, list.count, sizeof(*list.entries), by_last_use);
	*out = list;
	return 0;
}

static int prune_one(
	ba_pruned *out, ba_workspace *ws, const ba_workspace_entry *entry, ba_error *err)
{
	BA_AUTO(ba_tree_paths) ba_tree_paths p = ba_tree_paths_of(ws->trees, entry->name);
	BA_AUTO(ba_lock) ba_lock lock = BA_LOCK_NONE;
	bool busy;
	BA_TRY(ba_lock_try(&lock, &busy, p.lock, false, err));
	if (busy) {
		out->in_use++;
		return 0;
	}
	BA_TRY(discard(ws, &p, &lock, err));
	out->trees++;
	out->bytes += entry->bytes;
	return 0;
}

int ba_workspace_prune(ba_pruned *out, ba_workspace *ws, const ba_prune *policy, ba_error *err)
{
	BA_AUTO(ba_workspace_list) ba_workspace_list list = {0};
	ba_pruned pruned = {0};
	int rc = ba_workspace_list_trees(&list, ws, err);
	uint64_t left = list.bytes;
	for (size_t i = 0; rc == 0 && i < list.count; i++) {
		const ba_workspace_entry *entry = &list.entries[i];
		bool old = policy->max_age >= 0 && policy->now - entry->last_used > policy->max_age;
		if (!old && left <= policy->max_bytes)
			continue;
		size_t before = pruned.trees;
		rc = prune_one(&pruned, ws, entry, err);
		if (pruned.trees > before)
			left -= entry->bytes;
	}
	rc = rc ? rc : ba_workspace_tidy(ws, err);
	if (rc == 0 && list.unread)
		rc = ba_fail(err, BA_EIO,
			"the built tree '%s' cannot be read and was not removed; remove it by hand if this happens again",
			list.unread);
	if (rc == 0)
		*out = pruned;
	return rc;
}
