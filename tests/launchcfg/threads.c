/*
 * Threads. Build with -DBA_SANITIZE=thread to look for races; the assertions hold in
 * any build. Checks run in the driver's hook, in the launching thread, where cmocka's
 * assertions must not jump: they count into `wrong`.
 */
#include <pthread.h>
#include <sched.h>

#include "support.h"

#include "cache.h"

enum { THREADS = 8 };

static atomic_int wrong;
static atomic_int start_line;

typedef struct worker {
	pthread_t thread;
	world *w;
	const lcfg_config *config;
	int number;
	int launches;
} worker;

static void run_all(world *w, const lcfg_config *config, void *(*body)(void *))
{
	worker workers[THREADS];
	start_line = 0;
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (worker){.w = w, .config = config, .number = i};
		assert_int_equal(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
}

static void wait_for_all(void)
{
	start_line++;
	while (start_line < THREADS)
		sched_yield();
}

static int generate(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	const lcfg_config *config = NULL;
	(void)what;
	int rc = lcfg_ensure_current_config(&config, err);
	return rc ? rc
		  : lcfg_emit(
			    out, "void k() { /* BLOCK %u */ }", lcfg_config_shape(config)->block.x);
}

static _Thread_local int my_number = -1;

static void check_own_args(const fake_launch *launch)
{
	const lcfg_args *args = lcfg_current_args();
	if (!args || args->values != (void *const *)launch->args)
		wrong++;
	else if (*(int *)args->values[1] != my_number)
		wrong++;
}

static void *launch_with_own_args(void *data)
{
	worker *me = data;
	void *pointer = NULL;
	int n = me->number;
	void *args[] = {&pointer, &n};
	my_number = n;
	wait_for_all();
	for (int i = 0; i < 2000; i++) {
		if (lcfg_launch(me->config, args, NULL))
			wrong++;
	}
	if (lcfg_current_args() || lcfg_current_config())
		wrong++;
	return NULL;
}

WORLD_TEST(threads_that_share_a_config_see_their_own_args)
{
	world *w = *state;
	wrong = 0;
	w->cuda->on_launch = check_own_args;
	dispatcher_new(w, generate);
	lcfg_config *config = config_of(w, 32);
	run_all(w, config, launch_with_own_args);
	assert_int_equal(wrong, 0);
	assert_int_equal(w->cuda->launches, THREADS * 2000);
	assert_int_equal(w->nvrtc->compiles, 1);
	lcfg_config_free(config);
}

static void check_own_binary(const fake_launch *launch)
{
	char wanted[32];
	snprintf(wanted, sizeof(wanted), "BLOCK %u ", launch->block.x);
	if (!strstr(launch->image, wanted))
		wrong++;
}

static int launch_one(world *w, unsigned block)
{
	void *pointer = NULL;
	int n = 3;
	void *args[] = {&pointer, &n};
	lcfg_shape shape = {.grid = {1}, .block = {block}};
	return lcfg_launch_shape(w->dispatcher, &shape, float_ptr_int, args, NULL);
}

static void *launch_own_block(void *data)
{
	worker *me = data;
	wait_for_all();
	for (int i = 0; i < 20; i++) {
		if (launch_one(me->w, 32u * (unsigned)(1 + (me->number + i) % THREADS)))
			wrong++;
	}
	return NULL;
}

WORLD_TEST(racing_first_launches_never_use_anothers_binary)
{
	world *w = *state;
	wrong = 0;
	w->cuda->on_launch = check_own_binary;
	w->nvrtc->delay_us = 200;
	for (int round = 0; round < 20; round++) {
		lcfg_dispatcher_desc desc = desc_of(w, generate);
		desc.cache = round % 2 ? w->cache : NULL;
		char revision[16];
		snprintf(revision, sizeof(revision), "%d", round);
		desc.revision = revision;
		lcfg_dispatcher_free(w->dispatcher);
		w->dispatcher = dispatcher_of(w, &desc);
		int before = w->nvrtc->compiles;
		run_all(w, NULL, launch_own_block);
		/* the loser of the first race compiles once more, for its own key */
		assert_int_equal(w->nvrtc->compiles - before, THREADS);
		assert_int_equal(lcfg_dispatcher_child_count(w->dispatcher), THREADS - 1);
	}
	assert_int_equal(wrong, 0);
}

static void *launch_many_blocks(void *data)
{
	worker *me = data;
	wait_for_all();
	for (unsigned i = 0; i < 500; i++) {
		if (launch_one(me->w, 1 + (i * 13 + (unsigned)me->number * 101) % 500))
			wrong++;
	}
	return NULL;
}

WORLD_TEST(many_configs_from_many_threads_are_all_kept)
{
	world *w = *state;
	wrong = 0;
	w->cuda->on_launch = check_own_binary;
	lcfg_dispatcher_desc desc = desc_of(w, generate);
	desc.cache = NULL;
	w->dispatcher = dispatcher_of(w, &desc);
	run_all(w, NULL, launch_many_blocks);
	assert_int_equal(wrong, 0);
	assert_int_equal(w->nvrtc->compiles, 500);
	assert_int_equal(lcfg_dispatcher_child_count(w->dispatcher), 499);
}

static int count_up(const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	(void)args;
	(void)err;
	atomic_fetch_add((atomic_int *)data, 1);
	return 0;
}

static atomic_int calls[THREADS];

static void *change_callbacks(void *data)
{
	worker *me = data;
	void *pointer = NULL;
	int n = me->number;
	void *args[] = {&pointer, &n};
	wait_for_all();
	for (int i = 0; i < 300; i++) {
		atomic_int *mine = &calls[me->number];
		int before = *mine;
		if (lcfg_callback_add(me->config, count_up, mine, NULL))
			wrong++;
		if (lcfg_launch(me->config, args, NULL))
			wrong++;
		if (*mine == before)
			wrong++;
		if (lcfg_callback_remove(me->config, count_up, mine, NULL))
			wrong++;
	}
	return NULL;
}

WORLD_TEST(callbacks_may_be_changed_while_others_launch)
{
	world *w = *state;
	wrong = 0;
	w->cuda->on_launch = NULL;
	dispatcher_new(w, generate);
	lcfg_config *config = config_of(w, 32);
	run_all(w, config, change_callbacks);
	assert_int_equal(wrong, 0);
	/* all removed again */
	int sum = 0;
	for (int i = 0; i < THREADS; i++)
		sum += calls[i];
	assert_ok(w, launch_block(w, 32));
	for (int i = 0; i < THREADS; i++)
		sum -= calls[i];
	assert_int_equal(sum, 0);
	lcfg_config_free(config);
}

static void check_type(const fake_launch *launch)
{
	char wanted[32];
	snprintf(wanted, sizeof(wanted), "TYPE %08x ", *(unsigned *)launch->args[0]);
	if (!strstr(launch->image, wanted))
		wrong++;
}

/* half of the types are sensitive, so that the dispatcher changes its mind on the way
 */
static int generate_by_type(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	(void)err;
	lcfg_type type = what->signature.types[0];
	return lcfg_emit(out, "void k() { /* TYPE %08x %u */ }", type,
		type % 2 ? lcfg_config_shape(lcfg_current_config())->block.x : 0);
}

static void *launch_types(void *data)
{
	worker *me = data;
	wait_for_all();
	for (unsigned i = 0; i < 400; i++) {
		lcfg_type type = LCFG_BYTES(2 + (i * 7 + (unsigned)me->number) % 40);
		void *args[] = {&type};
		lcfg_shape shape = {.grid = {1}, .block = {1 + i % 3}};
		if (lcfg_launch_shape(
			    me->w->dispatcher, &shape, (lcfg_signature){&type, 1}, args, NULL))
			wrong++;
	}
	return NULL;
}

WORLD_TEST(overloads_are_kept_apart_while_the_dispatcher_turns_sensitive)
{
	world *w = *state;
	wrong = 0;
	w->cuda->on_launch = check_type;
	for (int round = 0; round < 5; round++) {
		lcfg_dispatcher_desc desc = desc_of(w, generate_by_type);
		desc.specialised = 0;
		desc.cache = NULL;
		lcfg_dispatcher_free(w->dispatcher);
		w->dispatcher = dispatcher_of(w, &desc);
		run_all(w, NULL, launch_types);
	}
	assert_int_equal(wrong, 0);
}

static void *store_many(void *data)
{
	worker *me = data;
	char image[1000] = "image";
	char entry[] = "k";
	lcfg_binary binary = {image, sizeof(image), entry, 0};
	wait_for_all();
	for (uint32_t i = 0; i < 30; i++) {
		lcfg_digest key = {{(uint8_t)i, (uint8_t)me->number}};
		if (lcfg_cache_store(me->w->cache, &key, &binary, NULL))
			wrong++;
	}
	return NULL;
}

WORLD_TEST(storing_and_evicting_from_many_threads_makes_none_wait_in_vain)
{
	world *w = *state;
	wrong = 0;
	w->cache->max_bytes = 20000;
	run_all(w, NULL, store_many);
	assert_int_equal(wrong, 0);
	lcfg_cache_stats stats;
	lcfg_cache_stats_get(&stats, w->cache);
	assert_int_equal(stats.stores, THREADS * 30);
	assert_int_equal(stats.errors, 0);
	assert_true(stats.evicted > 0);
	assert_true(stats.bytes <= 20000);
}
