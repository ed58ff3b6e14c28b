#include "store/parts.h"

#include "base/base.h"
#include "stats/layouts.h"
#include "json/fields.h"

/* ---- variants ------------------------------------------------------------ */

static const char *const kinds[] = {
	[BA_VARIANT_REV] = "rev", [BA_VARIANT_PATH] = "path", [BA_VARIANT_WORKTREE] = "worktree"};

static const ba_json_field artefact_fields[] = {
	BA_FIELD(ba_artefact, path, TEXT),
	BA_FIELD(ba_artefact, sha256, DIGEST),
};

const ba_json_list ba_artefacts = {
	BA_ITEMS(ba_variant, artefacts, artefact_count), .fields = BA_FIELDS(artefact_fields)};

static const ba_json_field variant_fields[] = {
	BA_FIELD(ba_variant, label, TEXT),
	BA_FIELD(ba_variant, spec, TEXT),
	BA_FIELD(ba_variant, commit, DIGEST),
	BA_FIELD(ba_variant, tree_id, DIGEST),
	BA_FIELD(ba_variant, describe, TEXT),
	BA_FIELD(ba_variant, subject, TEXT),
	BA_FIELD(ba_variant, dirty, BOOL),
	BA_FIELD(ba_variant, diff_sha256, DIGEST),
	BA_FIELD(ba_variant, tree_dir, TEXT),
	BA_FIELD(ba_variant, build_key, TEXT),
	BA_FIELD(ba_variant, tree_sha256, DIGEST),
	BA_FIELD(ba_variant, used_sha256, DIGEST),
	BA_FIELD(ba_variant, build_cached, BOOL),
	BA_FIELD(ba_variant, build_seconds, F64),
	BA_FIELD(ba_variant, build_log, TEXT),
	BA_FIELD_LIST("artefacts", ba_artefacts),
};

void ba_variant_write(ba_json_writer *w, const char *key, const ba_variant *v)
{
	ba_json_open_object(w, key);
	ba_json_write_string(w, "kind", kinds[v->kind]);
	ba_fields_write(w, BA_FIELDS(variant_fields), v);
	ba_json_close(w);
}

static int kind_read(ba_variant_kind *out, ba_json_value object, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_get_string(&text, object, "kind", err));
	for (size_t i = 0; i < BA_COUNT(kinds); i++) {
		if (strcmp(kinds[i], text) == 0) {
			*out = (ba_variant_kind)i;
			return 0;
		}
	}
	return ba_json_fail(
		err, ba_json_find(object, "kind"), "must be \"rev\", \"path\" or \"worktree\"");
}

int ba_variant_read(ba_variant *out, ba_json_value object, ba_error *err)
{
	int rc = kind_read(&out->kind, object, err);
	rc = rc ? rc : ba_fields_read(out, BA_FIELDS(variant_fields), object, err);
	if (rc == 0 && !*out->label)
		rc = ba_json_fail(err, object, "has no label");
	return rc;
}

/* ---- benchmarks ---------------------------------------------------------- */

int ba_suite_kind_read(ba_suite_kind *out, ba_json_value object, ba_error *err)
{
	const char *text = ba_suite_kind_name(BA_SUITE_LAUNCHER);
	if (!ba_json_is(ba_json_find(object, "kind")))
		return 0;
	int rc = ba_json_get_string(&text, object, "kind", err);
	int kind = rc ? 0 : ba_suite_kind_from_name(text);
	if (kind < 0)
		return ba_json_fail(err, ba_json_find(object, "kind"),
			"is not a kind of suite that this version knows");
	*out = (ba_suite_kind)kind;
	return rc;
}

static const ba_json_field benchmark_fields[] = {
	BA_FIELD(ba_benchmark, id, TEXT),
	BA_FIELD(ba_benchmark, suite, TEXT),
	BA_FIELD(ba_benchmark, name, MAYBE),
	BA_FIELD(ba_benchmark, path, MAYBE),
	BA_FIELD(ba_benchmark, args, UNSIGNED),
	BA_FIELD(ba_benchmark, arg_bytes, UNSIGNED),
	BA_FIELD(ba_benchmark, loops, U64),
	BA_FIELD(ba_benchmark, flop, SIZE),
	BA_FIELD(ba_benchmark, bytes_read, SIZE),
	BA_FIELD(ba_benchmark, bytes_written, SIZE),
	BA_FIELD(ba_benchmark, items, SIZE),
};

