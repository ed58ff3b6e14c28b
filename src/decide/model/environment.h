/* Where a run took place: what must be equal for two results to be comparable, and what
 * explains them. The struct owns its strings; "" means unknown. */
#pragma once

#include "base/base.h"
#include "stats/sequential.h"

typedef struct ba_environment {
	/* identity */
	char *target;		  /* "gpu", "host" or "fake" */
	char *device_name;	  /* "NVIDIA H200"; "none" on the host target */
	char *device_uuid;	  /* "GPU-..." */
	char *compute_capability; /* "9.0" */
	char *driver_version;	  /* "580.159.04" */
	char *cuda_version;	  /* "13.0" */
	int device_ordinal;
	char *pci_bus_id;
	char *ecc; /* "on", "off", "" */
	char *mig; /* "on", "off", "" */
	char *virtualization;
	int sm_count;
	int64_t memory_bytes;
	/* state */
	int sm_clock_mhz, sm_clock_max_mhz, memory_clock_mhz;
	double power_watts, power_limit_watts;
	int temperature_c;
	int other_processes; /* on the GPU when the run began; -1: unknown */
	/* host */
	char *host_name, *cpu_model, *kernel, *governor, *clocksource;
	int cpus, pinned_cpu;
	double load_average;
	/* clock */
	double timer_read_ns; /* cost of one clock read */
	double timer_tick_ns; /* smallest step seen */
	unsigned queue_depth; /* launches that fit before one blocks; 0: unknown */
	/* basis of GPU metrics; 0 if none were asked for */
	double event_tick_ns; /* step of the GPU's event times */
	double event_pair_ns; /* between two events in a row */
	double gpu_timer_ns;  /* step of the GPU's own timer */
	int64_t l2_bytes;     /* the cache that cold runs find flushed */
	char *flush;	      /* how: "read", "write"; "" if nothing was flushed */
	/* evidence: time of a probe after a flush / at its first touch */
	double flush_ratio;
	double copy_gb_per_s;	   /* ceiling: bytes that a copy reads and writes */
	double matrix_gflop_per_s; /* ceiling: a loop of matrix instructions */
	ba_strv warnings;	   /* sentences, each with its remedy */
} ba_environment;

BA_DECLARE_DISPOSE(ba_environment)

/* Was no GPU used? Then the device fields describe a stand-in. */
bool ba_environment_is_host(const ba_environment *e);
/* Do the times come from a test driver? Then reports show a warning. */
bool ba_environment_is_fake(const ba_environment *e);
extern const char ba_test_driver_warning[]; /* a sentence without its full stop */

/*
 * What made the invocations of a result that several processes measured: a run, or a
 * member of a run, on one machine and GPU. A result that one process made has none.
 *
 *     origin   who measured an invocation (ba_samples.origin is its index)
 *     place    where: the distinct GPU, or the host on the host target. Several origins
 *              can be at one place. Estimates take place as a level (stats/places.h).
 */

/* Owns its strings, which are never NULL unless a comment says so. */
typedef struct ba_origin {
	char *name; /* the name in tables, unique in a result: "GPU 0", "run 2" */
	char *host_name, *device_name, *device_uuid, *driver_version, *cpu_model;
	int device;    /* the GPU's ordinal on that host */
	char *job;     /* "123_4" of Slurm; "" if none */
	char *started; /* RFC 3339, UTC */
	uint64_t seed; /* the seed of its schedule of visits */
	/* The number that invocation 0 of its schedule has, or would have, in this result:
	 * above 0 only where runs with different seeds were merged. */
	unsigned first;
	unsigned place; /* 0, 1, ...; see ba_origins_set_places */
	unsigned run;	/* index into ba_result.merged; 0 if there are none */
	char *left;	/* why it left the run, as a sentence; NULL: it stayed */
} ba_origin;

/* A merged run that stopped at a look of its own, with its looks as in ba_result. */
typedef struct ba_merged_run {
	ba_design design;
	size_t looks_done;
	char *stopped; /* as in ba_result; never NULL */
} ba_merged_run;

BA_DECLARE_DISPOSE(ba_origin)
void ba_merged_run_dispose(ba_merged_run *m);

/* An origin at the place that the environment describes. The driver of the host target has
 * the same UUID on every machine, so it is left out: the place is the host. */
void ba_origin_init(ba_origin *out, const char *name, const ba_environment *env, uint64_t seed);
void ba_origin_copy(ba_origin *out, const ba_origin *from); /* *out is zeroed */

/* Are both at one place: the same GPU by its UUID or, without one, host? */
bool ba_origin_is_beside(const ba_origin *a, const ba_origin *b);
/* Numbers the places in the order of their first origins; returns how many there are, 0
 * without origins. Call it after an origin was added. */
size_t ba_origins_set_places(ba_origin *all, size_t count);
size_t ba_origins_places(const ba_origin *all, size_t count);
/* "GPU 0", "node3 GPU 1" of several hosts, "node3" without a GPU. Caller frees. */
char *ba_origins_place_name(const ba_origin *all, size_t count, unsigned place);
