/* What an attempt to misuse each call is told. */
#include <dlfcn.h>

#include "support.h"

WORLD_TEST(descriptions_that_make_no_sense_are_refused)
{
	world *w = *state;
	lcfg_dispatcher *d = NULL;
	lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
	desc.struct_size = 8;
	assert_refused(w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "struct_size is 8");
	desc = desc_of(w, generate_plain);
	desc.driver = NULL;
	assert_refused(w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "lcfg_driver_open");
	desc = desc_of(w, generate_plain);
	desc.name = "";
	assert_refused(
		w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "desc.name is NULL");
	desc = desc_of(w, generate_plain);
	desc.source = "void k() {}";
	assert_refused(w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "exactly one");
	desc = desc_of(w, NULL);
	assert_refused(w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "exactly one");
	desc = desc_of(w, generate_plain);
	desc.signature.count = LCFG_MAX_PARAMS + 1;
	assert_refused(w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "too many");
	assert_null(d);
}

WORLD_TEST(shapes_that_no_gpu_takes_are_refused_by_name)
{
	world *w = *state;
	lcfg_config *config = NULL;
	lcfg_dispatcher *d = dispatcher_new(w, generate_plain);
	static const struct {
		lcfg_shape shape;
		const char *says;
	} bad[] = {
		{{.grid = {0}, .block = {1}}, "grid.x is 0"},
		{{.grid = {1}, .block = {0}}, "block.x is 0"},
		{{.grid = {1}, .block = {1025}}, "the limit is 1024"},
		{{.grid = {1}, .block = {32, 32, 2}}, "32 x 32 x 2"},
		{{.grid = {1}, .block = {0xffffffff, 0xffffffff, 0xffffffff}}, "the limit"},
		{{.grid = {1}, .block = {1}, .flags = 64}, "unknown launch flags 0x40"},
		{{.grid = {3}, .block = {1}, .cluster = {2}}, "whole number of clusters"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_refused(w, lcfg_configure(&config, d, &bad[i].shape, &w->err), LCFG_EINVAL,
			bad[i].says);
	assert_refused(w, lcfg_configure(&config, NULL, &bad[0].shape, &w->err), LCFG_EINVAL,
		"dispatcher is NULL");
	assert_null(config);
}

WORLD_TEST(a_wrong_signature_is_refused_before_the_driver_reads_too_far)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.image = "entry k\nparams 8 4 8\n",
		.specialised = 1,
		.signature = float_ptr_int};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ESIGNATURE, "takes more parameters");
	lcfg_dispatcher_free(w->dispatcher);
	desc.image = "entry k\nparams 8\n";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ESIGNATURE, "takes fewer parameters");
	lcfg_dispatcher_free(w->dispatcher);
	desc.image = "entry k\nparams 8 8\n";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ESIGNATURE,
		"parameter 1 has 8 bytes, not the 4 of the signature (float *, int)");
	lcfg_dispatcher_free(w->dispatcher);
	desc.image = "entry k\nparams 8 4\n";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 32));
}

WORLD_TEST(the_two_kinds_of_launch_are_not_mixed_up)
{
	world *w = *state;
	lcfg_type type = LCFG_F64;
	void *args[] = {&type, &type};
	dispatcher_new(w, generate_plain);
	lcfg_config *config = config_of(w, 32);
	assert_refused(w, lcfg_launch_typed(config, (lcfg_signature){&type, 1}, args, &w->err),
		LCFG_ESIGNATURE, "'k' is specialised for (float *, int), not for (double)");
	assert_ok(w, lcfg_launch_typed(config, float_ptr_int, args, &w->err));
	lcfg_config_free(config);
	lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
	desc.specialised = 0;
	lcfg_dispatcher_free(w->dispatcher);
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ESIGNATURE, "lcfg_launch_typed");
	assert_refused(w, lcfg_compile(w->dispatcher, (lcfg_signature){NULL, 2}, &w->err),
		LCFG_EINVAL, "without their types");
}

WORLD_TEST(the_compilers_log_is_the_error)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.source = "void k() {}\n#error missing brace\n",
		.specialised = 1,
		.cache = w->cache};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ECOMPILE,
		"'k' does not compile for sm_90:\nlaunchcfg.cu(1): error: missing "
		"brace");
	assert_null(lcfg_current_args());
	assert_int_equal(count_files(w, "entries"), 0);
	/* tried again, not remembered as broken */
	assert_refused(w, launch_block(w, 32), LCFG_ECOMPILE, "missing brace");
	assert_int_equal(w->nvrtc->compiles, 2);
}

WORLD_TEST(a_missing_kernel_is_named)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "nowhere",
		.source = "void k() {}",
		.specialised = 1};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ECOMPILE, "no kernel 'nowhere'");
	lcfg_dispatcher_free(w->dispatcher);
	desc.source = NULL;
	desc.image = "entry k\n";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_EDRIVER,
		"no kernel 'nowhere': CUDA_ERROR_NOT_FOUND (500)");
}

WORLD_TEST(the_loaders_log_is_in_the_error)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k",
		.image = "entry k\nreject\n",
		.specialised = 1};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_EDRIVER, "ptxas fatal: as told");
	assert_int_equal(w->err.cuda, LCFG_CU_NO_BINARY_FOR_GPU);
}

WORLD_TEST(a_launch_that_the_driver_refuses_says_with_which_config)
{
	world *w = *state;
	dispatcher_new(w, generate_plain);
	w->cuda->fail_launch = LCFG_CU_INVALID_VALUE;
	assert_refused(w, launch_block(w, 32), LCFG_EDRIVER,
		"launch of 'k' with grid 1,1,1, block 32,1,1 and 0 bytes of dynamic "
		"shared "
		"memory: CUDA_ERROR_INVALID_VALUE (1): as the test asked");
	assert_int_equal(w->err.cuda, LCFG_CU_INVALID_VALUE);
	assert_null(lcfg_current_args());
}

