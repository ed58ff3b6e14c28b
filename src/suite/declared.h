/*
 * The cases of benchmarks that variants declare (plugin and worker suites): every
 * combination of the axes' values, or those of the points combined with the other axes.
 * Ids: "kernels/saxpy/n=65536,dtype=f16".
 */
#ifndef SUITE_DECLARED_H
#define SUITE_DECLARED_H

#include "base/strv.h"
#include "model/benchmark.h"

/* Appends every case of d whose id matches one of the filters (none: all). d is checked
 * (ba_declared_check). */
void ba_declared_expand(ba_benchmark **out, size_t *count, const char *suite,
	ba_suite_kind kind, const ba_declared *d, const ba_strv *filters);

#endif
