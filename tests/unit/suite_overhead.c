#include "test.h"

#include "suite/overhead.h"

static void dispose(ba_benchmark *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ba_benchmark_dispose(&list[i]);
	free(list);
}

TEST(the_default_is_five_benchmarks_of_the_first_path)
{
	ba_error err;
	ba_strv available[2] = {{0}, {0}};
	BA_AUTO(ba_strv) ba_strv paths = {0};
	ba_strv_push(&available[0], "signature");
	ba_strv_push(&available[0], "dispatch");
	ba_strv_push(&available[1], "dispatch");
	const ba_overhead o = {.suite = "launch"};
	ba_benchmark *list = NULL;
	size_t n = 0;
	assert_int_equal(ba_overhead_select_paths(&paths, &o, available, 2, &err), 0);
	assert_int_equal(paths.count, 1);
	assert_int_equal(ba_overhead_expand(&list, &n, &o, &paths, NULL, &err), 0);
	assert_int_equal(n, 5);
	assert_string_equal(list[0].id, "launch/args=0,path=signature");
	assert_string_equal(list[4].id, "launch/args=4,path=signature");
	assert_int_equal(list[3].loops, 100000);
	assert_int_equal(list[4].loops, 10000);
	assert_string_equal(list[2].axes[0].value, "2");
	dispose(list, n);
	ba_strv_dispose(&available[0]);
	ba_strv_dispose(&available[1]);
}

TEST(globs_select_paths_of_any_variant_and_a_stranger_is_named)
{
	ba_error err;
	ba_strv available[2] = {{0}, {0}};
	BA_AUTO(ba_strv) ba_strv paths = {0};
	BA_AUTO(ba_strv) ba_strv globs = {0};
	ba_strv_push(&available[0], "signature");
	ba_strv_push(&available[1], "dispatch+cb");
	ba_strv_push(&globs, "all");
	ba_overhead o = {.suite = "launch", .paths = &globs};
	assert_int_equal(ba_overhead_select_paths(&paths, &o, available, 2, &err), 0);
	assert_int_equal(paths.count, 2);
	ba_strv_push(&globs, "nothing*");
	assert_int_equal(ba_overhead_select_paths(&paths, &o, available, 2, &err), BA_EINVAL);
	assert_has(err.text, "'nothing*'");
	assert_has(err.text, "signature, dispatch+cb");
	ba_strv_dispose(&available[0]);
	ba_strv_dispose(&available[1]);
}

TEST(args_bytes_loops_and_filters_shape_the_list)
{
	ba_error err;
	BA_AUTO(ba_strv) ba_strv paths = {0};
	BA_AUTO(ba_strv) ba_strv filters = {0};
	ba_strv_push(&paths, "p");
	const uint64_t args[] = {8, 64}, bytes[] = {4096}, loops[] = {5, 7};
	const ba_overhead o = {.suite = "s",
		.args = args,
		.arg_count = 2,
		.bytes = bytes,
		.byte_count = 1,
		.loops = loops,
		.loop_count = 2};
	ba_benchmark *list = NULL;
	size_t n = 0;
	assert_int_equal(ba_overhead_expand(&list, &n, &o, &paths, &filters, &err), 0);
	assert_int_equal(n, 3);
	assert_string_equal(list[2].id, "s/bytes=4096,path=p");
	assert_int_equal(list[2].arg_bytes, 4096);
	assert_int_equal(list[2].args, 1);
	assert_int_equal(list[0].loops, 5);
	assert_int_equal(list[2].loops, 7);
	dispose(list, n);
	list = NULL;
	n = 0;
	ba_strv_push(&filters, "*bytes*");
	assert_int_equal(ba_overhead_expand(&list, &n, &o, &paths, &filters, &err), 0);
	assert_int_equal(n, 1);
	dispose(list, n);
}

TEST(sizes_that_do_not_make_benchmarks_are_refused)
{
	ba_error err;
	BA_AUTO(ba_strv) ba_strv paths = {0};
	ba_strv_push(&paths, "p");
	const uint64_t many[] = {1025}, large[] = {32765}, none[] = {0}, twice[] = {4, 8, 4};
	const ba_overhead rows[] = {{.suite = "s", .args = many, .arg_count = 1},
		{.suite = "s", .bytes = large, .byte_count = 1},
		{.suite = "s", .bytes = none, .byte_count = 1},
		{.suite = "s", .loops = none, .loop_count = 1},
		{.suite = "s", .args = twice, .arg_count = 3},
		{.suite = "s", .bytes = twice, .byte_count = 3}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_benchmark *list = NULL;
		size_t n = 0;
		assert_int_equal(
			ba_overhead_expand(&list, &n, &rows[i], &paths, NULL, &err), BA_EINVAL);
		assert_has(err.text, i < 4 ? "out of range" : "4 appears twice");
		assert_int_equal(n, 0);
		free(list);
	}
}
