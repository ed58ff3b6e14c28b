#include "git/internal.h"
#include "git/repo.h"

typedef struct search {
	git_repository *handle;
	const ba_strv *paths;
	const char *below; /* the searched path */
	char **out;
	int failed; /* what went wrong */
	ba_error *err;
} search;

static bool is_among(const ba_strv *paths, const char *target)
{
	for (size_t i = 0; i < paths->count; i++) {
		BA_AUTO_FREE char *path = ba_git_trim_slash(paths->items[i]);
		if (*path == '\0' || strcmp(path, ".") == 0 || ba_path_is_within(target, path))
			return true;
	}
	return false;
}

/* Where the target of a link in the folder `dir` ("": the top) lies, from the top; NULL:
 * outside of the tree, or beyond another link. */
static char *resolve(const char *dir, const char *target)
{
	BA_AUTO_FREE char *at = ba_xstrdup(dir);
	while (ba_text_starts(target, "../") || ba_text_starts(target, "./") ||
		strcmp(target, "..") == 0) {
		bool up = target[1] == '.';
		if (up && *at == '\0')
			return NULL;
		char *slash = strrchr(at, '/');
		if (up)
			*(slash ? slash : at) = '\0';
		target += up ? 2 : 1;
		target += strspn(target, "/");
	}
	if (*target && !ba_path_is_inside(target))
		return NULL;
	return *at && *target ? ba_xprintf("%s/%s", at, target) : ba_xstrdup(*at ? at : target);
}

static int look_at(search *s, const char *path, const git_tree_entry *entry)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	if (git_tree_entry_filemode(entry) != GIT_FILEMODE_LINK)
		return 0;
	if (git_blob_lookup(&blob, s->handle, git_tree_entry_id(entry)))
		return ba_git_fail(s->err, BA_EIO, "'%s' cannot be read", path);
	BA_AUTO_FREE char *target =
		ba_xstrndup(git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	const char *slash = strrchr(path, '/');
	BA_AUTO_FREE char *dir = ba_xstrndup(path, slash ? (size_t)(slash - path) : 0);
	BA_AUTO_FREE char *real = resolve(dir, target);
	if (real && is_among(s->paths, real))
		return 0;
	BA_AUTO_FREE char *text = ba_xprintf("'%s' is a link to '%s'", path, real ? real : target);
	*s->out = ba_text_safe(text);
	return 0;
}

/* -1 ends the walk */
static int visit(const char *root, const git_tree_entry *entry, void *data)
{
	search *s = data;
	BA_AUTO_FREE char *path = ba_xprintf(
		"%s%s%s%s", s->below, *s->below ? "/" : "", root, git_tree_entry_name(entry));
	s->failed = look_at(s, path, entry);
	return s->failed || *s->out ? -1 : 0;
}

static int search_tree(search *s, const git_oid *id)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	if (git_tree_lookup(&tree, s->handle, id))
		return ba_git_fail(s->err, BA_EIO, "'%s' cannot be read", s->below);
	int rc = git_tree_walk(tree, GIT_TREEWALK_PRE, visit, s);
	if (rc == 0 || s->failed || *s->out)
		return s->failed;
	return ba_git_fail(s->err, BA_EIO, "'%s' cannot be read", s->below);
}

static int search_path(search *s, const git_tree *whole)
{
	BA_AUTO_PTR(git_tree_entry) git_tree_entry *entry = NULL;
	if (*s->below == '\0')
		return search_tree(s, git_tree_id(whole));
	int rc = git_tree_entry_bypath(&entry, whole, s->below);
	if (rc == GIT_ENOTFOUND)
		return 0;
	if (rc)
		return ba_git_fail(s->err, BA_EIO, "'%s' cannot be read", s->below);
	return git_tree_entry_type(entry) == GIT_OBJECT_TREE
		       ? search_tree(s, git_tree_entry_id(entry))
		       : look_at(s, s->below, entry);
}

int ba_repo_link_out(
	char **out, ba_repo *repo, const char *tree, const ba_strv *paths, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *whole = NULL;
	*out = NULL;
	int rc = ba_git_tree_of(&whole, repo->handle, tree, err);
	for (size_t i = 0; rc == 0 && !*out && i < paths->count; i++) {
		BA_AUTO_FREE char *path = ba_git_trim_slash(paths->items[i]);
		search s = {.handle = repo->handle,
			.paths = paths,
			.below = strcmp(path, ".") == 0 ? "" : path,
			.out = out,
			.err = err};
		rc = search_path(&s, whole);
	}
	return rc;
}
