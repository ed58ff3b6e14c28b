#include "store/results.h"

#include "base/replace.h"
#include "model/throughput.h"
#include "store/parts.h"
#include "store/results_fields.h"

/* clang-format off */
#define RUN(member, kind) BA_FIELD_AS(#member, ba_result, run.member, kind)
#define DECIDED(member, kind) BA_FIELD_AS(#member, ba_result, decided.member, kind)
/* clang-format on */

static const ba_json_field run_fields[] = {
	BA_FIELD_AS("schema_revision", ba_result, document.schema_revision, UNSIGNED),
	RUN(tool_version, TEXT),
	RUN(started, TEXT),
	RUN(wall_seconds, SIZE),
	RUN(measure_seconds, SIZE),
	RUN(seed, U64),
	RUN(engine, TEXT),
	RUN(engine_reason, TEXT),
	DECIDED(decided_apart, BOOL),
	RUN(suite_sha256, DIGEST),
	RUN(command_line, TEXT),
	RUN(repository, TEXT),
	RUN(config_path, TEXT),
	RUN(interrupted, BOOL),
	DECIDED(answer, MAYBE),
	DECIDED(exit_status, INT),
	RUN(signal, INT),
	RUN(notes, LIST),
};

static const ba_json_field decision_fields[] = {
	DECIDED(alpha, PART),
	DECIDED(multiplicity, TEXT),
	DECIDED(strict, BOOL),
	DECIDED(rule, UNSIGNED),
	RUN(measure_identical, BOOL),
	DECIDED(stopped, TEXT),
};

static const ba_json_field gate_fields[] = {
	BA_FIELD_AS("strict", ba_result, decided.gate_strict, BOOL),
	DECIDED(undecided_fails, BOOL),
	DECIDED(likely_fails, BOOL),
	DECIDED(expected, LIST),
};

static const ba_json_field spent_fields[] = {
	BA_FIELD(ba_spent, build, SIZE),
	BA_FIELD(ba_spent, survey, SIZE),
	BA_FIELD(ba_spent, count, SIZE),
	BA_FIELD(ba_spent, start, SIZE),
	BA_FIELD(ba_spent, prepare, SIZE),
	BA_FIELD(ba_spent, measure, SIZE),
	BA_FIELD(ba_spent, judge, SIZE),
};

static const ba_json_field evidence_fields[] = {
	BA_FIELD(ba_evidence, untrusted, BOOL),
	BA_FIELD(ba_evidence, visits, U64),
	BA_FIELD(ba_evidence, launches, U64),
	BA_FIELD(ba_evidence, overhead_ns, SIZE),
	BA_FIELD(ba_evidence, overhead_share, SIZE),
	BA_FIELD(ba_evidence, short_share, SIZE),
	BA_FIELD(ba_evidence, aside_share, SIZE),
	BA_FIELD(ba_evidence, fresh, U64),
	BA_FIELD(ba_evidence, checks, U64),
};

static const ba_json_field overlay_fields[] = {
	BA_FIELD(ba_overlay_source, from, TEXT),
	BA_FIELD(ba_overlay_source, label, TEXT),
	BA_FIELD(ba_overlay_source, commit, DIGEST),
	BA_FIELD(ba_overlay_source, tree_id, DIGEST),
	BA_FIELD(ba_overlay_source, dirty, BOOL),
	BA_FIELD(ba_overlay_source, diff_sha256, DIGEST),
	BA_FIELD(ba_overlay_source, paths, LIST),
};

