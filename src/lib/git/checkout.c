#include "git/checkout.h"

#include "base/parallel.h"

/*
 * The order is the safety: folders, attribute files, all other files (by several
 * threads, each with handles of its own), links last. While files are written there is
 * no link in the tree that a hostile path could lead through; every name is created,
 * never reused.
 */

#define CHUNK 32 /* number of files that a thread takes at a time */
#define FILES_A_THREAD 128
#define MOST_THREADS 4 /* further threads would only wait for the same disk */

struct checkout {
	ba_writer writer;
	ba_item *items;
	size_t count;
	git_repository *repos[MOST_THREADS]; /* one handle for each thread */
};

BA_OWNS(ba_checkout, c, ba_strv_dispose(&c->filtered),
	BA_FREE_EACH(x, c->gitlinks, c->gitlink_count, free(x->path)))

static void checkout_dispose(struct checkout *c)
{
	BA_FREE_EACH(item, c->items, c->count, free(item->path));
	for (unsigned i = 0; i < MOST_THREADS; i++)
		git_repository_free(c->repos[i]);
	ba_attributes_dispose(&c->writer.attributes);
	ba_auto_close(&c->writer.root);
}

static bool is_attributes(const ba_item *item)
{
	return !ba_item_is_link(item) && !ba_item_is_gitlink(item) &&
	       strcmp(ba_path_base(item->path), ".gitattributes") == 0;
}

static void collect(struct checkout *c, git_index *index)
{
	size_t n = git_index_entrycount(index);
	c->items = ba_xcalloc(n + 1, sizeof(*c->items));
	for (c->count = 0; c->count < n; c->count++) {
		const git_index_entry *entry = git_index_get_byindex(index, c->count);
		c->items[c->count] = (ba_item){.path = ba_xstrdup(entry->path),
			.id = entry->id,
			.mode = ba_canonical_mode(entry->mode)};
	}
}

static int make_parents(struct checkout *c, const ba_item *item, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_xstrdup(item->path);
	for (char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdirat(c->writer.root, path, 0777) && errno != EEXIST)
			return ba_writer_cannot(&c->writer, path, err);
		*p = '/';
	}
	if (ba_item_is_gitlink(item) && mkdirat(c->writer.root, path, 0777))
		return ba_writer_cannot(&c->writer, path, err);
	return 0;
}

static size_t parent_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) : 0;
}

static int make_dirs(struct checkout *c, ba_error *err)
{
	const char *last = "";
	BA_EACH (const ba_item, item, c->items, c->count) {
		size_t n = parent_length(item->path);
		bool same = n == parent_length(last) && strncmp(item->path, last, n) == 0;
		last = item->path;
		if (same && !ba_item_is_gitlink(item))
			continue;
		BA_TRY(make_parents(c, item, err));
	}
	return 0;
}

static int write_item(void *data, unsigned thread, size_t i, ba_error *err)
{
	struct checkout *c = data;
	ba_item *item = &c->items[i];
	if (ba_item_is_link(item) || ba_item_is_gitlink(item) || is_attributes(item))
		return 0;
	return ba_writer_put_file(&c->writer, c->repos[thread], item, err);
}

static int write_files(struct checkout *c, ba_error *err)
{
	const ba_checkout_request *req = c->writer.req;
	unsigned n = req->threads ? req->threads
				  : ba_parallel_threads(c->count, FILES_A_THREAD, MOST_THREADS);
	n = n < MOST_THREADS ? n : MOST_THREADS;
	for (unsigned i = 0; i < n; i++)
		BA_TRY(ba_checkout_open_private(&c->repos[i], req->dir, err));
	return ba_parallel_run(&(ba_parallel){.count = c->count,
				       .chunk = CHUNK,
				       .threads = n,
				       .work = write_item,
				       .data = c,
				       .stopped = req->stopped,
				       .stopped_data = req->stopped_data},
		err);
}

