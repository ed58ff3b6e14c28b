/*
 * Engines as rows: rows.c has each as a struct of functions, and engine.c serves the calls
 * of engine.h with them. Only for the files of the engines.
 *
 *     library.c      a worker of the tool's, which holds one variant's library or all
 *     program.c      a worker that is a variant's program
 *     untrusted.c    either of them, timed by the host
 *     fresh.c        GPU benchmarks that are not trusted: all visits of one variant after
 *                    those of another, timed by the host, on inputs that it chooses
 */
#pragma once

#include "engine/request.h"
#include "engine/worker_slot.h"
#include "model/sample.h"

/* A request to ba_engine_measure. */
typedef struct ba_visits {
	ba_samples *s; /* has its counts and order; receives the readings */
	const char *mode;
	unsigned discard;
	ba_clock_report *clocks; /* or NULL */
} ba_visits;

/* The functions of a row, by type. */
typedef int ba_row_begin(ba_engine *, ba_survey *, ba_failure *);
typedef int ba_row_start(ba_worker_slot *, ba_failure *);
typedef int ba_row_open(ba_worker_slot *, ba_survey *, ba_failure *);
typedef int ba_row_prepare(ba_worker_slot *, const ba_prepare *, ba_failure *);
typedef int ba_row_measure(ba_engine *, const ba_visits *, ba_failure *);
typedef int ba_row_visit(ba_worker_slot *, const ba_visits *, size_t visit, ba_failure *);
typedef int ba_row_look(ba_engine *, const ba_visits *, int64_t block, ba_error *);

typedef struct ba_engine_row {
	const char *name; /* in results */
	/* one worker holds all variants; otherwise each variant has its own */
	bool shares;
	/* workers prepare at the same time, not only for counting */
	bool prepares_together;
	/* the baseline's library takes part when others are measured */
	bool needs_baseline;
	ba_row_begin *begin; /* called before the first worker starts; NULL: nothing to do */
	/* Starts the slot's worker and asks it to load its variants; open then receives
	 * the answer. Other workers start meanwhile. NULL: open does all of it. */
	ba_row_start *start;
	/* receives the answer and brings the clocks up; with a survey it also lists
	 * benchmarks. NULL: workers start when they are needed */
	ba_row_open *open;
	/* prepare then receives the answer in the same way */
	ba_row_prepare *ask_prepare;
	ba_row_prepare *prepare;
	/* replaces `measure` if there is only one slot; NULL: the same function */
	ba_row_measure *measure_alone;
	/* makes all visits, each in the slot that holds the participant */
	ba_row_measure *measure;
	ba_row_visit *visit; /* one of them */
	/* Records for `block` what held the GPU's clock down since the last call; -1:
	 * no block. NULL: the worker reports it with its readings. */
	ba_row_look *look;
	/* The following are for rows that untrusted.c times; NULL in others. */
	ba_row_measure *in_order; /* calls visit for each, in the order of the row */
	ba_row_visit *run;	  /* one visit, with the worker's readings */
	ba_row_visit *time;	  /* the same while the host's clock runs */
	ba_row_visit *warm;	  /* runs without timing */
	/* the GPU works while processes wait, and no other variant's worker runs */
	bool on_gpu;
	/* the worker gets memory over a socket: inputs, and places for results */
	bool hands_over;
} ba_engine_row;

const ba_engine_row *ba_engine_row_of(const ba_engine_spec *spec);

/* For GPU benchmarks that are not trusted: the prepared benchmark and its inputs. */
typedef struct ba_fresh {
	const ba_benchmark *benchmark; /* that is prepared */
	uint64_t seed;
	unsigned most; /* the most runs of a visit; 0: unknown yet */
	int inputs;    /* a descriptor of the memory for the next visit, or -1 */
} ba_fresh;

/* in ns: what the worker reports about a visit, its processor time between that visit and
 * its next, and how long it waited for the processor */
typedef struct ba_visit_seen {
	uint64_t own, aside, waited;
} ba_visit_seen;

struct ba_engine {
	const ba_engine_spec *spec;
	const ba_engine_row *row;
	ba_worker_slot *slots;
	size_t slot_count;
	/* number of slots that were asked to open, and to prepare */
	size_t started, asked;
	bool copied;   /* it measures spec->copies */
	bool used;     /* its processes have prepared a benchmark */
	bool reversed; /* the last slot is filled and set up first */
	/* monitors the GPU's clock if the workers' reports about it do not count */
	ba_gpu_watch *watch;
	/* for the prepared benchmark, as the baseline's worker reports: what its
	 * launches leave in the witness (wire/witness.h); ring 0: unknown */
	uint64_t ring;
	unsigned params, param_bytes;
	/* For variants that do not fit into memory together: what each prepares before its
	 * visits and releases after them; benchmark NULL: they are prepared. */
	ba_prepare turn;
	bool rehearses;			 /* measurements are not used for decisions now */
	ba_visit_seen *seen;		 /* [visit] of an untrusted worker; NULL: not timed */
	ba_evidence *evidence, unwanted; /* the specification's, or `unwanted` */
	ba_fresh fresh;			 /* fresh.c */
};

