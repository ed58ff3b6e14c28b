/*
 * Decides from evidence whether this is a real GPU that may be measured.
 *
 * ba_trust_judge() is pure and knows only its inputs, so that every refusal can be
 * tested on any machine. ba_trust_examine() (examine.h) fills the inputs from a
 * machine. Each finding has its own sentence and says what to do.
 */
#pragma once

#include "gpu/device.h"
#include "gpu/findings.h"
#include "gpu/nvml.h"
#include "gpu/timer.h"

/*
 * The execution proof: a kernel computes on input that is random in each run, and the
 * result must be right. A driver that returns success without executing cannot pass.
 */

#define BA_PROOF_THREADS 256 /* of a block */

typedef struct ba_proof {
	bool ran;	    /* the driver accepted every call */
	size_t wrong;	    /* number of results that differ from the host's */
	size_t first_wrong; /* index of the first wrong one */
	size_t threads;
	unsigned multiprocessors; /* distinct ids seen */
	unsigned highest_sm;
	/* clock64 grew in every block, and differs between blocks */
	bool clocks_advance;
	char failure[256]; /* the driver's error if it did not run, else "" */
} ba_proof;

/* Runs the proof in the current context, on `blocks` blocks. If the driver reports an
 * error, this returns 0, and out->ran is false. BA_EINVAL: 0 blocks or more than
 * 4096. */
int ba_proof_run(
	ba_proof *out, const ba_driver *drv, unsigned blocks, uint64_t seed, ba_error *err);

/* The same computation on the host: blocks * 256 words. */
void ba_proof_expect(uint64_t *out, const uint64_t *in, unsigned blocks, unsigned rounds);

/* Measures three values that distinguish a real, local GPU from most simulators and remote GPUs;
 * trust.h judges them. */

typedef struct ba_probe {
	double roundtrip_ns; /* median launch + synchronise of an empty kernel */
	double mhz;	     /* multiprocessor clock after a short warm-up */
	double timer_ratio;  /* progress of %globaltimer / progress of now() */
} ba_probe;

/* Runs in the context that is current at this call; takes about 150 ms. */
int ba_probe_run(ba_probe *out, const ba_driver *drv, ba_now_fn *now, ba_error *err);

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
	bool allow_fake; /* the tests' driver */

	/* the driver */
	bool driver_loaded;
	char driver_error[512]; /* why the driver was not loaded */
	ba_driver_kind driver_kind;
	char driver_path[512]; /* path of the file, with links resolved */
	char hooked_by[512];   /* another file that contains the launch function; or "" */
	cu_result init_result;
	char init_name[64]; /* of init_result */
	int cuda_version;
	int device_count, ordinal;

	/* the device; valid if device_open */
	bool device_open;
	char device_error[512];
	ba_device device; /* the device, whose driver is closed */

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
	int tracer_pid;	    /* pid of a debugger; 0: none */
	char injected[256]; /* a mapped library of a known profiler or hook; or "" */

	/* measured by the probe; valid if probed */
	bool probed;
	ba_proof proof;
	char probe_error[512]; /* why the probe stopped early; or "" */
	ba_probe probe;
} ba_trust_inputs;

/* Puts refusals first, beginning with the one that explains most. */
void ba_trust_judge(ba_trust_findings *out, const ba_trust_inputs *in);
