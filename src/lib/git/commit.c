#include "git/commit.h"

#include "git/internal.h"

BA_OWNS(ba_commit, c, BA_FREE(c->describe, c->subject))

/* gitrevisions(7), "refname": the prefixes and suffixes tried for a short name, in this
 * order */
static const char *const around[][2] = {{"", ""}, {"refs/", ""}, {"refs/tags/", ""},
	{"refs/heads/", ""}, {"refs/remotes/", ""}, {"refs/remotes/", "/HEAD"}};

/* the part before the first operator: "v1" of "v1~2^{commit}" */
static char *base_of(const char *spec)
{
	size_t n = strcspn(spec, "^~:");
	const char *at = strstr(spec, "@{");
	if (at && (size_t)(at - spec) < n)
		n = (size_t)(at - spec);
	return ba_xstrndup(spec, n);
}

static bool is_hex(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
}

static const char *subject_of(git_repository *handle, const git_oid *id, char **owned)
{
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	if (git_commit_lookup(&commit, handle, id) || !git_commit_summary(commit))
		return "";
	return *owned = ba_text_safe(git_commit_summary(commit));
}

static void add_meaning(ba_buf *list, git_repository *handle, const char *name, const git_oid *id)
{
	BA_AUTO_FREE char *owned = NULL, *safe = ba_text_safe(name);
	const char *subject = subject_of(handle, id, &owned);
	ba_buf_printf(list, "\n  %s  %.12s  %s", safe, git_oid_tostr_s(id), subject);
}

/* Fails if a short name means several commits. Git takes the first reference and warns; a
 * comparison would then be of the wrong commit half of the time. */
static int check_ambiguous_ref(
	git_repository *handle, const char *spec, const char *base, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf list = BA_BUF_INIT;
	git_oid first;
	size_t found = 0;
	bool differ = false;
	if (base[0] == '\0' || strcmp(base, "@") == 0 || strcmp(base, "HEAD") == 0 ||
		(strlen(base) == GIT_OID_HEXSZ && is_hex(base)))
		return 0;
	for (size_t i = 0; i < BA_COUNT(around); i++) {
		BA_AUTO_PTR(git_reference) git_reference *ref = NULL;
		BA_AUTO_PTR(git_object) git_object *object = NULL;
		BA_AUTO_FREE char *name = ba_xprintf("%s%s%s", around[i][0], base, around[i][1]);
		if (git_reference_lookup(&ref, handle, name) ||
			git_reference_peel(&object, ref, GIT_OBJECT_COMMIT))
			continue;
		if (found++ == 0)
			git_oid_cpy(&first, git_object_id(object));
		differ = differ || !git_oid_equal(&first, git_object_id(object));
		add_meaning(&list, handle, name, git_object_id(object));
	}
	if (!differ)
		return 0;
	return ba_fail(err, BA_EINVAL, "'%s' is ambiguous; write one of these names in full:%s",
		spec, list.data);
}

struct prefix_search {
	git_odb *odb;
	git_repository *handle;
	const char *prefix;
	size_t commits;
	git_oid commit;
	ba_buf list;
};

static int match_prefix(const git_oid *id, void *data)
{
	struct prefix_search *s = data;
	size_t size;
	git_object_t type;
	if (strncasecmp(git_oid_tostr_s(id), s->prefix, strlen(s->prefix)) != 0 ||
		git_odb_read_header(&size, &type, s->odb, id))
		return 0;
	/* an object may occur twice, loose and packed */
	if (type == GIT_OBJECT_COMMIT && !(s->commits && git_oid_equal(id, &s->commit))) {
		s->commits++;
		s->commit = *id;
	}
	if (s->list.len < 800)
		add_meaning(&s->list, s->handle, git_object_type2string(type), id);
	return 0;
}

/* An abbreviation that several objects share: fine if just one of them is a commit, as
 * git sees it too. Sets `full` then; otherwise lists them. */
static int disambiguate_prefix(git_repository *handle, const char *spec, const char *base,
	char full[GIT_OID_HEXSZ + 1], ba_error *err)
{
	BA_AUTO_PTR(git_odb) git_odb *odb = NULL;
	if (git_repository_odb(&odb, handle))
		return ba_git_fail(err, BA_EIO, "'%s' cannot be looked up", spec);
	struct prefix_search s = {
		.odb = odb, .handle = handle, .prefix = base, .list = BA_BUF_INIT};
	git_odb_foreach(odb, match_prefix, &s);
	int rc = 0;
	if (s.commits == 1)
		git_oid_tostr(full, GIT_OID_HEXSZ + 1, &s.commit);
	else
		rc = ba_fail(err, BA_EINVAL, "'%s' is ambiguous; it abbreviates several objects:%s",
			spec, s.list.data);
	ba_buf_dispose(&s.list);
	return rc;
}

