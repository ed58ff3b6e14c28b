/* A list of findings about a GPU or its host, each with a sentence and a remedy. */
#pragma once

#include "base/base.h"

typedef enum ba_trust_severity {
	BA_TRUST_INFO, /* recorded with the result */
	BA_TRUST_WARN, /* makes results noisier or harder to compare */
	BA_TRUST_REFUSE
} ba_trust_severity;

typedef struct ba_trust_finding {
	const char *id; /* "no-driver", "mps", ...: stable, for scripts and tests */
	ba_trust_severity severity;
	char sentence[512];
	const char *remedy; /* a sentence; "" if nothing can be done */
	int error;	    /* for a refusal: BA_EGPU or BA_ESIMULATED */
} ba_trust_finding;

#define BA_TRUST_FINDINGS_MAX 48
typedef struct ba_trust_findings {
	ba_trust_finding items[BA_TRUST_FINDINGS_MAX];
	size_t count;
} ba_trust_findings;

/* Appends a finding, with a sentence as for printf. Drops it if `f` is full. */
void ba_trust_add(ba_trust_findings *f, const char *id, ba_trust_severity severity, int error,
	const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* The number of refusals; 0: this GPU may be measured. */
size_t ba_trust_refusals(const ba_trust_findings *f);

/* An error with the sentences of all refusals, the first one first; 0: no refusal. */
int ba_trust_error(const ba_trust_findings *f, ba_error *err);

/* f: the list; the last arguments are a sentence as for printf */
#define REFUSE(f, id, remedy, ...) \
	ba_trust_add((f), (id), BA_TRUST_REFUSE, BA_EGPU, (remedy), __VA_ARGS__)
#define REFUSE_SIMULATED(f, id, remedy, ...) \
	ba_trust_add((f), (id), BA_TRUST_REFUSE, BA_ESIMULATED, (remedy), __VA_ARGS__)
#define WARN(f, id, remedy, ...) ba_trust_add((f), (id), BA_TRUST_WARN, 0, (remedy), __VA_ARGS__)
#define INFO(f, id, ...) ba_trust_add((f), (id), BA_TRUST_INFO, 0, "", __VA_ARGS__)
