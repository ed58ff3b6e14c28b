/* Memory for libgit2, never NULL. libgit2 1.5 ignores some failed allocations and then
 * crashes. With this allocator the tool ends with a sentence and status 125 when memory
 * runs out, as everywhere (base/mem.h). */
#ifndef GIT_ALLOC_H
#define GIT_ALLOC_H

/* Before git_libgit2_init, once. */
void ba_git_use_own_memory(void);

#endif
