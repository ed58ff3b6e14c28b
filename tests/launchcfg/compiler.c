/* What the compiler is told, what it says, and what of it is kept on disk. */
#include <sys/stat.h>
#include <unistd.h>

#include "nvrtc.h"
#include "support.h"

static lcfg_dispatcher_desc source_desc(world *w, const char *source)
{
	return (lcfg_dispatcher_desc){.struct_size = sizeof(lcfg_dispatcher_desc),
		.driver = w->driver,
		.name = "k",
		.source = source,
		.specialised = 1,
		.signature = float_ptr_int,
		.cache = w->cache};
}

/* as another process would: how often the compiler ran */
static int launch_anew(world *w, lcfg_dispatcher_desc *desc)
{
	world_restart(w);
	desc->driver = w->driver;
	desc->cache = w->cache;
	w->dispatcher = dispatcher_of(w, desc);
	assert_ok(w, launch_block(w, 32));
	return w->nvrtc->compiles;
}

static int generate_number(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	(void)err;
	return lcfg_emit(out, "void k() { /* NUMBER %d */ }", *(int *)what->data);
}

WORLD_TEST(a_generators_data_without_a_key_is_not_shared_on_disk)
{
	world *w = *state;
	int number = 1;
	lcfg_dispatcher_desc desc = desc_of(w, generate_number);
	desc.generate_data = &number;
	assert_int_equal(launch_anew(w, &desc), 1);
	char why[256];
	assert_false(lcfg_dispatcher_is_caching(w->dispatcher, why, sizeof(why)));
	assert_has(why, "desc.generate_key");
	number = 2;
	assert_int_equal(launch_anew(w, &desc), 1);
	assert_has(last_launch(w)->image, "NUMBER 2 ");
	/* a program built with version 1.0 knows no key: the same */
	desc.struct_size = offsetof(lcfg_dispatcher_desc, generate_key);
	number = 3;
	assert_int_equal(launch_anew(w, &desc), 1);
	assert_has(last_launch(w)->image, "NUMBER 3 ");
	assert_int_equal(count_files(w, "entries"), 0);
}

WORLD_TEST(a_generators_data_with_a_key_is_kept_by_that_key)
{
	world *w = *state;
	int number = 1;
	lcfg_dispatcher_desc desc = desc_of(w, generate_number);
	desc.generate_data = &number;
	desc.generate_key = &number;
	desc.generate_key_size = sizeof(number);
	for (int round = 0; round < 2; round++) {
		for (number = 1; number < 4; number++) {
			char wanted[32];
			snprintf(wanted, sizeof(wanted), "NUMBER %d ", number);
			assert_int_equal(launch_anew(w, &desc), round == 0);
			assert_has(last_launch(w)->image, wanted);
		}
	}
	/* no bytes: the data is said not to matter, and that is a key, too */
	desc.generate_key_size = 0;
	assert_int_equal(launch_anew(w, &desc), 1);
	assert_int_equal(launch_anew(w, &desc), 0);
}

static void write_header(const world *w, const char *text)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/part.h", w->dir);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

WORLD_TEST(headers_of_the_disk_need_a_key)
{
	world *w = *state;
	char option[128];
	const char *options[] = {option};
	snprintf(option, sizeof(option), "-I%s", w->dir);
	lcfg_dispatcher_desc desc = source_desc(w, "#include \"part.h\"\nvoid k() {}");
	desc.options = options;
	desc.option_count = 1;
	for (int round = 0; round < 2; round++) {
		write_header(w, "// PART 1\n");
		assert_int_equal(launch_anew(w, &desc), round ? 0 : 1);
		assert_has(last_launch(w)->image, "PART 1");
		write_header(w, "// PART 2\n");
		if (round)
			desc.include_key = "2";
		assert_int_equal(launch_anew(w, &desc), 1);
		assert_has(last_launch(w)->image, "PART 2");
		/* with a key from here on */
		desc.include_key = "1";
		desc.include_key_size = 1;
		write_header(w, "// PART 1\n");
		if (!round)
			assert_int_equal(launch_anew(w, &desc), 1);
	}
	static const char *const reading[] = {"-I", "-I.", "--include-path=x", "-include=a.h",
		"--pre-include=a.h", "-pch", "--use-pch=f"};
	for (size_t i = 0; i < sizeof(reading) / sizeof(reading[0]); i++)
		assert_true(lcfg_nvrtc_option_reads(reading[i]));
	static const char *const not_reading[] = {
		"-DI=1", "--std=c++17", "-lineinfo", "--maxrregcount=32", "-G"};
	for (size_t i = 0; i < sizeof(not_reading) / sizeof(not_reading[0]); i++)
		assert_false(lcfg_nvrtc_option_reads(not_reading[i]));
}