/* Before all other files, so that every lookup finds them; unconverted for now. */
static int write_attribute_files(struct checkout *c, git_repository *repo, ba_error *err)
{
	BA_EACH (ba_item, item, c->items, c->count) {
		if (!is_attributes(item))
			continue;
		BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		BA_TRY(ba_writer_read(&blob, repo, item, err));
		item->provisional = ba_attributes_translate(
			&text, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
		ba_attributes_add(&c->writer.attributes, text.data, text.len);
		BA_TRY(ba_writer_put_raw(&c->writer, item, text.data, text.len, err));
	}
	return 0;
}

/* Attribute files have attributes too. */
static int mark_converted(git_repository *repo, ba_item *item, ba_error *err)
{
	git_filter_list *filters = NULL;
	if (git_filter_list_load(
		    &filters, repo, NULL, item->path, GIT_FILTER_TO_WORKTREE, GIT_FILTER_DEFAULT))
		return ba_git_fail(
			err, BA_EIO, "the attributes of '%s' cannot be read", item->path);
	item->provisional = item->provisional || filters;
	git_filter_list_free(filters);
	return 0;
}

/* Deepest first: an attribute file decides only about files beside and below it. */
static int finish_attribute_files(struct checkout *c, git_repository *repo, ba_error *err)
{
	for (size_t i = 0; i < c->count; i++)
		BA_TRY(is_attributes(&c->items[i]) ? mark_converted(repo, &c->items[i], err) : 0);
	for (size_t i = c->count; i-- > 0;)
		BA_TRY(c->items[i].provisional
				? ba_writer_replace(&c->writer, repo, &c->items[i], err)
				: 0);
	return 0;
}

static int write_links(struct checkout *c, git_repository *repo, ba_error *err)
{
	BA_EACH (ba_item, item, c->items, c->count)
		BA_TRY(ba_item_is_link(item) ? ba_writer_put_link(&c->writer, repo, item, err) : 0);
	return 0;
}

static void report(ba_checkout *out, const struct checkout *c)
{
	ba_checkout rest = {0};
	size_t capacity = 0;
	BA_EACH (const ba_item, item, c->items, c->count) {
		if (item->filtered)
			ba_strv_push(&rest.filtered, item->path);
		if (!ba_item_is_gitlink(item))
			continue;
		ba_gitlink *link = BA_PUSH(rest.gitlinks, rest.gitlink_count, capacity);
		link->path = ba_xstrdup(item->path);
		git_oid_tostr(link->commit, sizeof(link->commit), &item->id);
	}
	*out = rest;
}

static int write_all(struct checkout *c, git_repository *repo, git_index *index, ba_error *err)
{
	ba_attributes_add_outside(&c->writer.attributes, repo);
	c->writer.links_as_files = !ba_git_config_bool(repo, "core.symlinks", true);
	collect(c, index);
	BA_TRY(make_dirs(c, err));
	BA_TRY(write_attribute_files(c, repo, err));
	BA_TRY(write_files(c, err));
	BA_TRY(finish_attribute_files(c, repo, err));
	BA_TRY(write_links(c, repo, err));
	return ba_checkout_write_index(repo, index, c->items, c->count, c->writer.req, err);
}

int ba_checkout_write(ba_checkout *out, const ba_checkout_request *req, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *repo = NULL;
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	/* without an owner, the index does not look every object up again */
	BA_AUTO_PTR(git_index) git_index *index = NULL;
	BA_AUTO_FREE char *index_path = ba_path_join(req->dir, ".git/index");
	BA_CLEANUP(checkout_dispose)
	struct checkout c = {.writer = {.req = req, .root = -1}};
	BA_TRY(ba_checkout_open_private(&repo, req->dir, err));
	BA_TRY(ba_git_tree_of(&tree, repo, req->tree, err));
	BA_TRY(ba_git_names_check(tree, err));
	if (git_index_open(&index, index_path) || git_index_read_tree(index, tree))
		return ba_git_fail(
			err, BA_EDATA, "the tree %.12s cannot be checked out", req->tree);
	c.writer.root = open(req->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c.writer.root < 0)
		return ba_fail_errno(err, BA_EIO, "cannot open '%s'", req->dir);
	BA_TRY(write_all(&c, repo, index, err));
	report(out, &c);
	return 0;
}
