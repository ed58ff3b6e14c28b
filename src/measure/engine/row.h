/*
 * Engines as rows: each is a struct of functions, in a file of its own.
 *
 *     engine_library.c     one worker holds every variant; or each has its own, and visits
 *                          alternate, or come one variant after the other
 *     engine_program.c     the last two for variants whose workers are their programs
 *     engine_untrusted.c   as split, timed by the host
 *     engine_fresh.c       as sequential, timed by the host, on inputs that it chooses:
 *                          GPU benchmarks that are not trusted
 *
 * engine.c chooses the row and serves the calls of engine.h with it. Only for the files
 * of the engines.
 */
#ifndef ENGINE_ROW_H
#define ENGINE_ROW_H

#include "engine/request.h"
#include "engine/worker_slot.h"
#include "engine/gpu_watch.h"
#include "model/sample.h"

/* A request for ba_engine_measure. */
typedef struct ba_visits {
	ba_samples *s; /* has its counts and order; receives the readings */
	const char *mode;
	unsigned discard;
	ba_clock_report *clocks; /* or NULL */
} ba_visits;

/* The functions of a row, by type. */
typedef int ba_row_begin(ba_engine *, ba_survey *, ba_failure *, ba_error *);
typedef int ba_row_start(ba_engine *, ba_worker_slot *, ba_failure *, ba_error *);
typedef int ba_row_open(ba_engine *, ba_worker_slot *, ba_survey *, ba_failure *, ba_error *);
typedef int ba_row_prepare(
	ba_engine *, ba_worker_slot *, const ba_prepare *, ba_failure *, ba_error *);
typedef int ba_row_measure(ba_engine *, const ba_visits *, ba_failure *, ba_error *);
typedef int ba_row_visit(
	ba_engine *, ba_worker_slot *, const ba_visits *, size_t visit, ba_failure *, ba_error *);
typedef int ba_row_count(
	ba_engine *, ba_worker_slot *, const ba_count_request *, ba_failure *, ba_error *);
typedef int ba_row_counted(
	ba_engine *, ba_worker_slot *, ba_count_answer *, ba_failure *, ba_error *);
typedef int ba_row_look(ba_engine *, const ba_visits *, int64_t block, ba_error *);

typedef struct ba_engine_row {
	const char *name;	/* in results */
	bool shares;		/* one worker holds all variants; else each has its own */
	bool prepares_together; /* not only to count */
	bool needs_baseline;	/* its library takes part in what others measure */
	ba_row_begin *begin;	/* called before the first worker starts; NULL: nothing to do */
	/* Starts the slot's worker and asks it to load its variants; then open hears the
	 * answer. The others start meanwhile. NULL: open does all of it. */
	ba_row_start *start;
	ba_row_open *open; /* and brings the clocks up; with a survey it also lists benchmarks */
	ba_row_prepare *ask_prepare; /* then prepare hears the answer, in the same way */
	ba_row_prepare *prepare;
	ba_row_measure *measure; /* all visits, each in the slot that holds the participant */
	ba_row_visit *visit;	 /* one of them */
	ba_row_count *count;	 /* asks one variant to count */
	ba_row_counted *counted; /* takes its answer */
	/* Records for `block` what held the GPU's clock down since the last call; -1:
	 * no block. NULL: the worker reports it with its readings. */
	ba_row_look *look;
} ba_engine_row;

extern const ba_engine_row ba_engine_duet, ba_engine_split, ba_engine_sequential;
extern const ba_engine_row ba_engine_program, ba_engine_program_sequential;
extern const ba_engine_row ba_engine_untrusted, ba_engine_program_untrusted;
extern const ba_engine_row ba_engine_fresh;

/* GPU benchmarks that are not trusted: what they run on. */
typedef struct ba_fresh {
	const ba_benchmark *benchmark; /* that is prepared */
	uint64_t seed;
	unsigned most; /* runs that a visit can have; 0: unknown yet */
	int inputs;    /* a descriptor of the memory for the next visit, or -1 */
} ba_fresh;

