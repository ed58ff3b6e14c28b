/*
 * What is inside a dispatcher.
 *
 *     dispatcher ── self: node ── kernels (one a signature)
 *         │
 *         └── slots by LC key ── child: node ── kernels      (LC-S, other keys)
 *                    │
 *                    ├── ready, last, routes: the kernels for launches of this key
 *                    └── callbacks
 *
 * Invariant: a sensitive kernel is reachable only from the slot of the key that it was
 * compiled for. Every launch of a key goes through its slot, so that the second, tenth
 * and thousandth configuration cost as much as the first one.
 *
 * Locks
 *  - `lock` guards all of a dispatcher. It is held briefly, never while something is
 *    generated, compiled, loaded or read.
 *  - A thread that builds a kernel first adds an lcfg_building to the list `building`.
 *    Other threads that need this kernel wait until it is gone.
 *  - shared_lock is held over the driver call that allows a kernel more shared memory.
 *  - generator_lock is held over a call of the generator.
 *  - Neither of these two is taken under `lock`.
 *  - Launches read ready, last, routes, slots and callbacks without a lock: what these
 *    point to lives as long as the dispatcher.
 */
#pragma once

#include "cache.h"
#include "driver.h"
#include "sha256.h"
#include "table.h"

/* All of a shape that code may depend on. First the public LC key, all that callbacks use. */
typedef struct lcfg_full_key {
	lcfg_key key;
	uint32_t flags;
	lcfg_dim3 cluster;
	int32_t priority;
} lcfg_full_key;
_Static_assert(sizeof(lcfg_full_key) == 48, "keys are compared as bytes");

typedef struct lcfg_kernel {
	lcfg_item item; /* by signature */
	struct lcfg_kernel *next;
	lcfg_cu_module module;
	lcfg_cu_function function;
	lcfg_full_key key; /* of the compilation; zero if compiled ahead of time */
	bool sensitive;
	bool from_disk;
	bool in_child;
	int opted_shared;	 /* set with cuFuncSetAttribute; under shared_lock */
	uint32_t allowed_shared; /* limit of its dynamic shared memory; under lock */
	size_t count;
	lcfg_type types[];
} lcfg_kernel;

typedef struct lcfg_counter {
	struct lcfg_counter *next;
	lcfg_stats stats;
	char *log; /* the compiler's last output, in the dispatcher's own node; or NULL */
	size_t count;
	lcfg_type types[];
} lcfg_counter;

typedef struct lcfg_node {
	lcfg_kernel *kernels;
	lcfg_counter *counters;
} lcfg_node;

/* An immutable list; a change makes a new one. */
typedef struct lcfg_callbacks {
	struct lcfg_callbacks *older; /* every list ever used, freed with the slot */
	size_t count;
	struct {
		lcfg_callback function;
		void *data;
	} at[];
} lcfg_callbacks;

typedef struct lcfg_slot {
	lcfg_item item; /* by full key */
	struct lcfg_slot *next;
	lcfg_full_key key;
	_Atomic(lcfg_cu_function) ready;     /* specialised dispatchers */
	_Atomic(lcfg_kernel *) last;	     /* last used by signature; a guess */
	lcfg_table routes;		     /* kernels by signature */
	_Atomic(lcfg_callbacks *) callbacks; /* NULL: none */
	lcfg_callbacks *callback_lists;
	lcfg_callbacks *pending; /* the next list, while a change prepares it */
	lcfg_node *child;	 /* NULL: none yet */
} lcfg_slot;

/* A kernel that a thread is building; on its stack. */
typedef struct lcfg_building {
	struct lcfg_building *next;
	lcfg_dispatcher *dispatcher; /* NULL: not in the list */
	const lcfg_node *node;
	lcfg_signature sig;
	pthread_t thread;
} lcfg_building;

struct lcfg_dispatcher {
	_Atomic unsigned references;
	lcfg_driver *driver;
	lcfg_cache *cache; /* NULL: none */
	lcfg_cu_context context;
	lcfg_dispatcher_desc desc; /* deep copy */
	lcfg_digest source;	   /* names the marker */
	lcfg_table slots;
	lcfg_slot *slot_list;
	lcfg_node self;
	pthread_mutex_t lock;
	pthread_mutex_t shared_lock;
	pthread_mutex_t generator_lock; /* while the generator runs */
	pthread_cond_t built;		/* an lcfg_building has gone */
	lcfg_building *building;
	bool sensitive;
	bool has_default_key;
	lcfg_full_key default_key;
	bool caching;
	char caching_off[256];
	size_t child_count;
};

struct lcfg_config {
	lcfg_dispatcher *dispatcher;
	lcfg_slot *slot;
	lcfg_cu_result (*launch)(lcfg_cu_function, unsigned, unsigned, unsigned, unsigned, unsigned,
		unsigned, unsigned, lcfg_cu_stream, void **, void **);
	lcfg_shape shape;
	unsigned attr_count; /* 0: cuLaunchKernel is enough */
	lcfg_cu_attr attrs[4];
};

