/*
 * The worker: a process that is started anew for every invocation. It loads the
 * variants' libraries into one CUDA context and measures what the host asks for.
 *
 * It links nothing but libc: so no symbol of our libraries can replace one of a
 * variant's, and it starts in under a millisecond. It decides nothing: schedule, sizes
 * and verdicts come from the host. It answers one request at a time;
 * docs/worker-protocol.md has the messages.
 *
 *     main.c          the pipes to the host, and the loop over requests
 *     device.c        driver, context, stream, clocks
 *     survey.c        describes these to the host
 *     library.c       a variant's library
 *     load.c          the libraries of all variants: loaded, opened, announced; can they
 *                     share a process?
 *     kernels.c       a benchmark's kernels: prepared by every variant, and checked
 *     sampler.c       bursts between two clock reads
 *     launches.c      did they arrive, and with their arguments?
 *     counting.c      instructions between a call and its return
 *     process_check.c what a variant does to the process that it shares: threads, signal
 *                     handlers, processors, priority
 *     process_code.c  is the code that runs what was loaded?
 *     first_call.c    the first call in the process, and what it took
 *     plugin.h        suites of GPU benchmarks, in plugin_*.c
 *     clock_watch.c   what holds the GPU's clock down
 *     inspect.h       the device code that a GPU benchmark runs
 */
#pragma once

#include "gpu/ptxgen.h"
#include "nulldriver/record.h"
#include "worker/plugin.h"
#include "worker/process_code.h"
#include "worker/sampler.h"

typedef enum ba_target {
	BA_TARGET_GPU,
	BA_TARGET_HOST,
	BA_TARGET_FAKE, /* tests only */
} ba_target;
extern const char *const ba_target_names[]; /* ends with NULL */

/* One benchmark, prepared. */
typedef struct ba_case {
	char *benchmark, *path;
	unsigned param_count;
	ba_launcher_param *params;
	ba_ptx_param *layout;  /* the same, for the PTX generator */
	void **args;	       /* [param_count], into values */
	unsigned char *values; /* the parameters, each at ba_ptx_offset() */
	/* the arguments of timed launches, drawn for each visit */
	void **ring[BA_WITNESS_RING_MOST];
	unsigned ring_count;
	unsigned char *ring_values;
	void **ring_args;
	char *image;		      /* both kernels; on a GPU with the address of the report */
	size_t image_size;	      /* with the NUL */
	ba_participant *participants; /* [variants + 1], the last is the floor */
	cu_module floor_module;
	ba_first_call first; /* of the last variant */
} ba_case;

/*
 * The worker's end of a pipe to its host. Variants run in this process. A variant may close
 * all descriptors and then open a file, which gets the number of the pipe. A message written
 * to that number would land in the file. So the worker checks the end before it uses it.
 */
typedef struct ba_channel {
	int fd;
	dev_t device;
	ino_t inode;
} ba_channel;

struct ba_worker {
	ba_channel requests, replies;
	ba_beacon *beacon;
	ba_target target;
	int allowed_cpus; /* of the process, before it was pinned; 0: unknown */
	ba_driver driver;
	bool driver_open;
	ba_device device;
	cu_context context; /* of the device */
	int64_t opened_ns;  /* what it took to open the driver and the context */
	ba_spinner spinner;
	bool can_spin; /* false with our own driver, which executes nothing */
	cu_stream stream;
	cu_deviceptr memory; /* pointer arguments point into it */
	size_t memory_bytes;
	cu_deviceptr report; /* where the kernels write: ba_ptx_record */
	cu_deviceptr mirror; /* of its witness, in the beacon; 0: there is none */
	ba_host_driver_record_fn *record;
	ba_host_driver_witness_fn *witness; /* NULL: on a GPU */
	ba_witness witnessed;		    /* at the last check */
	bool witness_known;		    /* nothing may have been launched since */
	int last_launched;		    /* the variant of the last visit, or BA_BEACON_NOBODY */
	int64_t (*clock)(void);
	ba_strv labels, libraries, originals, trees;
	ba_library *libs;
	size_t lib_count;
	/* the order in which variants are loaded and set up; the first one gets
	 * different memory from the others */
	size_t *order;
	bool plugin_kind; /* the libraries are suites, not launchers */
	ba_case now;
	ba_plugin_state plugin;
	bool watching; /* a GPU that another process measures on */
	ba_clock_watch watch;
	int last_variant; /* whose code ran last, and where */
	ba_phase last_phase;
	bool lost;	  /* the context or the process is unusable: answer and end */
	bool certain;	  /* the next failure needs no trial of the variant alone */
	bool speaks;	  /* notes about this request are wanted: the first of its kind */
	ba_strv noted;	  /* what was said in them */
	int left_threads; /* the last variant that did, or BA_BEACON_NOBODY */
	ba_process_code code;
	const ba_driver *kept_driver; /* the driver's functions, that nobody can change */
};

