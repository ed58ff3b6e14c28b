/* Explains the change with one more run of the commit and the one before. */

#include "bisect/internal.h"
#include "report/why.h"

static bool is_followed(const ba_bisect *b, const ba_result *r, size_t benchmark)
{
	return strcmp(r->run.benchmarks[benchmark].id, b->benchmark) == 0;
}

static void put_instructions(
	ba_buf *out, const ba_bisect *b, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_whys) ba_whys whys = {0};
	ba_whys_of(&whys, r);
	for (size_t i = 0; i < whys.count; i++)
		if (is_followed(b, r, whys.items[i].benchmark))
			ba_why_term(out, r, &(ba_whys){.items = &whys.items[i], .count = 1}, 0, o);
}

static void put_kernels(
	ba_buf *out, const ba_bisect *b, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	if (r->run.variant_count > 1)
		ba_code_rows_of(&rows, r, 1);
	for (size_t i = 0; i < rows.count; i++)
		if (is_followed(b, r, rows.items[i].benchmark))
			ba_code_term(out, r, &(ba_code_rows){&rows.items[i], 1}, o);
}

int ba_bisect_explain(ba_bisect *b, ba_error *err)
{
	const size_t pair[] = {b->places[0].from - 1, b->places[0].to};
	const ba_format_options format = {.width = 80};
	bool on_gpu = ba_metric_get(b->metric)->on_gpu;
	BA_AUTO(ba_strv) ba_strv more = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int status = 0;
	/* a commit that was not built cannot be compared */
	if ((!b->counted && !on_gpu) || b->commits[pair[0]].failure)
		return 0;
	ba_bisect_step_options(&more, b, on_gpu ? BA_BISECT_TIMES : BA_BISECT_COUNTS, 2);
	BA_TRY(ba_bisect_child(&r, &status, b, &more, pair, 2, err));
	if (on_gpu)
		put_kernels(&text, b, &r, &format);
	else
		put_instructions(&text, b, &r, &format);
	if (text.len)
		b->why = ba_buf_detach(&text);
	return 0;
}
