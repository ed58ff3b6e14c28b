/* What a calibration of this machine says about a run: before it, whether the
 * thresholds can be decided at all; after it, whether the machine is still the same. */
#ifndef RUN_CALIBRATION_H
#define RUN_CALIBRATION_H

#include "model/calibration.h"
#include "run/measure.h"

typedef struct ba_known_noise {
	ba_calibration calibration;
	bool known;		 /* there is one, and it can be read */
	ba_plan_digest *digests; /* [benchmark_count] */
} ba_known_noise;

void ba_known_noise_dispose(ba_known_noise *b);
BA_DEFINE_AUTO(ba_known_noise, ba_known_noise_dispose)

/* Opens the calibration of r's machine, where there is one. Thresholds below its floor
 * are BA_EINVAL, or a note with --allow-below-floor; those that take long are a note.
 */
int ba_known_noise_foresee(
	ba_known_noise *b, const ba_measure_plan *p, ba_result *r, ba_error *err);

/* Notes what the calibration did not lead to expect. */
void ba_known_noise_compare(const ba_known_noise *b, ba_result *r);

/* What a calibrating run has measured, beside what was known. BA_EVARIANT: nothing. */
int ba_known_noise_learn(ba_calibration *all, const ba_measure_plan *p,
	const ba_result *r, ba_error *err);

/* The threshold as a ratio, an absolute one turned into a ratio by the time that was
 * seen then. */
double ba_known_noise_threshold(const ba_measure_plan *p, const char *benchmark,
	ba_metric metric, const ba_noise *n);

#endif
