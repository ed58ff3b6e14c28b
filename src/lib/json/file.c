#include "json/file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <cjson/cJSON.h>

#include "base/base.h"
#include "base/gunzip.h"
#include "base/require.h"
#include "json/tree.h"

struct ba_json_file {
	ba_json_options options;
	char *name;
	int fd;	     /* -1: in memory, */
	ba_buf text; /* here */
	ba_lex lex;
	ba_json_list lists[BA_JSON_LISTS_MOST];
	size_t list_count;
	ba_json *head; /* until it is asked for; NULL: larger than the ceiling */
};

void ba_json_file_free(ba_json_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->list_count; i++)
		free(f->lists[i].at);
	ba_json_free(f->head);
	ba_lex_dispose(&f->lex);
	ba_buf_dispose(&f->text);
	if (f->fd >= 0)
		close(f->fd);
	BA_FREE(f->name, f);
}

/* ---- the whole ---- */

static ba_json_file *new_file(
	const char *name, const char *const *lists, const ba_json_options *options)
{
	ba_json_file *f = ba_xcalloc(1, sizeof(*f));
	f->options = ba_json_complete(options, name);
	f->options.name = f->name = ba_xstrdup(f->options.name);
	f->fd = -1;
	f->text = (ba_buf)BA_BUF_INIT;
	for (; lists[f->list_count]; f->list_count++) {
		BA_REQUIRE(f->list_count < BA_JSON_LISTS_MOST);
		f->lists[f->list_count].key = lists[f->list_count];
	}
	return f;
}

static int fail_io(const ba_json_file *f, ba_error *err)
{
	const char *why =
		f->lex.io_errno ? strerror(f->lex.io_errno) : "it changed while it was read";
	return ba_fail(err, BA_EIO, "cannot read '%s': %s", f->name, why);
}

/* takes file */
static int check(ba_json_file **out, ba_json_file *file, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = file;
	cJSON *root = NULL;
	int rc = ba_json_tree_read(&root, &f->lex, &f->options, f->lists, f->list_count, err);
	f->head = root ? ba_json_new(root, &f->options) : NULL;
	if (f->lex.io_errno)
		return fail_io(f, err);
	if (rc == 0)
		*out = BA_TAKE(f);
	return rc;
}

int ba_json_file_parse(ba_json_file **out, const char *text, size_t size, const char *const *lists,
	const ba_json_options *options, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = new_file("JSON", lists, options);
	if (size > f->options.ceiling)
		return ba_json_fail_size(err, &f->options);
	ba_buf_put(&f->text, text, size);
	ba_lex_memory(&f->lex, f->text.data, size);
	return check(out, BA_TAKE(f), err);
}

int ba_json_file_open(ba_json_file **out, const char *path, const char *const *lists,
	const ba_json_options *options, ba_error *err)
{
	struct stat st;
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = new_file(path, lists, options);
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		BA_TRY(ba_gunzip_open(&f->fd, path, err));
		ba_lex_file(&f->lex, f->fd);
		return check(out, BA_TAKE(f), err);
	}
	/* cppcheck-suppress nullPointer ; what BA_TAKE() took is returned */
	int rc = ba_fs_read_input(&f->text, path, f->options.ceiling, err);
	if (rc == BA_EDATA && err)
		err->code = rc = f->options.error_code;
	if (rc)
		return rc;
	ba_lex_memory(&f->lex, f->text.data, f->text.len);
	return check(out, BA_TAKE(f), err);
}

int ba_json_file_digest(
	ba_digest_state *out, char found[65], char said[65], const ba_json_file *f, ba_error *err)
{
	ba_json_digest d;
	if (f->fd >= 0)
		return ba_json_digest_fd(out, found, said, f->fd, f->name, err);
	ba_json_digest_init(&d);
	ba_json_digest_add(&d, f->text.data, f->text.len);
	*out = ba_json_digest_end(found, said, &d);
	return 0;
}

/* ---- its parts ---- */

int ba_json_file_head(ba_json **out, ba_json_file *f, ba_error *err)
{
	if (!f->head)
		return ba_json_fail_size(err, &f->options);
	*out = BA_TAKE(f->head);
	return 0;
}

size_t ba_json_file_count(const ba_json_file *f, size_t list)
{
	return f->lists[list].close ? f->lists[list].count : 0;
}

int ba_json_file_element(ba_json **out, ba_json_file *f, size_t list, size_t index, ba_error *err)
{
	const ba_json_list *l = &f->lists[list];
	size_t from = l->at[index];
	size_t to = index + 1 < l->count ? l->at[index + 1] : l->close;
	ba_json_options options = f->options;
	cJSON *root = NULL;
	if (to - from > f->options.ceiling)
		return ba_json_fail_size(err, &f->options);
	ba_lex_part(&f->lex, from, to);
	/* it was checked: only a file that is being changed can still be wrong */
	options.unique_keys = false;
	int rc = ba_json_tree_value(&root, &f->lex, &options, NULL);
	if (rc || (ba_lex_token(&f->lex) != ',' && f->lex.at != f->lex.end)) {
		cJSON_Delete(root);
		return fail_io(f, err);
	}
	ba_json *doc = ba_json_new(root, &options);
	doc->file = &f->lex;
	doc->list = l->key;
	doc->index = index;
	doc->at = from;
	*out = doc;
	return 0;
}