/* short names of all branches and tags, then the nearest to `word`; NULL if none is
 * near */
static char *nearest_name(git_repository *handle, const char *word)
{
	BA_AUTO_PTR(git_reference_iterator) git_reference_iterator *refs = NULL;
	BA_AUTO(ba_strv) ba_strv names = {0};
	static const char *const places[] = {"refs/remotes/", "refs/heads/", "refs/tags/"};
	const char *name;
	if (git_reference_iterator_new(&refs, handle))
		return NULL;
	while (git_reference_next_name(&name, refs) == 0) {
		const char *const *place =
			BA_FIND(places, BA_COUNT(places), x, ba_text_starts(name, *x));
		if (!place)
			continue;
		const char *own = name + strlen(*place), *slash = strchr(own, '/');
		if (place == places && slash && strcmp(slash + 1, word) == 0)
			return ba_xstrdup(own);
		ba_strv_push(&names, own);
	}
	if (names.count == 0)
		return NULL;
	return ba_xstrdup(ba_text_nearest(word, (const char *const *)names.items));
}

static int unknown(git_repository *handle, const char *spec, const char *base, ba_error *err)
{
	if (git_repository_head_unborn(handle) == 1)
		return ba_fail(err, BA_ENOTFOUND,
			"no such ref '%s': this repository has no commit yet", spec);
	BA_AUTO_FREE char *near = nearest_name(handle, base);
	BA_AUTO_FREE char *safe = near ? ba_text_safe(near) : NULL;
	if (safe)
		return ba_fail(
			err, BA_ENOTFOUND, "no such ref '%s'; did you mean '%s'?", spec, safe);
	return ba_fail(err, BA_ENOTFOUND,
		"no such ref '%s'; 'git branch -a' and 'git tag' list the refs", spec);
}

/* the base exists, its ancestor does not */
static int no_ancestor(git_repository *handle, const char *spec, const char *base,
	const git_oid *id, ba_error *err)
{
	if (git_repository_is_shallow(handle) == 1)
		return ba_fail(err, BA_ENOTFOUND,
			"'%s' lies beyond the history of this shallow clone; run: git fetch --deepen=50   (or: git fetch --unshallow)",
			spec);
	return ba_fail(err, BA_ENOTFOUND,
		"there is no '%s': the history of '%s' (%.12s) does not reach that far", spec,
		base[0] ? base : "HEAD", git_oid_tostr_s(id));
}

/* A reference whose object is missing is not a mistake of the user. */
static int check_dangling(git_repository *handle, const char *spec, const char *name, ba_error *err)
{
	BA_AUTO_PTR(git_reference) git_reference *ref = NULL, *direct = NULL;
	BA_AUTO_PTR(git_object) git_object *object = NULL;
	int rc = git_reference_dwim(&ref, handle, name);
	rc = rc ? rc : git_reference_resolve(&direct, ref);
	if (rc == GIT_ENOTFOUND || rc == GIT_EINVALIDSPEC)
		return 0;
	if (rc)
		return ba_git_fail(err, BA_EINVAL, "'%s' is not a revision", spec);
	const git_oid *id = git_reference_target(direct);
	if (git_object_lookup(&object, handle, id, GIT_OBJECT_ANY) == 0)
		return 0;
	return ba_fail(err, BA_EUNSUPPORTED,
		"'%s' names the object %s, which cannot be found in the repository; see `git fsck`",
		spec, git_oid_tostr_s(id));
}

static int missing(git_repository *handle, const char *spec, const char *base, ba_error *err)
{
	BA_AUTO_PTR(git_object) git_object *object = NULL;
	const char *name = base[0] && strcmp(base, "@") != 0 ? base : "HEAD";
	BA_TRY(check_dangling(handle, spec, name, err));
	if (strcmp(spec, base) != 0 && !strchr(spec, ':') && !strstr(spec, "@{") &&
		git_revparse_single(&object, handle, name) == 0)
		return no_ancestor(handle, spec, base, git_object_id(object), err);
	return unknown(handle, spec, base, err);
}

