/* Explanations alone, bench-against.why/1. "why" is as in the results document. */
#include "report/why.h"

#include "model/occupancy.h"
#include "store/parts.h"

static void write_one(ba_json_writer *w, const ba_result *r, const ba_why *why)
{
	ba_json_put(w,
		"{benchmark: %s, baseline: %s, candidate: %s, verdict: %s, exact: %d, layout: %d",
		r->run.benchmarks[why->benchmark].id, r->run.variants[0].label,
		r->run.variants[why->candidate].label, ba_verdict_name(why->counted->verdict),
		why->counted->exact, why->layout);
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
	if (ba_occupancy_of(&o, k, capability))
		ba_json_put(w, "occupancy: %g, occupancy_limit: %s, blocks_per_multiprocessor: %u",
			(double)o.warps / o.warps_most, o.limit, o.blocks);
	ba_json_close(w);
}

static void write_pair(ba_json_writer *w, const ba_result *r, const ba_code_row *row)
{
	ba_json_put(w, "{benchmark: %s, baseline: %s, candidate: %s, changed: %d",
		r->run.benchmarks[row->benchmark].id, r->run.variants[0].label,
		r->run.variants[row->candidate].label, row->changed);
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
	ba_json_writer w = ba_json_writer_to_buf(out, 1);
	ba_json_put(&w, "{schema: 'bench-against.why/1', explanations: [");
	for (size_t i = 0; i < whys->count; i++)
		write_one(&w, r, &whys->items[i]);
	ba_json_put(&w, "], kernels: [");
	for (size_t i = 0; i < codes->count; i++)
		write_pair(&w, r, &codes->items[i]);
	ba_json_put(&w, "]}");
	ba_buf_putc(out, '\n');
}
