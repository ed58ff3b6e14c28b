/* Applies the calibration of this system to a run. Before the run: can the thresholds
 * be decided at all? After it: has the system changed? */
#pragma once

#include "model/calibration.h"
#include "job/document.h"
#include "job/setup.h"

typedef struct ba_job_noise {
	ba_calibration calibration;
	bool known;		 /* a readable calibration exists */
	ba_plan_digest *digests; /* [benchmark_count] */
} ba_job_noise;

BA_DECLARE_DISPOSE(ba_job_noise)

/* Opens the calibration of r's system, if there is one. Thresholds below its floor are
 * BA_EINVAL, or a note with --allow-below-floor. A note also names thresholds that take
 * long. */
int ba_job_noise_foresee(ba_job_noise *b, const ba_job_setup *p, ba_result *r, ba_error *err);

/* Adds notes about what differs from the calibration. */
void ba_job_noise_compare(const ba_job_noise *b, const ba_job_commands *suggest, ba_result *r);
