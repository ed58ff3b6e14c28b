#include <dirent.h>

#include "build/build.h"

#define FILES_MAX 200000 /* limit of a quick search */
#define DEPTH_MAX 32
#define NAMES_MAX 3

typedef struct look {
	const char *wanted; /* base name */
	const char *suffix; /* ".so", or NULL */
	unsigned files;
	ba_strv same;	 /* paths with that base name */
	ba_strv similar; /* files with the suffix that the build may have made */
} look;

static void consider(look *l, const char *path, const char *name)
{
	if (!strcmp(name, l->wanted))
		ba_strv_push(&l->same, path);
	else if (l->suffix && ba_text_ends(name, l->suffix))
		ba_strv_push(&l->similar, path);
}

static void look_around(look *l, const char *root, const char *path, unsigned depth)
{
	BA_AUTO_FREE char *full = *path ? ba_path_join(root, path) : ba_xstrdup(root);
	DIR *dir = depth < DEPTH_MAX ? opendir(full) : NULL;
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir)) && l->files < FILES_MAX;) {
		struct stat st;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
			!strcmp(e->d_name, ".git") ||
			fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		BA_AUTO_FREE char *below =
			*path ? ba_path_join(path, e->d_name) : ba_xstrdup(e->d_name);
		l->files++;
		if (S_ISDIR(st.st_mode))
			look_around(l, root, below, depth + 1);
		else
			consider(l, below, e->d_name);
	}
	closedir(dir);
}

static void put_names(ba_buf *out, ba_strv *paths)
{
	ba_strv_sort(paths);
	for (size_t i = 0; i < paths->count && i < NAMES_MAX; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(paths->items[i]);
		ba_buf_printf(out, "%s'%s'", i ? ", " : "", safe);
	}
	if (paths->count > NAMES_MAX)
		ba_buf_printf(out, " and %zu more", paths->count - NAMES_MAX);
}

static int fail_missing(const char *dir, const char *path, const char *file, ba_error *err)
{
	const char *base = ba_path_base(path), *dot = strrchr(base, '.');
	look l = {.wanted = base, .suffix = dot};
	BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
	if (ba_fs_exists(file)) /* the link itself, not its target */
		return ba_fail(err, BA_EBUILD, "no '%s'; there is '%s', a link that leads nowhere",
			path, path);
	look_around(&l, dir, "", 0);
	if (l.same.count)
		put_names(&names, &l.same);
	else if (l.similar.count)
		put_names(&names, &l.similar);
	if (names.len)
		ba_fail(err, BA_EBUILD, "no '%s'; there is %s", path, names.data);
	else if (dot)
		ba_fail(err, BA_EBUILD, "no '%s', nor any other file '*%s'", path, dot);
	else
		ba_fail(err, BA_EBUILD, "no '%s'", path);
	BA_DISPOSE(ba_strv, &l.same, &l.similar);
	return BA_EBUILD;
}

int ba_build_check_artefacts(const char *dir, const ba_strv *paths, ba_error *err)
{
	for (size_t i = 0; paths && i < paths->count; i++) {
		BA_AUTO_FREE char *file = ba_path_join(dir, paths->items[i]);
		struct stat st;
		if (stat(file, &st))
			return fail_missing(dir, paths->items[i], file, err);
		if (!S_ISREG(st.st_mode))
			return ba_fail(err, BA_EBUILD, "no regular file '%s'", paths->items[i]);
	}
	return 0;
}

int ba_build_check_inside(const char *dir, const ba_strv *paths, ba_error *err)
{
	for (size_t i = 0; paths && i < paths->count; i++) {
		BA_AUTO_FREE char *file = ba_path_join(dir, paths->items[i]);
		if (!ba_fs_is_file_below(file, dir))
			return ba_fail(err, BA_EBUILD, "'%s', a link that leaves the tree",
				paths->items[i]);
	}
	return 0;
}