static inline bool lcfg_key_equal(const lcfg_key *a, const lcfg_key *b)
{
	return !__builtin_memcmp(a, b, sizeof(*a));
}
_Static_assert(sizeof(lcfg_key) == 28, "keys are compared as bytes");

/* On the hot path of lcfg_launch_shape: no call, and no branch for each field. */
static inline bool lcfg_full_key_equal(const lcfg_full_key *a, const lcfg_full_key *b)
{
	uint64_t x[6];
	uint64_t y[6];
	__builtin_memcpy(x, a, sizeof(x));
	__builtin_memcpy(y, b, sizeof(y));
	return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]) | (x[4] ^ y[4]) |
		       (x[5] ^ y[5])) == 0;
}
lcfg_full_key lcfg_config_full_key(const lcfg_config *config);

/* A loop is faster than a call of memcmp for most signatures. */
static inline bool lcfg_types_equal(
	const lcfg_type *a, size_t a_count, const lcfg_type *b, size_t b_count)
{
	if (a_count != b_count)
		return false;
	for (size_t i = 0; i < a_count; i++) {
		if (a[i] != b[i])
			return false;
	}
	return true;
}

/* Finds the kernel for a launch of config; builds it if necessary. */
int lcfg_resolve(lcfg_kernel **out, const lcfg_config *config, lcfg_signature sig, lcfg_error *err);
/* The kernel of a slot, without a lock; NULL: none yet. */
lcfg_kernel *lcfg_slot_find(const lcfg_slot *slot, lcfg_signature sig);
/* The same for nodes; the caller holds lock. */
lcfg_kernel *lcfg_node_find(const lcfg_node *node, lcfg_signature sig);

/* Fills a config on the caller's stack; takes no reference. */
int lcfg_config_init(
	lcfg_config *config, lcfg_dispatcher *dispatcher, const lcfg_shape *shape, lcfg_error *err);

/* The signature that applies: the dispatcher's own if it is specialised, else sig. */
lcfg_signature lcfg_signature_of(const lcfg_dispatcher *dispatcher, lcfg_signature sig);
int lcfg_signature_check(const lcfg_dispatcher *dispatcher, lcfg_signature sig, lcfg_error *err);

/* ---- build.c: a kernel from source, disk or image; without a lock ---- */

/* config NULL: compile ahead of time. The caller must have an lcfg_building in the list.
 * Counts look-ups and compilations in the statistics of `node`. */
int lcfg_kernel_build(lcfg_kernel **out, lcfg_dispatcher *dispatcher, lcfg_node *node,
	const lcfg_config *config, lcfg_signature sig, lcfg_error *err);
/* What is counted of a signature; NULL: nothing yet. The caller holds lock. */
lcfg_counter *lcfg_counter_find(const lcfg_node *node, lcfg_signature sig);
/* Its last step, load.c: loads the image, finds the kernel and checks its parameters. */
int lcfg_kernel_load(lcfg_kernel **out, const lcfg_dispatcher *dispatcher,
	const lcfg_binary *binary, lcfg_signature sig, lcfg_error *err);
void lcfg_kernel_free(lcfg_kernel *kernel, const lcfg_driver *driver);
/* Lets the kernel use `shared_bytes` of dynamic shared memory. */
int lcfg_kernel_allow_shared(
	lcfg_kernel *kernel, lcfg_dispatcher *dispatcher, uint32_t shared_bytes, lcfg_error *err);

/* Makes the dispatcher LC-S. key (may be NULL) becomes its default if it has none, and
 * all slots lose their routes. The caller holds lock. */
void lcfg_dispatcher_set_sensitive(lcfg_dispatcher *dispatcher, const lcfg_full_key *key);

/* ---- callbacks.c ---- */

/* Gives a new slot its LC key's callbacks. 0, or -1: out of memory. The caller holds lock. */
int lcfg_callbacks_inherit(lcfg_slot *slot, const lcfg_dispatcher *dispatcher);

/* ---- generate.c ---- */

struct lcfg_source {
	char *text;
	size_t size, capacity;
	bool failed; /* out of memory */
};

/* Records config in this thread's captures of dispatcher, which compiles for it. */
void lcfg_capture_note(const lcfg_dispatcher *dispatcher, const lcfg_config *config);
/* Runs the generator; the caller frees *text. */
int lcfg_generate(char **text, bool *sensitive, lcfg_dispatcher *dispatcher,
	const lcfg_config *config, lcfg_signature sig, lcfg_error *err);
/* The name with types in place of {0} and {*0}; the caller frees. */
int lcfg_name_expand(char **out, const char *name, lcfg_signature sig, lcfg_error *err);
