/* refs/replace: git reads the replacement of an object; libgit2 1.5 does not. */
#include "git/internal.h"

#define PREFIX "refs/replace/"
#define DEEPEST 5 /* limit for replacements of replacements, as in git */

typedef struct replacement {
	git_oid from, to;
	bool is_commit;
} replacement;

typedef struct replacements {
	replacement *items;
	size_t count, capacity;
	bool any_content; /* a tree or a blob */
} replacements;

BA_OWNS_HERE(replacements, r, free(r->items))

static bool are_used(git_repository *handle)
{
	return ba_git_config_bool(handle, "core.useReplaceRefs", true) &&
	       !getenv("GIT_NO_REPLACE_OBJECTS");
}

static int add(replacements *r, git_odb *odb, const git_reference *ref, ba_error *err)
{
	replacement item = {0};
	size_t size;
	git_object_t type;
	const char *hex = git_reference_name(ref) + strlen(PREFIX);
	if (git_reference_type(ref) != GIT_REFERENCE_DIRECT || ba_git_oid(&item.from, hex, NULL))
		return 0; /* git warns about it and continues */
	item.to = *git_reference_target(ref);
	if (git_odb_read_header(&size, &type, odb, &item.to))
		return ba_git_fail(err, BA_EIO, "the object that '%s' names cannot be read",
			git_reference_name(ref));
	item.is_commit = type == GIT_OBJECT_COMMIT;
	r->any_content = r->any_content || !item.is_commit;
	*BA_PUSH(r->items, r->count, r->capacity) = item;
	return 0;
}

static int gather(replacements *r, git_repository *handle, ba_error *err)
{
	BA_AUTO_PTR(git_reference_iterator) git_reference_iterator *iterator = NULL;
	BA_AUTO_PTR(git_odb) git_odb *odb = NULL;
	git_reference *ref;
	int rc = 0;
	if (git_repository_odb(&odb, handle) ||
		git_reference_iterator_glob_new(&iterator, handle, PREFIX "*"))
		return ba_git_fail(err, BA_EREPO, "the references cannot be read");
	while (rc == 0 && git_reference_next(&ref, iterator) == 0) {
		rc = add(r, odb, ref, err);
		git_reference_free(ref);
	}
	return rc;
}

static const replacement *find(const replacements *r, const git_oid *id)
{
	return BA_FIND(r->items, r->count, one, git_oid_equal(&one->from, id));
}

static git_oid follow(const replacements *r, git_oid id)
{
	for (int i = 0; i < DEEPEST; i++) {
		const replacement *next = find(r, &id);
		if (!next)
			break;
		id = next->to;
	}
	return id;
}

/* ---- the history ---- */

static bool have_same_parents(const git_commit *a, const git_commit *b)
{
	unsigned n = git_commit_parentcount(a);
	bool same = n == git_commit_parentcount(b);
	for (unsigned i = 0; same && i < n; i++)
		same = git_oid_equal(git_commit_parent_id(a, i), git_commit_parent_id(b, i));
	return same;
}

static bool changes_parents(git_repository *handle, const replacements *r, size_t i)
{
	BA_AUTO_PTR(git_commit) git_commit *from = NULL, *to = NULL;
	git_oid last = follow(r, r->items[i].from);
	return git_commit_lookup(&from, handle, &r->items[i].from) ||
	       git_commit_lookup(&to, handle, &last) || !have_same_parents(from, to);
}

/* From the base to the commit that libgit2 found: would git take another path? */
static int check_walk(git_repository *handle, const replacements *r, const git_oid *id,
	const char *spec, const char *base, ba_error *err)
{
	BA_AUTO_PTR(git_object) git_object *object = NULL, *start = NULL;
	if (strcmp(spec, base) == 0 ||
		git_revparse_single(&object, handle, *base ? base : "HEAD") ||
		git_object_peel(&start, object, GIT_OBJECT_COMMIT))
		return 0;
	for (size_t i = 0; i < r->count; i++) {
		const git_oid *from = &r->items[i].from;
		if (!r->items[i].is_commit || git_oid_equal(from, id) ||
			!ba_git_has(handle, git_object_id(start), from) ||
			!ba_git_has(handle, from, id) || !changes_parents(handle, r, i))
			continue;
		return ba_fail(err, BA_EUNSUPPORTED,
			"'%s' leads through the commit %.12s, whose parents refs/replace changes; name the commit itself: git rev-parse '%s'",
			spec, git_oid_tostr_s(from), spec);
	}
	return 0;
}

/* ---- the content ---- */

struct search {
	const replacements *all;
	char *found;
};

static int check_entry(const char *parent, const git_tree_entry *entry, void *data)
{
	struct search *s = data;
	if (!find(s->all, git_tree_entry_id(entry)))
		return 0;
	s->found = ba_xprintf("%s%s", parent, git_tree_entry_name(entry));
	return GIT_EUSER;
}

static int check_content(
	git_repository *handle, const replacements *r, const git_oid *id, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	struct search s = {.all = r};
	if (!r->any_content)
		return 0;
	if (git_tree_lookup(&tree, handle, id))
		return ba_git_fail(err, BA_EIO, "the tree of the commit cannot be read");
	git_tree_walk(tree, GIT_TREEWALK_PRE, check_entry, &s);
	if (!s.found)
		return 0;
	BA_AUTO_FREE char *path = s.found, *safe = ba_text_safe(path);
	return ba_fail(err, BA_EUNSUPPORTED,
		"refs/replace gives '%s' another content, which bench-against cannot read; commit that content, or compare checked-out directories with path:DIR",
		safe);
}

int ba_git_replaced_tree(git_oid *out, git_repository *handle, const git_oid *id, const char *spec,
	const char *base, ba_error *err)
{
	BA_AUTO(replacements) replacements all = {0};
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	BA_TRY(are_used(handle) ? gather(&all, handle, err) : 0);
	BA_TRY(check_walk(handle, &all, id, spec, base, err));
	git_oid last = follow(&all, *id);
	if (git_commit_lookup(&commit, handle, &last))
		return ba_git_fail(err, BA_EIO, "the commit of '%s' cannot be read", spec);
	*out = follow(&all, *git_commit_tree_id(commit));
	return check_content(handle, &all, out, err);
}
