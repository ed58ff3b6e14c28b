#include "git/line.h"

#include <string.h>

#include "git/internal.h"

static int first_parent(git_oid *out, git_repository *handle, const git_oid *id)
{
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	if (git_commit_lookup(&commit, handle, id) ||
		git_commit_parentcount(commit) == 0)
		return GIT_ENOTFOUND;
	*out = *git_commit_parent_id(commit, 0);
	return 0;
}

int ba_git_line(ba_strv *out, ba_repo *repo, const char *tip, const char *until,
	size_t most, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv line = {0};
	git_oid id;
	int rc = ba_git_oid(&id, tip, err);
	if (rc)
		return rc;
	bool found = until == NULL;
	for (size_t i = 0; i < most; i++) {
		char hex[GIT_OID_HEXSZ + 1];
		git_oid_tostr(hex, sizeof(hex), &id);
		ba_strv_push(&line, hex);
		if (until && strcmp(hex, until) == 0) {
			found = true;
			break;
		}
		/* the first commit, or where a shallow history ends */
		if (first_parent(&id, repo->handle, &id))
			break;
	}
	if (!found)
		return ba_fail(err, BA_ENOTFOUND,
			"%.9s is not in the first-parent history of %.9s", until, tip);
	for (size_t i = 0; i < line.count; i++)
		ba_strv_push(out, line.items[i]);
	return 0;
}
