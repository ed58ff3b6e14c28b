#include "git/attributes.h"

#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/strv.h"
#include "git/internal.h"
#include "git/lfs.h"

static bool exists_in_search_path(int level, const char *name)
{
	git_buf dirs = {0};
	bool found = false;
	if (git_libgit2_opts(GIT_OPT_GET_SEARCH_PATH, level, &dirs) == 0 && dirs.ptr) {
		BA_AUTO(ba_strv) ba_strv list = {0};
		ba_strv_split(&list, dirs.ptr, ':');
		for (size_t i = 0; i < list.count; i++) {
			BA_AUTO_FREE char *path = ba_path_join(list.items[i], name);
			found = found || ba_fs_exists(path);
		}
	}
	git_buf_dispose(&dirs);
	return found;
}

void ba_attributes_outside(ba_attributes *out, git_repository *private)
{
	BA_AUTO_PTR(git_config) git_config *config = NULL;
	BA_AUTO_PTR(git_config) git_config *frozen = NULL;
	BA_AUTO_FREE char *info =
		ba_path_join(git_repository_path(private), "info/attributes");
	const char *value = NULL;
	bool sources = ba_fs_exists(info) ||
		       exists_in_search_path(GIT_CONFIG_LEVEL_XDG, "attributes") ||
		       exists_in_search_path(GIT_CONFIG_LEVEL_SYSTEM, "gitattributes");
	*out = (ba_attributes){.convert = sources, .program = sources};
	if (git_repository_config(&config, private) ||
		git_config_snapshot(&frozen, config))
		return;
	if (git_config_get_string(&value, frozen, "core.attributesfile") == 0)
		out->convert = out->program = true;
	/* autocrlf alone converts; eol needs an attribute that says "text" */
	if (git_config_get_string(&value, frozen, "core.autocrlf") == 0)
		out->convert = true;
}

void ba_attributes_note(ba_attributes *a, const char *text, size_t size)
{
	static const char filter[] = "filter";
	static const char encoding[] = "working-tree-encoding";
	a->convert = true;
	if (memmem(text, size, filter, strlen(filter)) ||
		memmem(text, size, encoding, strlen(encoding)))
		a->program = true;
}

int ba_attributes_route(
	ba_route *out, git_repository *private, const char *path, ba_error *err)
{
	static const char *names[] = {"filter", "working-tree-encoding"};
	const char *values[2] = {NULL, NULL};
	if (git_attr_get_many(
		    values, private, GIT_ATTR_CHECK_FILE_THEN_INDEX, path, 2, names))
		return ba_git_fail(
			err, BA_EIO, "the attributes of '%s' cannot be read", path);
	const char *filter = ba_git_attr_name(values[0]);
	ba_route route = BA_ROUTE_PLAIN;
	if (filter && strcmp(filter, "lfs") == 0)
		route = BA_ROUTE_LFS;
	else if (filter && ba_git_filter_is_configured(private, filter))
		route = BA_ROUTE_PROGRAM;
	else if (filter && ba_git_filter_is_required(private, filter))
		return ba_fail(err, BA_EUNSUPPORTED,
			"'%s' needs the filter '%s', which is required and not "
			"configured; "
			"set filter.%s.smudge",
			path, filter, filter);
	if (ba_git_attr_name(values[1]))
		route = BA_ROUTE_PROGRAM;
	*out = route;
	return 0;
}