void ba_benchmark_write(ba_json_writer *w, const char *key, const ba_benchmark *b)
{
	ba_json_open_object(w, key);
	ba_json_write_string(w, "kind", ba_suite_kind_name(b->kind));
	ba_fields_write(w, BA_FIELDS(benchmark_fields), b);
	ba_json_open_object(w, "axes");
	for (size_t i = 0; i < b->axis_count; i++)
		ba_json_write_string(w, b->axes[i].name, b->axes[i].value);
	ba_json_close(w);
	if (b->code_count)
		ba_codes_write(w, "device_code", b->codes, b->code_count);
	ba_json_close(w);
}

int ba_benchmark_read(ba_benchmark *out, ba_json_value object, ba_error *err)
{
	int rc = ba_fields_read(out, BA_FIELDS(benchmark_fields), object, err);
	if (rc == 0 && !*out->id)
		return ba_json_fail(err, object, "has no id");
	rc = rc ? rc : ba_suite_kind_read(&out->kind, object, err);
	rc = rc ? rc : ba_codes_read(&out->codes, &out->code_count, object, "device_code", err);
	ba_json_value axes = ba_json_find(object, "axes");
	if (rc || !ba_json_is(axes))
		return rc;
	rc = ba_json_as_object(&axes, axes, err);
	ba_json_value v = ba_json_first(axes);
	for (; rc == 0 && ba_json_is(v); v = ba_json_next(v)) {
		const char *text;
		rc = ba_json_as_string(&text, v, err);
		if (rc == 0)
			ba_benchmark_add_axis(out, ba_json_key(v), text);
	}
	return rc;
}

/* ---- environment --------------------------------------------------------- */

static const ba_json_field environment_fields[] = {
	BA_FIELD(ba_environment, target, TEXT),
	BA_FIELD(ba_environment, device_name, TEXT),
	BA_FIELD(ba_environment, device_uuid, TEXT),
	BA_FIELD(ba_environment, compute_capability, TEXT),
	BA_FIELD(ba_environment, driver_version, TEXT),
	BA_FIELD(ba_environment, cuda_version, TEXT),
	BA_FIELD(ba_environment, device_ordinal, INT),
	BA_FIELD(ba_environment, pci_bus_id, TEXT),
	BA_FIELD(ba_environment, ecc, TEXT),
	BA_FIELD(ba_environment, mig, TEXT),
	BA_FIELD(ba_environment, virtualization, TEXT),
	BA_FIELD(ba_environment, sm_count, INT),
	BA_FIELD(ba_environment, memory_bytes, I64),
	BA_FIELD(ba_environment, sm_clock_mhz, INT),
	BA_FIELD(ba_environment, sm_clock_max_mhz, INT),
	BA_FIELD(ba_environment, memory_clock_mhz, INT),
	BA_FIELD(ba_environment, power_watts, F64),
	BA_FIELD(ba_environment, power_limit_watts, F64),
	BA_FIELD(ba_environment, temperature_c, INT),
	BA_FIELD(ba_environment, other_processes, INT),
	BA_FIELD(ba_environment, host_name, TEXT),
	BA_FIELD(ba_environment, cpu_model, TEXT),
	BA_FIELD(ba_environment, kernel, TEXT),
	BA_FIELD(ba_environment, governor, TEXT),
	BA_FIELD(ba_environment, clocksource, TEXT),
	BA_FIELD(ba_environment, cpus, INT),
	BA_FIELD(ba_environment, pinned_cpu, INT),
	BA_FIELD(ba_environment, load_average, F64),
	BA_FIELD(ba_environment, timer_read_ns, SIZE),
	BA_FIELD(ba_environment, timer_tick_ns, SIZE),
	BA_FIELD(ba_environment, queue_depth, UNSIGNED),
	BA_FIELD(ba_environment, event_tick_ns, SIZE),
	BA_FIELD(ba_environment, event_pair_ns, SIZE),
	BA_FIELD(ba_environment, gpu_timer_ns, SIZE),
	BA_FIELD(ba_environment, l2_bytes, I64),
	BA_FIELD(ba_environment, flush, TEXT),
	BA_FIELD(ba_environment, flush_ratio, F64),
	BA_FIELD(ba_environment, copy_gb_per_s, SIZE),
	BA_FIELD(ba_environment, matrix_gflop_per_s, SIZE),
	BA_FIELD(ba_environment, warnings, LIST),
};

void ba_environment_write(ba_json_writer *w, const char *key, const ba_environment *e)
{
	ba_fields_write_object(w, key, BA_FIELDS(environment_fields), e);
}

int ba_environment_read(ba_environment *out, ba_json_value object, ba_error *err)
{
	return ba_fields_read(out, BA_FIELDS(environment_fields), object, err);
}

/* ---- samples ------------------------------------------------------------- */

