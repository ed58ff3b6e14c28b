/* The version of the interfaces in this directory. */
#ifndef BENCH_AGAINST_VERSION_H
#define BENCH_AGAINST_VERSION_H

#define BENCH_AGAINST_VERSION_MAJOR 0
#define BENCH_AGAINST_VERSION_MINOR 1
#define BENCH_AGAINST_VERSION_PATCH 0

#endif
