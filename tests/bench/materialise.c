/* materialise REPOSITORY REVISION DIRECTORY [THREADS]: writes a tree and prints how
 * many milliseconds that took, from opening the repository on. See materialise.sh. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "git/commit.h"
#include "git/tree.h"

static int materialise(
	const char *dir, const char *spec, const char *to, unsigned threads, ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit c = {0};
	int rc = ba_repo_open(&repo, dir, err);
	if (rc == 0)
		rc = ba_commit_resolve(&c, repo, spec, err);
	if (rc)
		return rc;
	return ba_tree_materialise(
		&(ba_tree_request){.repo = repo, .commit = c.commit, .dir = to, .threads = threads},
		err);
}

int main(int argc, char **argv)
{
	ba_error err = {0};
	uint64_t threads = 0;
	if (argc < 4 || argc > 5 ||
		(argc == 5 && ba_parse_u64(&threads, argv[4], 0, 64, "threads", &err))) {
		fprintf(stderr, "usage: %s REPOSITORY REVISION DIRECTORY [THREADS]\n", argv[0]);
		return 129;
	}
	int64_t start = ba_now_ns();
	if (materialise(argv[1], argv[2], argv[3], (unsigned)threads, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return ba_error_exit_status(err.code);
	}
	printf("%.1f\n", (double)(ba_now_ns() - start) / 1e6);
	return 0;
}
