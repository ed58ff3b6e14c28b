/* The limits of the structs in model/ and stats/. Every reader of a document, a journal
 * or a message enforces them: it rejects data beyond a limit with a sentence, before
 * the data reaches code that relies on the limit. */
#pragma once

#include "stats/sequential.h"

enum {
	/* participants are bytes in ba_samples.order, and the floor is one */
	BA_VARIANTS_MOST = 254,
	BA_SAMPLE_PARTICIPANTS_MOST = BA_VARIANTS_MOST + 1,
	BA_RESULT_LOOKS_MOST = BA_LOOKS_MAX,
	/* limit of --fixed: estimates need memory for its square */
	BA_INVOCATIONS_MOST = 1000,
	/* limit for the origins of a result, and for merged runs */
	BA_ORIGINS_MOST = BA_INVOCATIONS_MOST,
};

/* readings of a benchmark in one invocation */
#define BA_SAMPLE_READINGS_MOST UINT32_MAX

/* Below these limits, a double cannot hold the quantiles of the t distribution. */
#define BA_ALPHA_LEAST 1e-12
#define BA_LOOK_WEIGHT_LEAST 1e-9
