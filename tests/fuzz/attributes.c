/* Attribute files and `$Id$` keywords of a stranger's tree. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "git/attributes.h"
#include "git/ident.h"
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
	if (!differs &&
		(out.len != size || (size && memcmp(out.data, text, size) != 0)))
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

/* What was expanded shrinks to what the text itself shrinks to. */
static void keywords(const char *text, size_t size)
{
	BA_AUTO(ba_buf) ba_buf shrunk = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf expanded = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf again = BA_BUF_INIT;
	if (!ba_ident_shrink(&shrunk, text, size))
		ba_buf_put(&shrunk, text, size);
	if (!ba_ident_expand(&expanded, text, size))
		ba_buf_put(&expanded, text, size);
	if (!ba_ident_shrink(&again, expanded.data, expanded.len))
		ba_buf_put(&again, expanded.data, expanded.len);
	if (shrunk.len != again.len ||
		(shrunk.len && memcmp(shrunk.data, again.data, shrunk.len) != 0))
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
