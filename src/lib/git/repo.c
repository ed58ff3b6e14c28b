#include "git/repo.h"

#include <pthread.h>

#include "git/attributes.h"

/* With mbedtls, as Debian's has it, libgit2 parses all certificates of the system when it starts,
 * which takes longer than all else that it does for a run. The tool connects to nobody: this
 * function is found before the library's. */
__attribute__((visibility("default"))) int mbedtls_x509_crt_parse_file(
	void *chain, const char *path);
int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	return 0;
}

/* libgit2 counts its users and forgets its options with the last one, so it is started
 * once and never stopped. */
static void start_libgit2(void)
{
	/* these extensions affect where things are stored, not a commit's tree */
	static const char *const extensions[] = {
		"worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees"};
	ba_git_use_own_memory();
	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, BA_COUNT(extensions));
	ba_ident_register();
}

void ba_git_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, start_libgit2);
}

/* libgit2's own message about the last error in this thread; never NULL */
static const char *last_words(void)
{
	const git_error *last = git_error_last();
	return last && last->message ? last->message : "no reason given";
}

bool ba_git_failed_at_io(void)
{
	const git_error *last = git_error_last();
	return last && (last->klass == GIT_ERROR_OS || last->klass == GIT_ERROR_ZLIB ||
			       last->klass == GIT_ERROR_NOMEMORY);
}

int ba_git_fail(ba_error *err, int code, const char *fmt, ...)
{
	if (ba_git_failed_at_io())
		code = BA_EIO;
	if (err) {
		BA_FORMATTED(text, fmt);
		ba_fail(err, code, "%s: %s", text, last_words());
	}
	return code;
}

char *ba_git_trim_slash(const char *path)
{
	size_t n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	return ba_xstrndup(path, n);
}

bool ba_git_config_bool(git_repository *handle, const char *key, bool otherwise)
{
	BA_AUTO_PTR(git_config) git_config *config = NULL;
	int value = otherwise;
	if (git_repository_config(&config, handle) == 0)
		git_config_get_bool(&value, config, key);
	return value;
}

/* What safe.directory says, as git reads it: '*' is every repository, "DIR/" + "*"
 * those below DIR, and libgit2 1.5 knows only exact paths. An empty value forgets what
 * came before. */
struct trust {
	const char *path;
	bool trusted;
	bool valueless; /* `[safe] directory` alone: libgit2 1.5 reads through NULL */
};

static int trust_entry(const git_config_entry *entry, void *data)
{
	struct trust *query = data;
	const char *value = entry->value ? entry->value : "";
	size_t n = strlen(value);
	query->valueless = query->valueless || !entry->value;
	if (n == 0)
		query->trusted = false;
	else if (strcmp(value, "*") == 0)
		query->trusted = true;
	else if (n > 2 && strcmp(value + n - 2, "/*") == 0 &&
		 strncmp(value, query->path, n - 1) == 0)
		query->trusted = true;
	return 0;
}

static struct trust trust_of(const char *path)
{
	struct trust query = {.path = path};
	BA_AUTO_PTR(git_config) git_config *config = NULL;
	if (git_config_open_default(&config) == 0)
		git_config_get_multivar_foreach(
			config, "safe.directory", NULL, trust_entry, &query);
	return query;
}

/* the directory whose owner counts: the working tree, or the bare repository itself */
static char *safe_path(const char *path)
{
	BA_AUTO_FREE char *resolved = realpath(path, NULL);
	BA_AUTO_FREE char *trimmed = ba_git_trim_slash(resolved ? resolved : path);
	for (;;) {
		BA_AUTO_FREE char *inside = ba_path_join(trimmed, ".git");
		BA_AUTO_FREE char *head = ba_path_join(trimmed, "HEAD");
		BA_AUTO_FREE char *objects = ba_path_join(trimmed, "objects");
		bool bare = ba_fs_exists(head) && ba_fs_is_dir(objects);
		bool admin = strcmp(ba_path_base(trimmed), ".git") == 0;
		if (ba_fs_exists(inside) || (bare && !admin))
			return BA_TAKE(trimmed);
		char *up = ba_path_dir(trimmed);
		/* "/", or "." in a directory that was removed and has no other name;
		 * cppcheck-suppress nullPointer ; what BA_TAKE() took is returned */
		if (strcmp(trimmed, up) == 0) {
			free(up);
			return ba_xstrdup(path);
		}
		ba_text_own(&trimmed, up);
	}
}

