/* The noise of a system under test, measured by comparing code with itself (docs/statistics.md
 * section 5). For plans and warnings, never for a p-value: an outdated one makes no verdict
 * wrong. */
#pragma once

#include "model/benchmark.h"
#include "model/environment.h"

/* One benchmark and metric. Spreads are of log ratios. */
typedef struct ba_noise {
	/* digest of the benchmark's plan: a different plan may use the same name */
	char plan_sha256[65];
	char *benchmark; /* id */
	ba_metric metric;
	char *engine; /* "duet", ...; engines differ in noise */
	char *date;   /* RFC 3339, UTC */
	unsigned invocations;
	/* standard deviation of y between invocations, and its 90 % upper limit */
	double s, s_upper;
	double s1_sq; /* variance of a block's value within an invocation */
	/* variance between invocations, without the part that comes from within them */
	double t2_sq;
	double blocks; /* of an invocation */
	double autocorrelation;
	double bias; /* mean of y */
	bool two_speed;
	double ns; /* the baseline's time for one launch */
	double tick_ns;
	/* duration of an invocation of this benchmark, without start-up */
	double seconds;
	int sm_clock_mhz, memory_clock_mhz;
} ba_noise;

typedef struct ba_calibration {
	/* identity of the system */
	char *target, *device_uuid, *device_name, *driver_version, *host_name;
	char suite_sha256[65]; /* the suite in the last run */
	double start_seconds;  /* duration of starting the workers of an invocation */
	ba_strv findings;      /* what looked wrong in the last run, as sentences */
	ba_noise *noises;
	size_t noise_count;
} ba_calibration;

BA_DECLARE_DISPOSE(ba_calibration)

/* Takes the identity from the environment; *c must be zeroed. */
void ba_calibration_init(ba_calibration *c, const ba_environment *env);
/* Does it belong to this machine with this driver? */
bool ba_calibration_is_of(const ba_calibration *c, const ba_environment *env);
/* A key of 16 digits, equal for identical machines only. */
void ba_calibration_key(char out[17], const ba_environment *env);

const ba_noise *ba_calibration_find(
	const ba_calibration *c, const char *plan_sha256, ba_metric metric, const char *engine);
/* Takes *n. It replaces what was known about its benchmark, metric and engine. */
void ba_calibration_put(ba_calibration *c, ba_noise *n);
