#include "store/parts.h"

#include "stats/layouts.h"

/* ---- words --------------------------------------------------------------- */

BA_DEFINE_WORDS(, ba_suite_kind_words, BA_SUITE_KIND_COUNT,
	ba_suite_kind_name((ba_suite_kind)value), "is not a kind of suite that this version knows");
BA_DEFINE_WORDS(, ba_metric_words, BA_METRIC_COUNT, ba_metric_get((ba_metric)value)->name,
	"is not a metric that this version knows");
BA_DEFINE_WORDS(, ba_verdict_words, BA_VERDICT_COUNT, ba_verdict_name((ba_verdict)value),
	"is not a verdict that this version knows");

/* ---- variants ------------------------------------------------------------ */

static const char *const kinds[] = {
	[BA_VARIANT_REV] = "rev", [BA_VARIANT_PATH] = "path", [BA_VARIANT_WORKTREE] = "worktree"};
BA_DEFINE_WORDS(static, variant_kinds, BA_COUNT(kinds), kinds[value],
	"must be \"rev\", \"path\" or \"worktree\"");

static const ba_json_field artefact_rows[] = {
	BA_FIELD(ba_artefact, path, TEXT),
	BA_FIELD(ba_artefact, sha256, DIGEST),
};

const ba_json_fields ba_artefact_fields = BA_FIELDS_INIT(artefact_rows);

static const ba_json_field variant_environment_rows[] = {
	BA_FIELD(ba_variant_environment, parts, LIST),
	BA_FIELD(ba_variant_environment, dir, MAYBE),
	BA_FIELD_EACH(ba_variant_environment, DIGEST, resolved_sha256, installed_sha256),
	BA_FIELD_EACH(ba_variant_environment, LIST, distributions, loaded),
};

static const ba_json_field variant_rows[] = {
	BA_FIELD_WORD("kind", ba_variant, kind, variant_kinds, .required = true),
	BA_FIELD_EACH(ba_variant, TEXT, label, spec),
	BA_FIELD_EACH(ba_variant, DIGEST, commit, tree_id),
	BA_FIELD_EACH(ba_variant, TEXT, describe, subject),
	BA_FIELD(ba_variant, dirty, BOOL),
	BA_FIELD(ba_variant, diff_sha256, DIGEST),
	BA_FIELD_EACH(ba_variant, TEXT, tree_dir, build_key),
	BA_FIELD_EACH(ba_variant, DIGEST, tree_sha256, used_sha256),
	BA_FIELD(ba_variant, build_cached, BOOL),
	BA_FIELD(ba_variant, build_seconds, F64),
	BA_FIELD(ba_variant, build_log, TEXT),
	/* only in runs with environments */
	BA_FIELD_OBJECT("environment", ba_variant, environment, BA_FIELDS(variant_environment_rows),
		BA_IF(ba_variant, environment)),
	BA_FIELD_LIST("artefacts", ba_variant, artefacts, artefact_count, &ba_artefact_fields),
};

static int check_variant(void *base, ba_json_value object, ba_error *err)
{
	const ba_variant *v = base;
	return *v->label ? 0 : ba_json_fail(err, object, "has no label");
}

const ba_json_fields ba_variant_fields = BA_FIELDS_INIT(variant_rows, .read = check_variant);

/* ---- device code of a benchmark, with one entry for each variant ---------- */

/* limit for instructions of one class in one kernel */
#define CLASS_MOST (UINT64_C(1) << 32)

BA_DEFINE_WORDS(
	static, class_words, BA_CLASS_COUNT, ba_class_key((ba_instruction_class)value), NULL);

static const ba_json_field block_rows[] = {
	BA_FIELD_EACH(ba_block_changes, UNSIGNED, baseline, candidate, same, number),
	BA_FIELD_EACH(ba_block_changes, MAYBE, label, file),
	BA_FIELD(ba_block_changes, line, UNSIGNED),
	BA_FIELD_EACH(ba_block_changes, LIST, baseline_code, candidate_code),
};
const ba_json_fields ba_block_fields = BA_FIELDS_INIT(block_rows);

static const ba_json_field counter_fields[] = {
	BA_FIELD(ba_counter_value, name, TEXT),
	BA_FIELD(ba_counter_value, value, F64),
};

