/* Sources, images, overloads, names and generators. */
#include "support.h"

static const lcfg_type ptr_f32[] = {LCFG_PTR_F32};
static const lcfg_type ptr_f64[] = {LCFG_PTR_F64};
static const lcfg_signature takes_f32 = {ptr_f32, 1};
static const lcfg_signature takes_f64 = {ptr_f64, 1};

static int launch_typed(world *w, unsigned block, lcfg_signature sig)
{
	void *pointer = NULL;
	void *args[] = {&pointer, &pointer, &pointer, &pointer};
	lcfg_config *config = config_of(w, block);
	int rc = lcfg_launch_typed(config, sig, args, &w->err);
	lcfg_config_free(config);
	return rc;
}

WORLD_TEST(overloads_are_compiled_at_their_first_launch_and_found_again)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "scale<{*0}>",
		.source = "template <class T> __global__ void scale(T *x) {}",
		.cache = w->cache};
	w->dispatcher = dispatcher_of(w, &desc);
	for (int i = 0; i < 3; i++) {
		assert_ok(w, launch_typed(w, 32, takes_f32));
		assert_string_equal(last_launch(w)->entry, "_Zscale_float_");
		assert_ok(w, launch_typed(w, 32, takes_f64));
		assert_string_equal(last_launch(w)->entry, "_Zscale_double_");
	}
	assert_int_equal(w->nvrtc->compiles, 2);
	lcfg_stats stats = {0};
	lcfg_dispatcher_stats_of(&stats, w->dispatcher, takes_f64, NULL);
	assert_int_equal(stats.compiles, 1);
	lcfg_dispatcher_stats(&stats, w->dispatcher);
	assert_int_equal(stats.compiles, 2);
	assert_int_equal(stats.disk_misses, 2);
}

WORLD_TEST(a_hundred_overloads_are_kept_apart)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.source = "void k() {}"};
	w->dispatcher = dispatcher_of(w, &desc);
	for (int round = 0; round < 2; round++) {
		for (uint32_t size = 1; size <= 100; size++) {
			lcfg_type type = LCFG_BYTES(size);
			assert_ok(w, launch_typed(w, 32, (lcfg_signature){&type, 1}));
		}
	}
	assert_int_equal(w->nvrtc->compiles, 100);
	assert_int_equal(w->cuda->launches, 200);
}

/* sensitive for double, not for float */
static int generate_by_type(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	if (what->signature.types[0] == LCFG_PTR_F64)
		return generate_by_block(out, what, err);
	return generate_plain(out, what, err);
}

WORLD_TEST(an_overload_that_marks_makes_the_whole_dispatcher_sensitive)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = desc_of(w, generate_by_type);
	desc.specialised = 0;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_typed(w, 32, takes_f32));
	assert_ok(w, launch_typed(w, 64, takes_f32));
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_ok(w, launch_typed(w, 64, takes_f64));
	assert_true(lcfg_dispatcher_is_sensitive(w->dispatcher));
	lcfg_key key = {0};
	assert_true(lcfg_dispatcher_default_key(&key, w->dispatcher));
	assert_int_equal(key.block.x, 64);
	/* from now on block 32 has a child, for every signature */
	assert_ok(w, launch_typed(w, 32, takes_f32));
	assert_int_equal(lcfg_dispatcher_child_count(w->dispatcher), 1);
	assert_int_equal(w->nvrtc->compiles, 3);
	assert_ok(w, launch_typed(w, 32, takes_f64));
	assert_has(last_launch(w)->image, "BLOCK 32");
	assert_ok(w, launch_typed(w, 64, takes_f64));
	assert_has(last_launch(w)->image, "BLOCK 64");
	assert_int_equal(w->nvrtc->compiles, 4);
}

WORLD_TEST(a_ready_image_is_loaded_once_for_all_configs)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.image = ".version 8.0\n.visible .entry k(\n)",
		.specialised = 1,
		.signature = float_ptr_int,
		.cache = w->cache};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->cuda->loads, 1);
	assert_int_equal(count_files(w, ""), 0);
}

