/* Where a run took place: what must be equal for two results to be comparable, and what
 * explains them. The struct owns its strings; "" means unknown. */
#pragma once

#include "base/base.h"

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
