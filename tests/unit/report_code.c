/* device code side by side, in every format that shows it */
#include "test.h"

#include "example_result.h"
#include "format_named.h"
#include "golden.h"
#include "model/code.h"
#include "report/code.h"
#include "report/format.h"
#include "report/why.h"
#include "store/results.h"

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
	k->code_bytes = 1216;
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
	ba_benchmark *b = &r->run.benchmarks[index];
	b->code_count = 2;
	b->codes = ba_xcalloc(2, sizeof(*b->codes));
	add_kernel(&b->codes[0], "same", "aa");
	add_kernel(&b->codes[0], "tiled<1|2>", "bb");
	add_kernel(&b->codes[1], "same", "aa");
	ba_kernel *k = add_kernel(&b->codes[1], "tiled<1|2>", "cc");
	k->registers = 40;
	k->code_bytes = 3456;
	k->local_bytes = 16;
	k->dynamic_shared_bytes = 1024;
	k->block_y = 4;
	add_kernel(&b->codes[1], "<script>", "dd");
	b->codes[1].reason = ba_xstrdup("it calls back into the <host>");
}

TEST(kernels_that_differ_are_paired_by_name)
{
	static const char *const cells[BA_CODE_COLUMNS] = {"tiled<1|2>", "bb → cc", "32 → 40",
		"0 → 1024", "0 → 16", "1216 → 3456", "100 % → 50 %", "9.0", "1", "64",
		"256 → 256x4"};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	fill(&r);
	ba_code_rows_of(&rows, &r, 1);
	assert_int_equal(rows.count, 2);
	for (size_t c = 0; c < BA_CODE_COLUMNS; c++) {
		BA_AUTO(ba_buf) ba_buf cell = BA_BUF_INIT;
		ba_code_put_cell(&cell, &rows.items[0], c, true);
		assert_string_equal(cell.data, cells[c]);
	}
	assert_null(rows.items[1].base);
	BA_AUTO(ba_buf) ba_buf cell = BA_BUF_INIT;
	ba_code_put_cell(&cell, &rows.items[1], 0, false);
	assert_string_equal(cell.data, "- -> <script>");
}

TEST(what_is_left_over_is_paired_by_order)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	fill(&r);
	free(r.run.benchmarks[0].codes[0].kernels[1].name);
	r.run.benchmarks[0].codes[0].kernels[1].name = ba_xstrdup("tiled<1|3>");
	r.run.benchmarks[0].codes[1].kernel_count--;
	ba_code_rows_of(&rows, &r, 1);
	assert_int_equal(rows.count, 1);
	BA_AUTO(ba_buf) ba_buf cell = BA_BUF_INIT;
	ba_code_put_cell(&cell, &rows.items[0], 0, true);
	assert_string_equal(cell.data, "tiled<1|3> → tiled<1|2>");
	free(r.run.benchmarks[0].codes[1].kernels[2].name);
}

TEST(every_format_shows_them_and_escapes_them)
{
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

/* another kernel, and one that is only compiled otherwise: times on the GPU regressed */
static void fill_changed(ba_result *r)
{
	fill(r);
	r->series[0].comparisons[0].verdict = BA_VERDICT_REGRESSED;
	ba_device_code *codes = r->run.benchmarks[0].codes;
	free(codes[1].reason);
	codes[1].reason = NULL;
	free(codes[1].kernels[--codes[1].kernel_count].name);
}

TEST(a_changed_benchmark_has_its_reason_in_a_line)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf calm = BA_BUF_INIT;
	fill_changed(&r);
	format_named("term")->write(&got, &r, &plain);
	assert_golden("why-kernel-line.txt", &got);
	r.series[0].comparisons[0].verdict = BA_VERDICT_UNCHANGED;
	format_named("term")->write(&calm, &r, &plain);
	assert_null(strstr(calm.data, "why k/saxpy"));
	assert_has(calm.data, "Device code that differs");
}

TEST(a_line_says_how_many_kernels_differ)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	const ba_format_options wide = {.width = 200, .unicode = true};
	fill(&r);
	r.series[0].comparisons[0].verdict = BA_VERDICT_IMPROVED;
	format_named("term")->write(&got, &r, &wide);
	assert_has(got.data, "why k/saxpy: kernel tiled<1|2>: registers 32 → 40, ");
	assert_has(got.data, "; 1 more kernel differs\n");
}