static const ba_json_field kernel_rows[] = {
	BA_FIELD(ba_kernel, name, TEXT),
	BA_FIELD(ba_kernel, sha256, DIGEST),
	BA_FIELD(ba_kernel, launches, U64),
	BA_FIELD_EACH(ba_kernel, UNSIGNED, grid_x, grid_y, grid_z, block_x, block_y, block_z,
		dynamic_shared_bytes),
	BA_FIELD_EACH(ba_kernel, UNSIGNED, registers, shared_bytes, local_bytes, constant_bytes,
		max_threads, binary_version, ptx_version),
	BA_FIELD(ba_kernel, code_bytes, U64),
	BA_FIELD_POINTER("blocks", ba_kernel, blocks, &ba_block_fields),
	BA_FIELD_LIST("counters", ba_kernel, counters, counter_count, BA_FIELDS(counter_fields),
		BA_IF(ba_kernel, counter_count)),
	BA_FIELD_COUNTS("instructions", ba_kernel, classes, class_words, .most = CLASS_MOST,
		BA_IF(ba_kernel, listed)),
};

/* the classes are known if they are there */
static int note_listed(void *base, ba_json_value object, ba_error *err)
{
	ba_kernel *k = base;
	k->listed = ba_json_is(ba_json_find(object, "instructions"));
	return 0;
}

const ba_json_fields ba_kernel_fields = BA_FIELDS_INIT(kernel_rows, .read = note_listed);

static const ba_json_field device_code_fields[] = {
	BA_FIELD(ba_device_code, reason, MAYBE),
	BA_FIELD_EACH(ba_device_code, DIGEST, code_sha256, work_sha256, memory_sha256),
	BA_FIELD_IF(ba_device_code, listing_reason, MAYBE, listing_reason),
	BA_FIELD_IF(ba_device_code, counters_reason, MAYBE, counters_reason),
	BA_FIELD_LIST("kernels", ba_device_code, kernels, kernel_count, &ba_kernel_fields),
};

/* ---- benchmarks ---------------------------------------------------------- */

static const ba_json_field benchmark_rows[] = {
	/* absent: a launcher suite, once the only kind */
	BA_FIELD_WORD("kind", ba_benchmark, kind, ba_suite_kind_words),
	BA_FIELD_EACH(ba_benchmark, TEXT, id, suite),
	BA_FIELD_EACH(ba_benchmark, MAYBE, name, path),
	BA_FIELD_EACH(ba_benchmark, UNSIGNED, args, arg_bytes),
	BA_FIELD(ba_benchmark, loops, U64),
	BA_FIELD_EACH(ba_benchmark, SIZE, flop, bytes_read, bytes_written, items),
	BA_FIELD_IF(ba_benchmark, executes, LIST, executes.count),
	BA_FIELD_LIST("device_code", ba_benchmark, codes, code_count, BA_FIELDS(device_code_fields),
		BA_IF(ba_benchmark, code_count)),
};

static void write_axes(ba_json_writer *w, const void *base)
{
	const ba_benchmark *b = base;
	ba_json_open_object(w, "axes");
	for (size_t i = 0; i < b->axis_count; i++)
		ba_json_write_string(w, b->axes[i].name, b->axes[i].value);
	ba_json_close(w);
}

static int read_axes(void *base, ba_json_value object, ba_error *err)
{
	ba_benchmark *b = base;
	const char *text;
	if (!*b->id)
		return ba_json_fail(err, object, "has no id");
	ba_json_value axes = ba_json_find(object, "axes");
	if (ba_json_is(axes))
		BA_TRY(ba_json_as_object(&axes, axes, err));
	BA_JSON_EACH (v, axes) {
		BA_TRY(ba_json_as_string(&text, v, err));
		ba_benchmark_add_axis(b, ba_json_key(v), text);
	}
	return 0;
}

const ba_json_fields ba_benchmark_fields =
	BA_FIELDS_INIT(benchmark_rows, .write = write_axes, .read = read_axes);

/* ---- environment --------------------------------------------------------- */

static const ba_json_field environment_rows[] = {
	BA_FIELD_EACH(ba_environment, TEXT, target, device_name, device_uuid, compute_capability,
		driver_version, cuda_version),
	BA_FIELD(ba_environment, device_ordinal, INT),
	BA_FIELD_EACH(ba_environment, TEXT, pci_bus_id, ecc, mig, virtualization),
	BA_FIELD(ba_environment, sm_count, INT),
	BA_FIELD(ba_environment, memory_bytes, I64),
	BA_FIELD_EACH(ba_environment, INT, sm_clock_mhz, sm_clock_max_mhz, memory_clock_mhz),
	BA_FIELD_EACH(ba_environment, F64, power_watts, power_limit_watts),
	BA_FIELD_EACH(ba_environment, INT, temperature_c, other_processes),
	BA_FIELD_EACH(ba_environment, TEXT, host_name, cpu_model, kernel, governor, clocksource),
	BA_FIELD_EACH(ba_environment, INT, cpus, pinned_cpu),
	BA_FIELD(ba_environment, load_average, F64),
	BA_FIELD_EACH(ba_environment, SIZE, timer_read_ns, timer_tick_ns),
	BA_FIELD(ba_environment, queue_depth, UNSIGNED),
	BA_FIELD_EACH(ba_environment, SIZE, event_tick_ns, event_pair_ns, gpu_timer_ns),
	BA_FIELD(ba_environment, l2_bytes, I64),
	BA_FIELD(ba_environment, flush, TEXT),
	BA_FIELD(ba_environment, flush_ratio, F64),
	BA_FIELD_EACH(ba_environment, SIZE, copy_gb_per_s, matrix_gflop_per_s),
	BA_FIELD(ba_environment, warnings, LIST),
};

