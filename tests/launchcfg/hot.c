/*
 * What the hot launch path must not do. The linker sends the library's calls for memory
 * and locks through here (--wrap), where they are counted.
 */
#include <pthread.h>

#include "support.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);

static int allocations, locks;

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	allocations++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	allocations++;
	return __real_realloc(p, size);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	locks++;
	return __real_pthread_mutex_lock(mutex);
}

enum { LAUNCHES = 1000 };

static int quiet(const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	(void)args;
	(void)data;
	(void)err;
	return 0;
}

typedef enum way { BY_SIGNATURE, BY_TYPES, BY_SHAPE } way;

/* block 64 is the second config: served by a child where the kernel is sensitive */
static int launch(world *w, way how, const lcfg_config *config)
{
	void *pointer = NULL;
	int n = 3;
	void *args[] = {&pointer, &n};
	switch (how) {
	case BY_SIGNATURE:
		return lcfg_launch(config, args, &w->err);
	case BY_TYPES:
		return lcfg_launch_typed(config, float_ptr_int, args, &w->err);
	default:
		return lcfg_launch_shape(
			w->dispatcher, lcfg_config_shape(config), float_ptr_int, args, &w->err);
	}
}

static void check_path(world *w, way how, bool sensitive, bool callback, int copies)
{
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.image = "entry k\n",
		.specialised = how == BY_SIGNATURE,
		.signature = float_ptr_int,
		.sensitive = sensitive};
	w->dispatcher = dispatcher_of(w, &desc);
	lcfg_config *other = config_of(w, 32);
	lcfg_config *config = config_of(w, 64);
	assert_ok(w, launch(w, how, other));
	if (callback)
		assert_ok(w, lcfg_callback_add(config, quiet, NULL, &w->err));
	assert_ok(w, launch(w, how, config));
	allocations = 0;
	locks = 0;
	int rc = 0;
	for (int i = 0; i < LAUNCHES; i++)
		rc |= launch(w, how, config);
	assert_int_equal(allocations, copies * LAUNCHES);
	assert_int_equal(locks, 0);
	assert_ok(w, rc);
	lcfg_config_free(config);
	lcfg_config_free(other);
	lcfg_dispatcher_free(w->dispatcher);
	w->dispatcher = NULL;
}

/* contextvar copies its map for the config and for the arguments; the others copy
 * nothing */
WORLD_TEST(a_launch_takes_no_lock_and_no_memory_but_contextvars_two_copies)
{
	world *w = *state;
	int copies = strcmp(STATE, "contextvar") == 0 ? 2 : 0;
	for (way how = BY_SIGNATURE; how <= BY_SHAPE; how++) {
		for (int bits = 0; bits < 4; bits++)
			check_path(w, how, bits & 1, bits & 2, copies);
	}
}
