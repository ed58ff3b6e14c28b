/* What a calibration of this machine says about a run: before it, whether the
 * thresholds can be decided at all; after it, whether the machine is still the same. */
#ifndef CLI_NOISE_H
#define CLI_NOISE_H

#include "cli/measure.h"
#include "model/calibration.h"

typedef char ba_plan_digest[65];

typedef struct ba_noise_book {
	ba_calibration calibration;
	bool known;	       /* there is one, and it can be read */
	ba_plan_digest *plans; /* [benchmark_count] */
} ba_noise_book;

void ba_noise_book_dispose(ba_noise_book *b);
BA_DEFINE_AUTO(ba_noise_book, ba_noise_book_dispose)

/* digests of each benchmark; caller frees */
ba_plan_digest *ba_noise_plans(const ba_result *r);

/* The threshold as a ratio, an absolute one turned into a ratio by the time that was
 * seen then. */
double ba_noise_threshold(const ba_measure_plan *p, const char *benchmark,
	ba_metric metric, const ba_noise *n);

/* Opens the calibration of r's machine, where there is one. Thresholds below its floor
 * are BA_EINVAL, or a note with --allow-below-floor; those that take long are a note.
 */
int ba_noise_plan(ba_noise_book *b, const ba_measure_plan *p, ba_result *r,
	ba_context *c, ba_error *err);

/* Notes what the calibration did not lead to expect. */
void ba_noise_compare(const ba_noise_book *b, ba_result *r);

#endif