const ba_json_fields ba_environment_fields = BA_FIELDS_INIT(environment_rows);

/* ---- samples ------------------------------------------------------------- */

static const ba_json_field samples_fields[] = {
	BA_FIELD(ba_samples, invocation, UNSIGNED),
	BA_FIELD(ba_samples, seed, U64),
	BA_FIELD(ba_samples, participants, UNSIGNED),
	BA_FIELD(ba_samples, has_floor, BOOL),
	BA_FIELD_EACH(ba_samples, UNSIGNED, positions, blocks, readings, batch),
	BA_FIELD_EACH(ba_samples, I64, started_ns, wall_ns),
	BA_FIELD(ba_samples, repeated, UNSIGNED),
	/* only if several layouts were measured, or the result has origins */
	BA_FIELD_IF(ba_samples, layouts, UNSIGNED, layouts),
	BA_FIELD_IF(ba_samples, origin, UNSIGNED, origin),
};

void ba_samples_write(ba_json_writer *w, const ba_samples *s)
{
	ba_fields_write(w, BA_FIELDS(samples_fields), s);
	size_t visits = (size_t)s->blocks * s->positions;
	ba_json_open_row(w, "order");
	for (size_t i = 0; i < visits; i++)
		ba_json_write_u64(w, NULL, s->order[i]);
	ba_json_close(w);
	ba_json_write_u64s(w, "ns", s->ns, visits * s->readings);
	if (s->block_at_ns)
		ba_json_write_u64s(w, "block_at_ns", (const uint64_t *)s->block_at_ns, s->blocks);
	if (s->khz)
		ba_json_write_u64s(w, "khz", s->khz, visits);
	if (s->clock_events)
		ba_json_write_u64s(w, "clock_events", s->clock_events, s->blocks);
}

/* An array of exactly `count` whole numbers; *out then belongs to the caller. */
static int numbers_read(
	uint64_t **out, ba_json_value object, const char *key, size_t count, ba_error *err)
{
	ba_json_value v;
	size_t has;
	BA_TRY(ba_json_get(&v, object, key, err));
	BA_AUTO_FREE uint64_t *values = NULL;
	BA_TRY(ba_json_as_u64s(&values, &has, v, err));
	if (has != count)
		return ba_json_fail(err, v, "has %zu numbers where %zu are expected", has, count);
	*out = BA_TAKE(values);
	return 0;
}

/* the same, and NULL if there is none */
static int numbers_opt(
	uint64_t **out, ba_json_value object, const char *key, size_t count, ba_error *err)
{
	*out = NULL;
	return ba_json_is(ba_json_find(object, key)) ? numbers_read(out, object, key, count, err)
						     : 0;
}

static int order_read(ba_samples *out, ba_json_value object, size_t visits, ba_error *err)
{
	BA_AUTO_FREE uint64_t *order = NULL;
	BA_TRY(numbers_read(&order, object, "order", visits, err));
	out->order = ba_xcalloc(visits + 1, sizeof(*out->order));
	for (size_t i = 0; i < visits; i++) {
		if (order[i] >= out->participants)
			return ba_json_fail(err, ba_json_find(object, "order"),
				"names participant %llu of %u", (unsigned long long)order[i],
				out->participants);
		out->order[i] = (uint8_t)order[i];
	}
	return 0;
}

static int shape_check(
	const ba_samples *s, ba_json_value object, size_t variant_count, ba_error *err)
{
	size_t participants = variant_count + s->has_floor;
	if (s->participants != participants || participants > BA_SAMPLE_PARTICIPANTS_MOST)
		return ba_json_fail(err, object,
			"has %u participants where there are %zu variants%s", s->participants,
			variant_count, s->has_floor ? " and the floor" : "");
	if (s->invocation >= BA_INVOCATIONS_MOST)
		return ba_json_fail(err, object, "is of invocation %u: it must be less than %d",
			s->invocation, BA_INVOCATIONS_MOST);
	if (!s->batch || !s->readings || !s->positions)
		return ba_json_fail(err, object, "needs batch, readings and positions above 0");
	if (s->layouts && (s->layouts > BA_LAYOUTS_MOST || s->blocks % s->layouts))
		return ba_json_fail(err, object, "has %u layouts, which do not fit %u blocks",
			s->layouts, s->blocks);
	if ((uint64_t)s->blocks * s->positions > BA_SAMPLE_READINGS_MOST ||
		(uint64_t)s->blocks * s->positions * s->readings > BA_SAMPLE_READINGS_MOST)
		return ba_json_fail(err, object, "claims more samples than are possible");
	return 0;
}

