/*
 * launchcfg/launchcfg.h -- launch CUDA kernels with a launch configuration, and compile
 * them lazily. The generated code may depend on the configuration, and is never reused
 * for another one.
 *
 *     lcfg_driver_open ─► lcfg_dispatcher_new ─► lcfg_configure ─► lcfg_launch ...
 *        libcuda            one kernel source      grid, block,      the hot path
 *        (dlopen)           many compiled kernels  shared, stream
 *
 * Words
 *  - A DISPATCHER is one kernel source: CUDA C, a generator that writes CUDA C, or a
 *    ready image (PTX, cubin, fatbin). It holds one compiled KERNEL for each argument
 *    signature; a *specialised* dispatcher has exactly one, fixed signature.
 *  - A CONFIG is a grid, a block, dynamic shared memory, a stream and launch
 *    attributes, bound to a dispatcher. Its LC KEY is (grid, block, shared memory).
 *  - A kernel is LAUNCH-CONFIG SENSITIVE (LC-S) when its code depends on the LC key of
 *    the launch that triggered its compilation. Such a kernel is never launched with
 *    another key: other keys get child dispatchers with kernels of their own.
 *
 * Threads: every function may be called from any thread, unless it says otherwise. A
 * launch that finds its kernel compiled takes no lock and allocates nothing. Do not
 * free an object while another thread uses it.
 *
 * CUDA contexts: a dispatcher belongs to the context that was current when it was made;
 * that context must be current in the thread that compiles or launches.
 *
 * Errors: functions return 0 or a negative LCFG_E code and fill `err`, which may be
 * NULL. Out-parameters come first and are untouched on failure. Functions that return a
 * code return LCFG_EINVAL if a required object is NULL. Those that only look something
 * up (_key, _dir, _stats, ...) must not be called with NULL.
 */
#ifndef LAUNCHCFG_LAUNCHCFG_H
#define LAUNCHCFG_LAUNCHCFG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LCFG_VERSION "1.1.0"

#if defined(__GNUC__)
#define LCFG_API __attribute__((visibility("default")))
#define LCFG_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define LCFG_API
#define LCFG_PRINTF(fmt, first)
#endif

/* ---- errors ---------------------------------------------------------------------- */

enum {
	LCFG_OK = 0,
	LCFG_EINVAL = -1, /* an argument of the call is wrong */
	LCFG_ENOMEM = -2,
	LCFG_EDRIVER = -3,	 /* the driver is missing or reports an error: err.cuda */
	LCFG_ENVRTC = -4,	 /* NVRTC is missing or broken */
	LCFG_ECOMPILE = -5,	 /* the source does not compile; the text has the log */
	LCFG_ENOCONFIG = -6,	 /* no launch config set for this thread */
	LCFG_ENOTCOMPILING = -7, /* valid only inside a launch-triggered compilation */
	LCFG_ESIGNATURE = -8,	 /* the arguments do not fit the kernel */
	LCFG_ECONTEXT = -9,	 /* another CUDA context is current, or none */
	LCFG_EDEADLOCK = -10,	 /* a generator that waits for itself */
	LCFG_EUNSUPPORTED = -11, /* this driver or this build cannot do it */
	LCFG_ECACHE = -12	 /* never returned by a launch */
};

typedef struct lcfg_error {
	int code; /* what was returned */
	int cuda; /* CUresult or nvrtcResult that caused it, or 0 */
	/* what is wrong, where, what to do; perhaps followed by a compiler's log. If the
	 * text was cut, it says so; see lcfg_dispatcher_log. */
	char text[8000];
} lcfg_error;

LCFG_API const char *lcfg_error_name(int code); /* "no-config"; "ok" for 0 */

/* For generators and callbacks: fill err and return code. */
LCFG_API int lcfg_fail(lcfg_error *err, int code, const char *fmt, ...) LCFG_PRINTF(3, 4);

/* ---- types and signatures -------------------------------------------------------- */

/* A parameter's type in 32 bits: depth of pointers, kind, and size of the value. */
typedef uint32_t lcfg_type;

enum {
	LCFG_KIND_BYTES = 0, /* anything passed by value */
	LCFG_KIND_INT = 1,
	LCFG_KIND_UINT = 2,
	LCFG_KIND_FLOAT = 3,
	LCFG_KIND_VOID = 4
};

#define LCFG_TYPE(kind, size) ((lcfg_type)(((uint32_t)(kind) << 24) | (uint32_t)(size)))
/* "float *" from LCFG_F32, "float **" from that; beyond eight stars the type stays the
 * same. Bit 31 says that it is a pointer, bits 28 to 30 how many more stars it has. */