WORLD_TEST(an_image_declared_sensitive_is_loaded_once_a_key)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.image = ".visible .entry k()",
		.specialised = 1,
		.sensitive = 1};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->cuda->loads, 2);
	assert_int_equal(lcfg_dispatcher_child_count(w->dispatcher), 1);
	lcfg_kernel_info info;
	lcfg_config *config = config_of(w, 64);
	assert_true(lcfg_kernel_get(&info, config, float_ptr_int));
	assert_true(info.launch_config_sensitive);
	assert_true(info.in_child);
	assert_int_equal(info.key.block.x, 64);
	lcfg_config_free(config);
}

static int generate_peeking(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	const lcfg_config *config = lcfg_peek_config();
	generated_now.seen = config ? *lcfg_config_shape(config) : (lcfg_shape){0};
	return generate_plain(out, what, err);
}

WORLD_TEST(peeking_at_the_config_does_not_mark)
{
	world *w = *state;
	dispatcher_new(w, generate_peeking);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(generated_now.seen.block.x, 32);
	assert_false(lcfg_dispatcher_is_sensitive(w->dispatcher));
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->nvrtc->compiles, 1);
}

WORLD_TEST(peeking_is_allowed_ahead_of_time)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_peeking);
	generated_now.seen.block.x = 7;
	assert_ok(w, lcfg_compile(d, float_ptr_int, &w->err));
	assert_int_equal(generated_now.seen.block.x, 0);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->nvrtc->compiles, 1);
}

/* tolerates NULL, so nothing but the library notices that it depends on the config */
static int generate_tolerant(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	const lcfg_config *config = lcfg_current_config();
	(void)what;
	(void)err;
	return lcfg_emit(out, "void k() { /* BLOCK %u */ }",
		config ? lcfg_config_shape(config)->block.x : 0);
}

WORLD_TEST(code_made_without_a_config_does_not_pass_for_code_that_needs_none)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_tolerant);
	assert_refused(
		w, lcfg_compile(d, float_ptr_int, &w->err), LCFG_ENOCONFIG, "no launch config set");
	assert_int_equal(w->nvrtc->compiles, 0);
	assert_ok(w, launch_block(w, 32));
	assert_has(last_launch(w)->image, "BLOCK 32");
}

static int generate_marking(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	int rc = lcfg_mark_sensitive(what->dispatcher, err);
	return rc ? rc : generate_plain(out, what, err);
}

WORLD_TEST(marking_by_hand_is_enough)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_marking);
	assert_ok(w, launch_block(w, 32));
	assert_true(lcfg_dispatcher_is_sensitive(d));
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->nvrtc->compiles, 2);
	assert_refused(
		w, lcfg_mark_sensitive(d, &w->err), LCFG_ENOTCOMPILING, "not being compiled");
}

WORLD_TEST(marking_ahead_of_time_is_refused)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_marking);
	assert_refused(
		w, lcfg_compile(d, float_ptr_int, &w->err), LCFG_ENOTCOMPILING, "ahead of time");
}

static lcfg_dispatcher *marked_by_another;

static int generate_marking_another(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	(void)out;
	(void)what;
	return lcfg_mark_sensitive(marked_by_another, err);
}

WORLD_TEST(a_generator_cannot_mark_another_dispatcher)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
	marked_by_another = dispatcher_of(w, &desc);
	dispatcher_new(w, generate_marking_another);
	assert_refused(w, launch_block(w, 32), LCFG_ENOTCOMPILING, "not being compiled");
	lcfg_dispatcher_free(marked_by_another);
}

static lcfg_config *inner_config;
static const lcfg_args *inner_args_outside;

/* launches another sensitive kernel, compiled for its own config, before it reads ours
 */
static int generate_launching(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	void *pointer = NULL;
	int n = 0;
	void *args[] = {&pointer, &n};
	const lcfg_args *before = lcfg_current_args();
	int rc = lcfg_launch(inner_config, args, err);
	if (rc)
		return rc;
	inner_args_outside = lcfg_current_args();
	assert_ptr_equal(inner_args_outside, before);
	return generate_by_block(out, what, err);
}

