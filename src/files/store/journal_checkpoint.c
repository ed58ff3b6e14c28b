/* The state of benchmarks after an invocation, as JSON. */

#include "store/journal_parts.h"
#include "store/parts.h"

/* ---- metrics ---- */

static const ba_json_field metric_fields[] = {
	BA_FIELD_EACH(ba_metric_state, F64, slower, faster),
	BA_FIELD_EACH(ba_metric_state, UNSIGNED, batch, readings, blocks, blocks_most, discard),
};

static void write_metrics(ba_json_writer *w, const void *base)
{
	const ba_benchmark_state *b = base;
	ba_json_open_object(w, "metrics");
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (b->has_metric & UINT64_C(1) << m)
			ba_fields_write_object(w, ba_metric_get((ba_metric)m)->name,
				BA_FIELDS(metric_fields), &b->metrics[m]);
	ba_json_close(w);
}

static int read_metrics(void *base, ba_json_value object, ba_error *err)
{
	ba_benchmark_state *b = base;
	ba_json_value metrics, one;
	BA_TRY(ba_json_get_object(&metrics, object, "metrics", err));
	BA_JSON_EACH (v, metrics) {
		int m = ba_metric_from_name(ba_json_key(v));
		if (m < 0)
			return ba_json_fail(err, v, "is not a metric that this version knows");
		BA_TRY(ba_json_as_object(&one, v, err));
		BA_TRY(ba_fields_read(&b->metrics[m], BA_FIELDS(metric_fields), one, err));
		const ba_metric_state *s = &b->metrics[m];
		if (!(s->slower >= 0 && s->faster >= 0 && isfinite(s->slower) &&
			    isfinite(s->faster)))
			return ba_json_fail(err, v, "has no thresholds");
		b->has_metric |= UINT64_C(1) << m;
	}
	return 0;
}

/* ---- benchmarks ---- */

static const ba_json_field variant_fields[] = {
	BA_FIELD(ba_variant_state, wanted, BOOL),
	BA_FIELD_EACH(ba_variant_state, MAYBE, failure, output, skipped),
};

static const ba_json_field benchmark_rows[] = {
	BA_FIELD_AS("benchmark", ba_benchmark_state, id, TEXT),
	BA_FIELD_EACH(ba_benchmark_state, BOOL, active, sized),
	BA_FIELD(ba_benchmark_state, sets, UNSIGNED),
	BA_FIELD_EACH(ba_benchmark_state, F64, flop, bytes_read, bytes_written, items),
	BA_FIELD_LIST("variants", ba_benchmark_state, variants, variant_count,
		BA_FIELDS(variant_fields), .required = true),
};
static const ba_json_fields benchmark_fields =
	BA_FIELDS_INIT(benchmark_rows, .write = write_metrics, .read = read_metrics);

static const ba_json_field checkpoint_rows[] = {
	BA_FIELD(ba_checkpoint, elapsed_ns, I64, .required = true),
	BA_FIELD(ba_checkpoint, samples, U64, .required = true),
	BA_FIELD_LIST(
		"suites", ba_checkpoint, suites, suite_count, &ba_engine_fields, .required = true),
	BA_FIELD_EACH(ba_checkpoint, LIST, notes, opened),
	/* trusted runs have none */
	BA_FIELD_OBJECT("evidence", ba_checkpoint, evidence, &ba_evidence_fields,
		BA_IF(ba_checkpoint, evidence.untrusted)),
	BA_FIELD_LIST("benchmarks", ba_checkpoint, benchmarks, benchmark_count, &benchmark_fields,
		.required = true),
};
const ba_json_fields ba_checkpoint_fields = BA_FIELDS_INIT(checkpoint_rows);

int ba_checkpoint_read(
	ba_checkpoint *out, ba_json_value object, size_t variant_count, ba_error *err)
{
	BA_TRY(ba_fields_read(out, &ba_checkpoint_fields, object, err));
	if (out->elapsed_ns < 0 || out->samples > UINT32_MAX)
		return ba_json_fail(err, object, "has impossible times or counts of samples");
	ba_json_value v = ba_json_first(ba_json_find(object, "benchmarks"));
	for (size_t i = 0; i < out->benchmark_count; i++, v = ba_json_next(v))
		if (out->benchmarks[i].variant_count != variant_count)
			return ba_json_fail(err, ba_json_find(v, "variants"),
				"has %zu entries where %zu are expected",
				out->benchmarks[i].variant_count, variant_count);
	return 0;
}
