/*
 * What is started for each variant of a `worker` or `command` suite: the configured
 * command, in the variant's tree, with an environment in which Python finds that tree's
 * modules first, and, of a `worker` suite, in which what is compiled at run time is
 * kept apart.
 */
#ifndef RUN_PROGRAMS_H
#define RUN_PROGRAMS_H

#include "config/config.h"
#include "host/engine.h"
#include "model/variant.h"
#include "run/run.h"

typedef struct ba_programs {
	ba_program *items; /* [count], one a variant */
	ba_strv *envs;	   /* [count], theirs */
	/* [count], the same as lists that end with NULL */
	const char *const **lists;
	size_t count;
} ba_programs;

void ba_programs_dispose(ba_programs *p);
BA_DEFINE_AUTO(ba_programs, ba_programs_dispose)

/* Our own folders for PYTHONPATH, that of a sitecustomize.py and that of the module of
 * workers, are parts of the services (NULL: none); scratch: a directory of this run. The
 * suite and the variants must outlive *out. */
int ba_programs_of(ba_programs *out, const ba_suite_config *suite,
	const ba_variant *variants, size_t count, const ba_job_services *services,
	const char *scratch, ba_error *err);

#endif
