/*
 * A libnvidia-ml.so.1 for tests: GPUs at FAKE:00:00.0, FAKE:01:00.0, ... whose answers
 * are easy to tell apart. The environment variable BA_FAKE_NVML=none makes every optional getter say
 * "not supported", as on a vGPU or a consumer card; with BA_FAKE_NVML=throttle=6-7 the
 * counter of the hardware's thermal slowdown rises by a millisecond at the sixth and
 * the seventh reading of the counters, and at no other. With BA_FAKE_NVML=alone no other
 * process uses the GPU. BA_FAKE_NVML_1 is of the GPU at FAKE:01:00.0 alone, and so on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/nvml.h"

#define EXPORT __attribute__((visibility("default")))
#define API(name, ...)                      \
	EXPORT nv_result name(__VA_ARGS__); \
	EXPORT nv_result name(__VA_ARGS__)

static int opened;
static char own_mode[32] = "BA_FAKE_NVML";

static const char *get_mode(void)
{
	const char *own = getenv(own_mode);
	return own ? own : getenv("BA_FAKE_NVML");
}

static uint64_t readings;

static nv_result supported(void)
{
	const char *mode = get_mode();
	return mode && !strcmp(mode, "none") ? NV_NOT_SUPPORTED : NV_SUCCESS;
}

API(nvmlInit_v2, void)
{
	opened++;
	return NV_SUCCESS;
}

API(nvmlShutdown, void)
{
	return --opened < 0 ? 1 : NV_SUCCESS;
}

EXPORT const char *nvmlErrorString(nv_result result);
EXPORT const char *nvmlErrorString(nv_result result)
{
	return result == 6 ? "Not Found" : "Error";
}

API(nvmlSystemGetDriverVersion, char *out, unsigned size)
{
	snprintf(out, size, "999.12");
	return NV_SUCCESS;
}

API(nvmlSystemGetCudaDriverVersion_v2, int *out)
{
	*out = 13000;
	return NV_SUCCESS;
}

API(nvmlDeviceGetHandleByPciBusId_v2, const char *id, nv_device *out)
{
	*out = (nv_device)&opened;
	if (strlen(id) != 12 || strncmp(id, "FAKE:0", 6) != 0 || strcmp(id + 7, ":00.0") != 0)
		return 6;
	snprintf(own_mode, sizeof(own_mode), "BA_FAKE_NVML_%c", id[6]);
	return NV_SUCCESS;
}

API(nvmlDeviceGetName, nv_device d, char *out, unsigned size)
{
	(void)d;
	snprintf(out, size, "FAKE GPU");
	return NV_SUCCESS;
}

API(nvmlDeviceGetUUID, nv_device d, char *out, unsigned size)
{
	(void)d;
	snprintf(out, size, "GPU-fake");
	return NV_SUCCESS;
}

#define GETTER(name, type, answer)        \
	API(name, nv_device d, type *out) \
	{                                 \
		(void)d;                  \
		*out = (answer);          \
		return supported();       \
	}
GETTER(nvmlDeviceGetPowerUsage, unsigned, 123456)
GETTER(nvmlDeviceGetEnforcedPowerLimit, unsigned, 700000)
GETTER(nvmlDeviceGetPerformanceState, int, 2)
GETTER(nvmlDeviceGetVirtualizationMode, int, NV_VIRTUALIZATION_PASSTHROUGH)
GETTER(nvmlDeviceGetPersistenceMode, int, 1)
GETTER(nvmlDeviceGetComputeMode, int, 0)
GETTER(nvmlDeviceGetCurrPcieLinkGeneration, unsigned, 5)
GETTER(nvmlDeviceGetCurrPcieLinkWidth, unsigned, 16)
/* only the name that drivers before 535 have */
GETTER(nvmlDeviceGetCurrentClocksThrottleReasons, uint64_t, NV_REASON_SW_POWER_CAP)

API(nvmlDeviceGetClockInfo, nv_device d, int which, unsigned *mhz)
{
	(void)d;
	*mhz = which == NV_CLOCK_SM ? 345 : 3201;
	return supported();
}

API(nvmlDeviceGetMaxClockInfo, nv_device d, int which, unsigned *mhz)
{
	(void)d;
	*mhz = which == NV_CLOCK_SM ? 1980 : 3201;
	return supported();
}

API(nvmlDeviceGetTemperature, nv_device d, int sensor, unsigned *celsius)
{
	(void)d;
	(void)sensor;
	*celsius = 41;
	return supported();
}

API(nvmlDeviceGetEccMode, nv_device d, int *now, int *pending)
{
	(void)d;
	*now = 1;
	*pending = 0;
	return supported();
}

API(nvmlDeviceGetMigMode, nv_device d, unsigned *now, unsigned *pending)
{
	(void)d;
	*now = 0;
	*pending = 1;
	return supported();
}

API(nvmlDeviceGetUtilizationRates, nv_device d, nv_utilization *out)
{
	(void)d;
	*out = (nv_utilization){17, 3};
	return supported();
}

/* this process, and two others */
API(nvmlDeviceGetComputeRunningProcesses_v3, nv_device d, unsigned *count, nv_process *out)
{
	(void)d;
	if (supported())
		return NV_NOT_SUPPORTED;
	const char *mode = get_mode();
	*count = mode && (!strcmp(mode, "alone") || strstr(mode, "throttle")) ? 0 : 3;
	for (unsigned i = 0; i < *count; i++)
		out[i] = (nv_process){.pid = i == 1 ? (uint32_t)getpid() : 1u};
	return NV_SUCCESS;
}

/* of hardware slowdowns so far, in ns */
static uint64_t slowdown(void)
{
	static uint64_t ns;
	unsigned from, to;
	const char *mode = get_mode();
	if (mode && sscanf(mode, "throttle=%u-%u", &from, &to) == 2 && readings >= from &&
		readings <= to)
		ns += 1000000;
	return ns;
}

/* counters: 74 is not supported; 75 stands; 269 rises by 1000 ns a reading; 79 is 32
 * bits */
API(nvmlDeviceGetFieldValues, nv_device d, int count, nv_field_value *values)
{
	(void)d;
	readings++;
	for (int i = 0; i < count; i++) {
		nv_field_value *v = &values[i];
		v->type = NV_TYPE_U64;
		v->result = v->field == 74 ? NV_NOT_SUPPORTED : NV_SUCCESS;
		v->value.u64 = v->field == 269 ? readings * 1000 : v->field;
		if (v->field == 270)
			v->value.u64 = slowdown();
		if (v->field == 79) {
			v->type = NV_TYPE_U32;
			v->value.u64 = UINT64_C(0xdead00000000) + 5;
		}
	}
	return supported();
}
