/* The versions of a package as the commits of a search: one tree, HEAD, with each of them. */

#include "bisect/internal.h"
#include "git/commit.h"
#include "packages/packages.h"

#define FILE_MOST (1u << 20)
#define LABEL "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-"

/* A version a line; '#' begins a comment. */
static int read_list(ba_strv *out, const char *path, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_TRY(ba_fs_read_input(&text, path, FILE_MOST, err));
	ba_strv_split(&lines, text.data, '\n');
	for (size_t i = 0; i < lines.count; i++) {
		const char *line = lines.items[i] + strspn(lines.items[i], " \t");
		size_t size = strcspn(line, " \t\r#");
		if (size && strspn(line, LABEL) < size)
			return ba_fail(err, BA_EINVAL, "--among %s: line %zu is not a version",
				path, i + 1);
		if (size)
			ba_strv_push_take(out, ba_xstrndup(line, size));
	}
	return 0;
}

static int ask_index(ba_strv *out, const ba_bisect *b, const char *package, ba_error *err)
{
	const ba_bisect_request *q = &b->request;
	BA_AUTO_PTR(ba_workspace) ba_workspace *ws = NULL;
	const ba_job_services services = {.cache_root = q->cache_root,
		.env = (const char *const *)environ,
		.log = q->log,
		.stop = q->stop};
	BA_TRY(ba_workspace_open(&ws, q->cache_root, q->log, err));
	const ba_packages_options options = {.services = &services, .workspace = ws};
	return ba_packages_versions(out, package, &options, err);
}

/* 2.6 and 2.6.0 are one version. */
static bool is_same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	const char *rest = *a ? a : b;
	return (!*a || !*b) && strspn(rest, ".0") == strlen(rest) && (!*rest || *rest == '.');
}

static int place_of(size_t *out, const ba_strv *list, const char *spec, ba_error *err)
{
	const char *version = strstr(spec, "==") + 2;
	for (*out = 0; *out < list->count; ++*out)
		if (is_same(list->items[*out], version))
			return 0;
	return ba_fail(err, BA_ENOTFOUND, "'%s' is not among the %zu versions%s%s%s", spec,
		list->count, list->count ? " from " : "", list->count ? list->items[0] : "",
		list->count ? "; --among FILE names others" : "");
}

int ba_bisect_versions(ba_bisect *b, ba_error *err)
{
	const ba_bisect_request *q = &b->request;
	BA_AUTO(ba_commit) ba_commit head = {0};
	BA_AUTO(ba_strv) ba_strv list = {0};
	size_t first, last, name = (size_t)(strstr(q->good, "==") - q->good);
	if (strncmp(q->good, q->bad, name) != 0 || strncmp(q->bad + name, "==", 2) != 0)
		return ba_fail(err, BA_EINVAL, "'%s' and '%s' are not versions of one package",
			q->good, q->bad);
	BA_AUTO_FREE char *package = ba_xstrndup(q->good, name);
	BA_TRY(ba_commit_resolve(&head, b->repo, "HEAD", err));
	b->tree = ba_xstrdup(head.commit);
	BA_TRY(q->among ? read_list(&list, q->among, err) : ask_index(&list, b, package, err));
	BA_TRY(place_of(&first, &list, q->good, err));
	BA_TRY(place_of(&last, &list, q->bad, err));
	if (first >= last)
		return ba_fail(
			err, BA_EINVAL, "GOOD (%s) must be older than BAD (%s)", q->good, q->bad);
	b->commit_count = last - first + 1;
	b->commits = ba_xcalloc(b->commit_count, sizeof(*b->commits));
	for (size_t i = 0; i < b->commit_count; i++) {
		b->commits[i].id = ba_xprintf("%s==%s", package, list.items[first + i]);
		b->commits[i].name = ba_xstrdup(b->commits[i].id);
	}
	for (size_t p = 0; p < BA_BISECT_PHASES; p++)
		b->phases[p].measured = ba_xcalloc(b->commit_count, sizeof(size_t));
	return 0;
}
