/* Memory for libgit2. libgit2 1.5 ignores some failed allocations and then crashes. With this
 * allocator the tool ends with a sentence and status 125 when memory runs out, as everywhere
 * (base/mem.h). */
#include <git2/sys/alloc.h>

#include "git/internal.h"

/* the location of the call in libgit2 */
#define WHERE const char *file __attribute__((unused)), int line __attribute__((unused))

static void *allocate(size_t size, WHERE)
{
	return ba_xmalloc(size);
}

static void *reallocate(void *p, size_t size, WHERE)
{
	return ba_xrealloc(p, size);
}

/* libgit2 1.7 derives the other functions from these two */
#if LIBGIT2_VER_MAJOR == 1 && LIBGIT2_VER_MINOR < 7

static void *allocate_zeroed(size_t count, size_t size, WHERE)
{
	return ba_xcalloc(count, size);
}

static void *reallocate_array(void *p, size_t count, size_t size, WHERE)
{
	return ba_xreallocarray(p, count, size);
}

static void *allocate_array(size_t count, size_t size, WHERE)
{
	return reallocate_array(NULL, count, size, NULL, 0);
}

static char *copy(const char *text, WHERE)
{
	return ba_xstrdup(text);
}

static char *copy_at_most(const char *text, size_t size, WHERE)
{
	return ba_xstrndup(text, size);
}

static char *copy_exactly(const char *text, size_t size, WHERE)
{
	return ba_xmemdup0(text, size);
}
#endif

void ba_git_use_own_memory(void)
{
	static git_allocator own = {
		.gmalloc = allocate,
		.grealloc = reallocate,
		.gfree = free,
#if LIBGIT2_VER_MAJOR == 1 && LIBGIT2_VER_MINOR < 7
		.gcalloc = allocate_zeroed,
		.gstrdup = copy,
		.gstrndup = copy_at_most,
		.gsubstrdup = copy_exactly,
		.greallocarray = reallocate_array,
		.gmallocarray = allocate_array,
#endif
	};
	git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &own);
}
