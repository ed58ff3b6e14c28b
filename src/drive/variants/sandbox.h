/* The sandbox that the configuration or --sandbox asks for: what all builds and workers
 * of a run may see. */
#ifndef VARIANTS_SANDBOX_H
#define VARIANTS_SANDBOX_H

#include "config/config.h"
#include "request/services.h"
#include "sandbox/sandbox.h"

typedef struct ba_variants_sandbox {
	bool on;
	ba_sandbox all;
	ba_strv readable, writable, hidden, env;
} ba_variants_sandbox;

void ba_variants_sandbox_dispose(ba_variants_sandbox *s);

/* Readable are the configuration's paths and the tool's own files; "~" in them is HOME.
 * The cache is not readable. BA_EUNSUPPORTED: this machine cannot make sandboxes; the
 * run must stop. untrusted: BA_ECONFIG if variants would share writable files. */
int ba_variants_sandbox_make(ba_variants_sandbox *out, const ba_sandbox_config *config,
	const ba_job_services *services, bool untrusted, ba_error *err);
/* NULL: none */
const ba_sandbox *ba_variants_sandbox_of(const ba_variants_sandbox *s);

#endif
