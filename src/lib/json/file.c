#include "json/file.h"

#include "json/pull.h"
#include "json/reader.h"

struct ba_json_file {
	ba_pull *p;
	ba_buf text; /* the text of a file held in memory */
	ba_json_list lists[BA_JSON_LISTS_MOST];
	size_t list_count;
	ba_json *head; /* kept until it is requested; NULL: larger than the ceiling */
};

BA_OWNS_HANDLE(ba_json_file, f, BA_EMPTY_EACH(x, f->lists, f->list_count, free(x->at)),
	ba_json_free(f->head), ba_pull_free(f->p), ba_buf_dispose(&f->text))

/* ---- the whole ---- */

static ba_json_file *new_file(
	const char *name, const char *const *lists, const ba_json_options *options)
{
	ba_json_file *f = ba_xcalloc(1, sizeof(*f));
	f->p = ba_json_reader(options, name);
	f->text = (ba_buf)BA_BUF_INIT;
	for (; lists[f->list_count]; f->list_count++) {
		BA_REQUIRE(f->list_count < BA_JSON_LISTS_MOST);
		f->lists[f->list_count].key = lists[f->list_count];
	}
	return f;
}

/* takes file */
static int check(ba_json_file **out, ba_json_file *file, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = file;
	if (f->p->fd < 0)
		ba_json_reader_text(f->p, f->text.data, f->text.len);
	BA_TRY(ba_json_tree_read(&f->head, f->p, f->lists, f->list_count, err));
	*out = BA_TAKE(f);
	return 0;
}

int ba_json_file_parse(ba_json_file **out, const char *text, size_t size, const char *const *lists,
	const ba_json_options *options, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = new_file("JSON", lists, options);
	if (size > f->p->o.ceiling)
		return ba_json_fail_size(err, &f->p->o);
	ba_buf_put(&f->text, text, size);
	return check(out, BA_TAKE(f), err);
}

int ba_json_file_open(ba_json_file **out, const char *path, const char *const *lists,
	const ba_json_options *options, ba_error *err)
{
	struct stat st;
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = new_file(path, lists, options);
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		int fd = -1;
		BA_TRY(ba_gunzip_open(&fd, path, err));
		ba_json_reader_file(f->p, fd);
		return check(out, BA_TAKE(f), err);
	}
	/* cppcheck-suppress nullPointer ; what BA_TAKE() took is returned */
	int rc = ba_fs_read_input(&f->text, path, f->p->o.ceiling, err);
	if (rc == BA_EDATA && err)
		err->code = rc = f->p->o.error_code;
	return rc ? rc : check(out, BA_TAKE(f), err);
}

int ba_json_file_digest(
	ba_digest_state *out, char found[65], char said[65], const ba_json_file *f, ba_error *err)
{
	if (f->p->fd >= 0)
		return ba_json_digest_fd(out, found, said, f->p->fd, f->p->name, err);
	*out = ba_json_digest_of(found, said, f->text.data, f->text.len);
	return 0;
}

/* ---- its parts ---- */

int ba_json_file_head(ba_json **out, ba_json_file *f, ba_error *err)
{
	if (!f->head)
		return ba_json_fail_size(err, &f->p->o);
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
	ba_pull *p = f->p;
	ba_json *doc;
	size_t from = l->at[index];
	size_t to = index + 1 < l->count ? l->at[index + 1] : l->close;
	if (to - from > p->o.ceiling)
		return ba_json_fail_size(err, &p->o);
	ba_lex_part(&p->lex, from, to);
	p->depth = 0;
	/* The element was checked when the file was opened, so a failure means that the
	 * file changed. */
	p->o.unique_keys = false;
	int rc = ba_json_tree_value(&doc, p, NULL);
	if (rc || (ba_lex_token(&p->lex) != ',' && p->lex.at != p->lex.end)) {
		ba_json_free(doc);
		return ba_fail(err, BA_EIO, "cannot read '%s': %s", p->name,
			p->lex.io_errno ? strerror(p->lex.io_errno)
					: "it changed while it was read");
	}
	doc->file = &p->lex;
	doc->list = l->key;
	doc->index = index;
	doc->at = from;
	*out = doc;
	return 0;
}
