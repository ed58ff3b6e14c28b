/* What a verification found: the disagreements between a document and its samples. */
#pragma once

#include "model/result.h"

typedef struct ba_verification {
	/* "launch/args=2, submit, v2: ratio is 1.2 in the file,
	 * 1.04 from the samples" */
	ba_strv disagreements;
	size_t compared; /* how many values */
	/* how many numbers cannot be checked, because the document's version did not
	 * write them */
	size_t missing;
	ba_strv missing_names;	      /* "iqr_ns" */
	size_t readings, invocations; /* the samples from which everything was computed */
} ba_verification;

/* Adds the disagreement "WHERE: " and the sentence. For disagreements that a caller
 * found. */
void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

BA_DECLARE_DISPOSE(ba_verification)

/* "launch/args=2, submit", and ", v2" for a variant; variant <
 * 0: none. Caller frees. */
char *ba_verify_place(const ba_result *r, const ba_series *series, int variant);
