/* Memory for libgit2: never NULL. libgit2 1.5 ignores some failed allocations and then
 * crashes. With this allocator, running out of memory ends the tool with a sentence and
 * status 125, as everywhere (base/mem.h). */
#ifndef GIT_ALLOC_H
#define GIT_ALLOC_H

/* Before git_libgit2_init, once. */
void ba_git_use_own_memory(void);

#endif
