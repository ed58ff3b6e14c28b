/* Shapes, launch attributes, shared memory, forall, and a thousand configurations. */
#include "support.h"

static lcfg_dispatcher *plain(world *w, const char *source)
{
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.source = source,
		.specialised = 1,
		.signature = float_ptr_int};
	w->dispatcher = dispatcher_of(w, &desc);
	return w->dispatcher;
}

static int launch_shape(world *w, const lcfg_shape *shape)
{
	void *pointer = NULL;
	int n = 3;
	void *args[] = {&pointer, &n};
	return lcfg_launch_shape(w->dispatcher, shape, float_ptr_int, args, &w->err);
}

WORLD_TEST(everything_of_a_shape_reaches_the_driver)
{
	world *w = *state;
	int stream = 0;
	plain(w, "void k() {}");
	lcfg_shape shape = {
		.grid = {2, 3, 4}, .block = {8, 4, 2}, .shared_bytes = 100, .stream = &stream};
	assert_ok(w, launch_shape(w, &shape));
	const fake_launch *l = last_launch(w);
	assert_memory_equal(&l->grid, &shape.grid, sizeof(l->grid));
	assert_memory_equal(&l->block, &shape.block, sizeof(l->block));
	assert_int_equal(l->shared_bytes, 100);
	assert_ptr_equal(l->stream, &stream);
	assert_int_equal(l->attr_count, 0);
}

WORLD_TEST(zero_in_y_and_z_means_one)
{
	world *w = *state;
	plain(w, "void k() {}");
	lcfg_shape shape = {.grid = {2}, .block = {8}};
	assert_ok(w, launch_shape(w, &shape));
	assert_int_equal(last_launch(w)->grid.z, 1);
	assert_int_equal(last_launch(w)->block.y, 1);
}

WORLD_TEST(attributes_go_through_cuLaunchKernelEx)
{
	world *w = *state;
	plain(w, "void k() {}");
	lcfg_shape shape = {.grid = {4, 2, 1},
		.block = {32, 1, 1},
		.cluster = {2, 2, 0},
		.flags = LCFG_COOPERATIVE | LCFG_PROGRAMMATIC | LCFG_PRIORITY,
		.priority = -3};
	assert_ok(w, launch_shape(w, &shape));
	const fake_launch *l = last_launch(w);
	assert_int_equal(l->attr_count, 4);
	assert_int_equal(l->attrs[0].id, LCFG_CU_ATTR_COOPERATIVE);
	assert_int_equal(l->attrs[0].value.number, 1);
	assert_int_equal(l->attrs[1].id, LCFG_CU_ATTR_CLUSTER_DIMENSION);
	assert_int_equal(l->attrs[1].value.cluster.y, 2);
	assert_int_equal(l->attrs[1].value.cluster.z, 1);
	assert_int_equal(l->attrs[2].id, LCFG_CU_ATTR_PROGRAMMATIC);
	assert_int_equal(l->attrs[3].id, LCFG_CU_ATTR_PRIORITY);
	assert_int_equal(l->attrs[3].value.number, -3);
}

/* all of a shape that a generator can read, but the stream, which is a handle */
WORLD_TEST(a_sensitive_kernel_is_kept_apart_by_everything_but_the_stream)
{
	world *w = *state;
	int stream = 0;
	dispatcher_new(w, generate_by_block);
	static const lcfg_shape shapes[] = {
		{.grid = {4}, .block = {32}},
		{.grid = {5}, .block = {32}},
		{.grid = {4}, .block = {32}, .shared_bytes = 16},
		{.grid = {4}, .block = {32}, .flags = LCFG_COOPERATIVE},
		{.grid = {4}, .block = {32}, .cluster = {2}},
		{.grid = {4}, .block = {32}, .cluster = {4}},
		{.grid = {4}, .block = {32}, .flags = LCFG_PRIORITY, .priority = -1},
		{.grid = {4}, .block = {32}, .flags = LCFG_PRIORITY, .priority = -2},
	};
	int count = (int)(sizeof(shapes) / sizeof(shapes[0]));
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < count; i++) {
			lcfg_shape shape = shapes[i];
			shape.stream = round ? &stream : NULL;
			assert_ok(w, launch_shape(w, &shape));
			assert_int_equal(w->nvrtc->compiles, round ? count : i + 1);
		}
	}
	/* and so on disk: another process compiles none of them */
	world_restart(w);
	dispatcher_new(w, generate_by_block);
	for (int i = 0; i < count; i++)
		assert_ok(w, launch_shape(w, &shapes[i]));
	assert_int_equal(w->nvrtc->compiles, 0);
}

WORLD_TEST(what_a_launch_ignores_a_generator_does_not_see)
{
	world *w = *state;
	dispatcher_new(w, generate_by_block);
	lcfg_shape shape = {.grid = {4}, .block = {32}, .cluster = {0, 7, 9}, .priority = 5};
	assert_ok(w, launch_shape(w, &shape));
	assert_int_equal(generated_now.seen.cluster.y, 0);
	assert_int_equal(generated_now.seen.cluster.z, 0);
	assert_int_equal(generated_now.seen.priority, 0);
}