WORLD_TEST(a_header_of_the_current_directory_is_found_and_not_kept)
{
	world *w = *state;
	char before[4096];
	assert_non_null(getcwd(before, sizeof(before)));
	lcfg_dispatcher_desc desc = source_desc(w, "#include \"part.h\"\nvoid k() {}");
	for (int i = 1; i < 3; i++) {
		char text[32];
		snprintf(text, sizeof(text), "// PART %d\n", i);
		write_header(w, text);
		assert_int_equal(chdir(w->dir), 0);
		/* once where no file can be, and once with it */
		int compiles = launch_anew(w, &desc);
		assert_int_equal(chdir(before), 0);
		assert_int_equal(compiles, 2);
		text[strlen(text) - 1] = 0;
		assert_has(last_launch(w)->image, text);
	}
	assert_int_equal(count_files(w, "entries"), 0);
}

WORLD_TEST(options_from_the_environment_are_not_shared)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}");
	assert_int_equal(launch_anew(w, &desc), 1);
	setenv("NVRTC_APPEND_FLAGS", "-DX", 1);
	int compiles = launch_anew(w, &desc);
	unsetenv("NVRTC_APPEND_FLAGS");
	assert_int_equal(compiles, 1);
	assert_int_equal(launch_anew(w, &desc), 0);
}

WORLD_TEST(a_longer_description_is_taken_if_the_rest_is_nothing)
{
	world *w = *state;
	struct {
		lcfg_dispatcher_desc desc;
		char rest[64];
	} later = {.desc = source_desc(w, "void k() {}")};
	later.desc.struct_size = sizeof(later);
	w->dispatcher = dispatcher_of(w, &later.desc);
	assert_ok(w, launch_block(w, 32));
	later.rest[63] = 1;
	lcfg_dispatcher *d = NULL;
	assert_refused(w, lcfg_dispatcher_new(&d, &later.desc, &w->err), LCFG_EINVAL,
		"use a library as new as the header");
}

WORLD_TEST(the_log_is_whole_and_warnings_can_be_had)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}\n#warning shadowed\n");
	char text[64];
	w->dispatcher = dispatcher_of(w, &desc);
	assert_int_equal(lcfg_dispatcher_log(text, sizeof(text), w->dispatcher, float_ptr_int), 0);
	assert_ok(w, launch_block(w, 32));
	size_t n = lcfg_dispatcher_log(text, sizeof(text), w->dispatcher, float_ptr_int);
	assert_string_equal(text, "launchcfg.cu(1): warning: shadowed");
	assert_int_equal(n, strlen(text));
	assert_int_equal(lcfg_dispatcher_log(NULL, 0, w->dispatcher, float_ptr_int), n);
	assert_int_equal(lcfg_dispatcher_log(text, 5, w->dispatcher, float_ptr_int), n);
	assert_string_equal(text, "laun");
	lcfg_dispatcher_free(w->dispatcher);
	desc.source = "void k() {}\n#long 20000\n";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ECOMPILE, "xxxx");
	assert_int_equal(lcfg_dispatcher_log(NULL, 0, w->dispatcher, float_ptr_int), 20000);
	/* what was cut says so, and where the rest is */
	assert_true(strlen(w->err.text) < sizeof(w->err.text));
	assert_has(w->err.text + sizeof(w->err.text) - 128, "bytes in all");
	assert_has(w->err.text + sizeof(w->err.text) - 128, "lcfg_dispatcher_log");
}

WORLD_TEST(only_what_ran_is_counted_as_a_compilation)
{
	world *w = *state;
	lcfg_stats stats;
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}");
	/* no compiler */
	lcfg_driver *driver = NULL;
	lcfg_driver_options options = {
		.driver_path = FAKE_CUDA, .nvrtc_path = "/nowhere/libnvrtc.so"};
	assert_ok(w, lcfg_driver_open(&driver, &options, &w->err));
	desc.driver = driver;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_int_equal(launch_block(w, 32), LCFG_ENVRTC);
	lcfg_dispatcher_stats(&stats, w->dispatcher);
	assert_int_equal(stats.compiles, 0);
	lcfg_dispatcher_free(w->dispatcher);
	lcfg_driver_free(driver);
	/* an image that is not loaded */
	desc.driver = w->driver;
	desc.source = NULL;
	desc.image = "entry k\nreject\n";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_int_equal(launch_block(w, 32), LCFG_EDRIVER);
	lcfg_dispatcher_stats(&stats, w->dispatcher);
	assert_int_equal(stats.compiles, 0);
}

WORLD_TEST(a_bad_moment_of_the_driver_costs_no_entry)
{
	world *w = *state;
	static const int moments[] = {2 /* out of memory */, 719 /* launch failed */, 999,
		4 /* deinitialised */, 46 /* devices unavailable */};
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}");
	assert_int_equal(launch_anew(w, &desc), 1);
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		world_restart(w);
		desc.driver = w->driver;
		desc.cache = w->cache;
		w->dispatcher = dispatcher_of(w, &desc);
		w->cuda->fail_load = moments[i];
		assert_refused(w, launch_block(w, 32), LCFG_EDRIVER, "loading the image of 'k'");
		assert_int_equal(w->err.cuda, moments[i]);
		w->cuda->fail_load = 0;
		lcfg_stats stats;
		lcfg_dispatcher_stats(&stats, w->dispatcher);
		assert_int_equal(stats.compiles, 0);
		assert_int_equal(count_files(w, "entries"), 1);
		assert_ok(w, launch_block(w, 32));
		assert_int_equal(w->nvrtc->compiles, 0);
	}
}

