/* The state of benchmarks after an invocation, as JSON. */

#include "store/journal_parts.h"
#include "store/parts.h"

static const ba_json_field metric_fields[] = {
	BA_FIELD_EACH(ba_metric_state, F64, slower, faster),
	BA_FIELD_EACH(ba_metric_state, UNSIGNED, batch, readings, blocks, blocks_most, discard),
};

static const ba_json_field benchmark_fields[] = {
	BA_FIELD_AS("benchmark", ba_benchmark_state, id, TEXT),
	BA_FIELD_EACH(ba_benchmark_state, BOOL, active, sized),
	BA_FIELD(ba_benchmark_state, sets, UNSIGNED),
	BA_FIELD_EACH(ba_benchmark_state, F64, flop, bytes_read, bytes_written, items),
};

/* one variant's part of a benchmark's state */
typedef struct part {
	bool wanted;
	char *failure, *output, *skipped;
} part;

static const ba_json_field part_fields[] = {
	BA_FIELD(part, wanted, BOOL),
	BA_FIELD_EACH(part, MAYBE, failure, output, skipped),
};

static const ba_json_field checkpoint_fields[] = {
	BA_FIELD(ba_checkpoint, elapsed_ns, I64, .required = true),
	BA_FIELD(ba_checkpoint, samples, U64, .required = true),
	BA_FIELD_LIST(
		"suites", ba_checkpoint, suites, suite_count, &ba_engine_fields, .required = true),
	BA_FIELD_EACH(ba_checkpoint, LIST, notes, opened),
	/* trusted runs have none */
	BA_FIELD_OBJECT("evidence", ba_checkpoint, evidence, &ba_evidence_fields,
		BA_IF(ba_checkpoint, evidence.untrusted)),
};

/* ---- writing ------------------------------------------------------------- */

static void write_benchmark(ba_json_writer *w, const ba_benchmark_state *b)
{
	ba_json_open_object(w, NULL);
	ba_fields_write(w, BA_FIELDS(benchmark_fields), b);
	ba_json_open_array(w, "variants");
	for (size_t v = 0; v < b->variant_count; v++) {
		const part p = {b->wanted[v], b->failure[v], b->output[v], b->skipped[v]};
		ba_fields_write_object(w, NULL, BA_FIELDS(part_fields), &p);
	}
	ba_json_put(w, "], metrics: {");
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (b->has_metric & UINT64_C(1) << m)
			ba_fields_write_object(w, ba_metric_get((ba_metric)m)->name,
				BA_FIELDS(metric_fields), &b->metrics[m]);
	ba_json_put(w, "}}");
}

void ba_checkpoint_write(ba_json_writer *w, const ba_checkpoint *c)
{
	ba_fields_write(w, BA_FIELDS(checkpoint_fields), c);
	ba_json_open_array(w, "benchmarks");
	for (size_t i = 0; i < c->benchmark_count; i++)
		write_benchmark(w, &c->benchmarks[i]);
	ba_json_close(w);
}

/* ---- reading ------------------------------------------------------------- */

static int read_part(ba_benchmark_state *b, size_t v, ba_json_value value, ba_error *err)
{
	part p = {0};
	BA_TRY(ba_json_as_object(&value, value, err));
	int rc = ba_fields_read(&p, BA_FIELDS(part_fields), value, err);
	b->wanted[v] = p.wanted;
	b->failure[v] = p.failure;
	b->output[v] = p.output;
	b->skipped[v] = p.skipped;
	return rc;
}

static int read_parts(ba_benchmark_state *b, ba_json_value object, ba_error *err)
{
	ba_json_value array;
	size_t v = 0;
	BA_TRY(ba_json_get_array(&array, object, "variants", err));
	if (ba_json_count(array) != b->variant_count)
		return ba_json_fail(err, array, "has %zu entries where %zu are expected",
			ba_json_count(array), b->variant_count);
	BA_JSON_EACH (p, array)
		BA_TRY(read_part(b, v++, p, err));
	return 0;
}

static int read_metrics(ba_benchmark_state *b, ba_json_value object, ba_error *err)
{
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

static int read_benchmark(ba_benchmark_state *b, ba_json_value v, size_t variants, ba_error *err)
{
	ba_json_value object;
	BA_TRY(ba_json_as_object(&object, v, err));
	ba_benchmark_state_init(b, variants);
	BA_TRY(ba_fields_read(b, BA_FIELDS(benchmark_fields), object, err));
	BA_TRY(read_parts(b, object, err));
	return read_metrics(b, object, err);
}

/* Increases benchmark_count before it fills a benchmark, so that all can be disposed of
 * after an error. */
static int read_benchmarks(ba_checkpoint *out, ba_json_value object, size_t variants, ba_error *err)
{
	ba_json_value array;
	BA_TRY(ba_json_get_array(&array, object, "benchmarks", err));
	out->benchmarks = ba_xcalloc(ba_json_count(array) + 1, sizeof(*out->benchmarks));
	BA_JSON_EACH (v, array)
		BA_TRY(read_benchmark(&out->benchmarks[out->benchmark_count++], v, variants, err));
	return 0;
}

int ba_checkpoint_read(
	ba_checkpoint *out, ba_json_value object, size_t variant_count, ba_error *err)
{
	BA_TRY(ba_fields_read(out, BA_FIELDS(checkpoint_fields), object, err));
	if (out->elapsed_ns < 0 || out->samples > UINT32_MAX)
		return ba_json_fail(err, object, "has impossible times or counts of samples");
	return read_benchmarks(out, object, variant_count, err);
}