static int range(const char *spec, ba_error *err)
{
	const char *dots = strstr(spec, "..");
	size_t left = (size_t)(dots - spec);
	const char *right = dots + strspn(dots, ".");
	return ba_fail(err, BA_EINVAL, "'%s' is a range; name the two ends instead: %.*s %s", spec,
		left ? (int)left : 4, left ? spec : "HEAD", right[0] ? right : "HEAD");
}

static int look_up(git_object **out, git_repository *handle, const char *spec, ba_error *err)
{
	BA_AUTO_FREE char *base = base_of(spec);
	BA_TRY(check_ambiguous_ref(handle, spec, base, err));
	int rc = git_revparse_single(out, handle, spec);
	/* if access() fails for a moment, libgit2 reports the object as missing */
	if (rc == GIT_ENOTFOUND)
		rc = git_revparse_single(out, handle, spec);
	/* too short for an abbreviation, as in git */
	if (rc == GIT_EAMBIGUOUS && strlen(base) < GIT_OID_MINPREFIXLEN)
		rc = GIT_ENOTFOUND;
	if (rc == GIT_EAMBIGUOUS && is_hex(base)) {
		char full[GIT_OID_HEXSZ + 1];
		BA_TRY(disambiguate_prefix(handle, spec, base, full, err));
		BA_AUTO_FREE char *longer = ba_xprintf("%s%s", full, spec + strlen(base));
		rc = git_revparse_single(out, handle, longer);
	}
	if (rc == 0)
		return 0;
	if (strstr(spec, "..") && !strchr(spec, ':') && !strstr(spec, "{/"))
		return range(spec, err);
	if (rc == GIT_ENOTFOUND || rc == GIT_EINVALIDSPEC)
		return missing(handle, spec, base, err);
	if (rc == GIT_EAMBIGUOUS)
		return ba_fail(err, BA_EINVAL,
			"'%s' is ambiguous; write more digits of the commit's id", spec);
	return ba_git_fail(err, BA_EINVAL, "'%s' is not a revision", spec);
}

static char *describe(git_object *commit)
{
	git_describe_options how = GIT_DESCRIBE_OPTIONS_INIT;
	git_describe_format_options format = GIT_DESCRIBE_FORMAT_OPTIONS_INIT;
	git_describe_result *result = NULL;
	git_buf text = {0};
	char *out = NULL;
	how.describe_strategy = GIT_DESCRIBE_TAGS;
	how.show_commit_oid_as_fallback = 1;
	if (git_describe_commit(&result, commit, &how) == 0 &&
		git_describe_format(&text, result, &format) == 0)
		out = ba_text_safe(text.ptr);
	git_buf_dispose(&text);
	git_describe_result_free(result);
	/* NULL: for example, a shallow history */
	return out ? out : ba_xstrndup(git_oid_tostr_s(git_object_id(commit)), 7);
}

int ba_commit_resolve(ba_commit *out, ba_repo *repo, const char *spec, ba_error *err)
{
	BA_AUTO_PTR(git_object) git_object *object = NULL, *peeled = NULL;
	BA_AUTO_FREE char *safe = ba_text_safe(spec);
	if (spec[0] == '\0')
		return ba_fail(err, BA_EINVAL, "a ref is empty");
	if (strcmp(safe, spec) != 0)
		return ba_fail(
			err, BA_ENOTFOUND, "no such ref '%s' (it holds control characters)", safe);
	BA_TRY(look_up(&object, repo->handle, spec, err));
	int rc = git_object_peel(&peeled, object, GIT_OBJECT_COMMIT);
	if (rc == GIT_ENOTFOUND || (rc && ba_git_failed_at_io()))
		return ba_git_fail(err, BA_EIO, "the commit of '%s' cannot be read", spec);
	if (rc)
		return ba_fail(err, BA_EINVAL, "'%s' is a %s, not a commit", spec,
			git_object_type2string(git_object_type(object)));
	git_commit *commit = (git_commit *)peeled;
	BA_AUTO_FREE char *base = base_of(spec);
	git_oid tree;
	BA_TRY(ba_git_replaced_tree(&tree, repo->handle, git_object_id(peeled), spec, base, err));
	const git_signature *author = git_commit_author(commit);
	ba_commit found = {.time = git_commit_time(commit),
		.author_time = author ? author->when.time : 0,
		.parents = git_commit_parentcount(commit)};
	git_oid_tostr(found.commit, sizeof(found.commit), git_commit_id(commit));
	git_oid_tostr(found.tree, sizeof(found.tree), &tree);
	const char *summary = git_commit_summary(commit);
	found.subject = ba_text_safe(summary ? summary : "");
	found.describe = describe(peeled);
	*out = found;
	return 0;
}