#define LCFG_POINTER_TO(type)                                       \
	((lcfg_type)((type) >= 0xf0000000u   ? (type)               \
		     : (type) >= 0x80000000u ? (type) + 0x10000000u \
					     : (type) | 0x80000000u))
#define LCFG_BYTES(size) LCFG_TYPE(LCFG_KIND_BYTES, size)
#define LCFG_I8 LCFG_TYPE(LCFG_KIND_INT, 1)
#define LCFG_I16 LCFG_TYPE(LCFG_KIND_INT, 2)
#define LCFG_I32 LCFG_TYPE(LCFG_KIND_INT, 4)
#define LCFG_I64 LCFG_TYPE(LCFG_KIND_INT, 8)
#define LCFG_U8 LCFG_TYPE(LCFG_KIND_UINT, 1)
#define LCFG_U16 LCFG_TYPE(LCFG_KIND_UINT, 2)
#define LCFG_U32 LCFG_TYPE(LCFG_KIND_UINT, 4)
#define LCFG_U64 LCFG_TYPE(LCFG_KIND_UINT, 8)
#define LCFG_F32 LCFG_TYPE(LCFG_KIND_FLOAT, 4)
#define LCFG_F64 LCFG_TYPE(LCFG_KIND_FLOAT, 8)
#define LCFG_PTR LCFG_POINTER_TO(LCFG_TYPE(LCFG_KIND_VOID, 0))
#define LCFG_PTR_I32 LCFG_POINTER_TO(LCFG_I32)
#define LCFG_PTR_U32 LCFG_POINTER_TO(LCFG_U32)
#define LCFG_PTR_F32 LCFG_POINTER_TO(LCFG_F32)
#define LCFG_PTR_F64 LCFG_POINTER_TO(LCFG_F64)

/* The types are borrowed wherever a signature is passed. */
typedef struct lcfg_signature {
	const lcfg_type *types;
	size_t count;
} lcfg_signature;

#define LCFG_MAX_PARAMS 4096u /* 32764 bytes of parameters hold no more */

LCFG_API size_t lcfg_type_size(lcfg_type type); /* of the argument: 8 for a pointer */
/* "float *", "unsigned int"; returns the length, as snprintf does. LCFG_BYTES has no C
 * name: "bytes<12>". */
LCFG_API size_t lcfg_type_name(char *out, size_t size, lcfg_type type);
LCFG_API size_t lcfg_signature_name(char *out, size_t size, lcfg_signature sig);

/* ---- driver ---------------------------------------------------------------------- */

typedef struct lcfg_driver lcfg_driver;

typedef struct lcfg_driver_options {
	const char *driver_path; /* NULL: $LAUNCHCFG_DRIVER, else "libcuda.so.1" */
	const char *nvrtc_path;	 /* NULL: $LAUNCHCFG_NVRTC, else the newest libnvrtc */
	/* where driver functions come from; NULL: dlsym on driver_path */
	void *(*symbol)(const char *name);
} lcfg_driver_options;

/* Opens the driver; NVRTC is opened when the first source is compiled. options may be
 * NULL. Opening twice is cheap and gives two handles. */
LCFG_API int lcfg_driver_open(
	lcfg_driver **out, const lcfg_driver_options *options, lcfg_error *err);
/* The handle lives on until the dispatchers made with it are gone. NULL is fine. */
LCFG_API void lcfg_driver_free(lcfg_driver *driver);

/* ---- disk cache ------------------------------------------------------------------ */

typedef struct lcfg_cache lcfg_cache;

typedef struct lcfg_cache_options {
	/* NULL: $LAUNCHCFG_CACHE_DIR, else $XDG_CACHE_HOME/launchcfg, else
	 * ~/.cache/launchcfg. It is made when something is stored. Anyone who can write there
	 * decides what your GPU runs. So the directory and all below it must belong to
	 * the effective user or to root, and no other user may write to them. Otherwise
	 * the cache is not used, and lcfg_cache_trouble() gives the reason. */
	const char *dir;
	/* 0: $LAUNCHCFG_CACHE_LIMIT (bytes, or with K, M, G), else 1 GiB. Above the
	 * limit, entries that were not used for a long time are removed. */
	uint64_t max_bytes;
} lcfg_cache_options;

typedef struct lcfg_cache_stats {
	uint64_t hits, misses, stores;
	uint64_t corrupt; /* entries found damaged: recompiled and replaced */
	uint64_t evicted; /* entries removed because of max_bytes */
	uint64_t errors;  /* reads and writes that the system rejected */
	/* size of all entries after the last store; an estimate until each directory of
	 * the cache was read once */
	uint64_t bytes;
} lcfg_cache_stats;

