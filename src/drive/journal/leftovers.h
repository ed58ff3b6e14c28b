/* Files that jobs leave in the cache besides built trees: build logs, journals of
 * killed runs, and files of killed searches' steps. */
#ifndef JOURNAL_LEFTOVERS_H
#define JOURNAL_LEFTOVERS_H

#include <time.h>

/* Removes files that were last written before that time. Keeps the log of a kept tree,
 * and the journal of a running run. */
void ba_leftovers_remove(const char *cache_root, time_t before);

#endif
