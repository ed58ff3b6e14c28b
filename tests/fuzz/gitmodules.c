/* The .gitmodules of a stranger's commit. */
#include "gitrepo.h"

#include <stdint.h>

#include "git/internal.h"
#include "git/checkout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const ba_source *outer(void)
{
	static ba_source source;
	const gitrepo *g = gitrepo_get();
	ba_error err = {0};
	if (source.handle)
		return &source;
	BA_AUTO_FREE char *git_dir = ba_path_join(g->repo, ".git");
	gitrepo_must(ba_git_open_at(&source.handle, g->repo, &err), &err);
	source.git_dir = ba_xstrdup(git_dir);
	source.common_dir = ba_xstrdup(git_dir);
	source.workdir = ba_xstrdup(g->repo);
	return &source;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const ba_gitlink links[] = {
		{(char *)"lib", "0123456789012345678901234567890123456789"},
		{(char *)"a/b", "0123456789012345678901234567890123456789"},
	};
	const ba_source *source = outer();
	BA_AUTO_FREE char *dir = ba_path_join(fuzz_repo.top, "tree");
	BA_AUTO_FREE char *path = ba_path_join(dir, ".gitmodules");
	ba_error err = {0};
	gitrepo_must(ba_fs_mkdirs(dir, &err), &err);
	gitrepo_put(path, data, size);
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO(ba_source) ba_source found = {0};
		bool wanted = true;
		err.text[0] = '\0';
		int rc = ba_submodule_find(&found, &wanted, source, dir, &links[i], &err);
		/* nobody has that commit */
		if (rc == 0 && (wanted || found.handle))
			abort();
		if (rc && !*err.text)
			abort();
	}
	return 0;
}
