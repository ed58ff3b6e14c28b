/*
 * How much of each there can be: what the structs of model/ and stats/ hold, and so
 * what every reader of a document, a journal or a message takes. Data beyond a limit
 * gets a sentence, before it reaches code that requires it.
 */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include "stats/sequential.h"

enum {
	/* a participant is a byte of ba_samples.order, and the floor is one, too */
	BA_VARIANTS_MOST = 254,
	BA_SAMPLE_PARTICIPANTS_MOST = BA_VARIANTS_MOST + 1,
	BA_RESULT_LOOKS_MOST = BA_LOOKS_MAX,
	/* of --fixed; estimates take memory with the square of it */
	BA_INVOCATIONS_MOST = 1000,
};

/* readings of a benchmark in one invocation */
#define BA_SAMPLE_READINGS_MOST UINT32_MAX

/* Below these, quantiles of the t distribution are beyond what a double holds. */
#define BA_ALPHA_LEAST 1e-12
#define BA_LOOK_WEIGHT_LEAST 1e-9

#endif
