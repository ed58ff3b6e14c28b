/* Attribute files and `$Id$` keywords of a stranger's tree. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "git/attributes.h"
#include "git/repo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What libgit2 is given has no NUL and no line that git would ignore; a quoted pattern
 * grows by its escaped blanks. */
static void attributes(const char *text, size_t size)
{
	static const char *const paths[] = {"a.c", "b/c.bin", "", "\xc3\xa9", "a b"};
	BA_AUTO(ba_attributes) ba_attributes all = {0};
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool differs = ba_attributes_translate(&out, text, size);
	if (!differs && (out.len != size || (size && memcmp(out.data, text, size) != 0)))
		abort();
	if (out.len && memchr(out.data, '\0', out.len))
		abort();
	for (size_t i = 0; i < out.len;) {
		size_t n = strcspn(out.data + i, "\n");
		if (n >= 2 * BA_ATTRIBUTES_LINE_CEILING)
			abort();
		i += n + 1;
	}
	ba_attributes_add(&all, out.data, out.len);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		ba_attributes_may_convert(&all, paths[i]);
		ba_attributes_may_program(&all, paths[i]);
	}
}

/* Where nothing was expanded before, what is expanded shrinks to what it was. (A
 * keyword of another system may end where the next begins, and git takes that apart.)
 */
static void keywords(const char *text, size_t size)
{
	BA_AUTO(ba_buf) ba_buf shrunk = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf expanded = BA_BUF_INIT;
	ba_ident_shrink(&shrunk, text, size);
	bool any = ba_ident_expand(&expanded, text, size);
	ba_buf_truncate(&shrunk, 0);
	if (!any || memchr(text, ':', size))
		return;
	if (!ba_ident_shrink(&shrunk, expanded.data, expanded.len) || shrunk.len != size ||
		memcmp(shrunk.data, text, size) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static ba_repo *none;
	if (!none) /* libgit2 is started with the first repository that is looked for */
		ba_repo_open(&none, "/", NULL);
	attributes((const char *)data, size);
	keywords((const char *)data, size);
	return 0;
}
