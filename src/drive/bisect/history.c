#include "bisect/internal.h"
#include "build/build.h"
#include "config/config.h"
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

/* The versions of a package between the two, "torch==2.6" and "torch==2.10". */
static int list_versions(ba_bisect *b, ba_error *err)
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

/* Limited because commits are compared pair by pair. */
#define LINE_MOST 10000

static int add_commits(ba_bisect *b, const ba_strv *line, ba_error *err)
{
	b->commits = ba_xcalloc(line->count, sizeof(*b->commits));
	b->commit_count = line->count;
	for (size_t i = 0; i < line->count; i++) {
		ba_bisect_commit *c = &b->commits[i];
		const char *id = line->items[line->count - 1 - i];
		c->id = ba_xstrdup(id);
		c->name = ba_xprintf("%.9s", id);
		BA_TRY(ba_git_commit_tree(c->inputs, b->repo, id, err));
	}
	for (size_t p = 0; p < BA_BISECT_PHASES; p++)
		b->phases[p].measured = ba_xcalloc(line->count, sizeof(size_t));
	return 0;
}

/* GOOD is on another branch, as releases often are: start at the fork. Or was it swapped? */
static int from_the_fork(
	ba_strv *line, const ba_bisect *b, const char *good, const char *bad, ba_error *err)
{
	const ba_bisect_request *q = &b->request;
	BA_AUTO(ba_strv) ba_strv of_good = {0}, of_bad = {0};
	BA_TRY(ba_git_line(&of_good, b->repo, good, NULL, LINE_MOST, err));
	BA_TRY(ba_git_line(&of_bad, b->repo, bad, NULL, LINE_MOST, err));
	/* the newest commit that both lines have */
	char **both = BA_FIND(of_good.items, of_good.count, one, ba_strv_has(&of_bad, *one));
	const char *shared = both ? *both : NULL;
	if (shared && strcmp(shared, bad) == 0)
		return ba_fail(err, BA_ENOTFOUND,
			"GOOD (%s) is newer than BAD (%s); the older commit comes first: bench-against bisect %s %s",
			q->good, q->bad, q->bad, q->good);
	if (shared) {
		ba_log_printf(q->log, BA_LOG_INFO,
			"GOOD (%s, %.9s) is not in the first-parent history of BAD (%s, %.9s); searching from %.9s, where the two part",
			q->good, good, q->bad, bad, shared);
		return ba_git_line(line, b->repo, bad, shared, LINE_MOST, err);
	}
	BA_AUTO_FREE char *cut = ba_path_join(ba_repo_common_dir(b->repo), "shallow");
	return ba_fail(err, BA_ENOTFOUND,
		"GOOD (%s, %.9s) is not in the first-parent history of BAD (%s, %.9s), and the two share none of their newest %d commits there%s",
		q->good, good, q->bad, bad, LINE_MOST,
		ba_fs_exists(cut) ? "; this clone is shallow: git fetch --unshallow" : "");
}

/* Runs also accept variants that are not commits; bisect says what to do instead. */
static int resolve(ba_commit *out, const ba_bisect *b, const char *spec, ba_error *err)
{
	int rc = ba_commit_resolve(out, b->repo, spec, err);
	if (rc && strcmp(spec, "WORKTREE") == 0)
		return ba_fail(err, BA_EINVAL,
			"WORKTREE: bisect searches commits; commit the changes first, or compare them: bench-against %s WORKTREE",
			strcmp(b->request.good, spec) == 0 ? "HEAD" : b->request.good);
	if (rc && ba_text_starts(spec, "path:"))
		return ba_fail(err, BA_EINVAL,
			"'%s' is a directory, and bisect searches commits; name one", spec);
	return rc;
}

int ba_bisect_history(ba_bisect *b, ba_error *err)
{
	const ba_bisect_request *q = &b->request;
	BA_AUTO(ba_commit) ba_commit good = {0}, bad = {0};
	BA_AUTO(ba_strv) ba_strv line = {0};
	int rc = ba_repo_open(&b->repo, ".", err);
	if (rc == 0 && strstr(q->good, "=="))
		return list_versions(b, err);
	rc = rc ? rc : resolve(&good, b, q->good, err);
	rc = rc ? rc : resolve(&bad, b, q->bad, err);
	rc = rc ? rc : ba_git_line(&line, b->repo, bad.commit, good.commit, LINE_MOST, err);
	bool beside = rc == BA_ENOTFOUND && good.commit[0] && bad.commit[0];
	if (beside)
		rc = from_the_fork(&line, b, good.commit, bad.commit, err);
	if (rc)
		return rc;
	if (line.count < 2)
		return ba_fail(
			err, BA_EINVAL, "'%s' and '%s' are the same commit", q->good, q->bad);
	BA_TRY(add_commits(b, &line, err));
	if (beside)
		b->request.good = b->commits[0].id;
	return 0;
}

