#include "demo/demo.h"

#include "demo/files.h"
#include "git/create.h"

typedef struct branch {
	const char *name, *parent, *message;
} branch;

static const branch branches[] = {
	{"baseline", NULL,
		"launchcfg: launches without state\n\n"
		"Config and arguments are passed straight down; nobody can ask for them.\n"},
	{"contextvar", "baseline",
		"launchcfg: state in context variables\n\n"
		"An immutable map, copied on every set, in the style of Python's\n"
		"contextvars: config and arguments are set and reset on every launch.\n"},
	{"v2", "baseline",
		"launchcfg: state in two thread-local slots\n\n"
		"A launch stores its arguments; the config is set only while something\n"
		"compiles.\n"},
};

const char *const ba_demo_branches[] = {"baseline", "contextvar", "v2", NULL};

/* a fixed date, so that the demo always has the same commit ids */
#define FIRST_COMMIT_TIME 1767225600
#define COMMIT_INTERVAL 3600

static int check_empty(const char *dir, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	if (!ba_fs_exists(dir))
		return 0;
	if (ba_fs_names(&names, dir, NULL))
		return ba_fail_errno(err, BA_EINVAL, "the demo cannot be put in '%s'", dir);
	if (names.count)
		return ba_fail(err, BA_EINVAL,
			"'%s' is not empty: give a new or an empty directory for the demo", dir);
	return 0;
}

static int commit_branch(const char *dir, size_t index, ba_error *err)
{
	const branch *b = &branches[index];
	BA_AUTO_FREE ba_git_file *files = ba_xcalloc(ba_demo_file_count, sizeof(*files));
	size_t count = 0;
	BA_EACH (const ba_demo_file, file, ba_demo_files, ba_demo_file_count) {
		if (file->branch && strcmp(file->branch, b->name) != 0)
			continue;
		files[count++] =
			(ba_git_file){.path = file->path, .data = file->data, .size = file->size};
	}
	return ba_git_create_commit(dir, b->name, b->parent, files, count, b->message,
		FIRST_COMMIT_TIME + (int64_t)index * COMMIT_INTERVAL, err);
}

int ba_demo_create(const char *dir, ba_error *err)
{
	int rc = check_empty(dir, err);
	for (size_t i = 0; rc == 0 && i < BA_COUNT(branches); i++)
		rc = commit_branch(dir, i, err);
	return rc ? rc : ba_git_create_checkout(dir, "v2", err);
}