struct ba_engine {
	const ba_engine_spec *spec;
	const ba_engine_row *row;
	ba_worker_slot *slots;
	size_t slot_count;
	size_t started, asked; /* slots that were, to open and to prepare */
	bool copied;	       /* it measures spec->copies */
	bool reversed;	       /* the last slot is filled and set up first */
	ba_gpu_watch *watch;   /* of the GPU's clock, if the workers' word does not count */
	/* of the benchmark that is prepared, as the baseline's worker says: what its
	 * launches leave in the witness (wire/witness.h); ring 0: unknown */
	uint64_t ring;
	unsigned params, param_bytes;
	bool rehearses; /* what is measured now decides nothing */
	/* [visit] what an untrusted worker reports, its processor time between that visit
	 * and its next, and how long it waited for the processor; NULL: not timed */
	uint64_t *own_ns, *aside_ns, *waited_ns;
	ba_fresh fresh; /* engine_fresh.c */
};

/* engine.c: the number in the slot's worker of the participant's copy (0 if there is
 * one library); UINT64_MAX if it is not there. The floor comes after a worker's variants; the first worker measures ours. */
uint64_t ba_engine_local_index(
	const ba_engine *e, const ba_worker_slot *s, unsigned participant, size_t copy);
ba_worker_slot *ba_engine_slot_of(const ba_engine *e, unsigned participant);
int ba_engine_look_at_clock(ba_engine *e, const ba_visits *q, int64_t block, ba_error *err);

/* library.c: with the tool's own worker, which has loaded variants' libraries */
ba_row_start ba_library_start;
ba_row_open ba_library_open;
ba_row_prepare ba_library_ask_prepare, ba_library_prepare;
ba_row_visit ba_library_visit;
ba_row_measure ba_library_measure; /* in one request, to the only slot */
int ba_library_measure_in(
	ba_engine *e, ba_worker_slot *slot, const ba_visits *q, ba_failure *failure, ba_error *err);
ba_row_count ba_library_count;
ba_row_counted ba_library_counted;
/* the fields of a benchmark of the suite's own, and what is reported of it */
void ba_library_put_case(ba_buf *m, const ba_prepare *p);
void ba_case_read(ba_case_facts *out, const ba_message *m);
/* the request of one variant, and what each answer says */
void ba_count_put(ba_buf *m, const ba_count_request *q, size_t variant);
int ba_count_read(ba_count_answer *out, const ba_message *m, ba_error *err);

/* program.c, program_count.c: with a worker that is a program of one variant and supports
 * docs/workers.md. Everything that it does wrong is a failure of that variant. */
ba_row_start ba_program_start;
ba_row_open ba_program_open;
ba_row_prepare ba_program_ask_prepare, ba_program_prepare;
ba_row_visit ba_program_visit;
ba_row_count ba_program_count;
ba_row_counted ba_program_counted;

/* engine_program.c: begin and look of workers whose word about the GPU's clock does not
 * count: another worker monitors it */
ba_row_begin ba_watched_begin;
ba_row_look ba_watched_look;

/* engine_library.c: block by block, in the order of each block; and all visits of one
 * variant, then all of the next */
ba_row_measure ba_engine_alternate, ba_engine_take_turns;

/* engine_untrusted.c: timed by the host; with one reading each */
ba_row_measure ba_untrusted_measure;
ba_row_visit ba_untrusted_visit;

/* engine_fresh.c: makes the visits of one variant after those of another, whose worker is
 * gone by then; row->visit is called for each, with the inputs in e->fresh */
ba_row_measure ba_fresh_take_turns;
/* Runs what is prepared, on the inputs of the last visit or, with `take`, on new ones. */
int ba_fresh_run(ba_engine *e, ba_worker_slot *s, const ba_visits *q, size_t visit, bool take,
	ba_failure *failure, ba_error *err);

/* engine_survey.c */
/* Lists a plugin's benchmarks; once, and on a GPU, also gets the basis
 * of their times. */
int ba_survey_benchmarks(ba_worker_slot *s, const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err);
/* Starts the tool's worker to examine the machine, because programs cannot, and ends
 * it. Does nothing if all is known. */
int ba_survey_for_programs(
	const ba_engine_spec *spec, ba_survey *survey, ba_failure *failure, ba_error *err);

#endif
