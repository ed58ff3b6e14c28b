/*
 * NVML by dlopen: what the GPU is doing. Getters only; nothing here changes the
 * machine.
 *
 * Calls take driver locks and from microseconds to milliseconds: read between blocks,
 * never in timed code. The device is found by PCI bus id, because CUDA_VISIBLE_DEVICES
 * renumbers.
 */
#ifndef GPU_NVML_H
#define GPU_NVML_H

#include <stdbool.h>

#include "base/auto.h"
#include "base/error.h"
#include "gpu/nvml_abi.h"

#define BA_NVML_SONAME "libnvidia-ml.so.1"

typedef const char *nv_text; /* what error_string returns */

typedef struct ba_nvml {
	void *library;
	nv_device device;
#define BA_NVML_RETURN_MUST nv_result
#define BA_NVML_RETURN_MAY nv_result
#define BA_NVML_RETURN_MAY_TEXT nv_text
#define BA_NVML_FIELD(field, symbol, older, need, params) \
	BA_NVML_RETURN_##need(*field) params;
	BA_NVML_TABLE(BA_NVML_FIELD)
#undef BA_NVML_FIELD
} ba_nvml;

/* What it says at this moment; -1 (and "" for text) where it cannot say. */
typedef struct ba_nvml_state {
	char driver_version[80]; /* "580.159.04" */
	int cuda_version;	 /* 13000 */
	char name[96];
	char uuid[96]; /* "GPU-..." or "MIG-..." */
	int sm_clock_mhz, sm_clock_max_mhz, memory_clock_mhz;
	double power_watts, power_limit_watts;
	int temperature_c;
	int performance_state; /* 0: fastest */
	int ecc;	       /* 1 on, 0 off */
	int mig;	       /* 1 on, 0 off */
	int virtualization;    /* NV_VIRTUALIZATION_* */
	int persistence;       /* 1 on */
	int compute_mode;
	int utilization_percent;
	/* on the GPU, not this one; read it before the context is made, since a
	 * container may show this process under another number, or hide the others */
	int other_processes;
	int pcie_generation, pcie_width;
	int conf_compute;	/* 1: confidential computing is on */
	uint64_t event_reasons; /* NV_REASON_* of this instant; 0 unknown too */
} ba_nvml_state;

/* Cumulative time, in ns, that each reason held the clock down. A difference over a
 * block cannot miss a spike, as a look at the reasons can. */
#define BA_NVML_COUNTERS 9
typedef struct ba_nvml_counters {
	uint32_t known; /* bit i: ns[i] was read */
	uint64_t ns[BA_NVML_COUNTERS];
} ba_nvml_counters;

typedef struct ba_nvml_counter_info {
	uint32_t field;
	const char *name; /* "power", "thermal", ... */
	bool harmful;	  /* a block during which it moved is not to be used */
} ba_nvml_counter_info;

extern const ba_nvml_counter_info ba_nvml_counter_infos[BA_NVML_COUNTERS];

/* path: NULL for the system's; BA_EGPU where there is none or it will not start. */
int ba_nvml_open(ba_nvml *out, const char *pci_bus_id, const char *path, ba_error *err);
void ba_nvml_close(ba_nvml *n);
BA_DEFINE_AUTO(ba_nvml, ba_nvml_close)

ba_nvml_state ba_nvml_read(const ba_nvml *n);
ba_nvml_counters ba_nvml_read_counters(const ba_nvml *n);
/* bit i: counter i is known at both ends and moved by more than `least_ns` */
uint32_t ba_nvml_moved(const ba_nvml_counters *before, const ba_nvml_counters *after,
	uint64_t least_ns);
/* only the harmful ones of such a mask */
uint32_t ba_nvml_harmful(uint32_t moved);
/* "off", "passthrough", "vGPU", "vGPU host"; "" for -1 */
const char *ba_nvml_virtualization_name(int mode);

#endif
