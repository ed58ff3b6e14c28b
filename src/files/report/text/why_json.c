/* Writes explanations alone as JSON: bench-against.why/1. The member "why" is as in the
 * results document. */
#include "report/why.h"

#include "model/occupancy.h"
#include "store/parts.h"

static void write_one(ba_json_writer *w, const ba_result *r, const ba_why *why)
{
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "benchmark", r->run.benchmarks[why->benchmark].id);
	ba_json_write_string(w, "baseline", r->run.variants[0].label);
	ba_json_write_string(w, "candidate", r->run.variants[why->candidate].label);
	ba_json_write_string(w, "verdict", ba_verdict_name(why->counted->verdict));
	ba_json_write_bool(w, "exact", why->counted->exact);
	ba_json_write_bool(w, "layout", why->layout);
	ba_fields_write_object(w, "why", &ba_explanation_fields, why->e);
	ba_json_close(w);
}

static void write_kernel(
	ba_json_writer *w, const char *key, const ba_kernel *k, const char *capability)
{
	ba_occupancy o;
	if (!k) {
		ba_json_write_null(w, key);
		return;
	}
	ba_json_open_object(w, key);
	ba_fields_write(w, &ba_kernel_fields, k);
	if (ba_occupancy_of(&o, k, capability)) {
		ba_json_write_f64(w, "occupancy", (double)o.warps / o.warps_most);
		ba_json_write_string(w, "occupancy_limit", o.limit);
		ba_json_write_u64(w, "blocks_per_multiprocessor", o.blocks);
	}
	ba_json_close(w);
}

static void write_pair(ba_json_writer *w, const ba_result *r, const ba_code_row *row)
{
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "benchmark", r->run.benchmarks[row->benchmark].id);
	ba_json_write_string(w, "baseline", r->run.variants[0].label);
	ba_json_write_string(w, "candidate", r->run.variants[row->candidate].label);
	ba_json_write_bool(w, "changed", row->changed);
	write_kernel(w, "baseline_kernel", row->base, row->capability);
	write_kernel(w, "candidate_kernel", row->mine, row->capability);
	if (row->listing_reason)
		ba_json_write_string(w, "listing_reason", row->listing_reason);
	if (row->counters_reason)
		ba_json_write_string(w, "counters_reason", row->counters_reason);
	ba_json_close(w);
}

void ba_why_json(ba_buf *out, const ba_result *r, const ba_whys *whys, const ba_code_rows *codes)
{
	ba_json_writer w;
	ba_json_writer_to_buf(&w, out, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "schema", "bench-against.why/1");
	ba_json_open_array(&w, "explanations");
	for (size_t i = 0; i < whys->count; i++)
		write_one(&w, r, &whys->items[i]);
	ba_json_close(&w);
	ba_json_open_array(&w, "kernels");
	for (size_t i = 0; i < codes->count; i++)
		write_pair(&w, r, &codes->items[i]);
	ba_json_close(&w);
	ba_json_close(&w);
	(void)ba_json_writer_finish(&w, NULL); /* writing to a buffer cannot fail */
	ba_buf_putc(out, '\n');
}