/* Never touches the disk: it fails only if it has no directory name or no memory. */
LCFG_API int lcfg_cache_open(lcfg_cache **out, const lcfg_cache_options *options, lcfg_error *err);
LCFG_API void lcfg_cache_free(lcfg_cache *cache); /* as lcfg_driver_free */
LCFG_API const char *lcfg_cache_dir(const lcfg_cache *cache);
LCFG_API void lcfg_cache_stats_get(lcfg_cache_stats *out, lcfg_cache *cache);
/* Copies the last problem with the disk, "" if none. Returns its length. */
LCFG_API size_t lcfg_cache_trouble(char *out, size_t size, lcfg_cache *cache);

/* ---- shapes and keys ------------------------------------------------------------- */

typedef struct lcfg_dim3 {
	uint32_t x, y, z;
} lcfg_dim3;

typedef struct lcfg_key {
	lcfg_dim3 grid, block;
	uint32_t shared_bytes;
} lcfg_key;

enum {
	LCFG_COOPERATIVE = 1u << 0,  /* the whole grid resident: grid-wide sync works */
	LCFG_PROGRAMMATIC = 1u << 1, /* programmatic stream serialisation */
	LCFG_PRIORITY = 1u << 2	     /* use `priority` below */
};

/* Everything about a launch but the arguments. Zero in y and z means 1. */
typedef struct lcfg_shape {
	lcfg_dim3 grid, block;
	uint32_t shared_bytes;
	uint32_t flags;	   /* LCFG_COOPERATIVE ... */
	lcfg_dim3 cluster; /* x == 0: no clusters */
	int32_t priority;
	void *stream; /* CUstream; NULL: the default stream */
} lcfg_shape;

/* ---- dispatchers ----------------------------------------------------------------- */

typedef struct lcfg_dispatcher lcfg_dispatcher;
typedef struct lcfg_config lcfg_config;
typedef struct lcfg_source lcfg_source;

typedef struct lcfg_header {
	const char *name; /* as in #include "name" */
	const char *text;
} lcfg_header;

/* What a generator must write; borrowed until it returns. */
typedef struct lcfg_generation {
	lcfg_dispatcher *dispatcher;
	lcfg_signature signature;
	void *data; /* desc.generate_data */
} lcfg_generation;

/*
 * Writes CUDA C for one signature with lcfg_emit(). May read the launch config that
 * triggered the compilation: that marks the kernel LC-S. Returns 0, or an error that
 * the launch (or lcfg_compile) then returns. It may launch and compile other
 * dispatchers, not its own. Two dispatchers whose generators launch each other can
 * deadlock. A dispatcher's generator runs in one thread at a time. A C++ exception may
 * leave the generator and then propagates out of the launch.
 *
 * The code may depend on these members of a shape: grid, block, shared_bytes, flags,
 * cluster and priority. Each combination gets its own sensitive kernel. The code must
 * not depend on the stream or on arguments.
 */
typedef int (*lcfg_generator)(lcfg_source *out, const lcfg_generation *what, lcfg_error *err);
LCFG_API int lcfg_emit(lcfg_source *out, const char *fmt, ...) LCFG_PRINTF(2, 3);

/* Exactly one of source, image and generate is set. Everything is copied. */
typedef struct lcfg_dispatcher_desc {
	size_t struct_size; /* sizeof(lcfg_dispatcher_desc) */
	lcfg_driver *driver;
	/* Name of the kernel; for CUDA C any name expression of NVRTC. "{0}" stands for
	 * the type of parameter 0, "{*0}" for the type it points to: "scale<{*0}>". */
	const char *name;
	const char *source; /* CUDA C */
	const void *image;  /* PTX text, cubin or fatbin */
	size_t image_size;  /* bytes; 0: image is NUL-terminated text */
	lcfg_generator generate;
	void *generate_data; /* must outlive the dispatcher; see generate_key */
	/* Identifies the generator's code in the disk cache: change it when the code
	 * changes. NULL: the kernels of a generator are not kept on disk. */
	const char *revision;
	const char *const *options; /* for NVRTC, besides the architecture */
	size_t option_count;
	const lcfg_header *headers;
	size_t header_count;
	/* 1: `signature` is the only one. 0: overloads are compiled on demand. */
	int specialised;
	lcfg_signature signature;
	/* Declares every kernel LC-S, so that each LC key gets its own. */
	int sensitive;
	lcfg_cache *cache; /* NULL: no disk cache */
	/* ---- since 1.1; NULL for a program that was built with 1.0 ---- */
	/* All data that the generator reads through generate_data, as bytes. It is part
	 * of the key in the disk cache. A generator with generate_data and without this
	 * field keeps no kernels on disk. Set it to "" with size 0 if no code depends
	 * on the data. The data must not change while the dispatcher lives. */
	const void *generate_key;
	size_t generate_key_size;
	/* Identifies the contents of the files that the compiler may read because of
	 * -I or -include, or in the current directory: a hash of them, or the version
	 * of their package. Without it, kernels that were compiled with such files are
	 * not kept on disk. */
	const void *include_key;
	size_t include_key_size;
} lcfg_dispatcher_desc;

