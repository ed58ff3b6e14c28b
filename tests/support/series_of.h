/* A series of a result that a test makes: the one that is there, else a new one. */
#ifndef TESTS_SUPPORT_SERIES_OF_H
#define TESTS_SUPPORT_SERIES_OF_H

#include "model/result.h"

static inline ba_series *series_of(ba_result *r, size_t benchmark, ba_metric metric)
{
	for (size_t i = 0; i < r->series_count; i++)
		if (r->series[i].benchmark == benchmark && r->series[i].metric == metric)
			return &r->series[i];
	return ba_result_add_series(r, benchmark, metric);
}

#endif
