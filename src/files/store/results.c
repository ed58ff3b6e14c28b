#include "store/results.h"

#include "base/replace.h"
#include "store/parts.h"

/* clang-format off */
#define RUN(member, kind) BA_FIELD_AS(#member, ba_result, run.member, kind)
#define DECIDED(member, kind) BA_FIELD_AS(#member, ba_result, decided.member, kind)
/* clang-format on */

/* ---- the decision -------------------------------------------------------- */

static const ba_json_field decision_rows[] = {
	DECIDED(alpha, PART),
	DECIDED(multiplicity, TEXT),
	DECIDED(strict, BOOL),
	DECIDED(rule, UNSIGNED),
	RUN(measure_identical, BOOL),
	BA_FIELD_AS("controls", ba_result, run.controls, UNSIGNED, BA_IF(ba_result, run.controls)),
	DECIDED(stopped, TEXT),
	DECIDED(family_size, U64),
	DECIDED(looks_done, U64),
	BA_FIELD_AS("part", ba_result, run.part, UNSIGNED, BA_IF(ba_result, run.parts)),
	BA_FIELD_AS("parts", ba_result, run.parts, UNSIGNED, BA_IF(ba_result, run.parts)),
};

static const ba_json_field merged_rows[] = {
	BA_FIELD_LIST("merged", ba_result, run.merged, run.merged_count, &ba_merged_fields,
		.most = BA_ORIGINS_MOST, BA_IF(ba_result, run.merged_count)),
};

static void write_looks(ba_json_writer *w, const void *base)
{
	const ba_result *r = base;
	ba_looks_write(w, &r->decided.design);
	ba_fields_write(w, BA_FIELDS(merged_rows), base);
}

static int read_looks(void *base, ba_json_value decision, ba_error *err)
{
	ba_result *r = base;
	BA_TRY(ba_looks_read(&r->decided.design, r->decided.looks_done, decision, err));
	if (r->run.part > r->run.parts || !r->run.part != !r->run.parts ||
		r->run.parts > BA_INVOCATIONS_MOST)
		return ba_json_fail(
			err, decision, "is of part %u of %u", r->run.part, r->run.parts);
	if (r->decided.family_size > UINT32_MAX)
		return ba_json_fail(err, decision, "has a family of %zu", r->decided.family_size);
	return ba_fields_read(r, BA_FIELDS(merged_rows), decision, err);
}

static const ba_json_fields decision_fields =
	BA_FIELDS_INIT(decision_rows, .write = write_looks, .read = read_looks);

/* ---- the rest of the head ------------------------------------------------ */

static const ba_json_field gate_rows[] = {
	BA_FIELD_AS("strict", ba_result, decided.gate_strict, BOOL),
	DECIDED(undecided_fails, BOOL),
	DECIDED(likely_fails, BOOL),
	DECIDED(expected, LIST),
};

static const ba_json_field spent_rows[] = {
	BA_FIELD_EACH(ba_spent, SIZE, build, survey, count, start, prepare, measure, cold, judge),
};

static const ba_json_field evidence_rows[] = {
	BA_FIELD(ba_evidence, untrusted, BOOL),
	BA_FIELD_EACH(ba_evidence, U64, visits, launches),
	BA_FIELD_EACH(ba_evidence, SIZE, overhead_ns, overhead_share, short_share, aside_share),
	BA_FIELD_EACH(ba_evidence, U64, fresh, checks),
};

const ba_json_fields ba_evidence_fields = BA_FIELDS_INIT(evidence_rows);

static const ba_json_field overlay_rows[] = {
	BA_FIELD_EACH(ba_overlay_source, TEXT, from, label),
	BA_FIELD_EACH(ba_overlay_source, DIGEST, commit, tree_id),
	BA_FIELD(ba_overlay_source, dirty, BOOL),
	BA_FIELD(ba_overlay_source, diff_sha256, DIGEST),
	BA_FIELD(ba_overlay_source, paths, LIST),
};

static const ba_json_field suite_rows[] = {
	BA_FIELD_WORD("kind", ba_measured_suite, kind, ba_suite_kind_words),
	BA_FIELD_EACH(ba_measured_suite, TEXT, name, engine, engine_reason),
	BA_FIELD_IF(ba_measured_suite, executes, LIST, executes.count),
	BA_FIELD_IF(ba_measured_suite, loads, LIST, loads.count),
};

const ba_json_fields ba_engine_fields = {.rows = suite_rows + 1, .count = BA_COUNT(suite_rows) - 1};

