/* What an engine is asked about a benchmark, and what its workers answer. */
#pragma once

#include "engine/spec.h"
#include "model/benchmark.h"
#include "model/explanation.h"

/* What a variant reports about a benchmark of its own when it is prepared. */
typedef struct ba_case_facts {
	char *skipped;		   /* why it cannot run here, or NULL; owned */
	ba_strv counters, counted; /* names of its own counters, and values; "": unsteady */
	/* amounts of work of one run; 0: not given */
	double flop, bytes_read, bytes_written, items;
	/* a reading should have at least so many runs, because each takes a set-up; 0: not given */
	double runs;
	/* bytes of the GPU's memory that it took, and that are left; 0: not given */
	double memory_taken, memory_free;
	/* the first call in its process, if asked for; 0: not reported */
	double first_call_ns, first_call_cpu_ns;
	double host_peak; /* bytes, up to its end */
	/* the same with an observer: as BA_OBSERVER_STARTS and BA_OBSERVER_MODULES report them */
	double context_ns, load_ns, device_peak;
	char *modules; /* owned */
} ba_case_facts;
BA_DECLARE_DISPOSE(ba_case_facts)

typedef struct ba_prepare {
	const ba_benchmark *benchmark;
	bool check;
	bool first;	    /* first time in the run: notes about it are wanted */
	bool first_call;    /* time the first call, before a check */
	const bool *wanted; /* [variant_count] */
	/* the following are only for benchmarks in a variant's own code */
	uint64_t seed;
	unsigned sets, warm_up;
	unsigned runs;	      /* of a reading, at least; 0: not known yet */
	ba_case_facts *cases; /* [variant_count], filled */
} ba_prepare;

/* What a variant answers to a request to count. */
typedef struct ba_count_answer {
	uint64_t *instructions; /* [calls] */
	size_t calls;		/* 0: nothing was counted */
	char *why;		/* then: a reason */
	bool fault;		/* the variant itself is the reason */
	bool broken;		/* a failure that may not happen again */
	/* [code_count] with names of their own: bytecodes, or in a census the places
	 * from where the last call called the driver */
	ba_code_count *codes;
	size_t code_count;
	/* a census, for all calls together: of calls; 0: there is none */
	uint64_t census[BA_CENSUS_METRICS], census_calls;
	/* with it: names of the kernels that were launched since the one before, if all are known */
	ba_strv kernels;
	bool kernels_known;
} ba_count_answer;
void ba_count_answer_dispose(ba_count_answer *a);

/* Counts what the calls ask of the driver, and no instructions. */
#define BA_COUNT_CENSUS "census"
/* Counts the microseconds of each module that loading the suite imported. */
#define BA_COUNT_IMPORTS "imports"

typedef struct ba_count_request {
	const bool *wanted; /* [variant_count] */
	const char *way;    /* a word of counter/counter.h, or one of these two */
	/* counted calls, after this many that are not counted */
	unsigned calls, warm_up;
	uint64_t most;		   /* instructions of a call */
	const char *const *traces; /* [variant_count] files to write */
	bool codes;		   /* report executed bytecodes, if there are some */
} ba_count_request;

/* What a worker reports about the GPU's clock along with the samples. */
typedef struct ba_clock_report {
	bool *unfit; /* [blocks] the clock was held down: do not use the block */
	char *text;  /* the cause, or NULL; owned */
} ba_clock_report;

/* Reports what holds the GPU's clock down when the measuring programs do not report it: a
 * worker without a GPU context, started at the first question, reads NVML's counters
 * between blocks. */
typedef struct ba_gpu_watch ba_gpu_watch;

typedef struct ba_gpu_watch_report {
	bool known;	 /* NVML is available */
	uint64_t events; /* mask of counters that changed since the last question */
	int others;	 /* processes that use the GPU; -1: unknown */
	char *unfit;	 /* the event that spoils a measurement, or NULL; owned */
} ba_gpu_watch_report;

ba_gpu_watch *ba_gpu_watch_new(const ba_engine_spec *spec);
void ba_gpu_watch_free(ba_gpu_watch *w); /* NULL is fine */

/* The changes since the last question; none at the first. If the worker cannot be
 * started or is gone, *out is unknown, with one warning. BA_EINTERRUPTED. */
int ba_gpu_watch_ask(ba_gpu_watch_report *out, ba_gpu_watch *w, ba_error *err);
