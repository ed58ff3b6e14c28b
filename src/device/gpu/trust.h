/*
 * Decides from evidence whether this is a real GPU that may be measured.
 *
 * ba_trust_judge() is pure and knows only its inputs, so that every refusal can be
 * tested on any machine. ba_trust_examine() (examine.h) fills the inputs from a
 * machine. Each finding has its own sentence and says what to do.
 */
#ifndef GPU_TRUST_H
#define GPU_TRUST_H

#include "base/base.h"
#include "gpu/driver.h"
#include "gpu/nvml.h"
#include "gpu/proof.h"

typedef enum ba_trust_severity {
	BA_TRUST_INFO, /* recorded with the result */
	BA_TRUST_WARN, /* makes results noisier or harder to compare */
	BA_TRUST_REFUSE
} ba_trust_severity;

typedef struct ba_trust_finding {
	const char *id; /* "no-driver", "mps", ...: stable, for scripts and tests */
	ba_trust_severity severity;
	char sentence[512];
	const char *remedy; /* a sentence; "" if nothing can be done */
	int error;	    /* of a refusal: BA_EGPU or BA_ESIMULATED */
} ba_trust_finding;

#define BA_TRUST_FINDINGS_MAX 48
typedef struct ba_trust_findings {
	ba_trust_finding items[BA_TRUST_FINDINGS_MAX];
	size_t count;
} ba_trust_findings;

/* the environment variables that are evidence; NULL if not set */
/* clang-format off */
#define BA_TRUST_ENV_MAP(X)                                                               \
	X(ld_preload,       "LD_PRELOAD")                                                 \
	X(cuda_injection,   "CUDA_INJECTION64_PATH")                                      \
	X(nvtx_injection,   "NVTX_INJECTION64_PATH")                                      \
	X(launch_blocking,  "CUDA_LAUNCH_BLOCKING")                                       \
	X(compute_profile,  "COMPUTE_PROFILE")                                            \
	X(cuda_profile,     "CUDA_PROFILE")                                               \
	X(mps_pipe,         "CUDA_MPS_PIPE_DIRECTORY")                                    \
	X(visible_devices,  "CUDA_VISIBLE_DEVICES")                                       \
	X(numba_simulator,  "NUMBA_ENABLE_CUDASIM")
/* clang-format on */

typedef struct ba_trust_env {
#define BA_TRUST_ENV_FIELD(field, name) const char *field;
	BA_TRUST_ENV_MAP(BA_TRUST_ENV_FIELD)
#undef BA_TRUST_ENV_FIELD
} ba_trust_env;

typedef struct ba_trust_inputs {
	/* exceptions that the caller permits */
	bool allow_fake, allow_mig, allow_vgpu, allow_mps;

	/* the driver */
	bool driver_loaded;
	char driver_error[512]; /* why it was not loaded */
	ba_driver_kind driver_kind;
	char driver_path[512]; /* of the file, links resolved */
	char hooked_by[512];   /* another file that has the launch function; or "" */
	cu_result init_result;
	char init_name[64]; /* of init_result */
	int cuda_version;
	int device_count, ordinal;

	/* the device; valid if device_open */
	bool device_open;
	char device_error[512];
	char device_name[256];
	char device_uuid[48];
	char pci_bus_id[32];
	uint64_t memory_bytes;
	int cc_major, cc_minor, sm_count;
	int mps; /* 1 on, 0 off, -1 unknown */
	bool exec_timeout;

	/* NVML; state is valid if nvml_loaded */
	bool nvml_loaded;
	char nvml_error[512];
	ba_nvml_state nvml;

	/* the machine */
	ba_trust_env env;
	bool dev_nvidia; /* /dev/nvidia<number>, or a Tegra's /dev/nvhost-gpu, nvgpu */
	bool dev_dxg;	 /* WSL2 */
	/* from /proc/driver/nvidia/version; "" if there is none */
	char module_version[64];
	bool gvisor;
	int tracer_pid;	    /* of a debugger; 0: none */
	char injected[256]; /* a mapped library of a known profiler or hook; or "" */

	/* measured by the probe; valid if probed */
	bool probed;
	ba_proof proof;
	char probe_error[512]; /* why the probe stopped early; or "" */
	double roundtrip_ns;   /* median launch + synchronise of an empty kernel */
	double mhz;	       /* multiprocessor clock; 0: %globaltimer stood still */
	double timer_ratio;    /* %globaltimer's progress / the host clock's */
} ba_trust_inputs;

/* Puts refusals first, and of these the one that explains most. */
void ba_trust_judge(ba_trust_findings *out, const ba_trust_inputs *in);

/* Appends a finding, with a sentence as for printf. Drops it if `f` is full. */
void ba_trust_add(ba_trust_findings *f, const char *id, ba_trust_severity severity, int error,
	const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* The number of refusals; 0: this GPU may be measured. */
size_t ba_trust_refusals(const ba_trust_findings *f);

/* An error with the sentences of all refusals, the first one first; 0: no refusal. */
int ba_trust_error(const ba_trust_findings *f, ba_error *err);

#endif