static const ba_json_field samples_fields[] = {
	BA_FIELD(ba_samples, invocation, UNSIGNED),
	BA_FIELD(ba_samples, seed, U64),
	BA_FIELD(ba_samples, participants, UNSIGNED),
	BA_FIELD(ba_samples, has_floor, BOOL),
	BA_FIELD(ba_samples, positions, UNSIGNED),
	BA_FIELD(ba_samples, blocks, UNSIGNED),
	BA_FIELD(ba_samples, readings, UNSIGNED),
	BA_FIELD(ba_samples, batch, UNSIGNED),
	BA_FIELD(ba_samples, started_ns, I64),
	BA_FIELD(ba_samples, wall_ns, I64),
	BA_FIELD(ba_samples, repeated, UNSIGNED),
};

/* only of what was measured in several */
static const ba_json_field layouts_fields[] = {
	BA_FIELD(ba_samples, layouts, UNSIGNED),
};

/* only of a result with origins; 0 where it is absent */
static const ba_json_field origin_fields[] = {
	BA_FIELD(ba_samples, origin, UNSIGNED),
};

void ba_samples_write(ba_json_writer *w, const ba_samples *s)
{
	ba_fields_write(w, BA_FIELDS(samples_fields), s);
	if (s->layouts)
		ba_fields_write(w, BA_FIELDS(layouts_fields), s);
	if (s->origin)
		ba_fields_write(w, BA_FIELDS(origin_fields), s);
	size_t visits = (size_t)s->blocks * s->positions;
	ba_json_open_row(w, "order");
	for (size_t i = 0; i < visits; i++)
		ba_json_write_u64(w, NULL, s->order[i]);
	ba_json_close(w);
	ba_json_write_u64s(w, "ns", s->ns, visits * s->readings);
	if (s->block_at_ns) {
		ba_json_open_row(w, "block_at_ns");
		for (size_t i = 0; i < s->blocks; i++)
			ba_json_write_i64(w, NULL, s->block_at_ns[i]);
		ba_json_close(w);
	}
	if (s->khz)
		ba_json_write_u64s(w, "khz", s->khz, visits);
	if (s->clock_events)
		ba_json_write_u64s(w, "clock_events", s->clock_events, s->blocks);
}

/* an array of exactly `count` whole numbers; *out is the caller's from then on */
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

static int block_times_read(ba_samples *out, ba_json_value object, ba_error *err)
{
	if (!ba_json_is(ba_json_find(object, "block_at_ns")))
		return 0;
	BA_AUTO_FREE uint64_t *times = NULL;
	BA_TRY(numbers_read(&times, object, "block_at_ns", out->blocks, err));
	out->block_at_ns = ba_xcalloc(out->blocks + 1, sizeof(*out->block_at_ns));
	for (size_t i = 0; i < out->blocks; i++)
		out->block_at_ns[i] = (int64_t)times[i];
	return 0;
}

int ba_samples_read(ba_samples *out, ba_json_value object, size_t variant_count, ba_error *err)
{
	BA_TRY(ba_fields_read(out, BA_FIELDS(samples_fields), object, err));
	BA_TRY(ba_fields_read(out, BA_FIELDS(layouts_fields), object, err));
	BA_TRY(ba_fields_read(out, BA_FIELDS(origin_fields), object, err));
	BA_TRY(shape_check(out, object, variant_count, err));
	size_t visits = (size_t)out->blocks * out->positions;
	int rc = order_read(out, object, visits, err);
	rc = rc ? rc : numbers_read(&out->ns, object, "ns", visits * out->readings, err);
	for (size_t i = 0; rc == 0 && i < visits * out->readings; i++)
		if (!out->ns[i])
			rc = ba_json_fail(
				err, ba_json_find(object, "ns"), "has a time of 0 at [%zu]", i);
	rc = rc ? rc : block_times_read(out, object, err);
	if (rc == 0 && ba_json_is(ba_json_find(object, "khz")))
		rc = numbers_read(&out->khz, object, "khz", visits, err);
	if (rc == 0 && ba_json_is(ba_json_find(object, "clock_events")))
		rc = numbers_read(&out->clock_events, object, "clock_events", out->blocks, err);
	return rc;
}

/* ---- words --------------------------------------------------------------- */

int ba_metric_read(ba_metric *out, ba_json_value object, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_get_string(&text, object, "metric", err));
	int metric = ba_metric_from_name(text);
	if (metric < 0)
		return ba_json_fail(err, ba_json_find(object, "metric"),
			"is not a metric that this version knows");
	*out = (ba_metric)metric;
	return 0;
}

int ba_verdict_read(ba_verdict *out, ba_json_value object, const char *key, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_get_string(&text, object, key, err));
	if (!ba_verdict_parse(out, text))
		return ba_json_fail(
			err, ba_json_find(object, key), "is not a verdict that this version knows");
	return 0;
}