static void sentence_of(ba_buf *out, ba_kernel *base, ba_kernel *mine)
{
	ba_buf_clear(out);
	ba_code_put_sentence(
		out, &(ba_code_row){.base = base, .mine = mine, .capability = "9.0"}, false);
}

TEST(what_differs_has_words)
{
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_device_code) ba_device_code codes = {0};
	add_kernel(&codes, "k", "aa");
	add_kernel(&codes, "k", "bb");
	ba_kernel *a = &codes.kernels[0], *b = &codes.kernels[1];
	sentence_of(&got, a, b);
	assert_string_equal(
		got.data, "other instructions, in code with the same registers, memory and size");
	b->registers = 64;
	sentence_of(&got, a, b);
	assert_string_equal(got.data, "registers 32 -> 64, occupancy 100 % -> 50 %");
	/* what is not known on one side is no difference */
	b->code_bytes = 0;
	b->registers = 32;
	b->launches = 3;
	sentence_of(&got, a, b);
	assert_string_equal(got.data, "launches 1 -> 3");
	sentence_of(&got, NULL, b);
	assert_string_equal(got.data, "the baseline does not launch this kernel");
	sentence_of(&got, a, NULL);
	assert_string_equal(got.data, "the candidate does not launch this kernel");
}

TEST(explain_has_every_figure)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf json = BA_BUF_INIT;
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	fill_changed(&r);
	ba_code_rows_of(&rows, &r, 1);
	assert_int_equal(rows.count, 1);
	assert_true(rows.items[0].changed);
	ba_code_term(&got, &r, &rows, &plain);
	assert_golden("why-kernel.txt", &got);
	/* two benchmarks launch it */
	const ba_code_row twice[] = {rows.items[0], rows.items[0]};
	ba_buf_clear(&got);
	ba_code_term(&got, &r, &(ba_code_rows){(ba_code_row *)twice, 2}, &plain);
	assert_has(got.data, "k/saxpy: contextvar against baseline\nk/saxpy: contextvar");
	assert_null(strstr(strstr(got.data, "at most 76") + 1, "at most 76"));
	ba_why_json(&json, &r, &(ba_whys){0}, &rows);
	assert_golden("why-kernel.json", &json);
}

TEST(a_document_keeps_them_and_may_lack_the_size)
{
	BA_AUTO(ba_result) ba_result r, back = {0}, old = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_error err = {0};
	fill_changed(&r);
	ba_results_format(&text, &r);
	if (ba_results_parse(&back, text.data, text.len, "r.json", &err))
		fail_msg("%s", err.text);
	assert_int_equal(back.run.benchmarks[0].codes[1].kernels[1].code_bytes, 3456);
	/* as an earlier version wrote it */
	for (char *at; (at = strstr(text.data, "\"code_bytes\"")) != NULL;)
		memcpy(at, "\"cold_bytes", 11);
	if (ba_results_parse(&old, text.data, text.len, "r.json", &err))
		fail_msg("%s", err.text);
	assert_int_equal(old.run.benchmarks[0].codes[1].kernels[1].code_bytes, 0);
	assert_int_equal(old.run.benchmarks[0].codes[1].kernels[1].registers, 40);
}

/* listed on both sides, compared, and with counters */
static void fill_inside(ba_result *r)
{
	fill_changed(r);
	ba_kernel *base = &r->run.benchmarks[0].codes[0].kernels[1];
	ba_kernel *mine = &r->run.benchmarks[0].codes[1].kernels[1];
	base->listed = mine->listed = true;
	base->classes[BA_CLASS_FP32] = 8;
	mine->classes[BA_CLASS_FP32] = 8;
	base->classes[BA_CLASS_LOCAL_LOAD] = 0;
	mine->classes[BA_CLASS_LOCAL_LOAD] = 30;
	base->classes[BA_CLASS_GLOBAL_LOAD] = 6;
	mine->classes[BA_CLASS_GLOBAL_LOAD] = 2;
	ba_kernel_set_counter(base, "sm__cycles_elapsed.avg", 1000);
	ba_kernel_set_counter(mine, "sm__cycles_elapsed.avg", 1250);
	ba_kernel_set_counter(base, "dram__bytes_read.sum", 4096);
	ba_kernel_set_counter(mine, "dram__bytes_read.sum", 8192);
	/* next to nothing, after none */
	ba_kernel_set_counter(
		base, "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", 0);
	ba_kernel_set_counter(
		mine, "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", 0.15);
	/* only one side has it */
	ba_kernel_set_counter(mine, "lts__t_sector_hit_rate.pct", 50);
	mine->blocks = ba_xcalloc(1, sizeof(*mine->blocks));
	*mine->blocks = (ba_block_changes){.baseline = 4,
		.candidate = 5,
		.same = 3,
		.number = 2,
		.label = ba_xstrdup(".L_<1>"),
		.file = ba_xstrdup("k.cu"),
		.line = 17};
	ba_strv_push(&mine->blocks->baseline_code, "LDG.E R1, [R2.64]");
	ba_strv_push(&mine->blocks->candidate_code, "LDL R1, [R1+<0x10>]");
}