/* engine.c: the number in the slot's worker of the participant's copy (0 if there is
 * one library); UINT64_MAX if it is not there. The floor comes after a worker's variants; the first worker measures ours. */
uint64_t ba_engine_local_index(const ba_worker_slot *s, unsigned participant, size_t copy);
ba_worker_slot *ba_engine_slot_of(const ba_engine *e, unsigned participant);
ba_row_measure ba_engine_take_turns; /* rows.c: all visits of one variant, then of the next */
int ba_engine_look_at_clock(ba_engine *e, const ba_visits *q, int64_t block, ba_error *err);

/* library.c: the tool's own worker, which loads variants' libraries */
ba_row_start ba_library_start;
/* If the row hands memory over: *theirs is the worker's end, which the caller closes. */
int ba_library_open_socket(ba_worker_slot *s, int *theirs, ba_error *err);
ba_row_open ba_library_open;
ba_row_prepare ba_library_ask_prepare, ba_library_prepare;
ba_row_visit ba_library_visit;
ba_row_measure ba_library_measure; /* in one request to the only slot */
int ba_library_measure_in(ba_worker_slot *slot, const ba_visits *q, ba_failure *f);
/* writes the fields of a benchmark in a variant's own code */
void ba_library_put_case(ba_buf *m, const ba_prepare *p);

/* program.c: with a worker that is a program of one variant and supports docs/workers.md.
 * Everything that it does wrong is a failure of that variant. */
ba_row_start ba_program_start;
/* Its first half, which loads nothing of the variant's tree. early: on other processors than
 * the timed one, on which ba_affinity_pin_process puts it later. */
int ba_program_hail(ba_worker_slot *s, bool early, ba_failure *f);
ba_row_open ba_program_open;
ba_row_prepare ba_program_ask_prepare, ba_program_prepare;
ba_row_visit ba_program_visit;

ba_row_measure ba_untrusted_measure; /* with one reading for each visit */
ba_row_visit ba_untrusted_visit;
ba_row_visit ba_untrusted_time_bursts; /* for libraries, whose launches come in bursts */

ba_row_prepare ba_fresh_prepare;
/* Makes all visits of one variant, then ends its worker before the next variant. Calls
 * row->visit for each, with the inputs in e->fresh. */
ba_row_measure ba_fresh_take_turns;
ba_row_visit ba_fresh_run;	 /* runs the prepared cases on new inputs */
ba_row_visit ba_fresh_run_again; /* runs them on the inputs of the last visit */

/* examine.c */
/* Lists a plugin's benchmarks. On a GPU, it also measures the basis of their times, if
 * the survey does not have it yet. */
int ba_survey_benchmarks(ba_worker_slot *s, ba_survey *survey, ba_failure *f);
/* Starts the tool's worker to examine the machine, because programs cannot, and ends
 * it. Does nothing if all values are known. */
int ba_survey_for_programs(const ba_engine_spec *spec, ba_survey *survey, ba_failure *f);

/* ---- start.c: what the start of a worker's process takes ----
 *
 * Its metrics are the rows of model/metric.c that have `starts`. The host takes the times by its
 * own clock, so that no program needs to report them; only the first call is timed by the worker.
 * Each process has one value of each metric.
 *
 * The values are right in engines with a worker for each variant, whose specification has
 * `times_starts`: workers then start one after another, on any processor. */

/* Before the process starts. With `times_starts`: empties the variant's caches of compiled code,
 * unless `keeps_caches`. */
int ba_start_begin(ba_worker_slot *s, ba_error *err);
/* The environment of the tool's own worker, with these caches; empty: ours. */
void ba_start_environment(ba_strv *out, const ba_worker_slot *s);
/* It has answered hello, and now loads the suite. */
void ba_start_ready(ba_worker_slot *s);
/* It loads the suite only now. */
void ba_start_asks(ba_worker_slot *s);
/* It has loaded the suite. */
void ba_start_loaded(ba_worker_slot *s);
/* It has prepared a benchmark, and reported the first call. */
void ba_start_called(ba_worker_slot *s, const ba_case_facts *c);

/* Fills all visits with the participants' values. BA_EVARIANT: one is unknown. */
int ba_start_measure(ba_engine *e, const ba_visits *q, ba_metric metric, ba_failure *f);

/* ---- pace.c: do a variant's runs overlap? ----
 *
 * The inputs of a visit arrive together, so a variant could process many at once and look as
 * fast as one that processes them in sequence. With a single input it cannot. */

/* The durations of a variant's visits by the host's clock, with one run and with many. */
typedef struct ba_pace {
	bool known;
	/* for one run: the lower quartile, and from the minimum to the median */
	double alone, spread;
	double together; /* for all runs of a visit: the lower quartile */
} ba_pace;

/* The faster of these visits of one run, and earlier ones; sorts them. */
void ba_pace_take_alone(ba_pace *p, double *ns, size_t count);
/* Takes visits with many runs; sorts them. */
void ba_pace_take_together(ba_pace *p, double *ns, size_t count);
/* first: of the baseline. A variant whose visits take more than twice as long as the baseline's
 * passes: whatever overlaps in it, it is slower. */
bool ba_pace_overlaps(const ba_pace *first, const ba_pace *p, uint64_t runs);
