/*
 * What is started for each variant of a `worker` suite: the configured command, in the
 * variant's tree, with an environment in which Python finds that tree's modules and no
 * other's, and in which what is compiled at run time is kept apart.
 */
#ifndef CLI_PROGRAMS_H
#define CLI_PROGRAMS_H

#include "config/config.h"
#include "host/engine.h"
#include "model/variant.h"

typedef struct ba_programs {
	ba_program *items; /* [count], one a variant */
	ba_strv *envs;	   /* [count], theirs */
	size_t count;
} ba_programs;

void ba_programs_dispose(ba_programs *p);
BA_DEFINE_AUTO(ba_programs, ba_programs_dispose)

/* module_dir: where bench_against_worker is, or NULL; scratch: a directory of this run.
 * The suite and the variants must outlive *out. */
int ba_programs_of(ba_programs *out, const ba_suite_config *suite,
	const ba_variant *variants, size_t count, const char *module_dir,
	const char *scratch, ba_error *err);

#endif
