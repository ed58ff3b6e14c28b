/* Explanations alone, as JSON: bench-against.why/1. The member "why" is that of the
 * results document. */
#include "report/why.h"

#include "json/writer.h"
#include "store/parts.h"

static void write_one(ba_json_writer *w, const ba_result *r, const ba_why *why)
{
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "benchmark", r->benchmarks[why->benchmark].id);
	ba_json_write_string(w, "baseline", r->variants[0].label);
	ba_json_write_string(w, "candidate", r->variants[why->candidate].label);
	ba_json_write_string(w, "verdict", ba_verdict_name(why->counted->verdict));
	ba_json_write_bool(w, "exact", why->counted->exact);
	ba_json_write_bool(w, "layout", why->layout);
	ba_explanation_write(w, why->e);
	ba_json_close(w);
}

void ba_why_json(ba_buf *out, const ba_result *r, const ba_why *items, size_t count)
{
	ba_json_writer w;
	ba_json_writer_to_buf(&w, out, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "schema", "bench-against.why/1");
	ba_json_open_array(&w, "explanations");
	for (size_t i = 0; i < count; i++)
		write_one(&w, r, &items[i]);
	ba_json_close(&w);
	ba_json_close(&w);
	(void)ba_json_writer_finish(&w, NULL); /* a buffer takes everything */
	ba_buf_putc(out, '\n');
}
