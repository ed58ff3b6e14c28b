/*
 * Reads the present state of the GPU through NVML, which is opened with dlopen. Nothing here
 * changes the system.
 *
 * A call takes driver locks and lasts from microseconds to milliseconds: call between
 * blocks, never in timed code. The device is found by its PCI bus id, because
 * CUDA_VISIBLE_DEVICES renumbers devices.
 */
#pragma once

#include "gpu/nvml_abi.h"

#define BA_NVML_SONAME "libnvidia-ml.so.1"

typedef const char *nv_text; /* what error_string returns */

typedef struct ba_nvml {
	void *library;
	nv_device device;
#define BA_NVML_RETURN_MUST nv_result
#define BA_NVML_RETURN_MAY nv_result
#define BA_NVML_RETURN_MAY_TEXT nv_text
#define BA_NVML_FIELD(field, symbol, older, need, params) BA_NVML_RETURN_##need(*field) params;
	BA_NVML_TABLE(BA_NVML_FIELD)
#undef BA_NVML_FIELD
} ba_nvml;

/* The state at one moment. Values that NVML does not report are -1, or "" for text. */
typedef struct ba_nvml_state {
	char driver_version[80]; /* "580.159.04" */
	int cuda_version;	 /* 13000 */
	char name[96];
	char uuid[96]; /* "GPU-..." or "MIG-..." */
	int sm_clock_mhz, sm_clock_max_mhz, memory_clock_mhz;
	double power_watts, power_limit_watts;
	int temperature_c;
	int ecc;	    /* 1 on, 0 off */
	int mig;	    /* 1 on, 0 off */
	int virtualization; /* NV_VIRTUALIZATION_* */
	int persistence;    /* 1 on */
	int compute_mode;
	int utilization_percent;
	/* number of other processes that use the GPU. Read it before the context is
	 * created: a container may show this process with another pid, or hide others */
	int other_processes;
	int conf_compute;	/* 1: confidential computing is on */
	uint64_t event_reasons; /* NV_REASON_* at this instant; 0 also if unknown */
} ba_nvml_state;

/* For each reason, the total time in ns that it held the clock down. The difference
 * over a block shows every slowdown; reading the current reasons can miss one. */
#define BA_NVML_COUNTERS 9
typedef struct ba_nvml_counters {
	uint32_t known; /* bit i: ns[i] was read */
	uint64_t ns[BA_NVML_COUNTERS];
} ba_nvml_counters;

typedef struct ba_nvml_counter_info {
	uint32_t field;
	const char *name; /* "power", "thermal", ... */
	bool harmful;	  /* a block during which it grew must not be used */
} ba_nvml_counter_info;

extern const ba_nvml_counter_info ba_nvml_counter_infos[BA_NVML_COUNTERS];

/* path: NULL for the system's library. BA_EGPU: it is missing, or nvmlInit fails. */
int ba_nvml_open(ba_nvml *out, const char *pci_bus_id, const char *path, ba_error *err);
void ba_nvml_close(ba_nvml *n);
BA_DEFINE_AUTO(ba_nvml, ba_nvml_close)

ba_nvml_state ba_nvml_read(const ba_nvml *n);
/* How many other processes compute on the GPU now; those that only draw do not count.
 * -1: unknown. */
int ba_nvml_other_programs(const ba_nvml *n);
ba_nvml_counters ba_nvml_read_counters(const ba_nvml *n);
/* bit i: counter i is known in both and grew by more than `least_ns` */
uint32_t ba_nvml_moved(
	const ba_nvml_counters *before, const ba_nvml_counters *after, uint64_t least_ns);
/* only the harmful counters of a mask from ba_nvml_moved() */
uint32_t ba_nvml_harmful(uint32_t moved);
/* "off", "passthrough", "vGPU", "vGPU host"; "" for -1 */
const char *ba_nvml_virtualization_name(int mode);
