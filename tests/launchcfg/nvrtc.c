/*
 * The real NVRTC, which needs no GPU: skipped where there is none. Set LAUNCHCFG_NVRTC
 * to its path if the loader does not find it.
 */
#include "test.h"

#include "nvrtc.h"

static lcfg_nvrtc *nvrtc;

static int compile(lcfg_binary *out, const char *name, const char *source, int arch,
	lcfg_error *err)
{
	lcfg_nvrtc_job job = {.source = source, .name = name, .arch = arch};
	return lcfg_nvrtc_compile(out, nvrtc, &job, err);
}

static void a_plain_kernel_becomes_a_cubin_under_its_own_name(void **state)
{
	(void)state;
	lcfg_error err = {0};
	lcfg_binary b = {0};
	int rc = compile(&b, "k", "extern \"C\" __global__ void k(int *x) { *x = 1; }",
		90, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_memory_equal(b.image, "\177ELF", 4);
	assert_true(b.size > 500);
	assert_string_equal(b.entry, "k");
	lcfg_binary_dispose(&b);
}

static void a_template_is_instantiated_and_its_mangled_name_given(void **state)
{
	(void)state;
	lcfg_error err = {0};
	lcfg_binary b = {0};
	int rc = compile(&b, "put<float *, 3>",
		"template <class T, int N> __global__ void put(T x) { *x = N; }", 90,
		&err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_int_equal(strncmp(b.entry, "_Z3put", 6), 0);
	lcfg_binary_dispose(&b);
}

static void an_error_is_told_with_line_and_word(void **state)
{
	(void)state;
	lcfg_error err = {0};
	lcfg_binary b = {0};
	assert_int_equal(
		compile(&b, "k", "extern \"C\" __global__ void k() {\n  y = 1;\n}", 90,
			&err),
		LCFG_ECOMPILE);
	assert_has(err.text, "'k' does not compile for sm_90");
	assert_has(err.text, "launchcfg.cu(2): error: identifier \"y\" is undefined");
	assert_int_equal(err.cuda, 6);
	assert_null(b.image);
}

static void a_kernel_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	lcfg_error err = {0};
	lcfg_binary b = {0};
	assert_int_equal(compile(&b, "nowhere", "__global__ void k() {}", 90, &err),
		LCFG_ECOMPILE);
	assert_has(err.text, "nowhere");
}

static void headers_and_options_reach_the_compiler(void **state)
{
	(void)state;
	lcfg_error err = {0};
	lcfg_binary b = {0};
	const char *options[] = {"-DWANTED=1", "--std=c++17"};
	lcfg_header header = {"mine.h", "#define FROM_HEADER 1"};
	lcfg_nvrtc_job job = {
		.source =
			"#include \"mine.h\"\n#if !FROM_HEADER || !WANTED\n#error no\n"
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
}

static void an_architecture_of_the_future_gets_ptx(void **state)
{
	(void)state;
	lcfg_error err = {0};
	lcfg_binary b = {0};
	int rc = compile(&b, "k", "extern \"C\" __global__ void k() {}", 990, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
	assert_has(b.image, ".visible .entry k(");
	lcfg_binary_dispose(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_kernel_becomes_a_cubin_under_its_own_name),
		cmocka_unit_test(a_template_is_instantiated_and_its_mangled_name_given),
		cmocka_unit_test(an_error_is_told_with_line_and_word),
		cmocka_unit_test(a_kernel_that_is_not_there_is_an_error),
		cmocka_unit_test(headers_and_options_reach_the_compiler),
		cmocka_unit_test(an_architecture_of_the_future_gets_ptx),
	};
	lcfg_error err;
	if (lcfg_nvrtc_open(&nvrtc, NULL, &err)) {
		fprintf(stderr, "skipped: %s\n", err.text);
		return 77;
	}
	int failed = cmocka_run_group_tests_name("nvrtc", tests, NULL, NULL);
	lcfg_nvrtc_free(nvrtc);
	return failed;
}