/* struct_size may be that of version 1.0, whose struct ends with `cache`. */
LCFG_API int lcfg_dispatcher_new(
	lcfg_dispatcher **out, const lcfg_dispatcher_desc *desc, lcfg_error *err);
/* Unloads the kernels once all configs bound to the dispatcher are freed, too. */
LCFG_API void lcfg_dispatcher_free(lcfg_dispatcher *dispatcher);

/* Compiles ahead of time, without a launch. There is no config, so a generator that
 * needs one fails with "no launch config set". */
LCFG_API int lcfg_compile(lcfg_dispatcher *dispatcher, lcfg_signature sig, lcfg_error *err);

/* ---- configs and launches -------------------------------------------------------- */

LCFG_API int lcfg_configure(
	lcfg_config **out, lcfg_dispatcher *dispatcher, const lcfg_shape *shape, lcfg_error *err);
LCFG_API void lcfg_config_free(lcfg_config *config);
LCFG_API const lcfg_shape *lcfg_config_shape(const lcfg_config *config);
LCFG_API lcfg_key lcfg_config_key(const lcfg_config *config);
LCFG_API lcfg_dispatcher *lcfg_config_dispatcher(const lcfg_config *config);

/*
 * A config for `elements` threads in one dimension: the block size with the best
 * occupancy, and as many blocks as necessary. The kernel must check its index. Compiles
 * ahead of time and therefore rejects an LC-S kernel: choose its block size yourself.
 * sig is ignored for a specialised dispatcher.
 */
LCFG_API int lcfg_forall(lcfg_config **out, lcfg_dispatcher *dispatcher, size_t elements,
	uint32_t shared_bytes, void *stream, lcfg_signature sig, lcfg_error *err);

/* args[i] points to the value of parameter i. For specialised dispatchers. */
LCFG_API int lcfg_launch(const lcfg_config *config, void **args, lcfg_error *err);
/* The same for any dispatcher: chooses the overload by signature at every launch, and
 * compiles it at the first. */
LCFG_API int lcfg_launch_typed(
	const lcfg_config *config, lcfg_signature sig, void **args, lcfg_error *err);
/* Without a config object: looks the LC key up at every launch. */
LCFG_API int lcfg_launch_shape(lcfg_dispatcher *dispatcher, const lcfg_shape *shape,
	lcfg_signature sig, void **args, lcfg_error *err);
/* Does what a launch does before its callbacks: compiles the kernel, if the launch
 * would. sig is ignored for a specialised dispatcher. */
LCFG_API int lcfg_prepare(const lcfg_config *config, lcfg_signature sig, lcfg_error *err);

/* ---- pre-launch callbacks -------------------------------------------------------- */

typedef struct lcfg_args {
	void *const *values; /* values[i] points to the value of parameter i */
	const lcfg_type *types;
	size_t count;
} lcfg_args;

/* Runs on every launch, after compilation and before the driver call, in the order of
 * adding. Any result but 0 aborts the launch, which returns it. Must not call CUDA and
 * must not launch. */
typedef int (*lcfg_callback)(
	const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err);

/* Callbacks belong to (dispatcher, LC key): all configs of the same key share them,
 * and they outlive the configs. A pair that is added twice runs twice; removing takes
 * the last one. A launch that has begun in another thread may still run a callback
 * that was just removed. */
LCFG_API int lcfg_callback_add(
	const lcfg_config *config, lcfg_callback callback, void *data, lcfg_error *err);
LCFG_API int lcfg_callback_remove(
	const lcfg_config *config, lcfg_callback callback, void *data, lcfg_error *err);

/* ---- introspection --------------------------------------------------------------- */

/* The config of the launch that triggered the compilation in progress in this thread,
 * or NULL. Reading it from a generator marks the kernel LC-S. Valid until that
 * generator returns. */
