/* The .gitmodules of a stranger's commit. */
#include "gitrepo.h"

#include <stdint.h>

#include "git/checkout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const ba_repo *outer(void)
{
	static ba_repo *repo;
	ba_error err = {0};
	if (!repo)
		gitrepo_must(ba_repo_open(&repo, gitrepo_get()->repo, &err), &err);
	return repo;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const ba_gitlink links[] = {
		{(char *)"lib", "0123456789012345678901234567890123456789"},
		{(char *)"a/b", "0123456789012345678901234567890123456789"},
	};
	const ba_repo *source = outer();
	BA_AUTO_FREE char *dir = ba_path_join(fuzz_repo.top, "tree");
	BA_AUTO_FREE char *path = ba_path_join(dir, ".gitmodules");
	ba_error err = {0};
	gitrepo_must(ba_fs_mkdirs(dir, &err), &err);
	gitrepo_put(path, data, size);
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO_PTR(ba_repo) ba_repo *found = NULL;
		bool wanted = true;
		err.text[0] = '\0';
		int rc = ba_submodule_find(&found, &wanted, source, dir, &links[i], &err);
		/* nobody has that commit */
		if (rc == 0 && (wanted || found))
			abort();
		if (rc && !*err.text)
			abort();
	}
	return 0;
}
