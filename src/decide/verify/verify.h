/*
 * Does a results document say what its samples say?
 *
 * Everything that can be computed is computed again with the code of a run
 * (verdict/decide.h, gate/status.h) and compared: y of each invocation, summaries, each
 * look, p-values, intervals, verdicts, reasons, the answer and the exit status. The
 * order of visits is drawn again from the seed.
 *
 * Samples cannot show the rest, which is taken as given: thresholds and policy, names,
 * the environment, and whether a variant has a benchmark or failed in it.
 *
 * Floating-point results may differ by a billionth, because logarithms
 * of other machines may.
 */
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

/* r is as ba_results_read left it; afterwards it holds the recomputed values, where
 * that was possible. If the rule itself is impossible (a threshold of 0, looks that go
 * backwards), only that is reported, and nothing is decided again. */
void ba_verify(ba_verification *out, ba_result *r);

/* The same for a document without verdicts, or to replace its verdicts. It takes as
 * many looks as the samples allow, or until everything is conclusive. Then r has
 * everything that follows from the samples, the answer and the exit status;
 * explanations stay. BA_EDATA: its rule or its samples are impossible, or there is no
 * candidate. */
int ba_decide_again(ba_result *r, ba_error *err);

/* ---- between the files of the module ---- */

/* Can the document's rule be followed, and can its samples be read? */
bool ba_verify_rule(ba_verification *v, const ba_result *r);
bool ba_verify_samples(ba_verification *v, const ba_result *r);
/* Do the seeds and orders of the samples follow from the run's seed? */
void ba_verify_schedule(ba_verification *v, const ba_result *r);

/* Compares the stated values with the computed ones. `path` is the path of the object
 * in the document, "$.series[3].variants[1]". complete: the document's version writes
 * all numbers, so null is a difference. */
void ba_verify_summary(ba_verification *v, const char *where, const char *path,
	const ba_summary *said, const ba_summary *found, bool complete);
void ba_verify_throughput(ba_verification *v, const char *where, const char *path,
	const ba_throughput *said, const ba_throughput *found, bool complete);
/* r is the document; its revision says which values can be compared */
void ba_verify_comparison(ba_verification *v, const char *where, const char *path,
	const ba_comparison *said, const ba_comparison *found, const ba_result *r);
void ba_verify_effects(ba_verification *v, const char *where, const char *path,
	const ba_series *said, const ba_series *found, const ba_result *r);
/* Do the rows add up, and do they agree with the counts? NULL: there is no
 * explanation. */
void ba_verify_explanation(ba_verification *v, const char *where, const ba_explanation *why,
	bool census, const ba_summary *baseline, const ba_summary *candidate);
/* Are the stated values of its device code consistent? */
void ba_verify_code(ba_verification *v, const ba_benchmark *b);
void ba_verify_number(
	ba_verification *v, const char *where, const char *field, double said, double found);
void ba_verify_text(ba_verification *v, const char *where, const char *field, const char *said,
	const char *found);
