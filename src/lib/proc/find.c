#include "proc/proc.h"

static bool is_program(const char *file)
{
	struct stat st;
	return !stat(file, &st) && S_ISREG(st.st_mode) && !access(file, X_OK);
}

static int find_by_path(char **out, const char *program, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *file = ba_path_join(dir ? dir : ".", program);
	struct stat st;
	if (stat(file, &st)) /* BA_EIO: this machine lacks resources */
		return ba_fail_errno(err, ba_fs_code(errno) == BA_EIO ? BA_EIO : BA_ENOTFOUND,
			"program '%s'%s%s%s", program, dir ? " in '" : "", dir ? dir : "",
			dir ? "'" : "");
	if (!is_program(file))
		return ba_fail(err, BA_ENOTFOUND, "'%s' is not an executable file", file);
	*out = BA_TAKE(file);
	return 0;
}

int ba_proc_find_program(
	char **out, const char *program, const char *path, const char *dir, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv dirs = {0};
	if (!*program)
		return ba_fail(err, BA_ENOTFOUND, "the name of the program is empty");
	if (strchr(program, '/'))
		return find_by_path(out, program, dir, err);
	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	ba_strv_split(&dirs, path, ':');
	for (size_t i = 0; i < dirs.count; i++) {
		/* unlike execvp, an empty entry is not the current directory */
		if (!*dirs.items[i])
			continue;
		BA_AUTO_FREE char *file = ba_path_join(dirs.items[i], program);
		if (is_program(file)) {
			*out = BA_TAKE(file);
			return 0;
		}
	}
	return ba_fail(err, BA_ENOTFOUND, "no program '%s' in PATH ('%s')", program, path);
}
