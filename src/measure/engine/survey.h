/* What a worker reports about the machine and the variants. */
#pragma once

#include "model/environment.h"
#include "model/suite.h"
#include "wire/message.h"

/* What a variant reports when an engine is opened for the survey; owns its strings. */
typedef struct ba_variant_facts {
	char *name;
	ba_strv paths;	       /* a launcher's */
	ba_declared *declared; /* [declared_count] the variant's own benchmarks */
	size_t declared_count, declared_capacity;
	ba_strv objects, sha256;
	/* files besides the benchmarks that affect how they run, such as conftest.py */
	ba_strv harness, harness_sha256;
	/* in runs with environments: "torch 2.9.0" of what it has loaded, and a digest of all loaded
	 * files that are not of the tree */
	ba_strv distributions, loads;
	char *output; /* last lines of output if its library cannot be used, or NULL */
} ba_variant_facts;

typedef struct ba_survey {
	ba_environment env;
	ba_strv findings; /* every sentence of the examination, for doctor */
	int device_count; /* number of devices that the driver reports; 0: unknown */
	/* another suite's survey describes the machine: only examine libraries */
	bool machine_known;
	ba_variant_facts *variants; /* [variant_count] */
	size_t variant_count;
	bool share;	    /* the variants can share a process */
	char *share_reason; /* if not: why */
	char *driver_path;  /* of the driver library that was loaded */
} ba_survey;

/* Adds a benchmark as a worker declares it: the message "benchmark" of docs/workers.md.
 * BA_EPROTOCOL: lists of different lengths. ba_declared_check checks their content. */
int ba_variant_facts_declare(ba_variant_facts *f, const ba_message *m, ba_error *err);

BA_DECLARE_DISPOSE(ba_survey)

/* For a message that is not an answer: "environment", "finding", "variant". variants
 * maps the worker's indices to the run's. */
void ba_survey_hear(ba_survey *s, const ba_message *m, const size_t *variants, size_t count);

/* Discards what was reported about a machine that turned out not to have a real GPU. */
void ba_survey_forget_machine(ba_survey *s);
/* The answer to "timing": the basis of metrics on the GPU. */
void ba_survey_hear_timing(ba_survey *s, const ba_message *m);
/* Copies it from one survey's environment into another. */
void ba_environment_take_timing(ba_environment *out, const ba_environment *from);
