#include "git/checkout.h"

/* "x" of "submodule.x.path", or NULL */
static char *name_in(const char *key)
{
	static const char head[] = "submodule.", tail[] = ".path";
	size_t n = strlen(key), around = strlen(head) + strlen(tail);
	if (n <= around || !ba_text_starts(key, head) || !ba_text_ends(key, tail))
		return NULL;
	return ba_xstrndup(key + strlen(head), n - around);
}

/* the name .gitmodules gives the submodule at `path`; NULL if none, or a hostile one */
static char *submodule_name(git_config *modules, const char *path)
{
	BA_AUTO_PTR(git_config_iterator) git_config_iterator *iterator = NULL;
	git_config_entry *entry;
	if (!modules || git_config_iterator_new(&iterator, modules))
		return NULL;
	while (git_config_next(&entry, iterator) == 0) {
		BA_AUTO_FREE char *name = name_in(entry->name);
		/* `path` alone has no value, and names no submodule */
		BA_AUTO_FREE char *value =
			ba_git_trim_slash(name && entry->value ? entry->value : "");
		if (name && strcmp(value, path) == 0)
			return ba_path_is_inside(name) ? BA_TAKE(name) : NULL;
	}
	return NULL;
}

static git_config *open_gitmodules(const char *dir)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, ".gitmodules");
	git_config *config = NULL;
	struct stat st;
	if (lstat(path, &st) || !S_ISREG(st.st_mode) || git_config_open_ondisk(&config, path))
		return NULL;
	return config;
}

static bool config_says(git_config *config, const char *name, const char *key, const char *wanted)
{
	BA_AUTO_PTR(git_config) git_config *frozen = NULL;
	BA_AUTO_FREE char *full = ba_xprintf("submodule.%s.%s", name, key);
	const char *value;
	return config && git_config_snapshot(&frozen, config) == 0 &&
	       git_config_get_string(&value, frozen, full) == 0 && strcmp(value, wanted) == 0;
}

/* with `update = none` and `active = false` users exclude a submodule */
static bool is_switched_off(const ba_repo *outer, git_config *modules, const char *name)
{
	BA_AUTO_PTR(git_config) git_config *config = NULL;
	if (!name || git_repository_config(&config, outer->handle))
		return false;
	if (config_says(config, name, "active", "true"))
		return false;
	return config_says(config, name, "active", "false") ||
	       config_says(config, name, "update", "none") ||
	       config_says(modules, name, "update", "none");
}

/* 1 if `path` is a repository that has the commit, 0 if not */
static int try_at(ba_repo **out, char *path, const git_oid *commit_id, bool *exists)
{
	BA_AUTO_FREE char *owned = path;
	BA_AUTO_PTR(git_repository) git_repository *handle = NULL;
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	if (!ba_fs_is_dir(owned) || ba_git_open_at(&handle, owned, NULL))
		return 0;
	*exists = true;
	if (git_commit_lookup(&commit, handle, commit_id))
		return 0;
	*out = ba_git_repo_of(BA_TAKE(handle));
	return 1;
}

static int missing(const ba_gitlink *link, const char *name, bool exists, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(link->path);
	BA_AUTO_FREE char *safe_name = ba_text_safe(name ? name : link->path);
	if (exists)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the submodule '%s' (%s) needs its commit %s, which is not on this machine; run: git -C '%s' fetch origin %s",
			safe, safe_name, link->commit, safe, link->commit);
	return ba_fail(err, BA_EUNSUPPORTED,
		"the submodule '%s' (%s) is not on this machine, and its commit %s is needed; run: git submodule update --init --recursive",
		safe, safe_name, link->commit);
}

int ba_submodule_find(ba_repo **out, bool *wanted, const ba_repo *outer, const char *dir,
	const ba_gitlink *link, ba_error *err)
{
	BA_AUTO_PTR(git_config) git_config *modules = open_gitmodules(dir);
	BA_AUTO_FREE char *name = submodule_name(modules, link->path);
	git_oid id;
	bool exists = false;
	BA_TRY(ba_git_oid(&id, link->commit, err));
	*wanted = !is_switched_off(outer, modules, name);
	if (!*wanted)
		return 0;
	const char *const dirs[] = {outer->common_dir, outer->git_dir};
	for (size_t i = 0; name && i < BA_COUNT(dirs); i++)
		if (try_at(out, ba_xprintf("%s/modules/%s", dirs[i], name), &id, &exists))
			return 0;
	if (outer->workdir && try_at(out, ba_path_join(outer->workdir, link->path), &id, &exists))
		return 0;
	return missing(link, name, exists, err);
}
