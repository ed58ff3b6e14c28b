/*
 * Reads the present state of the GPU through NVML, which is opened with dlopen. Nothing here
 * changes the system.
 *
 * A call takes driver locks and lasts from microseconds to milliseconds: call between
 * blocks, never in timed code. The device is found by its PCI bus id, because
 * CUDA_VISIBLE_DEVICES renumbers devices.
 */
#pragma once

#include <assert.h>

#include "base/base.h"

/* ---- the part of NVML's binary interface that we use, in declarations of our own (abi.h) ---- */

typedef int nv_result; /* 0: success */
typedef struct nv_device_s *nv_device;

enum {
	NV_SUCCESS = 0,
	NV_NOT_SUPPORTED = 3,
	NV_INSUFFICIENT_SIZE = 7,
	NV_CLOCK_SM = 1,
	NV_CLOCK_MEM = 2,
	NV_TEMPERATURE_GPU = 0,
	NV_VIRTUALIZATION_NONE = 0,
	NV_VIRTUALIZATION_PASSTHROUGH = 1,
	NV_VIRTUALIZATION_VGPU = 2,
	NV_VIRTUALIZATION_HOST_VGPU = 3,
	NV_VIRTUALIZATION_HOST_VSGA = 4,
};

/* bits of the clock-event reasons */
enum {
	NV_REASON_APPLICATION_CLOCKS = 0x2,
	NV_REASON_SW_POWER_CAP = 0x4,
	NV_REASON_HW_SLOWDOWN = 0x8,
	NV_REASON_SW_THERMAL = 0x20,
	NV_REASON_HW_THERMAL = 0x40,
	NV_REASON_HW_POWER_BRAKE = 0x80,
};

typedef struct nv_field_value {
	uint32_t field;
	uint32_t scope;
	int64_t timestamp_us;
	int64_t latency_us;
	uint32_t type;
	nv_result result;
	union {
		double d;
		uint32_t u32;
		uint64_t u64;
		int64_t s64;
		int32_t s32;
		uint16_t u16;
	} value;
} nv_field_value;

enum { NV_TYPE_DOUBLE, NV_TYPE_U32, NV_TYPE_ULONG, NV_TYPE_U64, NV_TYPE_S64, NV_TYPE_S32 };

typedef struct nv_process {
	uint32_t pid;
	uint64_t used_bytes;
	uint32_t gpu_instance, compute_instance;
} nv_process;

typedef struct nv_utilization {
	uint32_t gpu, memory; /* percent */
} nv_utilization;

typedef struct nv_conf_compute {
	uint32_t environment, feature, dev_tools;
} nv_conf_compute;

static_assert(sizeof(nv_field_value) == 40, "nvmlFieldValue_t");
static_assert(offsetof(nv_field_value, value) == 32, "nvmlFieldValue_t.value");
static_assert(sizeof(nv_process) == 24, "nvmlProcessInfo_t");
static_assert(offsetof(nv_process, used_bytes) == 8, "nvmlProcessInfo_t");

/* clang-format off */
/* field, symbol, an older name of it or NULL, need, parameters */
#define BA_NVML_TABLE(X) \
	X(init, "nvmlInit_v2", NULL, MUST, (void)) \
	X(shutdown, "nvmlShutdown", NULL, MUST, (void)) \
	X(error_string, "nvmlErrorString", NULL, MAY_TEXT, (nv_result result)) \
	X(driver_version, "nvmlSystemGetDriverVersion", NULL, MUST, (char *out, unsigned size)) \
	X(cuda_version, "nvmlSystemGetCudaDriverVersion_v2", \
		"nvmlSystemGetCudaDriverVersion", MAY, \
		(int *out)) \
	X(conf_compute, "nvmlSystemGetConfComputeState", NULL, MAY, (nv_conf_compute *out)) \
	X(by_pci_bus_id, "nvmlDeviceGetHandleByPciBusId_v2", NULL, MUST, \
		(const char *id, nv_device *out)) \
	X(name, "nvmlDeviceGetName", NULL, MUST, (nv_device d, char *out, unsigned size)) \
	X(uuid, "nvmlDeviceGetUUID", NULL, MUST, (nv_device d, char *out, unsigned size)) \
	X(clock, "nvmlDeviceGetClockInfo", NULL, MAY, (nv_device d, int which, unsigned *mhz)) \
	X(max_clock, "nvmlDeviceGetMaxClockInfo", NULL, MAY, \
		(nv_device d, int which, unsigned *mhz)) \
	X(power_mw, "nvmlDeviceGetPowerUsage", NULL, MAY, (nv_device d, unsigned *mw)) \
	X(power_limit_mw, "nvmlDeviceGetEnforcedPowerLimit", NULL, MAY, \
		(nv_device d, unsigned *mw)) \
	X(temperature, "nvmlDeviceGetTemperature", NULL, MAY, \
		(nv_device d, int sensor, unsigned *celsius)) \
	X(ecc, "nvmlDeviceGetEccMode", NULL, MAY, (nv_device d, int *now, int *pending)) \
	X(mig, "nvmlDeviceGetMigMode", NULL, MAY, \
		(nv_device d, unsigned *now, unsigned *pending)) \
	X(virtualization, "nvmlDeviceGetVirtualizationMode", NULL, MAY, (nv_device d, int *mode)) \
	X(persistence, "nvmlDeviceGetPersistenceMode", NULL, MAY, (nv_device d, int *on)) \
	X(compute_mode, "nvmlDeviceGetComputeMode", NULL, MAY, (nv_device d, int *mode)) \
	X(utilization, "nvmlDeviceGetUtilizationRates", NULL, MAY, \
		(nv_device d, nv_utilization *out)) \
	X(compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3", \
		"nvmlDeviceGetComputeRunningProcesses_v2", MAY, \
		(nv_device d, unsigned *count, nv_process *out)) \
	X(graphics_processes, "nvmlDeviceGetGraphicsRunningProcesses_v3", \
		"nvmlDeviceGetGraphicsRunningProcesses_v2", MAY, \
		(nv_device d, unsigned *count, nv_process *out)) \
	X(event_reasons, "nvmlDeviceGetCurrentClocksEventReasons", \
		"nvmlDeviceGetCurrentClocksThrottleReasons", MAY, \
		(nv_device d, uint64_t *reasons)) \
	X(field_values, "nvmlDeviceGetFieldValues", NULL, MAY, \
		(nv_device d, int count, nv_field_value *values))
/* clang-format on */

/* ---- the library ---- */

#define BA_NVML_SONAME "libnvidia-ml.so.1"

typedef const char *nv_text; /* what error_string returns */

typedef struct ba_nvml {
	void *library;
	nv_device device;
	bool started;
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
