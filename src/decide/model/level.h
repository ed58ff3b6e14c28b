/* The unit that one value in a results file stands for. It says which values are
 * independent. At a higher level, more of the noise is visible between the values. */
#pragma once

#include <stdbool.h>

typedef enum ba_level {
	BA_LEVEL_SUMMARY,    /* no samples: a mean or median that a tool computed */
	BA_LEVEL_BATCH,	     /* readings of one process, in the order of time */
	BA_LEVEL_REPETITION, /* repetitions of the whole benchmark in one process */
	BA_LEVEL_PROCESS,    /* one value from each process */
	BA_LEVEL_COUNT
} ba_level;

/* "summary", "batch", "repetition", "process"; ends with NULL, for a choice */
extern const char *const ba_level_names[];
const char *ba_level_name(ba_level level);
bool ba_level_parse(ba_level *out, const char *name);
/* words for n values: "repetitions in one process", "process" */
const char *ba_level_words(ba_level level, unsigned long n);