/* ---- inputs ---- */

/* The ids of the build's inputs, as in the key of a build. */
static int inputs_of(
	char out[65], const ba_bisect *b, const char *commit, const ba_strv *names, ba_error *err)
{
	char tree[65];
	BA_AUTO_FREE char *link = NULL;
	ba_sha256 sum;
	int rc = ba_git_commit_tree(tree, b->repo, commit, err);
	rc = rc ? rc : ba_repo_link_out(&link, b->repo, tree, names, err);
	/* a link leads outside the listed inputs: use the whole tree */
	if (rc || link)
		return rc;
	ba_sha256_init(&sum);
	for (size_t i = 0; rc == 0 && i < names->count; i++) {
		char id[65] = "";
		rc = ba_repo_path_id(id, b->repo, tree, names->items[i], err);
		rc = rc == BA_ENOTFOUND ? 0 : rc;
		ba_sha256_add_string(&sum, id);
	}
	if (rc == 0)
		ba_sha256_hex(&sum, out);
	return rc;
}

/* Loads a file, or the file of one end: "good:.bench-against.json". */
static bool load_config(ba_config *c, const ba_bisect *b, const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	char tree[65];
	const char *colon = strchr(path, ':');
	if (*path == '/')
		return ba_fs_exists(path) && ba_config_load(c, path, NULL) == 0;
	size_t end = ba_text_starts(path, "bad:") ? b->commit_count - 1 : 0;
	if (!colon || (end == 0 && !ba_text_starts(path, "good:")))
		return false;
	int rc = ba_git_commit_tree(tree, b->repo, b->commits[end].id, NULL);
	rc = rc ? rc : ba_repo_read_file(&text, b->repo, tree, colon + 1, BA_CONFIG_CEILING, NULL);
	return rc == 0 && ba_config_load_text(c, path, text.data, text.len, NULL) == 0;
}

int ba_bisect_configure(ba_bisect *b, const char *path, ba_error *err)
{
	BA_AUTO(ba_config) ba_config config;
	ba_config_init(&config);
	if (!path || !load_config(&config, b, path))
		return 0;
	b->builders = b->request.builders ? b->request.builders
		      : config.build.jobs ? (size_t)config.build.jobs
					  : ba_build_usual_parallel();
	const ba_strv *inputs = &config.build.inputs;
	bool whole = b->tree || BA_ANY(inputs->items, inputs->count, one, strpbrk(*one, "*?["));
	if (whole || !inputs->count || config.overlay.count)
		return 0;
	BA_EACH (ba_bisect_commit, c, b->commits, b->commit_count)
		BA_TRY(inputs_of(c->inputs, b, c->id, inputs, err));
	return 0;
}

/* ---- which places are possible ---- */

static bool same_text(const char *a, const char *b)
{
	return *a && strcmp(a, b) == 0;
}

static bool are_same(const ba_bisect_commit *a, const ba_bisect_commit *b)
{
	return same_text(a->inputs, b->inputs) || same_text(a->build, b->build) ||
	       same_text(a->code, b->code);
}

bool ba_bisect_prior(double *prior, const ba_bisect *b)
{
	size_t n = b->commit_count;
	for (size_t k = 1; k < n; k++)
		prior[k] = 1;
	for (size_t i = 0; i < n; i++) {
		size_t last = i;
		for (size_t k = n; k-- > i + 1 && last == i;)
			if (are_same(&b->commits[i], &b->commits[k]) ||
				(i == 0 && b->commits[k].same_as_good))
				last = k;
		/* a single step cannot be a change and its reversal */
		for (size_t k = i + 1; k <= last; k++)
			prior[k] = 0;
	}
	prior[0] = 0;
	return BA_ANY(prior, n, p, *p > 0);
}
