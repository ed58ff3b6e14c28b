#include "report/table/table.h"

#include "report/escape.h"

BA_OWNS(ba_table, t, BA_FREE_EACH(x, t->cells, t->cells_made, ba_buf_dispose(&x->text)),
	free(t->columns))

void ba_table_column(ba_table *t, ba_column column)
{
	BA_REQUIRE(t->cell_count == 0);
	if (!column.gap)
		column.gap = "  ";
	*BA_PUSH(t->columns, t->column_count, t->column_capacity) = column;
}

void ba_table_columns(ba_table *t, const ba_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ba_table_column(t, columns[i]);
}

void ba_table_row(ba_table *t)
{
	t->cells = BA_GROW(t->cells, &t->cell_capacity, t->cell_count + t->column_count);
	for (size_t c = 0; c < t->column_count; c++) {
		ba_cell *cell = &t->cells[t->cell_count++];
		bool made = t->cell_count <= t->cells_made;
		*cell = (ba_cell){.text = made ? cell->text : (ba_buf)BA_BUF_INIT,
			.holds = t->columns[c].holds,
			.span = 1};
		t->cells_made += !made;
	}
}

void ba_table_clear(ba_table *t)
{
	t->cell_count = 0;
	t->has_heads = false;
}

static ba_cell *cell_of_last_row(ba_table *t, size_t column)
{
	BA_REQUIRE(t->cell_count && column < t->column_count);
	return &t->cells[t->cell_count - t->column_count + column];
}

ba_buf *ba_table_cell(ba_table *t, size_t column, ba_ink ink)
{
	ba_cell *cell = cell_of_last_row(t, column);
	ba_buf_clear(&cell->text);
	cell->put = true;
	cell->ink = ink;
	return &cell->text;
}

void ba_table_put(ba_table *t, size_t column, ba_ink ink, const char *text)
{
	ba_buf_puts(ba_table_cell(t, column, ink), text);
}

void ba_table_put_as(ba_table *t, size_t column, ba_holds holds, const char *text)
{
	ba_table_put(t, column, BA_INK_PLAIN, text);
	cell_of_last_row(t, column)->holds = holds;
}

void ba_table_put_9(ba_table *t, size_t column, double value)
{
	if (isfinite(value) && value != 0)
		ba_buf_printf(ba_table_cell(t, column, BA_INK_PLAIN), "%.9g", value);
}

void ba_table_name(ba_table *t, ba_ink ink, const char *text)
{
	ba_table_put(t, 0, ink, text);
	cell_of_last_row(t, 0)->name = true;
}

void ba_table_span(ba_table *t, size_t first, size_t last, ba_ink ink, const char *text)
{
	ba_table_put(t, first, ink, text);
	cell_of_last_row(t, first)->span = last - first + 1;
	for (size_t c = first + 1; c <= last; c++)
		cell_of_last_row(t, c)->span = 0;
}

void ba_table_heads(ba_table *t)
{
	ba_table_row(t);
	t->has_heads = true;
	for (size_t c = 0; c < t->column_count; c++)
		if (t->columns[c].head)
			ba_table_put(t, c, BA_INK_DIM, t->columns[c].head);
}

static size_t first_cell(const ba_table *t)
{
	return t->has_heads ? t->column_count : 0;
}

/* ---- Markdown ---- */

static void markdown_text(ba_buf *out, ba_holds holds, const char *text, size_t most)
{
	most = most ? most : 100;
	if (holds == BA_HOLDS_WORDS)
		ba_buf_puts(out, text);
	else if (holds == BA_HOLDS_SENTENCE)
		ba_markdown_sentence(out, text, most);
	else if (*text)
		ba_markdown_code(out, text, most);
}

