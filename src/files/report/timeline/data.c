/* Timelines for programs: CSV and JSON. */
#include <math.h>

#include "base/buf.h"
#include "json/writer.h"
#include "report/text/csv.h"
#include "report/timeline/timeline.h"

void ba_timelines_csv(ba_buf *out, const ba_timeline *list, size_t count)
{
	ba_buf_puts(out,
		"benchmark,metric,target,device,commit,measured,runs,ns,stdev_ns,level_before_ns,level_after_ns,p,ratio,low,high,verdict,baseline,subject\n");
	for (size_t i = 0; i < count; i++) {
		const ba_timeline *t = &list[i];
		for (size_t k = 0; k < t->count; k++) {
			const ba_timeline_row *r = &t->rows[k];
			const ba_change_point *c = ba_timeline_change_at(t, k);
			const char *const first[] = {
				t->benchmark, t->metric, t->target, t->device, r->commit, r->date};
			for (size_t j = 0; j < 6; j++) {
				ba_buf_puts(out, j ? "," : "");
				ba_csv_text(out, first[j]);
			}
			ba_buf_printf(out, ",%u", r->runs);
			const double numbers[] = {r->ns, r->stdev_ns, c ? c->before : NAN,
				c ? c->after : NAN, c ? c->p : NAN, r->ratio, r->low, r->high};
			for (size_t j = 0; j < 8; j++)
				ba_buf_printf(
					out, isfinite(numbers[j]) ? ",%.10g" : ",", numbers[j]);
			const char *const last[] = {r->verdict, r->baseline, r->subject};
			for (size_t j = 0; j < 3; j++) {
				ba_buf_putc(out, ',');
				ba_csv_text(out, last[j]);
			}
			ba_buf_putc(out, '\n');
		}
	}
}

static void put_json_row(ba_json_writer *w, const ba_timeline_row *r)
{
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "commit", r->commit);
	ba_json_write_string(w, "measured", r->date);
	ba_json_write_string(w, "subject", r->subject);
	ba_json_write_u64(w, "runs", r->runs);
	ba_json_write_f64(w, "ns", r->ns);
	ba_json_write_f64(w, "stdev_ns", r->stdev_ns);
	ba_json_write_string(w, "verdict", r->verdict);
	ba_json_write_string(w, "baseline", r->baseline);
	ba_json_write_f64(w, "ratio", r->ratio);
	ba_json_write_f64(w, "low", r->low);
	ba_json_write_f64(w, "high", r->high);
	ba_json_close(w);
}

void ba_timelines_json(ba_buf *out, const ba_timeline *list, size_t count)
{
	ba_json_writer w;
	ba_json_writer_to_buf(&w, out, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "schema", "bench-against.history/1");
	ba_json_open_array(&w, "series");
	for (size_t i = 0; i < count; i++) {
		const ba_timeline *t = &list[i];
		ba_json_open_object(&w, NULL);
		ba_json_write_string(&w, "benchmark", t->benchmark);
		ba_json_write_string(&w, "metric", t->metric);
		ba_json_write_string(&w, "target", t->target);
		ba_json_write_string(&w, "device", t->device);
		ba_json_write_string(&w, "order", t->by_date ? "measured" : "first-parent");
		ba_json_open_array(&w, "commits");
		for (size_t k = 0; k < t->count; k++)
			put_json_row(&w, &t->rows[k]);
		ba_json_close(&w);
		ba_json_open_array(&w, "changes");
		for (size_t k = 0; k < t->change_count; k++) {
			const ba_change_point *c = &t->changes[k];
			ba_json_open_object(&w, NULL);
			ba_json_write_string(&w, "commit", t->rows[c->at].commit);
			ba_json_write_u64(&w, "index", c->at);
			ba_json_write_f64(&w, "before_ns", c->before);
			ba_json_write_f64(&w, "after_ns", c->after);
			ba_json_write_f64(&w, "p", c->p);
			ba_json_close(&w);
		}
		ba_json_close(&w);
		ba_json_close(&w);
	}
	ba_json_close(&w);
	ba_json_close(&w);
	(void)ba_json_writer_finish(&w, NULL); /* a buffer takes everything */
	ba_buf_putc(out, '\n');
}
