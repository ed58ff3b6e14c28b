/* triton.testing's perf_report with save_path: a CSV with a column for each swept parameter,
 * then each provider with the plot's unit: "Triton (GB/s)". Cells are do_bench's medians. */

#include "import/table.h"

/* The first columns have no unit; they are followed by columns with a known unit. */
static size_t first_value(const ba_csv *c)
{
	BA_AUTO(ba_buf) ba_buf unit = BA_BUF_INIT;
	size_t first = 0;
	for (size_t i = 0; i < c->count; i++) {
		ba_table_unit(&unit, ba_csv_cell(c, i));
		bool known = ba_unit_ns(unit.data) > 0 || ba_unit_is_rate(unit.data);
		if (!*ba_csv_cell(c, i) || (unit.len && !known) || (first && !known))
			return 0;
		if (!known && strchr(ba_csv_cell(c, i), ' ')) /* This is prose, not a parameter. */
			return 0;
		if (known && (i == 0 || !strstr(ba_csv_cell(c, i), " (")))
			return 0;
		first = known && !first ? i : first;
	}
	return first;
}

static bool is_header(const ba_csv *c, const void *data)
{
	return first_value(c) > 0;
}

bool ba_is_triton(const char *line, size_t size)
{
	return ba_csv_line_is(line, size, is_header, NULL);
}

/* Emits the provider in this column, with the parameters of the row. */
static int emit(const ba_source *s, const ba_csv *c, size_t first, size_t column, ba_error *err)
{
	const char *name = c->header.items[column], *cell = ba_csv_cell(c, column);
	BA_AUTO(ba_buf) ba_buf unit = BA_BUF_INIT, id = BA_BUF_INIT;
	ba_table_unit(&unit, name);
	double ns = ba_unit_ns(unit.data);
	double value = ba_table_number(cell) * (ns > 0 ? ns : 1);
	if (value < 0)
		return ba_csv_fail(
			err, c, "'%s' is negative, which a measured value cannot be", cell);
	ba_buf_put(&id, name, (size_t)(strstr(name, " (") - name));
	for (size_t i = 0; i < first; i++) {
		/* "1024.000000" is 1024, whatever the precision of the file */
		const char *word = ba_csv_cell(c, i);
		double number = ba_table_number(word);
		ba_buf_printf(&id, "%c%s=", i ? ',' : '/', c->header.items[i]);
		if (isfinite(number))
			ba_buf_printf(&id, "%.15g", number);
		else
			ba_buf_puts(&id, word);
	}
	const char *metric = ns > 0 ? "time" : unit.data;
	const ba_record record = {.id = id.data,
		.metric = metric,
		.is_time = ns > 0,
		.higher_is_better = ba_unit_is_rate(unit.data),
		.whole = true,
		.level = BA_LEVEL_SUMMARY,
		BA_ONE_VALUE(&value),
		.failure = *cell ? NULL : "the file has no value for it"};
	return ba_source_wants(s, metric, true) ? ba_source_record(s, &record, err) : 0;
}

int ba_read_triton(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_csv) ba_csv c = {0};
	bool found = false;
	int rc = ba_csv_open(&c, s, err);
	rc = rc ? rc : ba_csv_find_header(&found, &c, is_header, NULL, err);
	size_t first = found ? first_value(&c) : 0;
	while (rc == 0 && found && (rc = ba_csv_next_record(&c, err)) > 0) {
		rc = 0;
		for (size_t i = first; rc == 0 && i < c.count; i++)
			rc = emit(s, &c, first, i, err);
	}
	return rc;
}
