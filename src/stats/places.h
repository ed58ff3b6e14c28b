/*
 * Places: the GPUs or hosts of a run, as a level of replication (docs/statistics.md
 * section 3.8).
 */
#ifndef STATS_PLACES_H
#define STATS_PLACES_H

enum { BA_PLACES_MOST = 256 };

#endif
