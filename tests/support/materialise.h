/* One call from a start directory and a revision to a tree on disk, for tests. */
#ifndef TESTS_SUPPORT_MATERIALISE_H
#define TESTS_SUPPORT_MATERIALISE_H

#include "git/commit.h"
#include "git/tree.h"
#include "tmprepo.h"

static inline int materialise_with(
	ba_tree_request req, const char *start, const char *spec, const char *dst, ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit c = {0};
	int rc = ba_repo_open(&repo, start, err);
	if (rc == 0)
		rc = ba_commit_resolve(&c, repo, spec, err);
	if (rc)
		return rc;
	req.repo = repo;
	req.commit = c.commit;
	req.dir = dst;
	return ba_tree_materialise(&req, err);
}

static inline void materialise(const char *start, const char *spec, const char *dst)
{
	ba_error err = {0};
	ba_tree_request req = {.run_git = run_git_for_tests};
	if (materialise_with(req, start, spec, dst, &err))
		print_message("%s\n", err.text);
	assert_int_equal(err.code, 0);
}

#endif
