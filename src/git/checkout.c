#include "git/checkout.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <git2/sys/path.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "git/attributes.h"
#include "git/internal.h"
#include "git/lfs.h"

/*
 * The order is the safety: folders, attribute files, all other files (by several
 * threads, each with handles of its own), links last. While files are written there is
 * no link in the tree that a hostile path could lead through; every name is created,
 * never reused.
 */

#define CHUNK 32       /* files a thread takes at a time */
#define SMALL 256      /* files below which one thread is enough */
#define MOST_THREADS 4 /* more wait for the same disk */

struct item {
	char *path;
	git_oid id;
	uint32_t mode;
	bool written; /* stat is set */
	bool filtered;
	bool provisional; /* an attribute file that is not yet as it will be */
	struct stat stat;
};

struct writer {
	const ba_checkout_request *req;
	int root;	     /* the tree's directory */
	bool links_as_files; /* core.symlinks=false */
	ba_attributes attributes;
	struct item *items;
	size_t count;
	atomic_size_t next;
	atomic_bool failed;
};

struct worker {
	struct writer *writer;
	git_repository *repo;
	pthread_t thread;
	bool started;
	int rc;
	ba_error err;
};

void ba_checkout_dispose(ba_checkout *c)
{
	ba_strv_dispose(&c->filtered);
	for (size_t i = 0; i < c->gitlink_count; i++)
		free(c->gitlinks[i].path);
	free(c->gitlinks);
	*c = (ba_checkout){0};
}

static void writer_dispose(struct writer *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i].path);
	free(w->items);
	ba_attributes_dispose(&w->attributes);
	if (w->root >= 0)
		close(w->root);
}

/* Our own directory, whoever a network file system says it belongs to. */
static int open_private(git_repository **out, const char *dir, ba_error *err)
{
	const unsigned flags = GIT_REPOSITORY_OPEN_NO_SEARCH;
	int rc = git_repository_open_ext(out, dir, flags, NULL);
	if (rc) {
		git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
		rc = git_repository_open_ext(out, dir, flags, NULL);
		git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
	}
	if (rc)
		return ba_git_fail(err, BA_EREPO,
			"the private repository of '%s' cannot be opened", dir);
	return 0;
}

static bool is_link(const struct item *item)
{
	return item->mode == GIT_FILEMODE_LINK;
}

static bool is_gitlink(const struct item *item)
{
	return item->mode == GIT_FILEMODE_COMMIT;
}

static bool is_attributes(const struct item *item)
{
	return !is_link(item) && !is_gitlink(item) &&
	       strcmp(ba_path_base(item->path), ".gitattributes") == 0;
}

/* Code points that HFS+ leaves out when it compares names, in UTF-8. */
static size_t ignorable(const char *p, size_t n)
{
	const unsigned char *u = (const unsigned char *)p;
	if (n < 3)
		return 0;
	if (u[0] == 0xe2 && u[1] == 0x80 &&
		((u[2] >= 0x8c && u[2] <= 0x8f) || (u[2] >= 0xaa && u[2] <= 0xae)))
		return 3;
	if (u[0] == 0xe2 && u[1] == 0x81 && u[2] >= 0xaa && u[2] <= 0xaf)
		return 3;
	return u[0] == 0xef && u[1] == 0xbb && u[2] == 0xbf ? 3 : 0;
}

/* Would some file system take this component for `.git`? NTFS cuts streams and trailing
 * dots and spaces, and has short names. */
static bool is_dot_git(const char *p, size_t n)
{
	char name[256]; /* no file system takes a longer one */
	size_t len = 0;
	for (size_t i = 0; i < n && len < sizeof(name) - 1;) {
		size_t skip = ignorable(p + i, n - i);
		if (skip == 0 && (p[i] == ':' || p[i] == '\\'))
			break;
		if (skip == 0)
			name[len++] = p[i];
		i += skip ? skip : 1;
	}
	while (len > 0 && (name[len - 1] == ' ' || name[len - 1] == '.'))
		len--;
	name[len] = '\0';
	return strcasecmp(name, ".git") == 0 || strcasecmp(name, "git~1") == 0;
}