/* Sends one message; ends the process if the host is gone. */
void ba_worker_send(const ba_worker *w, ba_buf *message);
/* The same for a message of these fields: BA_REPLY(w, "warm", BA_SAY_BOOL("steady", true)) */
void ba_worker_reply(const ba_worker *w, const char *type, const ba_say *fields, size_t count);
#define BA_REPLY(w, type, ...) ba_worker_reply((w), (type), BA_SAYS(__VA_ARGS__))
void ba_worker_note(const ba_worker *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Sends {"t":"failed"}. variant is an index, or BA_BEACON_NOBODY if the tool itself has
 * the problem. */
void ba_worker_failed(ba_worker *w, int variant, const ba_error *err);
/* Says whose code runs next; BA_BEACON_NOBODY: the tool's. */
void ba_worker_enter(ba_worker *w, int variant, ba_phase phase);

/* the sampler's clock: the host's, or the fake driver's */
int64_t ba_worker_now(const ba_worker *w);
/* Sets w->lost if the driver reports an error that stays: it would be every later call's. */
void ba_worker_look_at_context(ba_worker *w);
/* Is our context current? If not, it becomes so, and the error names `call`. */
int ba_worker_check_context(ba_worker *w, const char *call, ba_error *err);

/* Reports it as the variant's failure, and returns 0. BA_EGPU: a call of the tool itself
 * failed, outside a variant's code. But if the context is lost after it, the variant that ran
 * last is the cause. Sets w->lost. */
int ba_worker_blame(ba_worker *w, int variant, const ba_error *trouble, ba_error *err);

/* device.c */
int ba_worker_open_device(ba_worker *w, const ba_message *m, ba_error *err);
void ba_worker_close_device(ba_worker *w);
int ba_worker_warm_up(ba_worker *w, const ba_message *m, ba_error *err);
void *ba_worker_driver_symbol(const char *name); /* host->driver_symbol */

/* load.c: host->log of both interfaces */
void ba_worker_log(const char *line);
/* Answers "load": loads the libraries in the order that the host asks for. Reports each
 * one that fails and continues with the others. */
int ba_worker_load(ba_worker *w, const ba_message *m, ba_error *err);

/* survey.c: is it a real GPU, which one, how are clock and queue? Sends findings and
 * the environment. Returns BA_ESIMULATED and the like if the GPU must be rejected. */
int ba_worker_survey(ba_worker *w, const ba_message *m, ba_error *err);
/* Answers "examine": every finding about the machine, without an open device. */
int ba_worker_examine(ba_worker *w, const ba_message *m, ba_error *err);
/* Answers "watch": what has moved since the last "watch", on a GPU that another process
 * measures on. */
int ba_worker_watch(ba_worker *w, const ba_message *m, ba_error *err);

/* counting.c: answers "count" */
int ba_worker_count(ba_worker *w, const ba_message *m, ba_error *err);

/* kernels.c */
int ba_kernels_prepare(ba_worker *w, const ba_message *m, ba_error *err);
/* over the arguments of the case */
ba_sampler ba_kernels_sampler(ba_worker *w);
/* kernels_measure.c */
int ba_kernels_measure(ba_worker *w, const ba_message *m, ba_error *err);
/* kernels.c */
void ba_kernels_release(ba_worker *w);
/* The sentence for a participant's fault; sets w->lost if the context is lost. */
int ba_kernels_fault(ba_worker *w, const ba_participant *p, const ba_fault *f, ba_error *err);
