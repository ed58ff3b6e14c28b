/* Timelines for programs: CSV and JSON. */

#include "json/fields.h"
#include "report/timeline/timeline.h"

static void put_csv_row(ba_table *t, const ba_timeline *line, size_t row)
{
	const ba_timeline_row *r = &line->rows[row];
	const ba_change_point *c = ba_timeline_change_at(line, row);
	const char *const first[] = {
		line->benchmark, line->metric, line->target, line->device, r->commit, r->date};
	const double numbers[] = {r->runs, r->ns, r->stdev_ns, c ? c->before : NAN,
		c ? c->after : NAN, c ? c->p : NAN, r->ratio, r->low, r->high};
	const char *const last[] = {r->verdict, r->baseline, r->subject};
	size_t column = 0;
	ba_table_row(t);
	for (size_t i = 0; i < BA_COUNT(first); i++)
		ba_table_put(t, column++, BA_INK_PLAIN, first[i]);
	for (size_t i = 0; i < BA_COUNT(numbers); i++, column++)
		if (isfinite(numbers[i]))
			ba_buf_printf(ba_table_cell(t, column, BA_INK_PLAIN), "%.10g", numbers[i]);
	for (size_t i = 0; i < BA_COUNT(last); i++)
		ba_table_put(t, column++, BA_INK_PLAIN, last[i] ? last[i] : "");
}

void ba_timelines_csv(ba_buf *out, const ba_timeline *list, size_t count)
{
	static const ba_column columns[] = {{"benchmark"}, {"metric"}, {"target"}, {"device"},
		{"commit"}, {"measured"}, {"runs"}, {"ns"}, {"stdev_ns"}, {"level_before_ns"},
		{"level_after_ns"}, {"p"}, {"ratio"}, {"low"}, {"high"}, {"verdict"}, {"baseline"},
		{"subject"}};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_columns(&t, columns, BA_COUNT(columns));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < list[i].count; k++)
			put_csv_row(&t, &list[i], k);
	ba_table_csv_head(out, &t);
	ba_table_csv_rows(out, &t);
}

static const ba_json_field commit[] = {
	BA_FIELD(ba_timeline_row, commit, TEXT),
	BA_FIELD_AS("measured", ba_timeline_row, date, TEXT),
	BA_FIELD(ba_timeline_row, subject, TEXT),
	BA_FIELD(ba_timeline_row, runs, UNSIGNED),
	BA_FIELD_EACH(ba_timeline_row, F64, ns, stdev_ns),
	BA_FIELD_EACH(ba_timeline_row, MAYBE, verdict, baseline),
	BA_FIELD_EACH(ba_timeline_row, F64, ratio, low, high),
};
BA_DEFINE_WORDS(static, orders, 2, value ? "measured" : "first-parent", "");
static const ba_json_field series[] = {
	BA_FIELD_EACH(ba_timeline, TEXT, benchmark, metric, target, device),
	BA_FIELD_WORD("order", ba_timeline, by_date, orders),
	BA_FIELD_LIST("commits", ba_timeline, rows, count, BA_FIELDS(commit)),
};

void ba_timelines_json(ba_buf *out, const ba_timeline *list, size_t count)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 1);
	ba_json_put(&w, "{schema: 'bench-against.history/1', series: [");
	BA_EACH (const ba_timeline, t, list, count) {
		ba_json_open_object(&w, NULL);
		ba_fields_write(&w, BA_FIELDS(series), t);
		ba_json_open_array(&w, "changes");
		BA_EACH (const ba_change_point, c, t->changes, t->change_count)
			ba_json_put(&w,
				"{commit: %s, index: %zu, before_ns: %g, after_ns: %g, p: %g}",
				t->rows[c->at].commit, c->at, c->before, c->after, c->p);
		ba_json_put(&w, "]}");
	}
	ba_json_put(&w, "]}");
	ba_buf_putc(out, '\n');
}
