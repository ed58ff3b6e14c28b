/*
 * The inside of dispatchers.
 *
 *     dispatcher ── self: node ── kernels (one a signature)
 *         │
 *         └── slots by LC key ── child: node ── kernels      (LC-S, other keys)
 *                    │
 *                    ├── ready, last, routes: kernels that launches of this key use
 *                    └── callbacks
 *
 * Invariant: a sensitive kernel is reachable only from the slot of the key it was
 * compiled for. Every launch of a key goes through its slot, so that the second, tenth
 * and thousandth configuration cost what the first one costs.
 *
 * Locks: compile_lock (held while compiling) is taken before lock (held briefly).
 * Kernels and routes are written under compile_lock; slots, callbacks and counters
 * under lock; sensitive and default_key are written under both and read under either.
 * Launches read ready, last, routes, slots and callbacks without a lock: what they
 * point to lives as long as the dispatcher.
 */
#ifndef LAUNCHCFG_DISPATCHER_H
#define LAUNCHCFG_DISPATCHER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "launchcfg/launchcfg.h"
#include "cache.h"
#include "driver.h"
#include "sha256.h"
#include "table.h"

typedef struct lcfg_kernel {
	lcfg_item item; /* by signature */
	struct lcfg_kernel *next;
	lcfg_cu_module module;
	lcfg_cu_function function;
	lcfg_key key; /* of the compilation; zero ahead of time */
	bool sensitive;
	bool from_disk;
	bool in_child;
	int opted_shared; /* dynamic shared memory asked for with cuFuncSetAttribute */
	size_t count;
	lcfg_type types[];
} lcfg_kernel;

typedef struct lcfg_counter {
	struct lcfg_counter *next;
	lcfg_stats stats;
	size_t count;
	lcfg_type types[];
} lcfg_counter;

typedef struct lcfg_node {
	lcfg_kernel *kernels;
	lcfg_counter *counters;
} lcfg_node;

/* An immutable list; a change makes another one. */
typedef struct lcfg_callbacks {
	struct lcfg_callbacks *older; /* every list ever used, freed with the slot */
	size_t count;
	struct {
		lcfg_callback function;
		void *data;
	} at[];
} lcfg_callbacks;

typedef struct lcfg_slot {
	lcfg_item item; /* by LC key */
	struct lcfg_slot *next;
	lcfg_key key;
	_Atomic(lcfg_cu_function) ready;     /* specialised dispatchers */
	_Atomic(lcfg_kernel *) last;	     /* used by signature; a guess */
	lcfg_table routes;		     /* kernels by signature */
	_Atomic(lcfg_callbacks *) callbacks; /* NULL: none */
	lcfg_callbacks *callback_lists;
	lcfg_node *child; /* NULL: none yet */
} lcfg_slot;

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
	pthread_mutex_t compile_lock;
	pthread_mutex_t lock;
	bool sensitive;
	bool has_default_key;
	lcfg_key default_key;
	bool caching;
	char caching_off[256];
	size_t child_count;
};

struct lcfg_config {
	lcfg_dispatcher *dispatcher;
	lcfg_slot *slot;
	lcfg_cu_result (*launch)(lcfg_cu_function, unsigned, unsigned, unsigned,
		unsigned, unsigned, unsigned, unsigned, lcfg_cu_stream, void **,
		void **);
	lcfg_shape shape;
	unsigned attr_count; /* 0: cuLaunchKernel will do */
	lcfg_cu_attr attrs[4];
};

static inline bool lcfg_key_equal(const lcfg_key *a, const lcfg_key *b)
{
	return !__builtin_memcmp(a, b, sizeof(*a));
}
_Static_assert(sizeof(lcfg_key) == 28, "keys are compared as bytes");

static inline bool lcfg_types_equal(
	const lcfg_type *a, size_t a_count, const lcfg_type *b, size_t b_count)
{
	return a_count == b_count &&
	       (a_count == 0 || !__builtin_memcmp(a, b, a_count * sizeof(*a)));
}

/* The kernel for a launch of config, compiled if need be. */
int lcfg_resolve(lcfg_kernel **out, const lcfg_config *config, lcfg_signature sig,
	lcfg_error *err);
/* Without a lock; NULL: not there yet. */
lcfg_kernel *lcfg_slot_find(const lcfg_slot *slot, lcfg_signature sig);
/* The same for nodes; the caller holds compile_lock. */
lcfg_kernel *lcfg_node_find(const lcfg_node *node, lcfg_signature sig);

/* Fills a config on the caller's stack; takes no reference. */
int lcfg_config_init(lcfg_config *config, lcfg_dispatcher *dispatcher,
	const lcfg_shape *shape, lcfg_error *err);

/* The signature that counts: the dispatcher's own one where it is specialised. */
lcfg_signature lcfg_signature_of(const lcfg_dispatcher *dispatcher, lcfg_signature sig);
int lcfg_signature_check(
	const lcfg_dispatcher *dispatcher, lcfg_signature sig, lcfg_error *err);

/* ---- build.c: a kernel from source, disk or image; under compile_lock ---- */

/* config NULL: ahead of time. The kernel is added to node. */
int lcfg_kernel_build(lcfg_kernel **out, lcfg_dispatcher *dispatcher, lcfg_node *node,
	const lcfg_config *config, lcfg_signature sig, lcfg_error *err);
void lcfg_kernel_free(lcfg_kernel *kernel, const lcfg_driver *driver);
/* Lets the kernel use that much dynamic shared memory. */
int lcfg_kernel_allow_shared(lcfg_kernel *kernel, const lcfg_dispatcher *dispatcher,
	uint32_t shared_bytes, lcfg_error *err);

/* From now on the dispatcher is LC-S: key becomes its default if it has none (key may
 * be NULL), and no slot keeps a route. */
void lcfg_dispatcher_set_sensitive(lcfg_dispatcher *dispatcher, const lcfg_key *key);

enum lcfg_counted { LCFG_COUNT_COMPILE, LCFG_COUNT_DISK_HIT, LCFG_COUNT_DISK_MISS };
void lcfg_count(lcfg_dispatcher *dispatcher, lcfg_node *node, lcfg_signature sig,
	enum lcfg_counted what);

/* ---- generate.c ---- */

struct lcfg_source {
	char *text;
	size_t size, capacity;
	bool failed; /* out of memory */
};

/* Tells captures of this thread that dispatcher compiles for config. */
void lcfg_capture_note(const lcfg_dispatcher *dispatcher, const lcfg_config *config);
/* Runs the generator; the caller frees *text. */
int lcfg_generate(char **text, bool *sensitive, lcfg_dispatcher *dispatcher,
	const lcfg_config *config, lcfg_signature sig, lcfg_error *err);
/* The name with {0} and {*0} replaced; the caller frees. */
int lcfg_name_expand(char **out, const char *name, lcfg_signature sig, lcfg_error *err);

#endif
