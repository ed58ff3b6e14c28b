/*
 * A worker that is a program of one variant and supports docs/workers.md: sends
 * requests and checks answers. Everything that it does wrong is a failure of that
 * variant: BA_EVARIANT, with *failure filled.
 */
#ifndef HOST_PROGRAM_H
#define HOST_PROGRAM_H

#include "host/engine.h"

/* Starts it; ba_program_open lets it load its benchmarks. With
 * survey != NULL the benchmarks are listed there, with the files that it has loaded. */
int ba_program_start(ba_link **out, const ba_engine_spec *spec, size_t variant, ba_failure *failure,
	ba_error *err);
int ba_program_open(ba_link *l, const ba_engine_spec *spec, size_t variant, ba_survey *survey,
	ba_failure *failure, ba_error *err);

/* Asks it to prepare a benchmark; ba_program_prepared hears the answer. */
int ba_program_ask_prepare(ba_link *l, const ba_engine_spec *spec, size_t variant,
	const ba_prepare *p, ba_failure *failure, ba_error *err);
int ba_program_prepared(ba_case_facts *out, ba_link *l, const ba_engine_spec *spec, size_t variant,
	ba_failure *failure, ba_error *err);

/* A visit: ns[readings], each the time of `batch` runs; *khz: the multiprocessors'
 * clock, 0 if the program does not report it. */
typedef struct ba_program_visit {
	const char *mode;
	const char *flush; /* of modes that flush: "read", "write" */
	unsigned batch, readings, discard;
} ba_program_visit;
int ba_program_measure(uint64_t *ns, uint64_t *khz, ba_link *l, const ba_engine_spec *spec,
	size_t variant, const ba_program_visit *visit, ba_failure *failure, ba_error *err);

/* Asks it to count instructions; the answer is heard by the second call. */
int ba_program_count(ba_link *l, const ba_engine_spec *spec, size_t variant,
	const ba_count_request *q, ba_failure *failure, ba_error *err);
int ba_program_counted(ba_count_answer *out, ba_link *l, const ba_engine_spec *spec, size_t variant,
	ba_failure *failure, ba_error *err);

#endif
