/*
 * The spin kernel keeps the GPU busy for a given time and reads the GPU's clocks. It
 * ends by itself, so no work that is queued behind it can wait for ever.
 */
#pragma once

#include "gpu/module.h"
#include "gpu/timer.h"

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