TEST(what_kernels_consist_of_is_shown_largest_change_first)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf html = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf markdown = BA_BUF_INIT;
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	fill_inside(&r);
	ba_code_rows_of(&rows, &r, 1);
	ba_code_term(&got, &r, &rows, &plain);
	assert_golden("why-kernel-inside.txt", &got);
	ba_code_put_short(&line, &rows.items[0], false);
	assert_string_equal(line.data,
		"; instructions in the code 14 -> 40: local loads 0 -> 30, global loads 6 -> 2; under ncu: DRAM bytes read +100.0 %");
	format_named("html")->write(&html, &r, &plain);
	assert_has(html.data, "<tr><th scope=\"row\">local loads</th>");
	assert_has(html.data, "[R1+&lt;0x10&gt;]");
	assert_has(html.data, ".L_&lt;1&gt;");
	format_named("markdown")->write(&markdown, &r, &plain);
	assert_has(markdown.data, "instructions in the code 14 → 40");
}

TEST(what_is_missing_has_a_reason)
{
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	BA_AUTO(ba_device_code) ba_device_code codes = {0};
	add_kernel(&codes, "k", "aa");
	add_kernel(&codes, "k", "bb");
	ba_code_row row = {.base = &codes.kernels[0],
		.mine = &codes.kernels[1],
		.listing_reason = "nvdisasm was not found"};
	ba_code_put_missing(&got, &row);
	assert_string_equal(
		got.data, "at most 76 instructions, in the candidate 76: nvdisasm was not found");
	/* before Volta an instruction had another size */
	ba_buf_clear(&got);
	codes.kernels[0].binary_version = 61;
	ba_code_put_missing(&got, &row);
	assert_string_equal(got.data, "nvdisasm was not found");
	/* the same code, in another shape */
	ba_buf_clear(&got);
	snprintf(codes.kernels[1].sha256, sizeof(codes.kernels[1].sha256), "aa");
	ba_code_put_missing(&got, &row);
	assert_int_equal(got.len, 0);
}

TEST(a_document_keeps_what_is_inside)
{
	BA_AUTO(ba_result) ba_result r, back = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf again = BA_BUF_INIT;
	ba_error err = {0};
	fill_inside(&r);
	r.run.benchmarks[0].codes[0].listing_reason = ba_xstrdup("no listing");
	r.run.benchmarks[0].codes[1].counters_reason = ba_xstrdup("no counters");
	ba_results_format(&text, &r);
	if (ba_results_parse(&back, text.data, text.len, "r.json", &err))
		fail_msg("%s", err.text);
	const ba_device_code *codes = back.run.benchmarks[0].codes;
	const ba_kernel *k = &codes[1].kernels[1];
	assert_true(k->listed);
	assert_false(codes[0].kernels[0].listed);
	assert_int_equal(ba_kernel_instructions(k), 40);
	assert_int_equal(k->blocks->number, 2);
	assert_string_equal(k->blocks->candidate_code.items[0], "LDL R1, [R1+<0x10>]");
	assert_true(ba_kernel_counter(k, "sm__cycles_elapsed.avg") == 1250);
	assert_string_equal(codes[0].listing_reason, "no listing");
	assert_string_equal(codes[1].counters_reason, "no counters");
	ba_results_format(&again, &back);
	assert_string_equal(again.data, text.data);
}

TEST(where_nothing_differs_nothing_is_shown)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf html = BA_BUF_INIT;
	fill(&r);
	ba_device_code_dispose(&r.run.benchmarks[0].codes[1]);
	add_kernel(&r.run.benchmarks[0].codes[1], "same", "aa");
	add_kernel(&r.run.benchmarks[0].codes[1], "tiled<1|2>", "bb");
	format_named("html")->write(&html, &r, &plain);
	assert_null(strstr(html.data, "Device code"));
}
