/*
 * The programs of a `worker` or `command` suite: for each variant the configured
 * command, in the variant's tree. The environment makes Python find that tree's modules
 * first. For a `worker` suite, files compiled at run time are kept separate, too.
 */
#ifndef JOB_PROGRAMS_H
#define JOB_PROGRAMS_H

#include "config/config.h"
#include "engine/engine.h"
#include "request/services.h"

typedef struct ba_programs {
	ba_program *items; /* [count] one for each variant */
	ba_strv *envs;	   /* [count] their environments */
	/* [count] the environments as lists that end with NULL */
	const char *const **lists;
	size_t count;
} ba_programs;

void ba_programs_dispose(ba_programs *p);

/* The services' parts name the tool's folders for PYTHONPATH: for sitecustomize.py, and
 * for the workers' module (NULL: none). driver: the libcuda.so.1 for the programs;
 * NULL: the machine's. scratch: a directory of this run. The suite and the variants
 * must outlive *out. */
int ba_programs_of(ba_programs *out, const ba_suite_config *suite, const ba_variant *variants,
	size_t count, const ba_job_services *services, const char *driver, const char *scratch,
	ba_error *err);

#endif
