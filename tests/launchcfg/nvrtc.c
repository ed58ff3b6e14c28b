/*
 * The real NVRTC, which needs no GPU: skipped where there is none. Set LAUNCHCFG_NVRTC
 * to its path if the loader does not find it.
 */
#include "test.h"

#include <unistd.h>

#include "nvrtc.h"

static lcfg_nvrtc *nvrtc;

static int set_up(void **state)
{
	lcfg_error err;
	if (lcfg_nvrtc_open(&nvrtc, NULL, &err)) {
		fprintf(stderr, "skipped: %s\n", err.text);
		exit(77);
	}
	return 0;
}
static int tear_down(void **state)
{
	lcfg_nvrtc_free(nvrtc);
	return 0;
}
TEST_GROUP(set_up, tear_down);

static int compile(
	lcfg_binary *out, const char *name, const char *source, int arch, lcfg_error *err)
{
	lcfg_nvrtc_job job = {.source = source, .name = name, .arch = arch};
	int rc = lcfg_nvrtc_compile(out, nvrtc, &job, err);
	free(job.log);
	return rc;
}

TEST(a_plain_kernel_becomes_a_cubin_under_its_own_name)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	int rc = compile(&b, "k", "extern \"C\" __global__ void k(int *x) { *x = 1; }", 90, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_memory_equal(b.image, "\177ELF", 4);
	assert_true(b.size > 500);
	assert_string_equal(b.entry, "k");
	lcfg_binary_dispose(&b);
}

TEST(a_template_is_instantiated_and_its_mangled_name_given)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	int rc = compile(&b, "put<float *, 3>",
		"template <class T, int N> __global__ void put(T x) { *x = N; }", 90, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_int_equal(strncmp(b.entry, "_Z3put", 6), 0);
	lcfg_binary_dispose(&b);
}

TEST(an_error_is_told_with_line_and_word)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	assert_int_equal(
		compile(&b, "k", "extern \"C\" __global__ void k() {\n  y = 1;\n}", 90, &err),
		LCFG_ECOMPILE);
	assert_has(err.text, "'k' does not compile for sm_90");
	assert_has(err.text, "launchcfg.cu(2): error: identifier \"y\" is undefined");
	assert_int_equal(err.cuda, 6);
	assert_null(b.image);
}

TEST(a_kernel_that_is_not_there_is_an_error)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	assert_int_equal(compile(&b, "nowhere", "__global__ void k() {}", 90, &err), LCFG_ECOMPILE);
	assert_has(err.text, "nowhere");
}

TEST(headers_and_options_reach_the_compiler)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	const char *options[] = {"-DWANTED=1", "--std=c++17"};
	lcfg_header header = {"mine.h", "#define FROM_HEADER 1"};
	lcfg_nvrtc_job job = {
		.source = "#include \"mine.h\"\n#if !FROM_HEADER || !WANTED\n#error no\n"
			  "#endif\nextern \"C\" __global__ void k() {}",
		.name = "k",
		.arch = 90,
		.options = options,
		.option_count = 2,
		.headers = &header,
		.header_count = 1};
	int rc = lcfg_nvrtc_compile(&b, nvrtc, &job, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	lcfg_binary_dispose(&b);
	options[0] = "--no-such-option";
	assert_int_equal(lcfg_nvrtc_compile(&b, nvrtc, &job, &err), LCFG_ECOMPILE);
	assert_has(err.text, "no-such-option");
	free(job.log);
}

/* 89 and 90 are in every list since CUDA 11.8; nothing lies between 90 and 100 */
TEST(an_architecture_between_those_of_the_list_gets_ptx_of_the_one_before)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	int rc = compile(&b, "k", "extern \"C\" __global__ void k() {}", 91, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_has(b.image, ".target sm_90");
	lcfg_binary_dispose(&b);
}

TEST(link_time_code_is_refused)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	const char *options[] = {"-dlto"};
	lcfg_nvrtc_job job = {.source = "extern \"C\" __global__ void k() {}",
		.name = "k",
		.arch = 90,
		.options = options,
		.option_count = 1};
	assert_int_equal(lcfg_nvrtc_compile(&b, nvrtc, &job, &err), LCFG_ECOMPILE);
	assert_has(err.text, "'-dlto' makes code for link-time optimisation");
	free(job.log);
}

TEST(warnings_and_long_logs_are_whole)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	lcfg_nvrtc_job job = {.source = "extern \"C\" __global__ void k() { int unused; }",
		.name = "k",
		.arch = 90};
	assert_int_equal(lcfg_nvrtc_compile(&b, nvrtc, &job, &err), 0);
	assert_has(job.log, "\"unused\" was declared but never referenced");
	lcfg_binary_dispose(&b);
	char source[9000] = "";
	for (int i = 0; i < 200; i++)
		snprintf(source + strlen(source), sizeof(source) - strlen(source),
			"__device__ int f%d() { return x%d; }\n", i, i);
	job.source = source;
	assert_int_equal(lcfg_nvrtc_compile(&b, nvrtc, &job, &err), LCFG_ECOMPILE);
	assert_true(strlen(job.log) > 8000);
	assert_has(err.text, "bytes in all; lcfg_dispatcher_log gives");
	free(job.log);
}

TEST(a_hermetic_compilation_does_not_see_the_current_directory)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	char dir[] = "/tmp/launchcfg-nvrtc-XXXXXX";
	char before[4096];
	assert_non_null(mkdtemp(dir));
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(dir), 0);
	FILE *f = fopen("here.h", "w");
	fputs("#define HERE 1\n", f);
	fclose(f);
	lcfg_nvrtc_job job = {.source = "#include \"here.h\"\n"
					"extern \"C\" __global__ void k(int *x) {\n"
					"  *x = HERE;\n  y = 1; }",
		.name = "k",
		.arch = 90,
		.hermetic = 1};
	assert_int_equal(lcfg_nvrtc_compile(&b, nvrtc, &job, &err), LCFG_ECOMPILE);
	/* compiled again with it, and the flag says so; lines are the user's */
	assert_false(job.hermetic);
	assert_int_equal(job.runs, 2);
	assert_has(err.text, "launchcfg.cu(4): error: identifier \"y\" is undefined");
	job.source = "extern \"C\" __global__ void k(int *x) {\n  y = 1; }";
	job.hermetic = 1;
	assert_int_equal(lcfg_nvrtc_compile(&b, nvrtc, &job, &err), LCFG_ECOMPILE);
	assert_true(job.hermetic);
	assert_has(err.text, "launchcfg.cu(2): error: identifier \"y\" is undefined");
	free(job.log);
	unlink("here.h");
	assert_int_equal(chdir(before), 0);
	rmdir(dir);
}

TEST(the_loaded_library_has_an_identity)
{
	lcfg_nvrtc_id id = nvrtc->id;
	static const lcfg_digest none;
	assert_true(id.major >= 11);
	assert_memory_not_equal(&id.build, &none, sizeof(none));
	assert_true(lcfg_process_start() > 1.6e9);
}

TEST(an_architecture_of_the_future_gets_ptx)
{
	lcfg_error err = {0};
	lcfg_binary b = {0};
	int rc = compile(&b, "k", "extern \"C\" __global__ void k() {}", 990, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_has(b.image, ".visible .entry k(");
	lcfg_binary_dispose(&b);
}
