/*
 * Who waits for whom while kernels are built. Compilations stop in the fake compiler
 * until the test lets them go: nothing here depends on time. A test that waits for ever
 * is ended by ctest.
 */
#include <pthread.h>
#include <sched.h>

#include "support.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int inside; /* compilations that stand in the compiler */
static bool open_gate;

static void stop_at_gate(const char *source, const char *expression)
{
	(void)source;
	(void)expression;
	pthread_mutex_lock(&gate);
	inside++;
	pthread_cond_broadcast(&moved);
	while (!open_gate)
		pthread_cond_wait(&moved, &gate);
	inside--;
	pthread_mutex_unlock(&gate);
}

static void close_gate(world *w)
{
	inside = 0;
	open_gate = false;
	w->nvrtc->on_compile = stop_at_gate;
}

static void wait_inside(int count)
{
	pthread_mutex_lock(&gate);
	while (inside < count)
		pthread_cond_wait(&moved, &gate);
	pthread_mutex_unlock(&gate);
}

static void open_the_gate(world *w)
{
	pthread_mutex_lock(&gate);
	w->nvrtc->on_compile = NULL;
	open_gate = true;
	pthread_cond_broadcast(&moved);
	pthread_mutex_unlock(&gate);
}

typedef struct runner {
	pthread_t thread;
	world *w;
	lcfg_type type;
	unsigned block;
	int rc;
} runner;

static int launch_type(world *w, lcfg_type type, unsigned block)
{
	uint64_t value = 0;
	void *args[] = {&value};
	lcfg_shape shape = {.grid = {1}, .block = {block}};
	return lcfg_launch_shape(w->dispatcher, &shape, (lcfg_signature){&type, 1}, args, NULL);
}

static void *run(void *data)
{
	runner *r = data;
	r->rc = launch_type(r->w, r->type, r->block);
	return NULL;
}

static void start(runner *r, world *w, lcfg_type type, unsigned block)
{
	*r = (runner){.w = w, .type = type, .block = block, .rc = 1};
	assert_int_equal(pthread_create(&r->thread, NULL, run, r), 0);
}

static int join(runner *r)
{
	pthread_join(r->thread, NULL);
	return r->rc;
}

static void lazy_dispatcher(world *w, lcfg_generator generate, lcfg_cache *cache)
{
	lcfg_dispatcher_desc desc = desc_of(w, generate);
	desc.specialised = 0;
	desc.cache = cache;
	w->dispatcher = dispatcher_of(w, &desc);
}

WORLD_TEST(a_new_config_of_a_compiled_kernel_waits_for_no_compilation)
{
	world *w = *state;
	runner other;
	lazy_dispatcher(w, generate_plain, w->cache);
	assert_int_equal(launch_type(w, LCFG_I32, 32), 0);
	close_gate(w);
	start(&other, w, LCFG_F64, 32);
	wait_inside(1);
	/* config, slot and route are new; the kernel is not */
	assert_int_equal(launch_type(w, LCFG_I32, 64), 0);
	lcfg_type type = LCFG_I32;
	assert_ok(w, lcfg_compile(w->dispatcher, (lcfg_signature){&type, 1}, &w->err));
	assert_int_equal(inside, 1);
	open_the_gate(w);
	assert_int_equal(join(&other), 0);
	assert_int_equal(w->nvrtc->compiles, 2);
}

WORLD_TEST(different_signatures_compile_at_once)
{
	world *w = *state;
	enum { TYPES = 4 };
	runner r[TYPES];
	lazy_dispatcher(w, generate_plain, w->cache);
	close_gate(w);
	for (unsigned i = 0; i < TYPES; i++)
		start(&r[i], w, LCFG_BYTES(1 + i), 32);
	/* all of them stand in the compiler, or this waits for ever */
	wait_inside(TYPES);
	open_the_gate(w);
	for (int i = 0; i < TYPES; i++)
		assert_int_equal(join(&r[i]), 0);
	assert_int_equal(w->nvrtc->compiles, TYPES);
}

WORLD_TEST(configs_of_a_sensitive_kernel_compile_at_once)
{
	world *w = *state;
	enum { BLOCKS = 4 };
	runner r[BLOCKS];
	lazy_dispatcher(w, generate_by_block, w->cache);
	assert_int_equal(launch_type(w, LCFG_I32, 32), 0);
	close_gate(w);
	for (unsigned i = 0; i < BLOCKS; i++)
		start(&r[i], w, LCFG_I32, 64 + i);
	wait_inside(BLOCKS);
	open_the_gate(w);
	for (int i = 0; i < BLOCKS; i++)
		assert_int_equal(join(&r[i]), 0);
	assert_int_equal(w->nvrtc->compiles, 1 + BLOCKS);
}