static const ba_json_field head_rows[] = {
	BA_FIELD_WORD("verdict", ba_result, decided.verdict, ba_verdict_words, .required = true),
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
	BA_FIELD_GROUP("decision", &decision_fields, .required = true),
	BA_FIELD_GROUP("gate", BA_FIELDS(gate_rows)),
	BA_FIELD_OBJECT(
		"spent", ba_result, run.spent, BA_FIELDS(spent_rows), BA_IF(ba_result, run.spent)),
	BA_FIELD_OBJECT("evidence", ba_result, run.evidence, &ba_evidence_fields,
		BA_IF(ba_result, run.evidence.untrusted)),
	BA_FIELD_OBJECT("overlay", ba_result, run.overlay, BA_FIELDS(overlay_rows),
		BA_IF(ba_result, run.overlay.from)),
	BA_FIELD_OBJECT(
		"environment", ba_result, run.env, &ba_environment_fields, .required = true),
	BA_FIELD_LIST("origins", ba_result, run.origins, run.origin_count, &ba_origin_fields,
		.most = BA_ORIGINS_MOST, BA_IF(ba_result, run.origin_count)),
	/* absent in documents from before there were several suites */
	BA_FIELD_LIST("suites", ba_result, run.suites, run.suite_count, BA_FIELDS(suite_rows)),
	BA_FIELD_LIST("variants", ba_result, run.variants, run.variant_count, &ba_variant_fields,
		.required = true, .most = BA_VARIANTS_MOST),
};

static int check_head(void *base, ba_json_value root, ba_error *err)
{
	const ba_result *r = base;
	if (!r->run.variant_count)
		return ba_json_fail(err, ba_json_find(root, "variants"), "is empty");
	return ba_origins_check(r, root, err);
}

const ba_json_fields ba_head_fields = BA_FIELDS_INIT(head_rows, .read = check_head);

/* ---- series -------------------------------------------------------------- */

static const ba_json_field throughput_rows[] = {
	BA_FIELD_EACH(ba_throughput, SIZE, gflop_per_s, gb_per_s, items_per_s),
	BA_FIELD_AS("of_copy_ceiling", ba_throughput, of_copy, SIZE),
	BA_FIELD_AS("of_matrix_ceiling", ba_throughput, of_matrix, SIZE),
};

static const ba_json_field summary_rows[] = {
	BA_FIELD(ba_summary, present, BOOL),
	BA_FIELD_EACH(ba_summary, MAYBE, failure, output, skipped),
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
	/* only if several layouts were measured */
	BA_FIELD_IF(ba_summary, layouts, UNSIGNED, layouts),
	BA_FIELD_IF(ba_summary, layout_sd, SIZE, layouts),
};

/* These members are unknown in documents of earlier versions. */
static int read_throughput(void *base, ba_json_value object, ba_error *err)
{
	ba_summary *s = base;
	s->iqr = ba_json_is(ba_json_find(object, "iqr_ns")) ? s->iqr : NAN;
	s->max = ba_json_is(ba_json_find(object, "max_ns")) ? s->max : NAN;
	s->sm_mhz = ba_json_is(ba_json_find(object, "sm_mhz")) ? s->sm_mhz : NAN;
	return ba_fields_read(&s->said, BA_FIELDS(throughput_rows), object, err);
}

const ba_json_fields ba_summary_fields = BA_FIELDS_INIT(summary_rows, .read = read_throughput);

static const ba_json_field comparison_rows[] = {
	BA_FIELD_WORD("verdict", ba_comparison, verdict, ba_verdict_words, .required = true),
	BA_FIELD_EACH(ba_comparison, SIZE, ratio, low, high),
	BA_FIELD(ba_comparison, delta_ns, F64),
	BA_FIELD_EACH(ba_comparison, SIZE, threshold_slower, threshold_faster, threshold_given,
		threshold_given_ns),
	BA_FIELD_EACH(ba_comparison, PART, p_regressed, p_improved, p_unchanged),
	BA_FIELD_EACH(ba_comparison, SIZE, mean_ratio, mean_low, mean_high),
	BA_FIELD_EACH(ba_comparison, PART, p_mean_regressed, p_mean_improved),
	BA_FIELD(ba_comparison, mean_suspicious, BOOL),
	BA_FIELD(ba_comparison, invocations, UNSIGNED),
	BA_FIELD_EACH(ba_comparison, SIZE, s, s_within),
	BA_FIELD(ba_comparison, drift_per_block, F64),
	BA_FIELD_EACH(ba_comparison, MAYBE, reason, hint, level),
	BA_FIELD_EACH(ba_comparison, BOOL, likely, unstable, shape_changed, exact),
	BA_FIELD_F64S(ba_comparison, y, y_count, .most = BA_INVOCATIONS_MOST),
	BA_FIELD_F64S(ba_comparison, z, z_count),
	BA_FIELD_IF(ba_comparison, p_agree, PART, place_count),
	BA_FIELD_IF(ba_comparison, places_differ, BOOL, place_count),
	BA_FIELD_LIST("places", ba_comparison, places, place_count, &ba_place_fields,
		BA_IF(ba_comparison, place_count)),
	BA_FIELD_POINTER("why", ba_comparison, why, &ba_explanation_fields),
};

const ba_json_fields ba_comparison_fields = BA_FIELDS_INIT(comparison_rows);

BA_DEFINE_WORDS(static, effect_words, BA_EFFECTS_OF, ba_effect_names[value],
	"is not an effect that this version knows");