static const ba_json_field summary_fields[] = {
	BA_FIELD(ba_summary, present, BOOL),
	BA_FIELD(ba_summary, failure, MAYBE),
	BA_FIELD(ba_summary, output, MAYBE),
	BA_FIELD(ba_summary, skipped, MAYBE),
	BA_FIELD(ba_summary, launches, U64),
	BA_FIELD_AS("mean_ns", ba_summary, mean, SIZE),
	BA_FIELD_AS("stdev_ns", ba_summary, stdev, SIZE),
	BA_FIELD_AS("iqr_ns", ba_summary, iqr, SIZE),
	BA_FIELD_AS("min_ns", ba_summary, min, SIZE),
	BA_FIELD_AS("median_ns", ba_summary, median, SIZE),
	BA_FIELD_AS("p95_ns", ba_summary, p95, SIZE),
	BA_FIELD_AS("p99_ns", ba_summary, p99, SIZE),
	BA_FIELD_AS("max_ns", ba_summary, max, SIZE),
	BA_FIELD_AS("trimmed_ns", ba_summary, trimmed, SIZE),
	BA_FIELD(ba_summary, sm_mhz, SIZE),
};

/* only of what was measured in several layouts */
static const ba_json_field layout_fields[] = {
	BA_FIELD(ba_summary, layouts, UNSIGNED),
	BA_FIELD(ba_summary, layout_sd, SIZE),
};

static const ba_json_field throughput_fields[] = {
	BA_FIELD(ba_throughput, gflop_per_s, SIZE),
	BA_FIELD(ba_throughput, gb_per_s, SIZE),
	BA_FIELD(ba_throughput, items_per_s, SIZE),
	BA_FIELD_AS("of_copy_ceiling", ba_throughput, of_copy, SIZE),
	BA_FIELD_AS("of_matrix_ceiling", ba_throughput, of_matrix, SIZE),
};

static const ba_json_field comparison_fields[] = {
	BA_FIELD(ba_comparison, ratio, SIZE),
	BA_FIELD(ba_comparison, low, SIZE),
	BA_FIELD(ba_comparison, high, SIZE),
	BA_FIELD(ba_comparison, delta_ns, F64),
	BA_FIELD(ba_comparison, threshold_slower, SIZE),
	BA_FIELD(ba_comparison, threshold_faster, SIZE),
	BA_FIELD(ba_comparison, threshold_given, SIZE),
	BA_FIELD(ba_comparison, threshold_given_ns, SIZE),
	BA_FIELD(ba_comparison, p_regressed, PART),
	BA_FIELD(ba_comparison, p_improved, PART),
	BA_FIELD(ba_comparison, p_unchanged, PART),
	BA_FIELD(ba_comparison, mean_ratio, SIZE),
	BA_FIELD(ba_comparison, mean_low, SIZE),
	BA_FIELD(ba_comparison, mean_high, SIZE),
	BA_FIELD(ba_comparison, p_mean_regressed, PART),
	BA_FIELD(ba_comparison, p_mean_improved, PART),
	BA_FIELD(ba_comparison, mean_suspicious, BOOL),
	BA_FIELD(ba_comparison, invocations, UNSIGNED),
	BA_FIELD(ba_comparison, s, SIZE),
	BA_FIELD(ba_comparison, s_within, SIZE),
	BA_FIELD(ba_comparison, drift_per_block, F64),
	BA_FIELD(ba_comparison, reason, MAYBE),
	BA_FIELD(ba_comparison, hint, MAYBE),
	BA_FIELD(ba_comparison, level, MAYBE),
	BA_FIELD(ba_comparison, likely, BOOL),
	BA_FIELD(ba_comparison, unstable, BOOL),
	BA_FIELD(ba_comparison, shape_changed, BOOL),
	BA_FIELD(ba_comparison, exact, BOOL),
};

static const ba_json_field suite_fields[] = {
	BA_FIELD(ba_measured_suite, name, TEXT),
	BA_FIELD(ba_measured_suite, engine, TEXT),
	BA_FIELD(ba_measured_suite, engine_reason, TEXT),
};

static void write_suite_kind(ba_json_writer *w, const void *item)
{
	const ba_measured_suite *s = item;
	ba_json_write_string(w, "kind", ba_suite_kind_name(s->kind));
}

