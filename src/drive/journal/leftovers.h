/* What jobs leave in the cache beside built trees: logs of builds, journals of runs that
 * were killed, and what steps of searches wrote that were killed. */
#ifndef JOURNAL_LEFTOVERS_H
#define JOURNAL_LEFTOVERS_H

#include <time.h>

/* Removes those that were last written before that time. The log of a tree
 * that is kept stays, as does the journal of a run that still writes it. */
void ba_leftovers_remove(const char *cache_root, time_t before);

#endif
