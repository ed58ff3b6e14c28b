/* The source being read, and what readers share. Inside the module only. */
#pragma once

#include "import/formats.h"
#include "import/import.h"
#include "import/members.h"

/* For FILE#PART, if the parts of the file are its benchmarks. */
typedef struct ba_parts {
	ba_strv names; /* the first benchmarks of the file, for a message */
	/* number of all benchmarks, without repetitions of the listed names */
	size_t count;
	ba_buf name; /* name of the current record */
	bool found;
} ba_parts;

BA_DECLARE_DISPOSE(ba_parts)

struct ba_source {
	const char *name; /* path, or its name in messages */
	const char *part; /* or NULL */
	ba_parts *parts;  /* set for FILE#PART of a format without other parts; or NULL */
	const char *text; /* NULL: read from the path */
	size_t size;
	const ba_sink *sink;
};

/* A tool's statistics of the samples of a time, in ns; NaN: not in the file. */
typedef struct ba_statistics {
	double mean, median, min, max;
} ba_statistics;
#define BA_STATISTICS_NONE ((ba_statistics){NAN, NAN, NAN, NAN})
/* the rows of ba_statistics `of`, under these keys, as ns */
#define BA_STATISTICS(type, of, mean_, median_, min_, max_, ns)                       \
	BA_NUMBER(mean_, type, of.mean, ns), BA_NUMBER(median_, type, of.median, ns), \
		BA_NUMBER(min_, type, of.min, ns), BA_NUMBER(max_, type, of.max, ns)

/* nanoseconds in a unit: "ns", "us", "ms", "s", ...; 0 if it is not a unit of time */
double ba_unit_ns(const char *unit);
/* Is more of it better? "GB/s", "tokens per second", "items_per_second", "TFLOPS" */
bool ba_unit_is_rate(const char *unit);

/* lists end with NULL, and may be NULL */
bool ba_is_among(const char *const *list, const char *word);

/* Does the unit, or a metric's name, say whether more is better? */
bool ba_direction_of(bool *higher, const char *unit);

/* The name of `id` within the part, valid until the next call; NULL: it is not in it. */
const char *ba_parts_name(ba_parts *p, const char *part, const char *id);
/* Fails with BA_EINVAL and a list of the available parts if the part was not found. */
int ba_parts_check(const ba_parts *p, const ba_source *s, ba_error *err);

/* What other tools call the metric that a run measures of their benchmarks: "gpu_time" for
 * "gpu_cold"; "" if they do not have it. */
const char *ba_metric_of_others(const char *ours);
/* Does the sink want this metric? `own`: it is the format's default. */
bool ba_source_wants(const ba_source *s, const char *metric, bool own);
/* Does the sink only ask which metrics there are? If so, offers it this one. */
bool ba_source_offer(const ba_source *s, const char *metric);
/* Passes on the time of a benchmark that has one record: its samples; without samples,
 * the median or else the mean, as a summary; or the statistic that the sink asks for.
 * `of` has id and level, and may say that the benchmark failed or was skipped. */
int ba_source_time(const ba_source *s, const ba_record *of, const ba_values *samples,
	const ba_statistics *statistics, ba_error *err);
/* Passes a record on. If one of r->values has no logarithm, it becomes a failure. */
int ba_source_record(const ba_source *s, const ba_record *r, ba_error *err);
void ba_source_warn(const ba_source *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* the readers */
#define FORMAT_READS(code, name, title, reader, help) int reader(const ba_source *s, ba_error *err);
FORMATS(FORMAT_READS)
#undef FORMAT_READS

#define FORMAT_IS(code, is) bool is(const char *line, size_t size);
TEXT_FORMATS(FORMAT_IS)
#undef FORMAT_IS
