#include "base/base.h"

char *ba_path_join(const char *dir, const char *name)
{
	if (name[0] == '/' || dir[0] == '\0')
		return ba_xstrdup(name);
	if (name[0] == '\0')
		return ba_xstrdup(dir);
	const char *slash = dir[strlen(dir) - 1] == '/' ? "" : "/";
	return ba_xprintf("%s%s%s", dir, slash, name);
}

const char *ba_path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

char *ba_path_dir(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return ba_xstrdup(".");
	return ba_xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *ba_path_absolute(const char *path)
{
	if (path[0] == '/')
		return ba_xstrdup(path);
	BA_AUTO_FREE char *here = getcwd(NULL, 0);
	return ba_path_join(here ? here : "/", strcmp(path, ".") == 0 ? "" : path);
}

bool ba_path_is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	n -= n > 0 && dir[n - 1] == '/';
	return strncmp(path, dir, n) == 0 && path[n] == '/';
}

bool ba_path_is_within(const char *path, const char *dir)
{
	return strcmp(path, dir) == 0 || ba_path_is_below(path, dir);
}

bool ba_path_is_inside(const char *relative)
{
	if (relative[0] == '\0' || relative[0] == '/')
		return false;
	for (const char *p = relative;; p++) {
		size_t n = strcspn(p, "/");
		if (n == 2 && p[0] == '.' && p[1] == '.')
			return false;
		p += n;
		if (*p == '\0')
			return true;
	}
}