/* A mistake here would let a tree write into `.git`, where git finds programs to run.
 */
static bool is_acceptable_name(const char *p, size_t n)
{
	return n > 0 && !(n == 1 && p[0] == '.') &&
	       !(n == 2 && p[0] == '.' && p[1] == '.') && !memchr(p, '/', n) &&
	       !is_dot_git(p, n);
}

static bool is_acceptable_link(const char *name)
{
	return git_path_is_gitfile(name, strlen(name), GIT_PATH_GITFILE_GITMODULES,
		       GIT_PATH_FS_GENERIC) == 0;
}

static int check_entry(const char *parent, const git_tree_entry *entry, void *data)
{
	const char *name = git_tree_entry_name(entry);
	char **refused = data;
	if (is_acceptable_name(name, strlen(name)) &&
		(git_tree_entry_filemode(entry) != GIT_FILEMODE_LINK ||
			is_acceptable_link(name)))
		return 0;
	*refused = ba_xprintf("%s%s", parent, name);
	return GIT_EUSER;
}

static int check_tree(const git_tree *tree, ba_error *err)
{
	BA_AUTO_FREE char *refused = NULL;
	int rc = git_tree_walk(tree, GIT_TREEWALK_PRE, check_entry, &refused);
	if (refused) {
		BA_AUTO_FREE char *safe = ba_text_safe(refused);
		return ba_fail(err, BA_EDATA,
			"the tree holds the path '%s', which git refuses to check out",
			safe);
	}
	return rc ? ba_git_fail(err, BA_EIO, "the tree cannot be read") : 0;
}

static void collect(struct writer *w, git_index *index)
{
	size_t n = git_index_entrycount(index);
	w->items = ba_xcalloc(n + 1, sizeof(*w->items));
	for (w->count = 0; w->count < n; w->count++) {
		const git_index_entry *entry = git_index_get_byindex(index, w->count);
		w->items[w->count] = (struct item){.path = ba_xstrdup(entry->path),
			.id = entry->id,
			.mode = entry->mode};
	}
}

static int cannot_write(const struct writer *w, const char *path, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(path);
	if (errno == EEXIST)
		return ba_fail(err, BA_EDATA,
			"the tree names '%s' twice (here file names may not differ by "
			"case "
			"alone)",
			safe);
	return ba_fail_errno(err, BA_EIO, "cannot write '%s/%s'", w->req->dir, safe);
}

static int make_parents(struct writer *w, const struct item *item, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_xstrdup(item->path);
	for (char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdirat(w->root, path, 0777) && errno != EEXIST)
			return cannot_write(w, path, err);
		*p = '/';
	}
	if (is_gitlink(item) && mkdirat(w->root, path, 0777))
		return cannot_write(w, path, err);
	return 0;
}

static size_t parent_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) : 0;
}

