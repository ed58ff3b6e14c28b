/*
 * Suites of kind `command`: a whole program, run once an invocation in each variant's
 * tree; import/ reads its output. One run is one invocation: the values that it prints
 * are the readings of one visit. The seed decides which variant runs when.
 *
 * The program measures itself: nothing is timed here.
 */
#pragma once

#include "engine/spec.h"

/* The program to run. Everything is borrowed for the whole run. */
typedef struct ba_command_line {
	/* argv, started in the tree; "{output}" in an argument stands for a file made
	 * for this run, which is then read instead of standard output */
	char *const *argv;
	int64_t limit_ns;    /* of one run */
	const char *metric;  /* NULL: the format's default */
	const char *scratch; /* directory for outputs */
	/* [variant] NULL-terminated environments; NULL: ours */
	const char *const *const *envs;
	/* For ba_command_look; NULL: no observation. A library for LD_AUDIT, a folder
	 * with a sitecustomize.py, the user's working tree, and the tree's folders in
	 * PYTHONPATH (empty: its top). */
	const char *loads_library, *start_dir;
	const char *checkout;
	const ba_strv *pythonpath;
	/* a strict gate: a variant fails if its loaded files are unknown */
	bool must_be_known;
} ba_command_line;

/* The values that one run prints of a benchmark, in their order. */
typedef struct ba_replicates {
	double *at;
	size_t count, capacity;
	int level; /* ba_level of the values */
} ba_replicates;

/* One benchmark in the output of one run. */
typedef struct ba_outcome {
	char *id, *metric;
	bool is_time;
	ba_replicates values;
	ba_replicates cpu; /* the processor time beside them, or none (import/import.h) */
	char *failure;	   /* a sentence, or NULL */
} ba_outcome;

typedef struct ba_outcomes {
	ba_outcome *items;
	size_t count, capacity;
	ba_names ids;			     /* of the items */
	size_t bytes;			     /* of all texts */
	size_t readings;		     /* of all values */
	double wall_ns, cpu_ns, memory_peak; /* of the run; ba_proc_result has the words */
} ba_outcomes;

void ba_outcomes_dispose(ba_outcomes *o);

ba_outcome *ba_outcomes_find(ba_outcomes *o, const char *id); /* NULL: none */
/* the trimmed mean; 0 if there are none */
double ba_replicates_value(const ba_replicates *r);
/* Does the processor time measure its speed? All repetitions must have one, and must
 * not wait most of the time. */
bool ba_outcome_is_on_processor(const ba_outcome *o);
/* n readings with the same mean: the values themselves if there are n, else equal
 * shares of them */
void ba_replicates_spread(double *out, size_t n, const ba_replicates *r);

/* Runs it once. 0: *out has the outcomes. BA_EVARIANT: it failed; *failure says how,
 * *output has the last lines of its output; the caller frees both. Other codes: the run
 * cannot continue. */
int ba_command_run(ba_outcomes *out, char **failure, char **output, const ba_command_line *command,
	const ba_engine_spec *engine, size_t variant, ba_error *err);

/* The same for a run whose values do not count: it records which files the program and
 * all its children load (engine/foreign_code.h). A program that loads another variant's files
 * or the user's checkout has failed. *remark: a sentence if that could not be seen,
 * else NULL; the caller frees it. */
int ba_command_look(ba_outcomes *out, char **failure, char **output, char **remark,
	const ba_command_line *command, const ba_engine_spec *engine, size_t variant,
	ba_error *err);
