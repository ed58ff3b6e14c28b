/* Inside ba_verify. */
#ifndef HOST_VERIFY_INTERNAL_H
#define HOST_VERIFY_INTERNAL_H

#include "host/verify.h"

/* "launch/args=2, submit" and ", v2" for a variant; caller frees. variant < 0: none */
char *ba_verify_place(const ba_result *r, const ba_series *series, int variant);

/* Can the rule of the document be followed at all, and its samples be read? */
bool ba_verify_rule(ba_verification *v, const ba_result *r);
bool ba_verify_samples(ba_verification *v, const ba_result *r);
/* Are seeds and orders those of the run's seed? */
void ba_verify_schedule(ba_verification *v, const ba_result *r);

/* What the document said, against what was found. `path` is that of the object in the
 * document, "$.series[3].variants[1]"; complete: every number that is written today is
 * in it, so that null is a difference. */
void ba_verify_summary(ba_verification *v, const char *where, const char *path,
	const ba_summary *said, const ba_summary *found, bool complete);
void ba_verify_throughput(ba_verification *v, const char *where, const char *path,
	const ba_throughput *said, const ba_throughput *found, bool complete);
/* means: those of the means, too */
void ba_verify_comparison(ba_verification *v, const char *where, const char *path,
	const ba_comparison *said, const ba_comparison *found, bool means);
void ba_verify_number(ba_verification *v, const char *where, const char *field,
	double said, double found);
void ba_verify_text(ba_verification *v, const char *where, const char *field,
	const char *said, const char *found);

#endif
