#include "git/commit.h"

#include "git/internal.h"

static int first_parent(git_oid *out, git_repository *handle, const git_oid *id)
{
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	if (git_commit_lookup(&commit, handle, id) || git_commit_parentcount(commit) == 0)
		return GIT_ENOTFOUND;
	*out = *git_commit_parent_id(commit, 0);
	return 0;
}

int ba_git_line(
	ba_strv *out, ba_repo *repo, const char *tip, const char *until, size_t most, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv line = {0};
	git_oid id;
	BA_TRY(ba_git_oid(&id, tip, err));
	bool found = until == NULL;
	for (size_t i = 0; i < most; i++) {
		ba_strv_push(&line, git_oid_tostr_s(&id));
		found = found || strcmp(line.items[i], until) == 0;
		/* the first commit, or where a shallow history ends */
		if ((until && found) || first_parent(&id, repo->handle, &id))
			break;
	}
	if (!found)
		return ba_fail(err, BA_ENOTFOUND, "%.9s is not in the first-parent history of %.9s",
			until, tip);
	ba_strv_copy(out, &line);
	return 0;
}

static int commit_of(git_commit **out, ba_repo *repo, const char *hex, ba_error *err)
{
	git_oid id;
	BA_TRY(ba_git_oid(&id, hex, err));
	return git_commit_lookup(out, repo->handle, &id)
		       ? ba_git_fail(err, BA_EIO, "commit %.9s cannot be read", hex)
		       : 0;
}

int ba_git_commit_tree(char out[65], ba_repo *repo, const char *commit, ba_error *err)
{
	BA_AUTO_PTR(git_commit) git_commit *c = NULL;
	git_oid tree;
	BA_TRY(commit_of(&c, repo, commit, err));
	BA_TRY(ba_git_replaced_tree(&tree, repo->handle, git_commit_id(c), commit, commit, err));
	git_oid_tostr(out, GIT_OID_HEXSZ + 1, &tree);
	return 0;
}

int ba_git_merged(
	char **base, char **tip, ba_repo *repo, const char *merge, size_t n, ba_error *err)
{
	BA_AUTO_PTR(git_commit) git_commit *c = NULL;
	*base = *tip = NULL;
	BA_TRY(commit_of(&c, repo, merge, err));
	if (n < 2 || n > git_commit_parentcount(c))
		return 0;
	const git_oid *first = git_commit_parent_id(c, 0);
	const git_oid *parent = git_commit_parent_id(c, (unsigned)n - 1);
	git_oid at = *parent;
	while (!ba_git_has(repo->handle, first, &at))
		if (first_parent(&at, repo->handle, &at))
			return 0;
	if (git_oid_equal(&at, parent))
		return 0;
	*base = ba_xstrdup(git_oid_tostr_s(&at));
	*tip = ba_xstrdup(git_oid_tostr_s(parent));
	return 0;
}
