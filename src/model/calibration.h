/*
 * What a machine's noise is, measured by code against itself (docs/statistics.md
 * section 5). It plans and warns and enters no p-value: an old one makes no verdict
 * wrong.
 */
#ifndef MODEL_CALIBRATION_H
#define MODEL_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/auto.h"
#include "base/strv.h"
#include "model/benchmark.h"
#include "model/environment.h"

/* One benchmark and metric. Spreads are of log ratios. */
typedef struct ba_noise {
	char plan_sha256[65]; /* of the benchmark: what else is called so is another */
	char *benchmark;      /* id */
	ba_metric metric;
	char *engine; /* "duet", ... : they differ in noise */
	char *date;   /* RFC 3339, UTC */
	unsigned invocations;
	double s, s_upper; /* of y between invocations, and its 90 % upper limit */
	double s1_sq;	   /* of a block's value within an invocation */
	double t2_sq;	   /* of what is left between invocations without that */
	double blocks;	   /* an invocation */
	double autocorrelation;
	double bias; /* mean of y */
	bool two_speed;
	double ns; /* the baseline's time of a launch */
	double tick_ns;
	double seconds; /* of an invocation of this benchmark, start-up not included */
	int sm_clock_mhz, memory_clock_mhz;
} ba_noise;

typedef struct ba_calibration {
	/* of which machine */
	char *target, *device_uuid, *device_name, *driver_version, *host_name;
	char suite_sha256[65]; /* of the run that was last */
	double start_seconds;  /* of workers, an invocation */
	ba_strv findings;      /* what looked wrong in that run; sentences */
	ba_noise *noises;
	size_t noise_count;
} ba_calibration;

void ba_noise_dispose(ba_noise *n);
void ba_calibration_dispose(ba_calibration *c);
BA_DEFINE_AUTO(ba_calibration, ba_calibration_dispose)

/* identity from the environment; *c is zeroed */
void ba_calibration_init(ba_calibration *c, const ba_environment *env);
/* of that machine, and that driver? */
bool ba_calibration_is_of(const ba_calibration *c, const ba_environment *env);
/* identical machines have identical keys, others do not; 16 digits */
void ba_calibration_key(char out[17], const ba_environment *env);

const ba_noise *ba_calibration_find(const ba_calibration *c, const char *plan_sha256,
	ba_metric metric, const char *engine);
/* Takes *n; what was known about the same benchmark, metric and engine is replaced. */
void ba_calibration_put(ba_calibration *c, ba_noise *n);

#endif