static int make_dirs(struct writer *w, ba_error *err)
{
	const char *last = "";
	for (size_t i = 0; i < w->count; i++) {
		const struct item *item = &w->items[i];
		size_t n = parent_length(item->path);
		bool same =
			n == parent_length(last) && strncmp(item->path, last, n) == 0;
		last = item->path;
		if (same && !is_gitlink(item))
			continue;
		int rc = make_parents(w, item, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int create(const struct writer *w, const struct item *item)
{
	mode_t mode = item->mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0777 : 0666;
	return openat(w->root, item->path,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

static int write_content(const struct writer *w, struct item *item, const void *data,
	size_t size, ba_error *err)
{
	BA_AUTO_FD int fd = create(w, item);
	if (fd < 0 || ba_fs_write_all(fd, data, size) || fstat(fd, &item->stat))
		return cannot_write(w, item->path, err);
	item->written = true;
	return 0;
}

static int read_blob(
	git_blob **out, git_repository *repo, const struct item *item, ba_error *err)
{
	char hex[GIT_OID_HEXSZ + 1];
	int rc = git_blob_lookup(out, repo, &item->id);
	if (rc == 0)
		return 0;
	git_oid_tostr(hex, sizeof(hex), &item->id);
	if (rc == GIT_ENOTFOUND)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the content of '%s' (%s) is not in the repository; in a "
			"partial "
			"clone, `git cat-file -e %s` fetches it, and `git checkout` of "
			"the "
			"commit fetches all of them",
			item->path, hex, hex);
	return ba_git_fail(err, BA_EIO, "the content of '%s' (%s) cannot be read",
		item->path, hex);
}

/* What libgit2 converts itself: line endings, ident. The text is in `out` if anything
 * was converted, otherwise it is the blob's. */
static int convert(const struct writer *w, git_repository *repo,
	const struct item *item, git_blob *blob, git_buf *out, bool *converted,
	ba_error *err)
{
	git_filter_list *filters = NULL;
	int rc = 0;
	*converted = false;
	if (ba_attributes_may_convert(&w->attributes, item->path) &&
		git_filter_list_load(&filters, repo, blob, item->path,
			GIT_FILTER_TO_WORKTREE, GIT_FILTER_DEFAULT))
		return ba_git_fail(err, BA_EIO, "the attributes of '%s' cannot be read",
			item->path);
	if (!filters)
		return 0;
	*converted = true;
	if (git_filter_list_apply_to_blob(out, filters, blob))
		rc = ba_git_fail(err, BA_EIO, "'%s' cannot be converted", item->path);
	git_filter_list_free(filters);
	return rc;
}

/* `again`: the file is there and is replaced, after it had its say about itself */
static int write_converted(const struct writer *w, git_repository *repo,
	struct item *item, git_blob *blob, bool again, ba_error *err)
{
	git_buf text = {0};
	bool converted;
	int rc = convert(w, repo, item, blob, &text, &converted, err);
	if (rc == 0 && again && unlinkat(w->root, item->path, 0))
		rc = cannot_write(w, item->path, err);
	if (rc == 0 && converted)
		rc = write_content(w, item, text.ptr, text.size, err);
	else if (rc == 0)
		rc = write_content(w, item, git_blob_rawcontent(blob),
			(size_t)git_blob_rawsize(blob), err);
	git_buf_dispose(&text);
	return rc;
}

static int copy_verified(const struct writer *w, struct item *item, const char *from,
	const ba_lfs_pointer *pointer, ba_error *err)
{
	BA_AUTO_FD int in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", from);
	BA_AUTO_FD int out = create(w, item);
	if (out < 0)
		return cannot_write(w, item->path, err);
	BA_AUTO_FREE char *chunk = ba_xmalloc(1 << 20);
	ba_sha256 hash;
	char sha256[65];
	ssize_t n;
	ba_sha256_init(&hash);
	while ((n = read(in, chunk, 1 << 20)) > 0) {
		ba_sha256_add(&hash, chunk, (size_t)n);
		if (ba_fs_write_all(out, chunk, (size_t)n))
			return cannot_write(w, item->path, err);
	}
	if (n < 0)
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", from);
	ba_sha256_hex(&hash, sha256);
	if (strcmp(sha256, pointer->sha256) != 0)
		return ba_fail(err, BA_EDATA,
			"the Git LFS store has damaged content for '%s'; run: git lfs "
			"fsck",
			item->path);
	if (fstat(out, &item->stat))
		return cannot_write(w, item->path, err);
	item->written = true;
	return 0;
}

/* A pointer whose content is not here. */
static int lfs_missing(const struct writer *w, git_repository *repo, struct item *item,
	git_blob *blob, ba_error *err)
{
	if (w->req->leave_lfs_pointers) {
		ba_log_printf(w->req->log, BA_LOG_WARNING,
			"'%s' is left as a Git LFS pointer: its content is not on this "
			"machine",
			item->path);
		return write_converted(w, repo, item, blob, false, err);
	}
	return ba_fail(err, BA_EUNSUPPORTED,
		"'%s' is in Git LFS and its content is not on this machine, so a build "
		"would see a pointer; with git-lfs installed, run: git lfs fetch "
		"origin %s",
		item->path, w->req->commit);
}

static int write_lfs(const struct writer *w, git_repository *repo, struct item *item,
	git_blob *blob, ba_error *err)
{
	const char *data = git_blob_rawcontent(blob);
	size_t size = (size_t)git_blob_rawsize(blob);
	ba_lfs_pointer pointer;
	if (!ba_lfs_pointer_parse(&pointer, data, size)) {
		static const char start[] = "version https://git-lfs";
		bool foreign = size >= strlen(start) &&
			       memcmp(data, start, strlen(start)) == 0;
		if (foreign && w->req->has_git &&
			ba_git_filter_is_configured(repo, "lfs")) {
			item->filtered = true; /* extensions: git-lfs knows them */
			return 0;
		}
		/* committed without LFS: the content is here, as git-lfs sees it too */
		return foreign ? lfs_missing(w, repo, item, blob, err)
			       : write_converted(w, repo, item, blob, false, err);
	}
	BA_AUTO_FREE char *from = ba_lfs_object_path(w->req->lfs_storage, &pointer);
	if (!ba_fs_exists(from))
		return lfs_missing(w, repo, item, blob, err);
	return copy_verified(w, item, from, &pointer, err);
}

static int write_file(
	struct writer *w, git_repository *repo, struct item *item, ba_error *err)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	ba_route route = BA_ROUTE_PLAIN;
	int rc = 0;
	if (ba_attributes_may_program(&w->attributes, item->path))
		rc = ba_attributes_route(&route, repo, item->path, err);
	if (rc)
		return rc;
	if (route == BA_ROUTE_PROGRAM && !w->req->has_git)
		return ba_fail(err, BA_EUNSUPPORTED,
			"'%s' goes through a filter program or an encoding, which "
			"needs "
			"the git program; install git",
			item->path);
	if (route == BA_ROUTE_PROGRAM) {
		item->filtered = true;
		return 0;
	}
	rc = read_blob(&blob, repo, item, err);
	if (rc)
		return rc;
	return route == BA_ROUTE_LFS ? write_lfs(w, repo, item, blob, err)
				     : write_converted(w, repo, item, blob, false, err);
}

static bool is_stopped(const struct writer *w)
{
	return w->req->stopped && w->req->stopped(w->req->stopped_data);
}

static int write_chunk(struct worker *self, size_t from)
{
	struct writer *w = self->writer;
	for (size_t i = from; i < w->count && i < from + CHUNK; i++) {
		struct item *item = &w->items[i];
		if (is_link(item) || is_gitlink(item) || is_attributes(item))
			continue;
		int rc = write_file(w, self->repo, item, &self->err);
		if (rc)
			return rc;
	}
	return 0;
}

static void *work(void *data)
{
	struct worker *self = data;
	struct writer *w = self->writer;
	while (self->rc == 0 && !atomic_load(&w->failed)) {
		size_t from = atomic_fetch_add(&w->next, CHUNK);
		if (from >= w->count)
			break;
		if (is_stopped(w))
			self->rc = ba_fail(&self->err, BA_EINTERRUPTED, "interrupted");
		else
			self->rc = write_chunk(self, from);
	}
	if (self->rc)
		atomic_store(&w->failed, true);
	return NULL;
}

static unsigned thread_count(const struct writer *w)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	if (w->req->threads > 0)
		return w->req->threads < MOST_THREADS ? w->req->threads : MOST_THREADS;
	if (w->count < SMALL || online < 2)
		return 1;
	return online < MOST_THREADS ? (unsigned)online : MOST_THREADS;
}

static int write_files(struct writer *w, ba_error *err)
{
	struct worker workers[MOST_THREADS] = {0};
	unsigned n = thread_count(w);
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < n; i++) {
		workers[i].writer = w;
		rc = open_private(&workers[i].repo, w->req->dir, err);
	}
	/* the calling thread is the first worker; the others only help */
	for (unsigned i = 1; rc == 0 && i < n; i++)
		workers[i].started = pthread_create(&workers[i].thread, NULL, work,
					     &workers[i]) == 0;
	if (rc == 0)
		work(&workers[0]);
	for (unsigned i = 0; i < n; i++) {
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
		git_repository_free(workers[i].repo);
	}
	for (unsigned i = 0; rc == 0 && i < n; i++) {
		rc = workers[i].rc;
		if (rc && err)
			*err = workers[i].err;
	}
	return rc;
}

/* Before all other files, so that every lookup finds them; unconverted for now. */
static int write_attribute_files(struct writer *w, git_repository *repo, ba_error *err)
{
	for (size_t i = 0; i < w->count; i++) {
		struct item *item = &w->items[i];
		if (!is_attributes(item))
			continue;
		BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		int rc = read_blob(&blob, repo, item, err);
		if (rc)
			return rc;
		item->provisional = ba_attributes_translate(&text,
			git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
		ba_attributes_add(&w->attributes, text.data, text.len);
		rc = write_content(w, item, text.data, text.len, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* Attribute files have attributes too. */
static int mark_converted(git_repository *repo, struct item *item, ba_error *err)
{
	git_filter_list *filters = NULL;
	if (git_filter_list_load(&filters, repo, NULL, item->path,
		    GIT_FILTER_TO_WORKTREE, GIT_FILTER_DEFAULT))
		return ba_git_fail(err, BA_EIO, "the attributes of '%s' cannot be read",
			item->path);
	item->provisional = item->provisional || filters;
	git_filter_list_free(filters);
	return 0;
}

static int replace_file(
	struct writer *w, git_repository *repo, struct item *item, ba_error *err)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	int rc = read_blob(&blob, repo, item, err);
	if (rc)
		return rc;
	return write_converted(w, repo, item, blob, true, err);
}

/* Deepest first: what is replaced decides only about files beside and below it. */
static int finish_attribute_files(struct writer *w, git_repository *repo, ba_error *err)
{
	for (size_t i = 0; i < w->count; i++) {
		int rc = is_attributes(&w->items[i])
				 ? mark_converted(repo, &w->items[i], err)
				 : 0;
		if (rc)
			return rc;
	}
	for (size_t i = w->count; i-- > 0;) {
		int rc = w->items[i].provisional
				 ? replace_file(w, repo, &w->items[i], err)
				 : 0;
		if (rc)
			return rc;
	}
	return 0;
}

static int write_link(
	struct writer *w, git_repository *repo, struct item *item, ba_error *err)
{
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	int rc = read_blob(&blob, repo, item, err);
	if (rc)
		return rc;
	const char *data = git_blob_rawcontent(blob);
	size_t size = (size_t)git_blob_rawsize(blob);
	if (w->links_as_files)
		return write_content(w, item, data, size, err);
	BA_AUTO_FREE char *target = ba_xmemdup0(data, size);
	if (symlinkat(target, w->root, item->path) ||
		fstatat(w->root, item->path, &item->stat, AT_SYMLINK_NOFOLLOW))
		return cannot_write(w, item->path, err);
	item->written = true;
	return 0;
}

static int write_links(struct writer *w, git_repository *repo, ba_error *err)
{
	for (size_t i = 0; i < w->count; i++) {
		if (!is_link(&w->items[i]))
			continue;
		int rc = write_link(w, repo, &w->items[i], err);
		if (rc)
			return rc;
	}
	return 0;
}

static git_index_time index_time(struct timespec t)
{
	return (git_index_time){
		.seconds = (int32_t)t.tv_sec, .nanoseconds = (uint32_t)t.tv_nsec};
}

/* so that `git status` need not read every file again */
static int note_stat(git_index *index, const struct item *item, ba_error *err)
{
	const git_index_entry *found = git_index_get_bypath(index, item->path, 0);
	if (!found)
		return 0;
	git_index_entry entry = *found;
	entry.path = item->path;
	entry.ctime = index_time(item->stat.st_ctim);
	entry.mtime = index_time(item->stat.st_mtim);
	entry.dev = (uint32_t)item->stat.st_dev;
	entry.ino = (uint32_t)item->stat.st_ino;
	entry.uid = item->stat.st_uid;
	entry.gid = item->stat.st_gid;
	entry.file_size = (uint32_t)item->stat.st_size;
	if (git_index_add(index, &entry))
		return ba_git_fail(
			err, BA_EIO, "the index cannot take '%s'", item->path);
	return 0;
}

static int write_index(
	struct writer *w, git_repository *repo, git_index *index, ba_error *err)
{
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	git_oid id;
	for (size_t i = 0; i < w->count; i++) {
		int rc = w->items[i].written ? note_stat(index, &w->items[i], err) : 0;
		if (rc)
			return rc;
	}
	int rc = ba_git_oid(&id, w->req->commit, err);
	if (rc)
		return rc;
	/* what is known of files that are the commit's own survives this */
	if (git_commit_lookup(&commit, repo, &id) || git_commit_tree(&tree, commit) ||
		git_index_read_tree(index, tree) || git_index_write(index))
		return ba_git_fail(err, BA_EIO, "the index of '%s' cannot be written",
			w->req->dir);
	return 0;
}

static void report(ba_checkout *out, const struct writer *w)
{
	ba_checkout c = {0};
	size_t capacity = 0;
	for (size_t i = 0; i < w->count; i++) {
		const struct item *item = &w->items[i];
		if (item->filtered)
			ba_strv_push(&c.filtered, item->path);
		if (!is_gitlink(item))
			continue;
		c.gitlinks = BA_GROW(c.gitlinks, &capacity, c.gitlink_count + 1);
		ba_gitlink *link = &c.gitlinks[c.gitlink_count++];
		link->path = ba_xstrdup(item->path);
		git_oid_tostr(link->commit, sizeof(link->commit), &item->id);
	}
	*out = c;
}

static int write_all(
	struct writer *w, git_repository *repo, git_index *index, ba_error *err)
{
	int symlinks = 1;
	BA_AUTO_PTR(git_config) git_config *config = NULL;
	ba_attributes_add_outside(&w->attributes, repo);
	if (git_repository_config(&config, repo) == 0)
		git_config_get_bool(&symlinks, config, "core.symlinks");
	w->links_as_files = !symlinks;
	collect(w, index);
	int rc = make_dirs(w, err);
	if (rc == 0)
		rc = write_attribute_files(w, repo, err);
	if (rc == 0)
		rc = write_files(w, err);
	if (rc == 0)
		rc = finish_attribute_files(w, repo, err);
	if (rc == 0)
		rc = write_links(w, repo, err);
	if (rc == 0)
		rc = write_index(w, repo, index, err);
	return rc;
}

int ba_checkout_write(ba_checkout *out, const ba_checkout_request *req, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *repo = NULL;
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	/* without an owner, an index does not look every object up again */
	BA_AUTO_PTR(git_index) git_index *index = NULL;
	BA_AUTO_FREE char *index_path = ba_path_join(req->dir, ".git/index");
	BA_CLEANUP(writer_dispose) struct writer w = {.req = req, .root = -1};
	int rc = open_private(&repo, req->dir, err);
	if (rc == 0)
		rc = ba_git_tree_of(&tree, repo, req->tree, err);
	if (rc == 0)
		rc = check_tree(tree, err);
	if (rc)
		return rc;
	if (git_index_open(&index, index_path) || git_index_read_tree(index, tree))
		return ba_git_fail(err, BA_EDATA,
			"the tree %.12s cannot be checked out", req->tree);
	w.root = open(req->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w.root < 0)
		return ba_fail_errno(err, BA_EIO, "cannot open '%s'", req->dir);
	rc = write_all(&w, repo, index, err);
	if (rc == 0)
		report(out, &w);
	return rc;
}