static int read_suite_kind(void *item, ba_json_value object, ba_error *err)
{
	ba_measured_suite *s = item;
	return ba_suite_kind_read(&s->kind, object, err);
}

/* documents from before there were several have none */
const ba_json_list ba_suites = {BA_ITEMS(ba_result, run.suites, run.suite_count),
	.fields = BA_FIELDS(suite_fields), .write = write_suite_kind, .read = read_suite_kind};

const ba_field_table ba_run_table = {BA_FIELDS(run_fields)};
const ba_field_table ba_decision_table = {BA_FIELDS(decision_fields)};
const ba_field_table ba_gate_table = {BA_FIELDS(gate_fields)};
const ba_field_table ba_spent_table = {BA_FIELDS(spent_fields)};
const ba_field_table ba_evidence_table = {BA_FIELDS(evidence_fields)};
const ba_field_table ba_overlay_table = {BA_FIELDS(overlay_fields)};
const ba_field_table ba_throughput_table = {BA_FIELDS(throughput_fields)};
const ba_field_table ba_summary_table = {BA_FIELDS(summary_fields)};
const ba_field_table ba_layout_table = {BA_FIELDS(layout_fields)};
const ba_field_table ba_comparison_table = {BA_FIELDS(comparison_fields)};

static void write_decision(ba_json_writer *w, const ba_result *r)
{
	ba_json_open_object(w, "decision");
	ba_fields_write(w, BA_TABLE(ba_decision_table), r);
	ba_json_write_u64(w, "family_size", r->decided.family_size);
	const ba_design design = ba_decided_design(&r->decided);
	ba_looks_write(w, &design);
	ba_json_write_u64(w, "looks_done", r->decided.looks_done);
	ba_merged_runs_write(w, r);
	ba_json_close(w);
}

/* derived, for readers that do not compute; read back only by `verify` */
static void write_throughput(
	ba_json_writer *w, const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_throughput t = ba_throughput_of(r, s, variant);
	for (size_t i = 0; i < ba_throughput_table.count; i++) {
		const ba_json_field *f = &ba_throughput_table.rows[i];
		/* cppcheck-suppress invalidPointerCast ; every row of the table is a double */
		double value = *(const double *)((const char *)&t + f->offset);
		if (value > 0)
			ba_json_write_f64(w, f->key, value);
	}
}

static void write_comparison(ba_json_writer *w, size_t candidate, const ba_comparison *c)
{
	ba_json_open_object(w, NULL);
	ba_json_write_u64(w, "candidate", candidate);
	ba_json_write_string(w, "verdict", ba_verdict_name(c->verdict));
	ba_json_write_string(w, "within_threshold", ba_shift_name(ba_comparison_shift(c)));
	ba_fields_write(w, BA_TABLE(ba_comparison_table), c);
	ba_json_write_f64s(w, "y", c->y, c->y_count);
	ba_json_write_f64s(w, "z", c->z, c->z_count);
	ba_places_write(w, c);
	ba_explanation_write(w, c->why);
	ba_json_close(w);
}

