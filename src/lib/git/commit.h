/* Resolves a revision expression to a commit, as `git rev-parse` does, and lists the first-parent
 * line of a commit: the commits that a branch pointed to, merge by merge. */
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

/* Appends the ids (hex) of `tip` and its first parents, newest first, at most `most`.
 * With `until` (hex, or NULL) it ends with that commit. BA_ENOTFOUND if `until` is not
 * on the line: it is reached only through a merge, is not an ancestor, or lies beyond a
 * shallow history or beyond `most`. */
int ba_git_line(ba_strv *out, ba_repo *repo, const char *tip, const char *until, size_t most,
	ba_error *err);

/* The tree (hex) of a commit (hex). */
int ba_git_commit_tree(char out[65], ba_repo *repo, const char *commit, ba_error *err);

/* Of a merge (hex): what its parent `n` (2 or more) brought. *tip is that parent, *base the
 * newest commit of its first-parent line that the first parent has, too; the caller frees
 * both. NULL: there is no such parent, it brought nothing, or there is no such commit. */
int ba_git_merged(
	char **base, char **tip, ba_repo *repo, const char *merge, size_t n, ba_error *err);
