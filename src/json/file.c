#include "json/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/require.h"
#include "json/json_internal.h"

struct ba_json_file {
	ba_json_options options;
	char *name;
	int fd;	     /* -1: in memory, */
	ba_buf text; /* here */
	ba_json_bytes bytes;
	ba_json_list lists[BA_JSON_LISTS_MOST];
	size_t list_count;
	size_t size; /* of the document */
};

void ba_json_file_free(ba_json_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->list_count; i++)
		free(f->lists[i].at);
	ba_json_bytes_dispose(&f->bytes);
	ba_buf_dispose(&f->text);
	if (f->fd >= 0)
		close(f->fd);
	free(f->name);
	free(f);
}

/* ---- the whole ---- */

static ba_json_file *new_file(
	const char *name, const char *const *lists, const ba_json_options *options)
{
	ba_json_file *f = ba_xcalloc(1, sizeof(*f));
	f->options = *options;
	f->name = ba_xstrdup(name);
	f->options.name = f->name;
	f->options.error_code = options->error_code ? options->error_code : BA_EDATA;
	f->options.ceiling = options->ceiling ? options->ceiling : BA_JSON_CEILING;
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
	const char *why = f->bytes.io_errno ? strerror(f->bytes.io_errno)
					    : "it changed while it was read";
	return ba_fail(err, BA_EIO, "cannot read '%s': %s", f->name, why);
}

static int check(ba_json_file *f, ba_json_scan *s, ba_error *err)
{
	bool ok = ba_json_scan_run(s);
	f->bytes = s->bytes;
	f->size = f->bytes.base + f->bytes.len;
	if (f->bytes.io_errno)
		return fail_io(f, err);
	if (!ok)
		return ba_json_fail_scan(err, s, f->name, f->options.error_code);
	return s->twice_at ? ba_json_fail_twice(err, s, f->name, f->options.error_code,
				     f->options.positions)
			   : 0;
}

/* takes f */
static int scan(ba_json_file **out, ba_json_file *file, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = file;
	ba_json_scan s = {
		.bytes = f->bytes,
		.depth_max = f->options.depth ? f->options.depth : 64,
		.unique_keys = f->options.unique_keys,
		.lists = f->lists,
		.list_count = f->list_count,
	};
	int rc = check(f, &s, err);
	ba_buf_dispose(&s.twice);
	if (rc == 0)
		*out = BA_TAKE(f);
	return rc;
}

int ba_json_file_parse(ba_json_file **out, const char *text, size_t size,
	const char *const *lists, const ba_json_options *options, ba_error *err)
{
	BA_AUTO_PTR(ba_json_file)
	ba_json_file *f =
		new_file(options->name ? options->name : "JSON", lists, options);
	if (size > f->options.ceiling)
		return ba_json_too_large(
			err, f->name, f->options.ceiling, f->options.error_code);
	ba_buf_put(&f->text, text, size);
	ba_json_bytes_memory(&f->bytes, f->text.data, size);
	return scan(out, BA_TAKE(f), err);
}

int ba_json_file_open(ba_json_file **out, const char *path, const char *const *lists,
	const ba_json_options *options, ba_error *err)
{
	struct stat st;
	BA_AUTO_PTR(ba_json_file)
	ba_json_file *f =
		new_file(options->name ? options->name : path, lists, options);
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd >= 0) {
		ba_json_bytes_file(&f->bytes, f->fd);
		return scan(out, BA_TAKE(f), err);
	}
	/* cppcheck-suppress nullPointer ; what BA_TAKE() took is returned */
	int rc = ba_fs_read(&f->text, path, f->options.ceiling, err);
	if (rc == BA_EDATA && err)
		err->code = rc = f->options.error_code;
	if (rc)
		return rc;
	ba_json_bytes_memory(&f->bytes, f->text.data, f->text.len);
	return scan(out, BA_TAKE(f), err);
}

int ba_json_file_digest(ba_digest_state *out, char found[65], char said[65],
	const ba_json_file *f, ba_error *err)
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

/* a part that has been put together; text is taken */
static int parse(ba_json **out, ba_json_file *f, ba_buf *text, ba_json_origin *origin,
	ba_error *err)
{
	ba_json_options options = f->options;
	size_t size = text->len;
	/* that was seen to; only a file that is being changed can still be wrong */
	options.unique_keys = false;
	origin->bytes = &f->bytes;
	return ba_json_parse_text(
		out, ba_buf_detach(text), size, &options, origin, err);
}

static int append(ba_buf *text, ba_json_file *f, size_t from, size_t to, ba_error *err)
{
	size_t n = to - from;
	if (n > f->options.ceiling || text->len + n > f->options.ceiling)
		return ba_json_too_large(
			err, f->name, f->options.ceiling, f->options.error_code);
	ba_buf_reserve(text, n);
	if (!ba_json_bytes_copy(text->data + text->len, &f->bytes, from, n))
		return fail_io(f, err);
	text->len += n;
	text->data[text->len] = '\0';
	return 0;
}

static int by_place(const void *x, const void *y)
{
	const ba_json_list *const *a = x, *const *b = y;
	return ((*a)->open > (*b)->open) - ((*a)->open < (*b)->open);
}

int ba_json_file_head(ba_json **out, ba_json_file *f, ba_error *err)
{
	const ba_json_list *cuts[BA_JSON_LISTS_MOST];
	size_t cut_count = 0, from = 0;
	ba_json_origin origin = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (size_t i = 0; i < f->list_count; i++)
		if (f->lists[i].close)
			cuts[cut_count++] = &f->lists[i];
	/* cppcheck-suppress uninitvar ; cut_count of them are set */
	qsort(cuts, cut_count, sizeof(cuts[0]), by_place);
	for (size_t i = 0; i <= cut_count; i++) {
		size_t to = i < cut_count ? cuts[i]->open + 1 : f->size;
		origin.pieces[origin.piece_count++] = (ba_json_piece){text.len, from};
		int rc = append(&text, f, from, to, err);
		if (rc)
			return rc;
		from = i < cut_count ? cuts[i]->close : to;
	}
	return parse(out, f, &text, &origin, err);
}

size_t ba_json_file_count(const ba_json_file *f, size_t list)
{
	return f->lists[list].close ? f->lists[list].count : 0;
}

/* without what stands between it and the next one */
static void trim(ba_buf *text)
{
	size_t n = text->len;
	while (n && strchr(" \t\r\n", text->data[n - 1]))
		n--;
	if (n && text->data[n - 1] == ',')
		n--;
	ba_buf_truncate(text, n);
}

int ba_json_file_element(
	ba_json **out, ba_json_file *f, size_t list, size_t index, ba_error *err)
{
	const ba_json_list *l = &f->lists[list];
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_origin origin = {
		.list = l->key,
		.index = index,
		.pieces = {{0, l->at[index]}},
		.piece_count = 1,
	};
	size_t end = index + 1 < l->count ? l->at[index + 1] : l->close;
	int rc = append(&text, f, l->at[index], end, err);
	if (rc)
		return rc;
	trim(&text);
	return parse(out, f, &text, &origin, err);
}