WORLD_TEST(link_time_code_is_refused)
{
	world *w = *state;
	const char *options[] = {"-dlto"};
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}");
	desc.options = options;
	desc.option_count = 1;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_refused(w, launch_block(w, 32), LCFG_ECOMPILE,
		"'-dlto' makes code for link-time optimisation");
}

WORLD_TEST(an_unknown_architecture_gets_ptx_of_the_one_before)
{
	world *w = *state;
	/* the fake knows 75, 90 and 100 */
	static const struct {
		int arch;
		const char *option;
	} cases[] = {{75, "=sm_75"}, {89, "=compute_75"}, {90, "=sm_90"}, {91, "=compute_90"},
		{120, "=compute_100"}, {70, "=sm_70"}};
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}");
	desc.cache = NULL;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		w->cuda->arch = cases[i].arch;
		lcfg_dispatcher_free(w->dispatcher);
		w->dispatcher = dispatcher_of(w, &desc);
		assert_ok(w, launch_block(w, 32));
		assert_has(w->nvrtc->options, cases[i].option);
	}
}

TEST(pointers_to_pointers_have_their_stars)
{
	char name[64];
	static const lcfg_type two[] = {LCFG_POINTER_TO(LCFG_PTR_F32)};
	lcfg_type_name(name, sizeof(name), two[0]);
	assert_string_equal(name, "float **");
	lcfg_type_name(name, sizeof(name), LCFG_POINTER_TO(two[0]));
	assert_string_equal(name, "float ***");
	assert_int_equal(lcfg_type_size(two[0]), 8);
	lcfg_type many = LCFG_F32;
	for (int i = 0; i < 12; i++)
		many = LCFG_POINTER_TO(many);
	lcfg_type_name(name, sizeof(name), many);
	assert_string_equal(name, "float ********");
	lcfg_type_name(name, sizeof(name), LCFG_POINTER_TO(LCFG_BYTES(12)));
	assert_string_equal(name, "bytes<12> *");
}

WORLD_TEST(a_hole_takes_one_star_away)
{
	world *w = *state;
	lcfg_type type = LCFG_POINTER_TO(LCFG_PTR_F32);
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}");
	desc.name = "k<{0}, {*0}>";
	desc.specialised = 0;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, lcfg_compile(w->dispatcher, (lcfg_signature){&type, 1}, &w->err));
	char *path = any_file(w, "entries");
	void *data = NULL;
	size_t size = 0;
	assert_int_equal(read_file(&data, &size, path), 0);
	/* k<float **, float *>, as the fake compiler mangles it */
	assert_non_null(memmem(data, size, "_Zk_float_____float___", 22));
	free(data);
	free(path);
}

WORLD_TEST(types_that_are_not_there_are_noticed)
{
	world *w = *state;
	void *args[] = {NULL, NULL};
	const lcfg_signature missing = {NULL, 2};
	lcfg_dispatcher_desc desc = source_desc(w, "void k() {}");
	lcfg_dispatcher *d = NULL;
	lcfg_stats stats;
	lcfg_kernel_info info;
	desc.signature.types = NULL;
	assert_refused(w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "NULL");
	desc.signature = float_ptr_int;
	desc.option_count = 1;
	assert_refused(w, lcfg_dispatcher_new(&d, &desc, &w->err), LCFG_EINVAL, "NULL");
	desc.option_count = 0;
	desc.specialised = 0;
	w->dispatcher = dispatcher_of(w, &desc);
	lcfg_config *config = config_of(w, 32);
	for (int compiled = 0; compiled < 2; compiled++) {
		assert_refused(w, lcfg_launch_typed(config, missing, args, &w->err), LCFG_EINVAL,
			"without their types");
		assert_refused(w, lcfg_prepare(config, missing, &w->err), LCFG_EINVAL,
			"without their types");
		assert_int_equal(lcfg_kernel_get(&info, config, missing), 0);
		lcfg_dispatcher_stats_of(&stats, w->dispatcher, missing, NULL);
		assert_int_equal(stats.compiles, 0);
		assert_int_equal(lcfg_dispatcher_log(NULL, 0, w->dispatcher, missing), 0);
		/* the second time there is a kernel of two parameters to compare with
		 */
		assert_ok(w, lcfg_launch_typed(config, float_ptr_int, args, &w->err));
	}
	char name[16];
	lcfg_signature_name(name, sizeof(name), missing);
	assert_string_equal(name, "()");
	lcfg_config_free(config);
}
