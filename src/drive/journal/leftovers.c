#include "journal/journal.h"

#include <dirent.h>
#include <sys/file.h>

/* trees/NAME belongs to logs/NAME.log: the tree is kept, or being built */
static bool log_is_needed(const char *root, const char *name)
{
	if (!ba_text_ends(name, ".log"))
		return true;
	BA_AUTO_FREE char *stem = ba_xstrndup(name, strlen(name) - strlen(".log"));
	BA_AUTO_FREE char *tree = ba_xprintf("%s/trees/%s", root, stem);
	return ba_fs_exists(tree);
}

/* A run keeps its file locked, which is visible from other containers, too. */
static bool is_held(const char *root, const char *folder, const char *name)
{
	BA_AUTO_FREE char *path = ba_xprintf("%s/%s/%s", root, folder, name);
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0;
}

static bool journal_is_needed(const char *root, const char *name)
{
	return !ba_text_ends(name, ".jsonl") || is_held(root, "journals", name);
}

/* Removes steps of killed searches; states stay, because a search can be resumed. */
static bool step_is_needed(const char *root, const char *name)
{
	return !ba_text_starts(name, "step-") || is_held(root, "bisect", name);
}

void ba_leftovers_remove(const char *root, time_t before)
{
	static const struct {
		const char *folder;
		bool (*needed)(const char *root, const char *name);
	} kinds[] = {{"logs", log_is_needed}, {"journals", journal_is_needed},
		{"bisect", step_is_needed}};
	for (size_t i = 0; i < BA_COUNT(kinds); i++) {
		BA_AUTO_FREE char *path = ba_path_join(root, kinds[i].folder);
		DIR *dir = opendir(path);
		if (!dir)
			continue;
		for (struct dirent *e; (e = readdir(dir));) {
			struct stat st;
			if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
				!S_ISREG(st.st_mode) || st.st_mtime > before ||
				kinds[i].needed(root, e->d_name))
				continue;
			unlinkat(dirfd(dir), e->d_name, 0);
		}
		closedir(dir);
	}
}
