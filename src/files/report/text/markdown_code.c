/* Kernels that differ from the baseline's, and what they consist of. */
#include "base/text.h"
#include "report/code.h"
#include "report/code_details.h"
#include "report/text/markdown.h"

enum { NAME_COLUMNS = 100, TEXT_COLUMNS = 600, INSIDE_ROWS = 10 };

/* a line for each of the first kernels whose code or counters are known */
static void put_inside(ba_buf *out, const ba_result *r, const ba_code_rows *rows)
{
	size_t shown = 0;
	for (size_t i = 0; i < rows->count && shown < INSIDE_ROWS; i++) {
		const ba_code_row *row = &rows->items[i];
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_code_put_short(&text, row, true);
		if (text.len)
			ba_buf_puts(&text, "; ");
		ba_code_put_blocks(&text, row);
		if (!text.len)
			continue;
		ba_buf_puts(out, shown++ ? "- " : "\n- ");
		ba_markdown_code(out, r->run.benchmarks[row->benchmark].id, NAME_COLUMNS);
		ba_buf_puts(out, ": ");
		ba_markdown_sentence(
			out, text.data + (ba_text_starts(text.data, "; ") ? 2 : 0), TEXT_COLUMNS);
		ba_buf_putc(out, '\n');
	}
}

#define CODE_ROWS 50u

/* kernels that are not the baseline's, folded */
void ba_markdown_code_rows(
	ba_buf *out, const ba_result *r, size_t candidate, size_t limit, bool open)
{
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_code_rows_of(&rows, r, candidate);
	if (rows.count == 0 || out->len + 1024 > limit)
		return;
	size_t before = out->len;
	ba_buf_puts(out, open ? "\n#### Device code that differs in "
			      : "\n<details><summary>Device code that differs in ");
	ba_markdown_sentence(out, r->run.variants[candidate].label, NAME_COLUMNS);
	ba_buf_printf(out, " (%zu)%s\n\n", rows.count, open ? "" : "</summary>");
	ba_code_table(&t, r, &rows, CODE_ROWS, NULL);
	ba_table_markdown(out, &t);
	if (rows.count > CODE_ROWS)
		ba_buf_printf(out, "\nand %zu more, in the JSON report\n", rows.count - CODE_ROWS);
	put_inside(out, r, &rows);
	ba_buf_puts(out, open ? "" : "\n</details>\n");
	if (out->len > limit)
		ba_buf_truncate(out, before);
}
