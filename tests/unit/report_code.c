/* device code side by side, in every format that shows it */
#include "test.h"

#include "example_result.h"
#include "format_named.h"
#include "report/code.h"
#include "report/format.h"

static const ba_format_options plain = {.width = 160, .unicode = true};

static ba_kernel *add_kernel(ba_device_code *c, const char *name, const char *sha256)
{
	ba_kernel *k = ba_device_code_add(c);
	k->name = ba_xstrdup(name);
	snprintf(k->sha256, sizeof(k->sha256), "%s", sha256);
	k->launches = 1;
	k->grid_x = 64;
	k->block_x = 256;
	k->registers = 32;
	k->binary_version = 90;
	return k;
}

/* one kernel is the same, one another, one is gone and one new */
static void fill(ba_result *r)
{
	example_begin(r, 2);
	size_t index = example_benchmark(r, "k/saxpy", 0);
	const double ns[] = {2000, 2000};
	const ba_verdict verdicts[] = {BA_VERDICT_UNCHANGED};
	example_series(r, index, BA_METRIC_GPU_COLD, ns, verdicts);
	ba_benchmark *b = &r->benchmarks[index];
	b->code_count = 2;
	b->codes = ba_xcalloc(2, sizeof(*b->codes));
	add_kernel(&b->codes[0], "same", "aa");
	add_kernel(&b->codes[0], "tiled<1|2>", "bb");
	add_kernel(&b->codes[1], "same", "aa");
	ba_kernel *k = add_kernel(&b->codes[1], "tiled<1|2>", "cc");
	k->registers = 40;
	k->local_bytes = 16;
	k->dynamic_shared_bytes = 1024;
	k->block_y = 4;
	add_kernel(&b->codes[1], "<script>", "dd");
	b->codes[1].reason = ba_xstrdup("it calls back into the <host>");
}

static void kernels_that_differ_are_paired_by_name(void **state)
{
	(void)state;
	static const char *const cells[BA_CODE_COLUMNS] = {"tiled<1|2>", "bb → cc",
		"32 → 40", "0 → 1024", "0 → 16", "9.0", "1", "64", "256 → 256x4"};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	fill(&r);
	ba_code_rows_of(&rows, &r, 1);
	assert_int_equal(rows.count, 2);
	for (size_t c = 0; c < BA_CODE_COLUMNS; c++) {
		BA_AUTO_FREE char *cell = ba_code_cell(&rows.items[0], c, true);
		assert_string_equal(cell, cells[c]);
	}
	assert_null(rows.items[1].base);
	BA_AUTO_FREE char *cell = ba_code_cell(&rows.items[1], 0, false);
	assert_string_equal(cell, "- -> <script>");
}

static void what_is_left_over_is_paired_by_order(void **state)
{
	(void)state;
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	fill(&r);
	free(r.benchmarks[0].codes[0].kernels[1].name);
	r.benchmarks[0].codes[0].kernels[1].name = ba_xstrdup("tiled<1|3>");
	r.benchmarks[0].codes[1].kernel_count--;
	ba_code_rows_of(&rows, &r, 1);
	assert_int_equal(rows.count, 1);
	BA_AUTO_FREE char *cell = ba_code_cell(&rows.items[0], 0, true);
	assert_string_equal(cell, "tiled<1|3> → tiled<1|2>");
	free(r.benchmarks[0].codes[1].kernels[2].name);
}

static void every_format_shows_them_and_escapes_them(void **state)
{
	(void)state;
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf term = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf markdown = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf html = BA_BUF_INIT;
	ba_format_options verbose = plain;
	verbose.verbose = true;
	fill(&r);
	format_named("term")->write(&term, &r, &verbose);
	assert_has(term.data, "Device code that differs");
	assert_has(term.data, "32 → 40");
	assert_has(term.data, "is not compared: it calls back");
	format_named("markdown")->write(&markdown, &r, &plain);
	assert_has(markdown.data, "`tiled<1\\|2>`");
	assert_has(markdown.data, "`32 → 40`");
	format_named("html")->write(&html, &r, &plain);
	assert_has(html.data, "tiled&lt;1|2&gt;");
	assert_has(html.data, "32 → 40");
	assert_has(html.data, "calls back into the &lt;host&gt;");
	assert_null(strstr(html.data, "<script>\n- "));
}

static void where_nothing_differs_nothing_is_shown(void **state)
{
	(void)state;
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf html = BA_BUF_INIT;
	fill(&r);
	ba_device_code_dispose(&r.benchmarks[0].codes[1]);
	add_kernel(&r.benchmarks[0].codes[1], "same", "aa");
	add_kernel(&r.benchmarks[0].codes[1], "tiled<1|2>", "bb");
	format_named("html")->write(&html, &r, &plain);
	assert_null(strstr(html.data, "Device code"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_that_differ_are_paired_by_name),
		cmocka_unit_test(what_is_left_over_is_paired_by_order),
		cmocka_unit_test(every_format_shows_them_and_escapes_them),
		cmocka_unit_test(where_nothing_differs_nothing_is_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
