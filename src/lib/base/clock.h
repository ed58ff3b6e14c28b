/* CLOCK_MONOTONIC: the only clock that measures durations. */
#pragma once

#include <stdint.h>
#include <time.h>

static inline int64_t ba_now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline double ba_seconds_since(int64_t start_ns)
{
	return (double)(ba_now_ns() - start_ns) / 1e9;
}

#define BA_MS INT64_C(1000000)
#define BA_SECOND INT64_C(1000000000)

/* RFC 3339 UTC of a wall-clock second, e.g. "2026-01-31T12:00:00Z" */
static inline void ba_time_format(char out[32], time_t when)
{
	struct tm utc;
	if (!gmtime_r(&when, &utc) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc))
		out[0] = '\0';
}
