/* Declarations shared by the files of ba_verify. Inside the module only. */
#pragma once

#include "verify/verification.h"

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