static bool has_repository(const char *dir)
{
	static const char *const names[] = {"HEAD", "objects", "refs"};
	bool all = true;
	for (size_t i = 0; i < BA_COUNT(names); i++) {
		BA_AUTO_FREE char *path = ba_path_join(dir, names[i]);
		all = all && ba_fs_exists(path);
	}
	return all;
}

/* The nearest folder above that looks like a repository; NULL: none does. */
static char *looks_like_repository(const char *path)
{
	BA_AUTO_FREE char *place = safe_path(path);
	BA_AUTO_FREE char *inside = ba_path_join(place, ".git");
	if (ba_fs_exists(inside) && !ba_fs_is_dir(inside))
		return BA_TAKE(place); /* .git is a file, or cannot be read */
	return has_repository(inside) || has_repository(place) ? BA_TAKE(place) : NULL;
}

static int open_failure(const char *path, int rc, ba_error *err)
{
	const char *words = last_words();
	BA_AUTO_FREE char *place = rc == GIT_ENOTFOUND ? looks_like_repository(path) : NULL;
	if (place)
		return ba_fail(err, BA_EIO,
			"the repository '%s' exists but cannot be read: %s; 'git status' there may say why",
			place, words);
	if (rc == GIT_ENOTFOUND)
		return ba_fail(err, BA_EREPO,
			"'%s' is not in a git repository; change into one, or compare directories with path:DIR",
			path);
	if (rc == GIT_EOWNER) {
		BA_AUTO_FREE char *safe = safe_path(path);
		return ba_fail(err, BA_EREPO,
			"the repository '%s' belongs to another user; if you trust it, run: git config --global --add safe.directory '%s'",
			safe, safe);
	}
	/* the words of libgit2 1.5, and of 1.7 and later */
	if (strstr(words, "extensions.objectformat") || strstr(words, "unknown object format"))
		return ba_fail(err, BA_EREPO,
			"the repository of '%s' uses SHA-256 object names, which libgit2 cannot read; compare checked-out directories with path:DIR",
			path);
	if (strstr(words, "extensions.refstorage"))
		return ba_fail(err, BA_EREPO,
			"the repository of '%s' keeps its references as a reftable, which libgit2 cannot read; run: git refs migrate --ref-format=files",
			path);
	const char *extension = strstr(words, "unsupported extension");
	if (extension)
		return ba_fail(err, BA_EREPO,
			"the repository of '%s' needs a newer libgit2 (%s); compare checked-out directories with path:DIR",
			path, extension);
	const git_error *last = git_error_last();
	bool system = last && last->klass == GIT_ERROR_OS;
	return ba_git_fail(
		err, system ? BA_EIO : BA_EREPO, "the repository of '%s' cannot be read", path);
}

/* GIT_CEILING_DIRECTORIES as git applies it: a ceiling that is the starting directory
 * itself does not stop the search, and libgit2 would stop there. */
static void ceilings_above(ba_strv *out, const char *path)
{
	const char *all = getenv("GIT_CEILING_DIRECTORIES");
	BA_AUTO(ba_strv) ba_strv given = {0};
	if (all)
		ba_strv_split(&given, all, ':');
	for (size_t i = 0; i < given.count; i++)
		if (*given.items[i] && !ba_fs_is_same(given.items[i], path))
			ba_strv_push(out, given.items[i]);
}

/* Does a ceiling end git's search from `path` before it reaches `place`? */
static bool is_beyond_ceiling(const char *path, const char *place)
{
	BA_AUTO(ba_strv) ba_strv ceilings = {0};
	BA_AUTO_FREE char *start = realpath(path, NULL);
	bool beyond = false;
	ceilings_above(&ceilings, path);
	for (size_t i = 0; start && i < ceilings.count; i++) {
		BA_AUTO_FREE char *real = realpath(ceilings.items[i], NULL);
		beyond = beyond ||
			 (real && ba_path_is_within(start, real) && ba_path_is_within(real, place));
	}
	return beyond;
}

