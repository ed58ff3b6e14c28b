#include "judge/judge.h"

#include "config/config.h"
#include "git/commit.h"
#include "git/create.h"

/* The files of a tree: where each belongs, and where it is. */
typedef struct files {
	ba_strv paths, from;
} files;

BA_OWNS_HERE(files, f, BA_DISPOSE(ba_strv, &f->paths, &f->from))

/* Adds the file, or replaces the one with that path. */
static void take(files *f, const char *path, const char *from)
{
	char **known = BA_FIND(f->paths.items, f->paths.count, p, strcmp(*p, path) == 0);
	if (known) {
		ba_text_replace(&f->from.items[known - f->paths.items], from);
		return;
	}
	ba_strv_push(&f->paths, path);
	ba_strv_push(&f->from, from);
}

/* sub: "" or "folder/" below dir; judges: take the configuration, too. */
static int take_folder(files *f, const char *dir, const char *sub, bool judges, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_AUTO_FREE char *here = ba_path_join(dir, sub);
	BA_TRY(ba_fs_names(&names, here, err));
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i];
		BA_AUTO_FREE char *path = ba_xprintf("%s%s", sub, name);
		BA_AUTO_FREE char *whole = ba_path_join(dir, path);
		BA_AUTO_FREE char *below = ba_xprintf("%s/", path);
		struct stat st;
		if (strcmp(name, ".git") == 0 || strcmp(name, "__pycache__") == 0 ||
			(!judges && strcmp(path, BA_CONFIG_FILE) == 0))
			continue;
		if (lstat(whole, &st))
			return ba_fail_errno(err, BA_EIO, "'%s'", whole);
		if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
			return ba_fail(err, BA_EINVAL,
				"'%s' is neither a file nor a folder: a task and a candidate consist of these",
				whole);
		if (S_ISDIR(st.st_mode))
			BA_TRY(take_folder(f, dir, below, judges, err));
		else
			take(f, path, whole);
	}
	return 0;
}

/* The only file of the task that has the candidate's name. */
static int place_of(char **place, const files *task, const char *file, ba_error *err)
{
	const char *name = ba_path_base(file), *found = NULL;
	size_t n = 0;
	for (size_t i = 0; i < task->paths.count; i++)
		if (strcmp(ba_path_base(task->paths.items[i]), name) == 0 && ++n)
			found = task->paths.items[i];
	if (n != 1)
		return ba_fail(err, BA_EINVAL,
			"the task has %zu files '%s' that the candidate could replace: name its place: PLACE=%s",
			n, name, file);
	*place = ba_xstrdup(found);
	return 0;
}

static int take_candidate(files *f, const char *operand, ba_error *err)
{
	const char *equals = ba_fs_exists(operand) ? NULL : strchr(operand, '=');
	const char *file = equals ? equals + 1 : operand;
	BA_AUTO_FREE char *place =
		equals ? ba_xprintf("%.*s", (int)(equals - operand), operand) : NULL;
	if (!ba_fs_exists(file))
		return ba_fail(err, BA_ENOTFOUND,
			"the candidate '%s' is neither a file nor a folder", file);
	if (!place && ba_fs_is_dir(file))
		return take_folder(f, file, "", false, err);
	if (!place)
		BA_TRY(place_of(&place, f, file, err));
	if (!ba_path_is_inside(place) || strcmp(place, BA_CONFIG_FILE) == 0)
		return ba_fail(err, BA_EINVAL, "'%s' cannot be the place of a candidate", place);
	take(f, place, file);
	return 0;
}

static int resolve(ba_judge_try *out, const char *directory, const char *spec, ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit c = {0};
	BA_TRY(ba_repo_open(&repo, directory, err));
	BA_TRY(ba_commit_resolve(&c, repo, spec, err));
	out->spec = ba_xstrdup(c.commit);
	memcpy(out->digest, c.tree, sizeof(c.tree));
	return 0;
}

int ba_judge_commit(ba_judge_try *out, const char *directory, const char *task,
	const ba_strv *candidate, ba_error *err)
{
	char id[65];
	BA_AUTO(files) files f = {0};
	BA_AUTO_FREE char *config = ba_path_join(task, BA_CONFIG_FILE);
	if (!ba_fs_is_dir(task) && candidate && candidate->count > 1)
		return ba_fail(err, BA_EINVAL,
			"the task '%s' is a revision, so the candidate is one revision; for files, name the folder of the task",
			task);
	if (!ba_fs_is_dir(task))
		return resolve(out, directory, candidate ? candidate->items[0] : task, err);
	if (!ba_fs_exists(config))
		return ba_fail(err, BA_EINVAL,
			"'%s' is not a task: it has no " BA_CONFIG_FILE
			", which says how to build and measure it",
			task);
	BA_TRY(take_folder(&f, task, "", true, err));
	for (size_t i = 0; candidate && i < candidate->count; i++)
		BA_TRY(take_candidate(&f, candidate->items[i], err));
	BA_TRY(ba_git_commit_files(id, directory, &f.paths, &f.from, err));
	return resolve(out, directory, id, err);
}
