/* plan.json of an exchange: what a coordinator tells its members once, before they start.
 * With it a member measures the trees that the coordinator resolved and built, by the
 * configuration that it found, whatever has changed in the repository since. */
#pragma once

#include "cluster/exchange.h"

typedef struct ba_planned_variant {
	ba_variant variant; /* built */
	char *failure;	    /* why the variant was not built, or NULL */
} ba_planned_variant;

typedef struct ba_exchange_plan {
	ba_strv argv;	 /* command line of the run, as in a journal */
	char *directory; /* directory in which the run was started */
	char *repository, *started;
	uint64_t seed;
	char *host_name;   /* of the coordinator */
	char *device_name; /* every member's GPU must be of this model; "": not checked */
	char *config_name, *config_text;
	ba_planned_variant *variants;
	size_t variant_count;
	/* values that must be equal for samples to belong to one run */
	ba_fingerprint terms;
} ba_exchange_plan;

BA_DECLARE_DISPOSE(ba_exchange_plan)

int ba_exchange_plan_write(const char *dir, const ba_exchange_plan *p, ba_error *err);
/* *out is zeroed. BA_EDATA also if another version of the tool wrote it. */
int ba_exchange_plan_read(ba_exchange_plan *out, const char *dir, ba_error *err);