static int open_checked(git_repository **out, const char *path, unsigned flags, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv above = {0};
	ceilings_above(&above, path);
	BA_AUTO_FREE char *ceilings = above.count ? ba_strv_join(&above, ":") : NULL;
	ba_git_start();
	if (trust_of("").valueless)
		return ba_fail(err, BA_EREPO,
			"your git configuration has 'safe.directory' without a value; write a directory there, or remove the line: git config --global --edit");
	int rc = git_repository_open_ext(out, path, flags, ceilings);
	/* libgit2 1.5 returns GIT_ENOTFOUND instead of GIT_EOWNER if no safe.directory
	 * is set */
	if (rc == GIT_ENOTFOUND && strstr(last_words(), "safe.directory"))
		rc = GIT_EOWNER;
	if (rc == GIT_EOWNER) {
		BA_AUTO_FREE char *safe = safe_path(path);
		if (trust_of(safe).trusted) {
			git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
			rc = git_repository_open_ext(out, path, flags, ceilings);
			git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
		}
	}
	if (rc == GIT_ENOTFOUND && ceilings &&
		git_repository_open_ext(NULL, path, flags, NULL) != GIT_ENOTFOUND)
		return ba_fail(err, BA_EREPO,
			"'%s' is not in a git repository: GIT_CEILING_DIRECTORIES ends the search before it reaches one",
			path);
	return rc ? open_failure(path, rc, err) : 0;
}

int ba_git_open_at(git_repository **out, const char *path, ba_error *err)
{
	return open_checked(out, path, GIT_REPOSITORY_OPEN_NO_SEARCH, err);
}

int ba_repo_open(ba_repo **out, const char *start_dir, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *handle = NULL;
	if (!ba_fs_is_dir(start_dir))
		return ba_fail(err, BA_EREPO, "'%s' is not a directory", start_dir);
	/* if libgit2 cannot read the repository here, it continues in the folders
	 * above, and another repository would be compared */
	BA_AUTO_FREE char *place = looks_like_repository(start_dir);
	bool known = place && !is_beyond_ceiling(start_dir, place);
	BA_TRY(known ? ba_git_open_at(&handle, place, err)
		     : open_checked(&handle, start_dir, GIT_REPOSITORY_OPEN_CROSS_FS, err));
	*out = ba_git_repo_of(BA_TAKE(handle));
	return 0;
}

ba_repo *ba_git_repo_of(git_repository *handle)
{
	ba_repo *repo = ba_xcalloc(1, sizeof(*repo));
	const char *workdir = git_repository_workdir(handle);
	*repo = (ba_repo){.handle = handle,
		.workdir = workdir ? ba_git_trim_slash(workdir) : NULL,
		.git_dir = ba_git_trim_slash(git_repository_path(handle)),
		.common_dir = ba_git_trim_slash(git_repository_commondir(handle))};
	return repo;
}

BA_OWNS_HANDLE(ba_repo, repo, git_repository_free(repo->handle),
	BA_FREE(repo->workdir, repo->git_dir, repo->common_dir))

const char *ba_repo_workdir(const ba_repo *repo)
{
	return repo->workdir;
}

const char *ba_repo_common_dir(const ba_repo *repo)
{
	return repo->common_dir;
}

int ba_repo_add_objects(ba_repo *repo, const char *objects_dir, ba_error *err)
{
	BA_AUTO_PTR(git_odb) git_odb *odb = NULL;
	if (git_repository_odb(&odb, repo->handle) || git_odb_add_disk_alternate(odb, objects_dir))
		return ba_git_fail(err, BA_EIO, "the objects in '%s' cannot be used", objects_dir);
	return 0;
}

int ba_repo_hooks_dir(char **out, const ba_repo *repo, ba_error *err)
{
	BA_AUTO_PTR(git_config) git_config *config = NULL;
	git_buf path = GIT_BUF_INIT;
	if (git_repository_config_snapshot(&config, repo->handle))
		return ba_git_fail(err, BA_EREPO, "the repository's configuration");
	if (git_config_get_path(&path, config, "core.hooksPath") == 0) {
		/* a relative path refers to the working tree, where hooks run */
		const char *from = repo->workdir ? repo->workdir : repo->git_dir;
		*out = ba_path_join(from, path.ptr);
		git_buf_dispose(&path);
	} else {
		*out = ba_path_join(repo->common_dir, "hooks");
	}
	return 0;
}
