/*
 * The spin kernel keeps the GPU busy for a given time and reads the GPU's clocks. It
 * ends by itself, so no work that is queued behind it can wait for ever. It warms the GPU up,
 * and shows the depth of the launch queue.
 */
#pragma once

#include "gpu/module.h"

/* ---- the cost of reading the host's clock, and its resolution; every result records
 * them ---- */

/* A clock in nanoseconds that never goes backwards: ba_now_ns(), or the fake
 * driver's. */
typedef int64_t ba_now_fn(void);

typedef struct ba_timer {
	double read_ns; /* median cost of one read */
	double tick_ns; /* its smallest step; 0 if it never advanced */
} ba_timer;

/* Takes about a millisecond. */
ba_timer ba_timer_measure(ba_now_fn *now);

/* ---- the spin kernel ---- */

typedef struct ba_spinner {
	const ba_driver *drv;
	ba_module module;
	cu_function function;
	uint64_t *report;     /* host memory that the kernel writes to */
	cu_deviceptr address; /* the same, as the device sees it */
} ba_spinner;

typedef struct ba_spin_reading {
	uint64_t start_ns, end_ns; /* %globaltimer */
	uint64_t cycles;	   /* cycles of the multiprocessor in that time */
	uint64_t changes;	   /* how often %globaltimer was seen to change */
	uint64_t tick_ns;	   /* smallest change seen; 0 if it never changed */
	double mhz;		   /* cycles per microsecond; 0 if it never changed */
} ba_spin_reading;

/* Uses the context that is current at this call. */
int ba_spinner_open(ba_spinner *out, const ba_driver *drv, ba_error *err);
void ba_spinner_close(ba_spinner *s);
BA_DEFINE_AUTO(ba_spinner, ba_spinner_close)

/* Queues a spin of at least that time; returns at once. */
cu_result ba_spinner_submit(ba_spinner *s, cu_stream stream, uint64_t ns);
/* the same, with a BA_E code and a sentence */
int ba_spinner_launch(ba_spinner *s, cu_stream stream, uint64_t ns, ba_error *err);
/* The report of the last spin. Synchronise the stream first. */
ba_spin_reading ba_spinner_read(const ba_spinner *s);
/* launch, synchronise, read */
int ba_spinner_run(
	ba_spin_reading *out, ba_spinner *s, cu_stream stream, uint64_t ns, ba_error *err);

/* ---- warm-up: an idle GPU runs at a fraction of its speed ---- */

typedef struct ba_warmup {
	double mhz;	  /* multiprocessor clock at the end */
	double first_mhz; /* clock in the first round */
	unsigned rounds;
	int64_t wall_ns;
	bool steady;	      /* the clock changed by less than 1 % over three rounds */
	uint64_t gpu_tick_ns; /* step of %globaltimer */
} ba_warmup;

#define BA_WARMUP_LEAST_NS (200 * INT64_C(1000000))
#define BA_WARMUP_MOST_NS (2000 * INT64_C(1000000))

/* Spins until the clock changes by less than 1 % for three rounds of 20 ms; for at
 * least 200 ms and at most 2 s by `now`. An unsteady clock is not an error; out->steady
 * says so. BA_ESIMULATED: the clock never advances. */
int ba_warmup_run(ba_warmup *out, ba_spinner *s, cu_stream stream, ba_now_fn *now, ba_error *err);

/* ---- queue.c: how many launches fit into the driver's queue before one waits for the GPU. A burst
 * must stay well below this number, or it measures the device and not the host ---- */

typedef struct ba_queue {
	unsigned depth;	   /* launches accepted before one had to wait */
	bool at_least;	   /* none had to wait: the depth is at least this */
	double launch_ns;  /* median duration of a launch that did not wait */
	double blocked_ns; /* duration of the launch that waited */
} ba_queue;

/* Queues launches of `function` (1x1, these parameters) behind a spin kernel of about
 * 20 ms. Finds the first one that takes more than ten times the median and returns only
 * after the spin has ended. The second condition excludes interruptions of the host. */
int ba_queue_probe(ba_queue *out, ba_spinner *s, cu_function function, void **params,
	cu_stream stream, ba_now_fn *now, ba_error *err);
