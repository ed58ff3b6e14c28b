/* Memory for libgit2. libgit2 1.5 ignores some failed allocations and then crashes. With this
 * allocator the tool ends with a sentence and status 125 when memory runs out, as everywhere
 * (base/mem.h). */
#include <git2/sys/alloc.h>

#include "git/internal.h"

/* the location of the call in libgit2 */
#define WHERE const char *file __attribute__((unused)), int line __attribute__((unused))

/* defines a function of libgit2's that returns what one of ours does */
#define USE(type, name, call, ...)           \
	static type name(__VA_ARGS__, WHERE) \
	{                                    \
		return call;                 \
	}

USE(void *, allocate, ba_xmalloc(size), size_t size)
USE(void *, reallocate, ba_xrealloc(p, size), void *p, size_t size)
/* libgit2 1.7 derives the other functions from these two */
#if LIBGIT2_VER_MAJOR == 1 && LIBGIT2_VER_MINOR < 7
USE(void *, allocate_zeroed, ba_xcalloc(count, size), size_t count, size_t size)
USE(void *, reallocate_array, ba_xreallocarray(p, count, size), void *p, size_t count, size_t size)
USE(void *, allocate_array, ba_xreallocarray(NULL, count, size), size_t count, size_t size)
USE(char *, copy, ba_xstrdup(text), const char *text)
USE(char *, copy_at_most, ba_xstrndup(text, size), const char *text, size_t size)
USE(char *, copy_exactly, ba_xmemdup0(text, size), const char *text, size_t size)
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
