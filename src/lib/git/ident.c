#include "git/attributes.h"

#include <git2/sys/filter.h>

/* The length of the keyword after a '$', including its closing '$'; 0: none. */
static size_t keyword_at(const char *text, const char *end)
{
	if (end - text < 3 || memcmp(text, "Id", 2) != 0)
		return 0;
	if (text[2] == '$')
		return 3;
	if (text[2] != ':')
		return 0;
	const char *rest = text + 3;
	const char *dollar = memchr(rest, '$', (size_t)(end - rest));
	if (!dollar || memchr(rest, '\n', (size_t)(dollar - rest)))
		return 0;
	return (size_t)(dollar + 1 - text);
}

/* "Id: <one word> $" is git's own; other spaces belong to another system */
static bool is_foreign(const char *keyword, size_t size)
{
	if (size < 5)
		return false;
	const char *space = memchr(keyword + 4, ' ', size - 5);
	return space && space < keyword + size - 2;
}

/* Calls the function for each keyword, and copies everything else. */
static bool each_keyword(ba_buf *out, const char *text, size_t size,
	const char *(*replacement)(void *data, const char *keyword, size_t size), void *data)
{
	const char *end = text + size, *copied = text, *p = text;
	size_t start = out->len;
	bool any = false;
	while (p < end && (p = memchr(p, '$', (size_t)(end - p)))) {
		p++;
		size_t n = keyword_at(p, end);
		const char *with = n ? replacement(data, p, n) : NULL;
		if (!with)
			continue;
		ba_buf_put(out, copied, (size_t)(p - copied));
		ba_buf_puts(out, with);
		copied = p += n;
		any = true;
	}
	if (any)
		ba_buf_put(out, copied, (size_t)(end - copied));
	else
		ba_buf_truncate(out, start);
	return any;
}

static const char *expanded(void *data, const char *keyword, size_t size)
{
	return is_foreign(keyword, size) ? NULL : data;
}

bool ba_ident_expand(ba_buf *out, const char *text, size_t size)
{
	char hex[GIT_OID_HEXSZ + 1], with[sizeof(hex) + sizeof("Id:  $")];
	git_oid id;
	if (size == 0 || !memchr(text, '$', size) || git_odb_hash(&id, text, size, GIT_OBJECT_BLOB))
		return false;
	git_oid_tostr(hex, sizeof(hex), &id);
	snprintf(with, sizeof(with), "Id: %s $", hex);
	return each_keyword(out, text, size, expanded, with);
}

static const char *shrunk(void *data, const char *keyword, size_t size)
{
	return size > 3 ? data : NULL;
}

bool ba_ident_shrink(ba_buf *out, const char *text, size_t size)
{
	static char with[] = "Id$";
	return size > 0 && each_keyword(out, text, size, shrunk, with);
}

/* ---- libgit2's filter ---- */

static int apply(git_filter *self, void **payload, git_buf *to, const git_buf *from,
	const git_filter_source *source)
{
	bool out = git_filter_source_mode(source) == GIT_FILTER_TO_WORKTREE;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!(out ? ba_ident_expand : ba_ident_shrink)(&text, from->ptr, from->size))
		return GIT_PASSTHROUGH;
	return git_buf_set(to, text.data, text.len);
}

int ba_ident_register(void)
{
	static git_filter ident;
	git_filter_init(&ident, GIT_FILTER_VERSION);
	ident.attributes = "+ident";
	ident.apply = apply;
	/* first on checkout and last on the way in, as in git */
	return git_filter_register("bench-against-ident", &ident, -1);
}