/* two signatures turn the dispatcher sensitive at once, with two configs */
WORLD_TEST(kernels_that_turn_sensitive_together_keep_to_their_own_configs)
{
	world *w = *state;
	runner r[2];
	for (int round = 0; round < 2; round++) {
		lcfg_dispatcher_free(w->dispatcher);
		lazy_dispatcher(w, generate_by_block, round ? w->cache : NULL);
		close_gate(w);
		start(&r[0], w, LCFG_I32, 32);
		start(&r[1], w, LCFG_F64, 64);
		wait_inside(2);
		open_the_gate(w);
		assert_int_equal(join(&r[0]), 0);
		assert_int_equal(join(&r[1]), 0);
		int before = w->nvrtc->compiles;
		assert_int_equal(launch_type(w, LCFG_I32, 32), 0);
		assert_has(last_launch(w)->image, "BLOCK 32 ");
		assert_int_equal(launch_type(w, LCFG_F64, 64), 0);
		assert_has(last_launch(w)->image, "BLOCK 64 ");
		assert_int_equal(w->nvrtc->compiles, before);
		/* each with the other's config is another kernel */
		assert_int_equal(launch_type(w, LCFG_I32, 64), 0);
		assert_has(last_launch(w)->image, "BLOCK 64 ");
		assert_int_equal(launch_type(w, LCFG_F64, 32), 0);
		assert_has(last_launch(w)->image, "BLOCK 32 ");
	}
}

WORLD_TEST(who_wants_the_same_kernel_waits_and_compiles_nothing)
{
	world *w = *state;
	enum { SAME = 4 };
	runner r[SAME];
	lazy_dispatcher(w, generate_plain, NULL);
	close_gate(w);
	for (int i = 0; i < SAME; i++)
		start(&r[i], w, LCFG_I32, 32);
	wait_inside(1);
	open_the_gate(w);
	for (int i = 0; i < SAME; i++)
		assert_int_equal(join(&r[i]), 0);
	assert_int_equal(w->nvrtc->compiles, 1);
}

static atomic_int generators;
static atomic_bool two_at_once;

static int generate_alone(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	if (atomic_fetch_add(&generators, 1))
		two_at_once = true;
	for (int i = 0; i < 100; i++)
		sched_yield();
	int rc = generate_plain(out, what, err);
	atomic_fetch_sub(&generators, 1);
	return rc;
}

/* generators written for version 1.0 may count on it */
WORLD_TEST(a_generator_runs_in_one_thread_at_a_time)
{
	world *w = *state;
	enum { TYPES = 8 };
	runner r[TYPES];
	lazy_dispatcher(w, generate_alone, NULL);
	for (unsigned i = 0; i < TYPES; i++)
		start(&r[i], w, LCFG_BYTES(1 + i), 32);
	for (int i = 0; i < TYPES; i++)
		assert_int_equal(join(&r[i]), 0);
	assert_false(two_at_once);
	assert_int_equal(w->nvrtc->compiles, TYPES);
}

/* ---- a generator that does not come back ---- */

static bool leave_for_good;

/* pthread_exit unwinds the stack as a C++ exception does, and needs no C++ */
static int generate_and_leave(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	int rc = generate_plain(out, what, err);
	if (leave_for_good)
		pthread_exit(NULL);
	return rc;
}

WORLD_TEST(what_leaves_a_generator_leaves_nothing_locked)
{
	world *w = *state;
	runner r;
	lazy_dispatcher(w, generate_and_leave, w->cache);
	leave_for_good = true;
	start(&r, w, LCFG_I32, 32);
	assert_int_equal(join(&r), 1); /* it never returned */
	leave_for_good = false;
	/* neither this signature waits for the thread that is gone, nor another */
	assert_int_equal(launch_type(w, LCFG_I32, 32), 0);
	assert_int_equal(launch_type(w, LCFG_F64, 32), 0);
	assert_null(lcfg_current_args());
}

static int leave_in_callback(
	const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	(void)args;
	(void)err;
	pthread_cleanup_push((void (*)(void *))free, malloc(1));
	*(bool *)data = lcfg_current_args() != NULL;
	pthread_exit(NULL);
	pthread_cleanup_pop(1);
	return 0;
}

static void *launch_and_leave(void *data)
{
	runner *r = data;
	r->rc = launch_type(r->w, LCFG_I32, 32);
	return NULL;
}

WORLD_TEST(what_leaves_a_callback_leaves_the_launch)
{
	world *w = *state;
	bool seen = false;
	lazy_dispatcher(w, generate_plain, NULL);
	lcfg_config *config = config_of(w, 32);
	assert_ok(w, lcfg_callback_add(config, leave_in_callback, &seen, &w->err));
	runner r = {.w = w, .rc = 1};
	assert_int_equal(pthread_create(&r.thread, NULL, launch_and_leave, &r), 0);
	assert_int_equal(join(&r), 1);
	assert_true(seen);
	assert_ok(w, lcfg_callback_remove(config, leave_in_callback, &seen, &w->err));
	assert_int_equal(launch_type(w, LCFG_I32, 32), 0);
	lcfg_config_free(config);
}