LCFG_API const lcfg_config *lcfg_current_config(void);
/* The same, without marking the kernel: the generated code must not depend on it. */
LCFG_API const lcfg_config *lcfg_peek_config(void);
/* lcfg_current_config, or LCFG_ENOCONFIG "no launch config set for this thread". */
LCFG_API int lcfg_ensure_current_config(const lcfg_config **out, lcfg_error *err);
/* The arguments of the launch in progress in this thread, or NULL. */
LCFG_API const lcfg_args *lcfg_current_args(void);
/* Marks the kernel being compiled LC-S. Only inside a launch-triggered compilation of
 * that dispatcher; elsewhere LCFG_ENOTCOMPILING. */
LCFG_API int lcfg_mark_sensitive(lcfg_dispatcher *dispatcher, lcfg_error *err);

/* "baseline", "contextvar" or "v2": how this build keeps the two slots above. A
 * "baseline" build keeps none: nothing can be introspected. */
LCFG_API const char *lcfg_state_name(void);

/*
 * Records the config of the compilation of a dispatcher that runs in this thread
 * between begin and end. Captures nest; end them in reverse order.
 */
typedef struct lcfg_capture {
	const lcfg_dispatcher *dispatcher;
	struct lcfg_capture *outer;
	lcfg_shape shape;
	int captured;
} lcfg_capture;

LCFG_API void lcfg_capture_begin(lcfg_capture *capture, const lcfg_dispatcher *dispatcher);
/* The config of the last compilation inside, or NULL if none had one. */
LCFG_API const lcfg_shape *lcfg_capture_end(lcfg_capture *capture);
/* A capture at the top of a scope, which is ended on every way out:
 *     LCFG_CAPTURE_SCOPE(capture, dispatcher); */
LCFG_API void lcfg_capture_cleanup(lcfg_capture *capture);
#if defined(__GNUC__)
#define LCFG_CAPTURE_SCOPE(name, dispatcher)                              \
	lcfg_capture name __attribute__((cleanup(lcfg_capture_cleanup))); \
	lcfg_capture_begin(&name, dispatcher)
#endif

typedef struct lcfg_kernel_info {
	int launch_config_sensitive;
	lcfg_key key;	/* the key it was compiled for; meaningful if sensitive */
	void *function; /* CUfunction */
	int from_disk;	/* loaded from the disk cache, not compiled */
	int in_child;	/* held by the child dispatcher of its key */
} lcfg_kernel_info;

/* The kernel that a launch of config would use. Returns 1 and fills *out if it exists,
 * else returns 0. sig is ignored for a specialised dispatcher. */
LCFG_API int lcfg_kernel_get(lcfg_kernel_info *out, const lcfg_config *config, lcfg_signature sig);

/* The whole log of the last compilation of a signature in this process: the errors, or
 * the warnings of a success. "" if the compiler printed nothing or did not run. Copies
 * the log, NUL-terminated, and returns its whole length, as snprintf does. out may be
 * NULL if size is 0. sig is ignored for a specialised dispatcher. */
LCFG_API size_t lcfg_dispatcher_log(
	char *out, size_t size, lcfg_dispatcher *dispatcher, lcfg_signature sig);

typedef struct lcfg_stats {
	/* runs of the compiler, also failed ones; for images, loads */
	uint64_t compiles;
	uint64_t disk_hits;   /* kernels taken from the disk cache */
	uint64_t disk_misses; /* kernels that were not found there */
} lcfg_stats;

LCFG_API int lcfg_dispatcher_is_sensitive(lcfg_dispatcher *dispatcher);
/* 1 and *out filled if the dispatcher has a default LC key, otherwise 0. */
LCFG_API int lcfg_dispatcher_default_key(lcfg_key *out, lcfg_dispatcher *dispatcher);
LCFG_API size_t lcfg_dispatcher_child_count(lcfg_dispatcher *dispatcher);
/* 1 if the dispatcher caches. Otherwise 0, with the reason ("" if desc.cache was NULL);
 * reason may be NULL. */
LCFG_API int lcfg_dispatcher_is_caching(
	lcfg_dispatcher *dispatcher, char *reason, size_t reason_size);
LCFG_API void lcfg_dispatcher_stats(lcfg_stats *out, lcfg_dispatcher *dispatcher);
/* The statistics of one signature (ignored if specialised) and, if key is not NULL, of
 * one LC key. */
LCFG_API void lcfg_dispatcher_stats_of(
	lcfg_stats *out, lcfg_dispatcher *dispatcher, lcfg_signature sig, const lcfg_key *key);

#ifdef __cplusplus
}
#endif

#endif
