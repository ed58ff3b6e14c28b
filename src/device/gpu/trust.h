/*
 * Decides from evidence whether this is a real GPU that may be measured.
 *
 * ba_trust_judge() is pure and knows only its inputs, so that every refusal can be
 * tested on any machine. ba_trust_examine() fills the inputs from this machine: from files,
 * environment, driver, NVML and a test of the GPU. Each finding has its own sentence and says
 * what to do.
 */
#pragma once

#include "gpu/device.h"
#include "gpu/nvml.h"
#include "gpu/spin.h"

/* ---- findings.c: a list of findings about a GPU or its host ---- */

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
	int error;	    /* for a refusal: BA_EGPU or BA_ESIMULATED */
} ba_trust_finding;

#define BA_TRUST_FINDINGS_MAX 48
typedef struct ba_trust_findings {
	ba_trust_finding items[BA_TRUST_FINDINGS_MAX];
	size_t count;
} ba_trust_findings;

/* Appends a finding, with a sentence as for printf. Drops it if `f` is full. Returns true, for
 * a judge after whose finding there is nothing more to judge. */
bool ba_trust_add(ba_trust_findings *f, const char *id, ba_trust_severity severity, int error,
	const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* The number of refusals; 0: this GPU may be measured. */
size_t ba_trust_refusals(const ba_trust_findings *f);

/* An error with the sentences of all refusals, the first one first; 0: no refusal. */
int ba_trust_error(const ba_trust_findings *f, ba_error *err);

/* f: the list; the last arguments are a sentence as for printf */
#define REFUSE(f, id, remedy, ...) \
	ba_trust_add((f), (id), BA_TRUST_REFUSE, BA_EGPU, (remedy), __VA_ARGS__)
#define REFUSE_SIMULATED(f, id, remedy, ...) \
	ba_trust_add((f), (id), BA_TRUST_REFUSE, BA_ESIMULATED, (remedy), __VA_ARGS__)
#define WARN(f, id, remedy, ...) ba_trust_add((f), (id), BA_TRUST_WARN, 0, (remedy), __VA_ARGS__)
#define INFO(f, id, ...) ba_trust_add((f), (id), BA_TRUST_INFO, 0, "", __VA_ARGS__)

/* ---- evidence ---- */

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

/* ---- examine.c ---- */

typedef struct ba_trust_sources {
	/* value of an environment variable, or NULL; must stay valid */
	const char *(*getenv)(const char *name);
	const char *root;	 /* prefix of /proc and /dev; "" outside tests */
	const char *driver_path; /* NULL: libcuda.so.1 */
	const char *nvml_path;	 /* NULL: libnvidia-ml.so.1 */
	int ordinal;
	bool probe; /* also test the GPU: takes about 150 ms of GPU time */
	uint64_t seed;
	ba_now_fn *now;
} ba_trust_sources;

/* Opens the driver and the device, queries and tests them, and closes them. Fills all
 * fields except allow_*, which keep their values. A missing driver or device is a
 * finding, not an error. */
void ba_trust_examine(ba_trust_inputs *out, const ba_trust_sources *src);

/* The same with an open driver and device. If src->probe is set, the device's context
 * must be current. */
void ba_trust_examine_open(ba_trust_inputs *out, const ba_trust_sources *src, const ba_driver *drv,
	const ba_device *dev);
