/* Memory for libgit2: never NULL. libgit2 1.5 goes on without some allocations that it
 * did not get, and crashes; what runs out of memory here ends with a sentence and 125,
 * as everywhere (base/mem.h). */
#ifndef GIT_ALLOC_H
#define GIT_ALLOC_H

/* Before git_libgit2_init, once. */
void ba_git_use_own_memory(void);

#endif