static const ba_json_field effect_rows[] = {
	BA_FIELD_WORD("of", ba_effect, of, effect_words, .required = true),
	BA_FIELD_EACH(ba_effect, UNSIGNED, code, environment),
	BA_FIELD_OBJECT(
		"comparison", ba_effect, comparison, &ba_comparison_fields, .required = true),
};

static const ba_json_field effects_rows[] = {
	BA_FIELD_LIST("effects", ba_series, effects, effect_count, BA_FIELDS(effect_rows),
		.most = 2 * BA_VARIANTS_MOST, BA_IF(ba_series, effect_count)),
};

const ba_json_fields ba_effects_fields = BA_FIELDS_INIT(effects_rows);

static const char *const roles[] = {[BA_ROLE_VERDICT] = "verdict", [BA_ROLE_REPORTED] = "reported"};
BA_DEFINE_WORDS(
	static, role_words, BA_COUNT(roles), roles[value], "must be \"verdict\" or \"reported\"");

static const ba_json_field series_rows[] = {
	BA_FIELD(ba_series, benchmark, U64, .required = true),
	BA_FIELD_WORD("metric", ba_series, metric, ba_metric_words, .required = true),
	BA_FIELD_WORD("role", ba_series, role, role_words, .required = true),
	BA_FIELD(ba_series, s_floor, F64),
	BA_FIELD_IF(ba_series, more_is_better, BOOL, more_is_better),
};

const ba_json_fields ba_series_fields = BA_FIELDS_INIT(series_rows);

/* ---- writing ------------------------------------------------------------- */

/* Derived values, for readers that do not compute them; only `verify` reads them. */
static void write_throughput(
	ba_json_writer *w, const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_throughput t = ba_throughput_of(r, s, variant);
	BA_EACH (const ba_json_field, f, throughput_rows, BA_COUNT(throughput_rows)) {
		/* cppcheck-suppress invalidPointerCast ; every row of the table is a double */
		double value = *(const double *)((const char *)&t + f->offset);
		if (value > 0)
			ba_json_write_f64(w, f->key, value);
	}
}

static void write_summaries(ba_json_writer *w, const ba_result *r, const ba_series *s)
{
	ba_json_open_array(w, "variants");
	for (size_t i = 0; i < r->run.variant_count; i++) {
		ba_json_open_object(w, NULL);
		ba_fields_write(w, &ba_summary_fields, &s->variants[i]);
		write_throughput(w, r, s, i);
		ba_json_close(w);
	}
	ba_json_close(w);
	if (s->floor.present || s->floor.launches)
		ba_fields_write_object(w, "floor", &ba_summary_fields, &s->floor);
	if (s->net_ns)
		ba_json_write_f64s(w, "net_ns", s->net_ns, r->run.variant_count);
}

static void write_comparison(ba_json_writer *w, size_t candidate, const ba_comparison *c)
{
	ba_json_put(w, "{candidate: %zu, within_threshold: %s", candidate,
		ba_shift_name(ba_comparison_shift(c)));
	ba_fields_write(w, &ba_comparison_fields, c);
	ba_json_close(w);
}

static void write_series(ba_json_writer *w, const ba_result *r, const ba_series *s)
{
	BA_AUTO(ba_series) ba_series own = {0};
	ba_json_put(w, "{id: %s", r->run.benchmarks[s->benchmark].id);
	ba_fields_write(w, &ba_series_fields, s);
	write_summaries(w, r, s);
	ba_json_put(w, "comparisons: [");
	for (size_t i = 1; i < r->run.variant_count; i++)
		write_comparison(w, i, &s->comparisons[i - 1]);
	ba_json_put(w, "]");
	ba_fields_write(w, &ba_effects_fields, s);
	ba_json_put(w, "samples: [");
	const ba_series *whole = ba_series_whole(&own, r, s);
	for (size_t i = 0; i < whole->sample_count; i++) {
		ba_json_open_object(w, NULL);
		ba_samples_write(w, &whole->samples[i]);
		ba_json_close(w);
	}
	ba_json_put(w, "]}");
}

static void write_document(ba_json_writer *w, const ba_result *r)
{
	ba_json_begin_digest(w);
	ba_json_put(w, "{schema: %s", BA_RESULTS_SCHEMA);
	ba_fields_write(w, &ba_head_fields, r);
	ba_json_put(w, "benchmarks: [");
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		ba_fields_write_object(w, NULL, &ba_benchmark_fields, &r->run.benchmarks[i]);
	ba_json_put(w, "], series: [");
	for (size_t i = 0; i < r->series_count; i++)
		write_series(w, r, &r->series[i]);
	ba_json_put(w, "]");
	ba_json_write_digest(w);
	ba_json_close(w);
}

void ba_results_format(ba_buf *out, const ba_result *r)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 1);
	write_document(&w, r);
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
	(void)ba_results_put(f.file, r, NULL); /* ba_replacement_commit reports it, with the name */
	BA_TRY(ba_result_check_stored(r, err));
	return ba_replacement_commit(&f, err);
}
