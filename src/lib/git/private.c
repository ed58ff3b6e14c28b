#include "git/internal.h"

/* limit for shallow and info/attributes, which are far smaller */
#define FILE_CEILING (64u << 20)

static int make_dirs(const char *git_dir, ba_error *err)
{
	static const char *const dirs[] = {
		"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"};
	for (size_t i = 0; i < BA_COUNT(dirs); i++) {
		BA_AUTO_FREE char *path = ba_path_join(git_dir, dirs[i]);
		BA_TRY(ba_fs_mkdirs(path, err));
	}
	return 0;
}

static int write_file(const char *git_dir, const char *name, const ba_buf *text, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(git_dir, name);
	return ba_fs_write(path, text->data, text->len, 0666, err);
}

static int write_alternates(const ba_private_request *req, const char *git_dir, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (strchr(req->common_dir, '\n'))
		return ba_fail(err, BA_EREPO,
			"the path of the repository contains a line break, so git cannot use its objects; move the repository");
	ba_buf_printf(&text, "%s/objects\n", req->common_dir);
	return write_file(git_dir, "objects/info/alternates", &text, err);
}

/* as git quotes it in a configuration file */
static void put_quoted(ba_buf *text, const char *value)
{
	ba_buf_putc(text, '"');
	for (const char *p = value; *p; p++) {
		if (*p == '"' || *p == '\\')
			ba_buf_putc(text, '\\');
		if (*p == '\n')
			ba_buf_puts(text, "\\n");
		else
			ba_buf_putc(text, *p);
	}
	ba_buf_putc(text, '"');
}

static void put_include(ba_buf *text, const char *dir, const char *name)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, name);
	if (!ba_fs_exists(path))
		return;
	ba_buf_puts(text, "[include]\n\tpath = ");
	put_quoted(text, path);
	ba_buf_putc(text, '\n');
}

/* The settings that affect file contents, as the user's repository has them: a
 * conditional include (`includeIf "gitdir:..."`) would not match in our directory. */
static void put_effective(ba_buf *text, git_config *config)
{
	static const char *const names[] = {"autocrlf", "eol", "attributesFile", "symlinks",
		"fileMode", "checkRoundtripEncoding"};
	for (size_t i = 0; i < BA_COUNT(names); i++) {
		BA_AUTO_FREE char *key = ba_xprintf("core.%s", names[i]);
		BA_AUTO_PTR(git_config_entry) git_config_entry *entry = NULL;
		if (git_config_get_entry(&entry, config, key))
			continue;
		/* a key without a value is true, not an empty text; git ignores such an
		 * `eol` */
		bool is_eol = strcmp(names[i], "eol") == 0;
		const char *value = entry->value ? entry->value : is_eol ? "native" : "true";
		ba_buf_printf(text, "\t%s = ", names[i]);
		put_quoted(text, value);
		ba_buf_putc(text, '\n');
	}
}

static int write_config(const ba_private_request *req, const char *git_dir, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_PTR(git_config) git_config *config = NULL, *frozen = NULL;
	int per_worktree = 0;
	const char *ignored;
	if (git_repository_config(&config, req->source) || git_config_snapshot(&frozen, config))
		return ba_git_fail(err, BA_ECONFIG, "the git configuration of '%s' cannot be read",
			req->common_dir);
	ba_buf_puts(&text, "# made by bench-against for one tree; the later lines win\n");
	put_include(&text, req->common_dir, "config");
	git_config_get_bool(&per_worktree, frozen, "extensions.worktreeConfig");
	if (per_worktree)
		put_include(&text, req->git_dir, "config.worktree");
	ba_buf_puts(&text, "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
			   "\thooksPath = /dev/null\n\tfsmonitor = false\n"
			   "\tsparseCheckout = false\n\tuntrackedCache = false\n"
			   "\tsplitIndex = false\n\tlogAllRefUpdates = false\n");
	/* a submodule's own configuration names its working tree; relative to .git */
	if (git_config_get_string(&ignored, frozen, "core.worktree") == 0)
		ba_buf_puts(&text, "\tworktree = ..\n");
	put_effective(&text, frozen);
	ba_buf_puts(&text, "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n");
	return write_file(git_dir, "config", &text, err);
}