static void write_series(ba_json_writer *w, const ba_result *r, const ba_series *s)
{
	ba_json_open_object(w, NULL);
	ba_json_write_u64(w, "benchmark", s->benchmark);
	ba_json_write_string(w, "id", r->run.benchmarks[s->benchmark].id);
	ba_json_write_string(w, "metric", ba_metric_get(s->metric)->name);
	ba_json_write_string(w, "role", s->role == BA_ROLE_VERDICT ? "verdict" : "reported");
	ba_json_write_f64(w, "s_floor", s->s_floor);
	if (s->more_is_better)
		ba_json_write_bool(w, "more_is_better", true);
	ba_json_open_array(w, "variants");
	for (size_t i = 0; i < r->run.variant_count; i++) {
		ba_json_open_object(w, NULL);
		ba_fields_write(w, BA_TABLE(ba_summary_table), &s->variants[i]);
		if (s->variants[i].layouts)
			ba_fields_write(w, BA_TABLE(ba_layout_table), &s->variants[i]);
		write_throughput(w, r, s, i);
		ba_json_close(w);
	}
	ba_json_close(w);
	if (s->floor.present || s->floor.launches)
		ba_fields_write_object(w, "floor", BA_TABLE(ba_summary_table), &s->floor);
	if (s->net_ns)
		ba_json_write_f64s(w, "net_ns", s->net_ns, r->run.variant_count);
	ba_json_open_array(w, "comparisons");
	for (size_t i = 1; i < r->run.variant_count; i++)
		write_comparison(w, i, &s->comparisons[i - 1]);
	ba_json_close(w);
	BA_AUTO(ba_series) ba_series own = {0};
	const ba_series *whole = ba_series_whole(&own, r, s);
	ba_json_open_array(w, "samples");
	for (size_t i = 0; i < whole->sample_count; i++) {
		ba_json_open_object(w, NULL);
		ba_samples_write(w, &whole->samples[i]);
		ba_json_close(w);
	}
	ba_json_close(w);
	ba_json_close(w);
}

static void write_document(ba_json_writer *w, const ba_result *r)
{
	ba_json_begin_digest(w);
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "schema", BA_RESULTS_SCHEMA);
	ba_json_write_string(w, "verdict", ba_verdict_name(r->decided.verdict));
	ba_fields_write(w, BA_TABLE(ba_run_table), r);
	write_decision(w, r);
	ba_fields_write_object(w, "gate", BA_TABLE(ba_gate_table), r);
	if (ba_spent_total(&r->run.spent) > 0)
		ba_fields_write_object(w, "spent", BA_TABLE(ba_spent_table), &r->run.spent);
	if (r->run.evidence.untrusted)
		ba_fields_write_object(
			w, "evidence", BA_TABLE(ba_evidence_table), &r->run.evidence);
	if (r->run.overlay.from)
		ba_fields_write_object(w, "overlay", BA_TABLE(ba_overlay_table), &r->run.overlay);
	ba_environment_write(w, "environment", &r->run.env);
	ba_origins_write(w, r);
	ba_list_write(w, "suites", &ba_suites, r);
	ba_json_open_array(w, "variants");
	for (size_t i = 0; i < r->run.variant_count; i++)
		ba_variant_write(w, NULL, &r->run.variants[i]);
	ba_json_close(w);
	ba_json_open_array(w, "benchmarks");
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		ba_benchmark_write(w, NULL, &r->run.benchmarks[i]);
	ba_json_close(w);
	ba_json_open_array(w, "series");
	for (size_t i = 0; i < r->series_count; i++)
		write_series(w, r, &r->series[i]);
	ba_json_close(w);
	ba_json_write_digest(w);
	ba_json_close(w);
}

void ba_results_format(ba_buf *out, const ba_result *r)
{
	ba_json_writer w;
	ba_json_writer_to_buf(&w, out, 1);
	write_document(&w, r);
	(void)ba_json_writer_finish(&w, NULL); /* a buffer takes everything */
	ba_buf_putc(out, '\n');
}

int ba_results_put(FILE *out, const ba_result *r, ba_error *err)
{
	ba_json_writer w;
	ba_json_writer_to_file(&w, out, 1);
	write_document(&w, r);
	int rc = ba_json_writer_finish(&w, err);
	fputc('\n', out);
	return rc;
}

int ba_results_write(const char *path, const ba_result *r, ba_error *err)
{
	BA_AUTO(ba_replacement) ba_replacement f = {0};
	BA_TRY(ba_replacement_open(&f, path, err));
	(void)ba_results_put(f.file, r, NULL); /* the commit tells, with the name */
	int rc = ba_result_check_stored(r, err);
	return rc ? rc : ba_replacement_commit(&f, err);
}