WORLD_TEST(another_context_is_noticed)
{
	world *w = *state;
	void *handle = dlopen(FAKE_CUDA, RTLD_NOW);
	void (*set)(lcfg_cu_context) = (void (*)(lcfg_cu_context))dlsym(handle, "fake_context_set");
	dispatcher_new(w, generate_plain);
	set((lcfg_cu_context)0x2000);
	assert_refused(w, launch_block(w, 32), LCFG_ECONTEXT, "another CUDA context");
	set(NULL);
	assert_refused(w, launch_block(w, 32), LCFG_ECONTEXT, "another CUDA context");
	set((lcfg_cu_context)0x1000);
	assert_ok(w, launch_block(w, 32));
	dlclose(handle);
}

WORLD_TEST(a_missing_driver_or_compiler_says_what_to_do)
{
	world *w = *state;
	lcfg_driver *driver = NULL;
	lcfg_driver_options options = {.driver_path = "/nowhere/libcuda.so.1"};
	assert_refused(w, lcfg_driver_open(&driver, &options, &w->err), LCFG_EDRIVER,
		"no CUDA driver: /nowhere/libcuda.so.1");
	options.driver_path = FAKE_NVRTC;
	assert_refused(
		w, lcfg_driver_open(&driver, &options, &w->err), LCFG_EDRIVER, "not a CUDA driver");
	options.driver_path = FAKE_CUDA;
	options.nvrtc_path = "/nowhere/libnvrtc.so";
	assert_ok(w, lcfg_driver_open(&driver, &options, &w->err));
	lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
	desc.driver = driver;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ENVRTC, "set LAUNCHCFG_NVRTC");
	lcfg_driver_free(driver);
}

static int generate_nothing(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	(void)out;
	(void)what;
	(void)err;
	return 0;
}

static int generate_failure(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	(void)out;
	(void)what;
	(void)err;
	return 5;
}

WORLD_TEST(generators_that_fail_fail_the_launch)
{
	world *w = *state;
	dispatcher_new(w, generate_nothing);
	assert_refused(w, launch_block(w, 32), LCFG_ECOMPILE, "wrote nothing");
	dispatcher_new(w, generate_failure);
	assert_refused(w, launch_block(w, 32), 5, "the generator of 'k' returned 5");
	/* err may be NULL everywhere */
	void *args[] = {NULL, NULL};
	lcfg_config *config = config_of(w, 32);
	assert_int_equal(lcfg_launch(config, args, NULL), 5);
	lcfg_config_free(config);
}

WORLD_TEST(names_with_holes_that_do_not_fit_are_refused)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = w->driver,
		.name = "k<{2}>",
		.source = "void k() {}",
		.specialised = 1,
		.signature = float_ptr_int};
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ESIGNATURE, "parameter 2 of 2");
	lcfg_dispatcher_free(w->dispatcher);
	desc.name = "k<{*1}>";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ESIGNATURE, "that is not a pointer");
}

WORLD_TEST(asking_outside_a_launch_is_answered)
{
	world *w = *state;
	const lcfg_config *config = NULL;
	assert_refused(w, lcfg_ensure_current_config(&config, &w->err), LCFG_ENOCONFIG,
		"no launch config set for this thread");
	assert_null(lcfg_current_config());
	assert_null(lcfg_current_args());
	assert_refused(
		w, lcfg_mark_sensitive(NULL, &w->err), LCFG_ENOTCOMPILING, "not being compiled");
	dispatcher_new(w, generate_plain);
	lcfg_config *mine = config_of(w, 32);
	assert_refused(w, lcfg_callback_remove(mine, NULL, NULL, &w->err), LCFG_EINVAL,
		"no such callback");
	assert_refused(
		w, lcfg_callback_add(mine, NULL, NULL, &w->err), LCFG_EINVAL, "callback is NULL");
	lcfg_config_free(mine);
}

/* what a program passes that did not look whether lcfg_configure succeeded */
WORLD_TEST(null_instead_of_a_handle_is_named)
{
	world *w = *state;
	const lcfg_signature none = {NULL, 0};
	const lcfg_shape shape = {.grid = {1}, .block = {1}};
	lcfg_kernel_info info;
	lcfg_config *config = NULL;
	assert_refused(
		w, lcfg_launch(NULL, NULL, &w->err), LCFG_EINVAL, "lcfg_launch: config is NULL");
	assert_refused(w, lcfg_launch_typed(NULL, none, NULL, &w->err), LCFG_EINVAL,
		"lcfg_launch_typed: config is NULL");
	assert_refused(w, lcfg_launch_shape(NULL, &shape, none, NULL, &w->err), LCFG_EINVAL,
		"dispatcher is NULL");
	assert_refused(
		w, lcfg_prepare(NULL, none, &w->err), LCFG_EINVAL, "lcfg_prepare: config is NULL");
	assert_refused(w, lcfg_compile(NULL, none, &w->err), LCFG_EINVAL,
		"lcfg_compile: dispatcher is NULL");
	assert_refused(w, lcfg_forall(&config, NULL, 9, 0, NULL, none, &w->err), LCFG_EINVAL,
		"lcfg_forall: dispatcher is NULL");
	assert_int_equal(lcfg_kernel_get(&info, NULL, none), 0);
	assert_null(config);
}

TEST(everything_that_frees_takes_null)
{
	lcfg_config_free(NULL);
	lcfg_dispatcher_free(NULL);
	lcfg_cache_free(NULL);
	lcfg_driver_free(NULL);
}