/* a symbolic reference (refs/remotes/origin/HEAD) cannot be packed */
static int write_symbolic(const char *git_dir, const git_reference *ref, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(git_dir, git_reference_name(ref));
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	BA_AUTO_FREE char *text = ba_xprintf("ref: %s\n", git_reference_symbolic_target(ref));
	BA_TRY(ba_fs_mkdirs(dir, err));
	return ba_fs_write(path, text, strlen(text), 0666, err);
}

/* "refs/heads/main 0123..." for each direct reference */
static int gather_refs(ba_strv *refs, git_repository *source, const char *git_dir, ba_error *err)
{
	BA_AUTO_PTR(git_reference_iterator) git_reference_iterator *iterator = NULL;
	git_reference *next;
	int rc;
	if (git_reference_iterator_new(&iterator, source))
		return ba_git_fail(err, BA_EREPO, "the references cannot be read");
	while ((rc = git_reference_next(&next, iterator)) == 0) {
		BA_AUTO_PTR(git_reference) git_reference *ref = next;
		if (git_reference_type(ref) == GIT_REFERENCE_SYMBOLIC)
			BA_TRY(write_symbolic(git_dir, ref, err));
		else
			ba_strv_printf(refs, "%s %s", git_reference_name(ref),
				git_oid_tostr_s(git_reference_target(ref)));
	}
	return rc == GIT_ITEROVER ? 0 : ba_git_fail(err, BA_EREPO, "the references cannot be read");
}

static int write_refs(const ba_private_request *req, const char *git_dir, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv refs = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, head = BA_BUF_INIT;
	BA_TRY(gather_refs(&refs, req->source, git_dir, err));
	/* sorted by name: a space is less than any character of a name */
	ba_strv_sort(&refs);
	ba_buf_puts(&text, "# pack-refs with: sorted \n");
	for (size_t i = 0; i < refs.count; i++) {
		int n = (int)strcspn(refs.items[i], " ");
		ba_buf_printf(&text, "%s %.*s\n", refs.items[i] + n + 1, n, refs.items[i]);
	}
	ba_buf_printf(&head, "%s\n", req->commit);
	BA_TRY(write_file(git_dir, "packed-refs", &text, err));
	return write_file(git_dir, "HEAD", &head, err);
}

static int copy_if_there(const char *from_dir, const char *git_dir, const char *name, ba_error *err)
{
	BA_AUTO_FREE char *from = ba_path_join(from_dir, name);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!ba_fs_exists(from))
		return 0;
	BA_TRY(ba_fs_read(&text, from, FILE_CEILING, err));
	return write_file(git_dir, name, &text, err);
}

typedef struct copying {
	const char *from, *git_dir;
} copying;

/* "ab/cdef...": folders of other names hold packs and lists */
static int copy_object(void *data, const char *path, const struct stat *st, ba_error *err)
{
	const copying *c = data;
	bool folder = S_ISDIR(st->st_mode),
	     loose = strlen(path) == GIT_OID_HEXSZ + 1 && path[2] == '/';
	BA_AUTO_FREE char *source = ba_path_join(c->from, path);
	BA_AUTO_FREE char *target = ba_xprintf("%s/objects/%s", c->git_dir, path);
	if (folder && strlen(path) > 2)
		return BA_FS_PASS;
	return folder ? ba_fs_mkdirs(target, err) : loose ? ba_fs_copy(target, source, err) : 0;
}

int ba_private_create(const ba_private_request *req, ba_error *err)
{
	static const char *const copied[] = {
		"shallow", "info/attributes", "info/exclude", "info/grafts"};
	BA_AUTO_FREE char *git_dir = ba_path_join(req->dir, ".git");
	if (mkdir(git_dir, 0777))
		return ba_fail_errno(err, BA_EIO, "cannot create '%s'", git_dir);
	BA_TRY(make_dirs(git_dir, err));
	BA_TRY(write_alternates(req, git_dir, err));
	BA_TRY(write_config(req, git_dir, err));
	BA_TRY(write_refs(req, git_dir, err));
	for (size_t i = 0; i < BA_COUNT(copied); i++)
		BA_TRY(copy_if_there(req->common_dir, git_dir, copied[i], err));
	/* a snapshot's directory is removed with its run, but the tree may be kept */
	copying objects = {req->objects_dir, git_dir};
	return req->objects_dir ? ba_fs_walk(req->objects_dir, copy_object, &objects, err) : 0;
}
