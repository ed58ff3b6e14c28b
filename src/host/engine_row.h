/*
 * Engines as rows: what differs between them is a struct of functions, a file each.
 *
 *     engine_duet.c        one worker holds every variant
 *     engine_split.c       one worker a variant, visits alternate
 *     engine_sequential.c  one worker a variant, one after the other
 *     engine_program.c     the last two, where a variant's worker is its own program
 *
 * engine.c chooses the row and serves the calls of engine.h with it. Private to the
 * engines.
 */
#ifndef HOST_ENGINE_ROW_H
#define HOST_ENGINE_ROW_H

#include "host/seat.h"
#include "host/watch.h"

/* What ba_engine_measure is asked. */
typedef struct ba_visits {
	ba_samples *s; /* has its counts and order; its readings are filled */
	const char *mode;
	unsigned discard;
	ba_clock_report *clocks; /* or NULL */
} ba_visits;

typedef struct ba_engine_row {
	const char *name; /* in results */
	bool shares;	  /* one worker holds all variants; else one each */
	/* before the first worker; NULL: nothing is to be done */
	int (*begin)(
		ba_engine *e, ba_survey *survey, ba_failure *failure, ba_error *err);
	/* the seat's worker, with its variants loaded and the clocks up */
	int (*open)(ba_engine *e, ba_seat *s, ba_survey *survey, ba_failure *failure,
		ba_error *err);
	int (*prepare)(ba_engine *e, ba_seat *s, const ba_prepare *p,
		ba_failure *failure, ba_error *err);
	/* all visits, each by the seat that holds the participant */
	int (*measure)(
		ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err);
	/* one of them */
	int (*visit)(ba_engine *e, ba_seat *s, const ba_visits *q, size_t visit,
		ba_failure *failure, ba_error *err);
	/* What held the GPU's clock down since this was last asked, put down for
	 * `block`; -1: for none. NULL: the worker says it with its readings. */
	int (*look)(ba_engine *e, const ba_visits *q, int64_t block, ba_error *err);
} ba_engine_row;

extern const ba_engine_row ba_engine_duet, ba_engine_split, ba_engine_sequential;
extern const ba_engine_row ba_engine_program, ba_engine_program_sequential;

struct ba_engine {
	const ba_engine_spec *spec;
	const ba_engine_row *row;
	ba_seat *seats;
	size_t seat_count;
	bool reversed;	 /* the last seat is filled first, and set up first */
	ba_watch *watch; /* of programs' GPU; NULL: not monitored */
};

/* engine.c: the participant as the seat's worker counts, UINT64_MAX if it is not there.
 * The floor comes behind a worker's variants; the first worker has ours. */
uint64_t ba_engine_local_index(
	const ba_engine *e, const ba_seat *s, unsigned participant);
ba_seat *ba_engine_seat_of(const ba_engine *e, unsigned participant);
int ba_engine_look_at_clock(
	ba_engine *e, const ba_visits *q, int64_t block, ba_error *err);

/* library.c: a seat whose variants are libraries */
int ba_library_open(ba_engine *e, ba_seat *s, ba_survey *survey, ba_failure *failure,
	ba_error *err);
int ba_library_prepare(ba_engine *e, ba_seat *s, const ba_prepare *p,
	ba_failure *failure, ba_error *err);
int ba_library_visit(ba_engine *e, ba_seat *s, const ba_visits *q, size_t visit,
	ba_failure *failure, ba_error *err);
/* all visits in one request, to the only seat */
int ba_library_measure(
	ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err);

/* engine_split.c: block by block, the visits of a block in their order */
int ba_engine_alternate(
	ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err);
/* engine_sequential.c: all visits of one variant, then all of the next */
int ba_engine_take_turns(
	ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err);

/* engine_survey.c */
/* A plugin's benchmarks, and what their times stand on: once, and on a GPU. */
int ba_survey_benchmarks(ba_seat *s, const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err);
/* The tool's worker looks at the machine, for programs that cannot, and goes; does
 * nothing where all is known. */
int ba_survey_for_programs(const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err);

#endif