int ba_samples_read(ba_samples *out, ba_metric metric, ba_json_value object, size_t variant_count,
	ba_error *err)
{
	uint64_t *times;
	BA_TRY(ba_fields_read(out, BA_FIELDS(samples_fields), object, err));
	BA_TRY(shape_check(out, object, variant_count, err));
	size_t visits = (size_t)out->blocks * out->positions, readings = visits * out->readings;
	BA_TRY(order_read(out, object, visits, err));
	BA_TRY(numbers_read(&out->ns, object, "ns", readings, err));
	for (size_t i = 0; i < readings; i++)
		if (!out->ns[i] && !ba_metric_get(metric)->census)
			return ba_json_fail(
				err, ba_json_find(object, "ns"), "has a time of 0 at [%zu]", i);
	BA_TRY(numbers_opt(&times, object, "block_at_ns", out->blocks, err));
	out->block_at_ns = (int64_t *)times;
	BA_TRY(numbers_opt(&out->khz, object, "khz", visits, err));
	return numbers_opt(&out->clock_events, object, "clock_events", out->blocks, err);
}

/* ---- why instructions differ, in a comparison ----------------------------- */

/* limit for one list, because documents are untrusted */
#define ROWS_MOST 1000u

static const ba_json_field line_fields[] = {
	BA_FIELD(ba_explained_line, file, TEXT),
	BA_FIELD(ba_explained_line, line, UNSIGNED),
	BA_FIELD(ba_explained_line, gone, BOOL),
	BA_FIELD_EACH(ba_explained_line, U64, baseline, candidate),
};

#define UNKNOWN "has a word that this version does not know"
BA_DEFINE_WORDS(static, scopes, BA_SCOPE_COUNT, ba_scope_name((ba_scope)value), UNKNOWN);
BA_DEFINE_WORDS(
	static, row_kinds, BA_ROW_OTHERS + 1, ba_row_kind_name((ba_row_kind)value), UNKNOWN);

static const ba_json_field function_fields[] = {
	BA_FIELD_WORD("kind", ba_explained_function, kind, row_kinds, .required = true),
	BA_FIELD_WORD("scope", ba_explained_function, scope, scopes, .required = true),
	BA_FIELD(ba_explained_function, name, TEXT),
	BA_FIELD(ba_explained_function, was, MAYBE),
	BA_FIELD(ba_explained_function, object, TEXT),
	BA_FIELD(ba_explained_function, file, MAYBE),
	BA_FIELD(ba_explained_function, line, UNSIGNED),
	BA_FIELD_EACH(
		ba_explained_function, U64, baseline, candidate, calls_baseline, calls_candidate),
	BA_FIELD(ba_explained_function, through, MAYBE),
	BA_FIELD(ba_explained_function, count, U64),
	BA_FIELD_LIST("lines", ba_explained_function, lines, line_count, BA_FIELDS(line_fields),
		.most = ROWS_MOST),
};

static const ba_json_field code_fields[] = {
	BA_FIELD_WORD("kind", ba_explained_code, kind, row_kinds, .required = true),
	BA_FIELD_EACH(ba_explained_code, TEXT, name, file),
	BA_FIELD(ba_explained_code, line, UNSIGNED),
	BA_FIELD_EACH(ba_explained_code, U64, baseline, candidate, calls_baseline, calls_candidate,
		count),
};

static const ba_json_field explanation_rows[] = {
	BA_FIELD(ba_explanation, same_path, BOOL),
	BA_FIELD(ba_explanation, parting, MAYBE),
	BA_FIELD_LIST("functions", ba_explanation, functions, function_count,
		BA_FIELDS(function_fields), .most = ROWS_MOST),
	BA_FIELD_LIST("code_objects", ba_explanation, codes, code_count, BA_FIELDS(code_fields),
		.most = ROWS_MOST),
	BA_FIELD_COUNTS("baseline", ba_explanation, baseline, scopes, .required = true),
	BA_FIELD_COUNTS("candidate", ba_explanation, candidate, scopes, .required = true),
};

const ba_json_fields ba_explanation_fields = BA_FIELDS_INIT(explanation_rows);
