/* Resolves a revision expression to a commit, as `git rev-parse` does. */
#pragma once

#include "git/repo.h"

typedef struct ba_commit {
	char commit[65]; /* hex */
	char tree[65];
	char *describe;	     /* "v1.2-3-gabc1234", or the short id if no tag is near */
	char *subject;	     /* first line of the message, safe for a terminal */
	int64_t time;	     /* of the committer, seconds since 1970 */
	int64_t author_time; /* the same of the author */
	size_t parents;
} ba_commit;

BA_DECLARE_DISPOSE(ba_commit)

/* Tag objects are peeled.
 *
 *     BA_ENOTFOUND  no such ref (the sentence has the nearest name); an ancestor before
 *                   the first commit or beyond a shallow history (with the `git fetch`
 *                   to run)
 *     BA_EINVAL     a range; a name with several meanings (they are listed); something
 *                   that is not a commit
 *
 * A name whose meanings are all the same commit is not ambiguous. */
int ba_commit_resolve(ba_commit *out, ba_repo *repo, const char *spec, ba_error *err);