static int count_calls(
	const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	(void)args;
	(void)err;
	++*(int *)data;
	return 0;
}

/* the LC key is grid, block and shared memory, whatever tells kernels apart */
WORLD_TEST(callbacks_are_shared_by_configs_that_differ_in_attributes)
{
	world *w = *state;
	int calls = 0;
	dispatcher_new(w, generate_plain);
	lcfg_shape shape = {.grid = {4}, .block = {32}};
	lcfg_shape later = {.grid = {4}, .block = {32}, .cluster = {2}};
	lcfg_shape before = {.grid = {4}, .block = {32}, .flags = LCFG_COOPERATIVE};
	lcfg_config *config = NULL;
	assert_ok(w, launch_shape(w, &before));
	assert_ok(w, lcfg_configure(&config, w->dispatcher, &shape, &w->err));
	assert_ok(w, lcfg_callback_add(config, count_calls, &calls, &w->err));
	assert_ok(w, launch_shape(w, &shape));
	assert_ok(w, launch_shape(w, &before));
	assert_ok(w, launch_shape(w, &later));
	assert_int_equal(calls, 3);
	assert_ok(w, lcfg_callback_remove(config, count_calls, &calls, &w->err));
	assert_ok(w, launch_shape(w, &before));
	assert_ok(w, launch_shape(w, &later));
	assert_int_equal(calls, 3);
	lcfg_config_free(config);
}

WORLD_TEST(much_shared_memory_is_asked_for_before_the_launch)
{
	world *w = *state;
	plain(w, "void k() {}\nshared 1024\n");
	lcfg_shape shape = {.grid = {1}, .block = {32}, .shared_bytes = 47 * 1024};
	assert_ok(w, launch_shape(w, &shape));
	assert_int_equal(w->cuda->opted_shared, 0);
	shape.shared_bytes = 47 * 1024 + 1;
	assert_ok(w, launch_shape(w, &shape));
	assert_int_equal(w->cuda->opted_shared, 47 * 1024 + 1);
	shape.shared_bytes = 300 * 1024;
	assert_refused(w, launch_shape(w, &shape), LCFG_EDRIVER, "307200 bytes of dynamic");
}

WORLD_TEST(forall_takes_the_best_block_and_enough_of_them)
{
	world *w = *state;
	lcfg_dispatcher *d = plain(w, "void k() {}");
	lcfg_config *config = NULL;
	assert_ok(w, lcfg_forall(&config, d, 385, 0, NULL, float_ptr_int, &w->err));
	const lcfg_shape *shape = lcfg_config_shape(config);
	assert_int_equal(shape->block.x, 384);
	assert_int_equal(shape->grid.x, 2);
	lcfg_config_free(config);
	assert_ok(w, lcfg_forall(&config, d, 128, 32 * 1024, NULL, float_ptr_int, &w->err));
	assert_int_equal(lcfg_config_shape(config)->grid.x, 1);
	assert_int_equal(lcfg_config_shape(config)->block.x, 128);
	lcfg_config_free(config);
}

WORLD_TEST(forall_refuses_a_sensitive_kernel_and_nothing_to_do)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_by_block);
	lcfg_config *config = NULL;
	assert_refused(w, lcfg_forall(&config, d, 10, 0, NULL, float_ptr_int, &w->err),
		LCFG_ENOCONFIG, "no launch config set");
	assert_refused(w, lcfg_forall(&config, d, 0, 0, NULL, float_ptr_int, &w->err), LCFG_EINVAL,
		"no elements");
	assert_null(config);
}

WORLD_TEST(a_thousand_configs_have_a_thousand_kernels_and_each_its_own)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_by_block);
	enum { CONFIGS = 1000 };
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned b = 1; b <= CONFIGS; b++) {
			char wanted[32];
			assert_ok(w, launch_block(w, b));
			snprintf(wanted, sizeof(wanted), "BLOCK %u ", b);
			assert_has(last_launch(w)->image, wanted);
		}
	}
	assert_int_equal(w->nvrtc->compiles, CONFIGS);
	assert_int_equal(lcfg_dispatcher_child_count(d), CONFIGS - 1);
	assert_int_equal(count_files(w, "entries"), CONFIGS);
	assert_int_equal(count_files(w, "markers"), 1);
	world_restart(w);
	dispatcher_new(w, generate_by_block);
	for (unsigned b = CONFIGS; b >= 1; b--)
		assert_ok(w, launch_block(w, b));
	assert_int_equal(w->nvrtc->compiles, 0);
	lcfg_stats stats = {0};
	lcfg_dispatcher_stats(&stats, w->dispatcher);
	assert_int_equal(stats.disk_hits, CONFIGS);
	assert_int_equal(stats.disk_misses, 0);
}