void ba_table_markdown_head(ba_buf *out, const ba_table *t)
{
	ba_buf_putc(out, '|');
	BA_EACH (const ba_column, column, t->columns, t->column_count) {
		const char *head = column->head ? column->head : "";
		ba_buf_puts(out, *head ? " " : "");
		markdown_text(out, column->head_is_name ? BA_HOLDS_NAME : BA_HOLDS_WORDS, head,
			column->most);
		ba_buf_puts(out, " |");
	}
	ba_buf_puts(out, "\n|");
	for (size_t c = 0; c < t->column_count; c++)
		ba_buf_puts(out, t->columns[c].left ? "---|" : "---:|");
	ba_buf_putc(out, '\n');
}

void ba_table_markdown_rows(ba_buf *out, const ba_table *t)
{
	for (size_t i = first_cell(t); i < t->cell_count; i++) {
		size_t c = i % t->column_count;
		const ba_cell *cell = &t->cells[i];
		ba_buf_puts(out, c ? "" : "|");
		if (cell->put) {
			ba_buf_putc(out, ' ');
			markdown_text(out, cell->holds, cell->text.data, t->columns[c].most);
		}
		ba_buf_puts(out, c + 1 < t->column_count ? " |" : " |\n");
	}
}

void ba_table_markdown(ba_buf *out, const ba_table *t)
{
	ba_table_markdown_head(out, t);
	ba_table_markdown_rows(out, t);
}

/* ---- CSV ---- */

void ba_table_csv_head(ba_buf *out, const ba_table *t)
{
	for (size_t c = 0; c < t->column_count; c++) {
		ba_csv_text(out, t->columns[c].head);
		ba_buf_putc(out, c + 1 < t->column_count ? ',' : '\n');
	}
}

void ba_table_csv_rows(ba_buf *out, const ba_table *t)
{
	for (size_t i = first_cell(t); i < t->cell_count; i++) {
		if (t->cells[i].put)
			ba_csv_text(out, t->cells[i].text.data);
		ba_buf_putc(out, (i + 1) % t->column_count ? ',' : '\n');
	}
}

/* ---- HTML ---- */

static void html_text(ba_buf *out, ba_holds holds, const char *text)
{
	if (holds == BA_HOLDS_NAME)
		ba_html_name(out, text);
	else if (holds == BA_HOLDS_SENTENCE)
		ba_html_sentence(out, text);
	else
		ba_markup_put_short(out, text, BA_HTML_NAME_COLUMNS);
}

void ba_table_html_begin(ba_buf *out, const char *label, const char *caption)
{
	ba_buf_printf(
		out, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" %s>\n<table>\n", label);
	if (caption)
		ba_buf_printf(out, "<caption>%s</caption>\n", caption);
	ba_buf_puts(out, "<thead><tr>");
}

void ba_table_html_end(ba_buf *out)
{
	ba_buf_puts(out, "</tbody>\n</table>\n</div>\n");
}

void ba_table_html(ba_buf *out, const ba_table *t, const char *label, const char *caption)
{
	ba_table_html_begin(out, label, caption);
	BA_EACH (const ba_column, column, t->columns, t->column_count) {
		ba_buf_puts(out, "<th scope=\"col\">");
		html_text(out, column->head_is_name ? BA_HOLDS_NAME : BA_HOLDS_WORDS,
			column->head ? column->head : "");
		ba_buf_puts(out, "</th>");
	}
	ba_buf_puts(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = first_cell(t); i < t->cell_count; i++) {
		const ba_cell *cell = &t->cells[i];
		const ba_column *column = &t->columns[i % t->column_count];
		bool last = (i + 1) % t->column_count == 0;
		ba_buf_puts(out, i % t->column_count ? "" : "<tr>");
		ba_buf_puts(out, column->row_head	      ? "<th scope=\"row\">"
				 : cell->put && !column->left ? "<td class=\"number\">"
							      : "<td>");
		if (cell->put)
			html_text(out, cell->holds, cell->text.data);
		ba_buf_puts(out, column->row_head ? "</th>" : "</td>");
		ba_buf_puts(out, last ? "</tr>\n" : "");
	}
	ba_table_html_end(out);
}
