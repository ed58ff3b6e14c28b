/* Side-by-side tables for programs: a line or object for each benchmark, metric and variant. */

#include "json/writer.h"
#include "report/format.h"
#include "report/table/table.h"

/* a cell with a benchmark; visited by row, then metric, variant, side */
typedef struct visit {
	const ba_result *r;
	const ba_across *a;
	ba_metric metric;
	size_t row, variant, side;
} visit;

static void each_cell(const ba_result *r, const ba_across *a,
	void (*write)(void *, const visit *, const ba_across_cell *), void *context)
{
	BA_AUTO_FREE ba_across_cell *cells = ba_xcalloc(a->sides.count, sizeof(*cells));
	visit at = {.r = r, .a = a};
	for (at.row = 0; at.row < a->count; at.row++)
		for (int m = 0; m < BA_METRIC_COUNT; m++) {
			at.metric = (ba_metric)m;
			for (at.variant = 0; at.variant < r->run.variant_count && a->has[m];
				at.variant++) {
				ba_across_cells(cells, a, r, at.row, at.metric, at.variant);
				for (at.side = 0; at.side < a->sides.count; at.side++)
					if (cells[at.side].benchmark)
						write(context, &at, &cells[at.side]);
			}
		}
}

static void csv_row(void *context, const visit *at, const ba_across_cell *c)
{
	ba_table *t = context;
	size_t column = 0;
	ba_table_row(t);
	for (; column < at->a->axes.count; column++) {
		const char *value = ba_across_value(at->a, at->row, at->a->axes.items[column]);
		if (value)
			ba_table_put(t, column, BA_INK_PLAIN, value);
	}
	const char *const names[] = {at->a->sides.items[at->side],
		at->r->run.variants[at->variant].label, ba_metric_get(at->metric)->name};
	for (size_t i = 0; i < BA_COUNT(names); i++)
		ba_table_put(t, column++, BA_INK_PLAIN, names[i]);
	const double numbers[] = {c->ns, c->work.gflop_per_s / 1e3, c->work.gb_per_s,
		c->work.items_per_s, c->ratio, c->low, c->high, (double)c->invocations};
	for (size_t i = 0; i < BA_COUNT(numbers); i++)
		ba_table_put_9(t, column++, numbers[i]);
	const char *const texts[] = {c->fastest ? "yes" : "no", c->benchmark->id, c->trouble};
	for (size_t i = 0; i < BA_COUNT(texts); i++)
		ba_table_put(t, column++, BA_INK_PLAIN, texts[i] ? texts[i] : "");
}

void ba_across_csv_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o)
{
	static const ba_column columns[] = {{"side"}, {"variant"}, {"metric"}, {"trimmed_ns"},
		{"tflop_per_s"}, {"gb_per_s"}, {"items_per_s"}, {"ratio"}, {"low"}, {"high"},
		{"invocations"}, {"fastest"}, {"id"}, {"trouble"}};
	BA_AUTO(ba_table) ba_table t = {0};
	for (size_t i = 0; i < a->axes.count; i++)
		ba_table_column(&t, (ba_column){a->axes.items[i]});
	ba_table_columns(&t, columns, BA_COUNT(columns));
	each_cell(r, a, csv_row, &t);
	ba_table_csv_head(out, &t);
	ba_table_csv_rows(out, &t);
}

static void json_cell(void *context, const visit *at, const ba_across_cell *c)
{
	ba_json_writer *w = context;
	const struct {
		const char *key;
		double value;
	} numbers[] = {{"trimmed_ns", c->ns}, {"gflop_per_s", c->work.gflop_per_s},
		{"gb_per_s", c->work.gb_per_s}, {"items_per_s", c->work.items_per_s},
		{"ratio", c->ratio}, {"low", c->low}, {"high", c->high}};
	ba_json_put(w, "{id: %s, row: %zu, side: %s, variant: %s, metric: %s", c->benchmark->id,
		at->row, at->a->sides.items[at->side], at->r->run.variants[at->variant].label,
		ba_metric_get(at->metric)->name);
	for (size_t i = 0; i < BA_COUNT(numbers); i++)
		if (isfinite(numbers[i].value) && numbers[i].value != 0)
			ba_json_write_f64(w, numbers[i].key, numbers[i].value);
	if (c->invocations)
		ba_json_write_u64(w, "invocations", c->invocations);
	ba_json_write_bool(w, "fastest", c->fastest);
	if (c->trouble)
		ba_json_write_string(w, c->failed ? "failure" : "skipped", c->trouble);
	ba_json_close(w);
}

static void json_row(ba_json_writer *w, const ba_across *a, size_t row)
{
	ba_json_open_object(w, NULL);
	for (size_t i = 0; i < a->axes.count; i++) {
		const char *value = ba_across_value(a, row, a->axes.items[i]);
		if (value)
			ba_json_write_string(w, a->axes.items[i], value);
	}
	ba_json_close(w);
}

void ba_across_json_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 1);
	ba_json_put(&w, "{schema: 'bench-against.across/1', reference: %s, sides: [",
		a->sides.items[0]);
	for (size_t i = 0; i < a->sides.count; i++)
		ba_json_write_string(&w, NULL, a->sides.items[i]);
	ba_json_put(&w, "], alone: %zu, rows: [", a->alone);
	for (size_t i = 0; i < a->count; i++)
		json_row(&w, a, i);
	ba_json_put(&w, "], cells: [");
	each_cell(r, a, json_cell, &w);
	ba_json_put(&w, "]}");
	ba_buf_putc(out, '\n');
}