WORLD_TEST(compilations_nest_and_each_sees_its_own_config)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = desc_of(w, generate_by_block);
	desc.name = "k";
	lcfg_dispatcher *inner = dispatcher_of(w, &desc);
	lcfg_shape shape = {.grid = {1, 1, 1}, .block = {256, 1, 1}};
	assert_ok(w, lcfg_configure(&inner_config, inner, &shape, &w->err));
	desc.generate = generate_launching;
	desc.revision = "outer";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(generated_now.runs, 2);
	assert_int_equal(generated_now.seen.block.x, 32);
	assert_has(last_launch(w)->image, "BLOCK 32");
	lcfg_kernel_info info;
	assert_true(lcfg_kernel_get(&info, inner_config, float_ptr_int));
	assert_int_equal(info.key.block.x, 256);
	assert_null(lcfg_current_config());
	lcfg_config_free(inner_config);
	lcfg_dispatcher_free(inner);
}

static int generate_recursing(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	(void)out;
	return lcfg_compile(what->dispatcher, what->signature, err);
}

WORLD_TEST(a_generator_that_waits_for_itself_is_told_so)
{
	world *w = *state;
	dispatcher_new(w, generate_recursing);
	assert_refused(w, launch_block(w, 32), LCFG_EDEADLOCK, "inside its own generator");
}

WORLD_TEST(a_capture_records_the_config_of_the_compilation_inside_it)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_plain);
	lcfg_capture outer;
	lcfg_capture inner;
	lcfg_capture_begin(&outer, d);
	lcfg_capture_begin(&inner, d);
	assert_ok(w, launch_block(w, 96));
	const lcfg_shape *shape = lcfg_capture_end(&inner);
	assert_non_null(shape);
	assert_int_equal(shape->block.x, 96);
	assert_int_equal(lcfg_capture_end(&outer)->block.x, 96);
	/* a memory hit compiles nothing */
	lcfg_capture_begin(&inner, d);
	assert_ok(w, launch_block(w, 96));
	assert_null(lcfg_capture_end(&inner));
	/* nor does a disk hit */
	world_restart(w);
	d = dispatcher_new(w, generate_plain);
	lcfg_capture_begin(&inner, d);
	assert_ok(w, launch_block(w, 96));
	assert_null(lcfg_capture_end(&inner));
}

static int leave_early(world *w)
{
	LCFG_CAPTURE_SCOPE(capture, w->dispatcher);
	return launch_block(w, 32);
}

WORLD_TEST(a_capture_unhooks_itself_on_every_way_out)
{
	world *w = *state;
	dispatcher_new(w, generate_plain);
	assert_ok(w, leave_early(w));
	/* a compilation now must not write to a dead stack frame */
	dispatcher_new(w, generate_plain);
	lcfg_capture capture;
	lcfg_capture_begin(&capture, w->dispatcher);
	assert_null(capture.outer);
	lcfg_capture_end(&capture);
}

WORLD_TEST(a_compile_ahead_of_time_is_not_captured)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_plain);
	lcfg_capture capture;
	lcfg_capture_begin(&capture, d);
	assert_ok(w, lcfg_compile(d, float_ptr_int, &w->err));
	assert_null(lcfg_capture_end(&capture));
}

WORLD_TEST(the_compiler_gets_architecture_options_and_headers)
{
	world *w = *state;
	const char *options[] = {"--std=c++17", "-DX=1"};
	lcfg_header header = {"lib.h", "#define LIB 1"};
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.source = "void k() {}",
		.options = options,
		.option_count = 2,
		.headers = &header,
		.header_count = 1,
		.specialised = 1};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 32));
	assert_string_equal(w->nvrtc->options, "--gpu-architecture=sm_90 --std=c++17 -DX=1");
	assert_has(last_launch(w)->image, "#define LIB 1");
}

WORLD_TEST(a_gpu_newer_than_the_compiler_gets_ptx)
{
	world *w = *state;
	w->cuda->arch = 123;
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	assert_string_equal(w->nvrtc->options, "--gpu-architecture=compute_100");
}
