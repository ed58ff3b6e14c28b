/* Configurations of git: the repository's for an even first byte, the user's for an odd
 * one. A repository is opened with it, and a tree written. No program is run. */
#include "gitrepo.h"

#include <stdint.h>
#include <strings.h>

#include "git/commit.h"
#include "git/snapshot.h"
#include "git/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* of LeakSanitizer, where there is one */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* libgit2 1.5 loses the path of a core.worktree that does not exist. */
static int open_repository(ba_repo **out, const char *path, bool leaks, ba_error *err)
{
	if (leaks && __lsan_disable)
		__lsan_disable();
	int rc = ba_repo_open(out, path, err);
	if (leaks && __lsan_enable)
		__lsan_enable();
	return rc;
}

static int check_out(ba_repo *repo, const char *dir, ba_error *err)
{
	BA_AUTO(ba_commit) ba_commit commit = {0};
	int rc = ba_commit_resolve(&commit, repo, "main", err);
	if (rc)
		return rc;
	return ba_tree_materialise(
		&(ba_tree_request){.repo = repo, .commit = commit.commit, .dir = dir, .threads = 1},
		err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char core[] = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
	const gitrepo *g = gitrepo_get();
	BA_AUTO_FREE char *local = ba_path_join(g->repo, ".git/config");
	BA_AUTO_FREE char *global = ba_path_join(g->top, "home/.gitconfig");
	BA_AUTO_FREE char *dir = ba_path_join(g->top, "tree");
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	bool users = size > 0 && data[0] % 2;
	ba_error err = {0};
	ba_buf_puts(&text, core);
	if (!users && size > 1)
		ba_buf_put(&text, (const char *)data + 1, size - 1);
	gitrepo_put(local, text.data, text.len);
	gitrepo_put(global, users ? data + 1 : data, users ? size - 1 : 0);
	bool leaks = false;
	for (size_t i = 0; i + 8 <= size && !leaks; i++)
		leaks = !strncasecmp((const char *)data + i, "worktree", 8);
	int rc = open_repository(&repo, g->repo, leaks, &err);
	if (rc == 0) {
		bool dirty;
		ba_error ignored;
		ba_repo_is_dirty(&dirty, repo, &ignored);
		rc = check_out(repo, dir, &err);
	}
	if (rc && !*err.text)
		abort();
	ba_fs_remove_tree(dir, NULL);
	return 0;
}
