/* What a verification found: the disagreements between a document and its samples. */
#pragma once

#include "model/result.h"

typedef struct ba_verification {
	/* "launch/args=2, submit, v2: ratio is 1.2 in the file, 1.04 from samples" */
	ba_strv disagreements;
	size_t compared; /* how many values */
	/* how many numbers the document's version did not write */
	size_t missing;
	ba_strv missing_names;	      /* "iqr_ns" */
	size_t readings, invocations; /* the samples from which everything was computed */
} ba_verification;

/* Adds a disagreement that a caller found: "WHERE: " and the sentence. */
void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

BA_DECLARE_DISPOSE(ba_verification)

/* "launch/args=2, submit", and ", v2" if variant >= 0. Caller frees. */
char *ba_verify_place(const ba_result *r, const ba_series *series, int variant);
