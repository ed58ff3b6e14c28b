#include "store/calibration.h"

#include "json/fields.h"
#include "store/parts.h"

#define CEILING ((size_t)64 << 20)

static const ba_json_field noise_rows[] = {
	BA_FIELD_WORD("metric", ba_noise, metric, ba_metric_words, .required = true),
	BA_FIELD(ba_noise, plan_sha256, DIGEST),
	BA_FIELD_EACH(ba_noise, TEXT, benchmark, engine, date),
	BA_FIELD(ba_noise, invocations, UNSIGNED),
	BA_FIELD_EACH(ba_noise, F64, s, s_upper, s1_sq, t2_sq, blocks, autocorrelation, bias),
	BA_FIELD(ba_noise, two_speed, BOOL),
	BA_FIELD_EACH(ba_noise, F64, ns, tick_ns, seconds),
	BA_FIELD_EACH(ba_noise, INT, sm_clock_mhz, memory_clock_mhz),
};

/* Planning divides by these values and takes their roots, so they must be in range. */
static int check_noise(void *base, ba_json_value object, ba_error *err)
{
	const ba_noise *n = base;
	const struct {
		const char *key;
		double value;
		bool may_be_zero;
	} rows[] = {
		{"s", n->s, false},
		{"s_upper", n->s_upper, false},
		{"s1_sq", n->s1_sq, true},
		{"t2_sq", n->t2_sq, true},
		{"blocks", n->blocks, false},
		{"ns", n->ns, false},
		{"seconds", n->seconds, true},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (!isfinite(rows[i].value) || rows[i].value < 0 ||
			(rows[i].value == 0 && !rows[i].may_be_zero))
			return ba_json_fail(
				err, object, "has '%s' of %g", rows[i].key, rows[i].value);
	if (n->invocations < 2)
		return ba_json_fail(err, object, "is based on %u invocations; it needs at least 2",
			n->invocations);
	if (n->s_upper < n->s)
		return ba_json_fail(err, object, "has an upper limit below its value");
	return 0;
}

static const ba_json_fields noise_fields = BA_FIELDS_INIT(noise_rows, .read = check_noise);

static const ba_json_field calibration_rows[] = {
	BA_FIELD_SCHEMA("schema", "bench-against.calibration/1"),
	BA_FIELD_EACH(
		ba_calibration, TEXT, target, device_uuid, device_name, driver_version, host_name),
	BA_FIELD(ba_calibration, suite_sha256, DIGEST),
	BA_FIELD(ba_calibration, start_seconds, F64),
	BA_FIELD(ba_calibration, findings, LIST),
	BA_FIELD_LIST(
		"noises", ba_calibration, noises, noise_count, &noise_fields, .required = true),
};
const ba_json_fields ba_calibration_fields = BA_FIELDS_INIT(calibration_rows);

char *ba_calibration_path(const char *dir, const ba_environment *env)
{
	char key[17];
	ba_calibration_key(key, env);
	return ba_xprintf("%s/calibration/%s.json", dir, key);
}

int ba_calibration_write(const char *path, const ba_calibration *c, ba_error *err)
{
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	BA_TRY(ba_fs_mkdirs(dir, err));
	return ba_fields_save(path, 1, &ba_calibration_fields, c, err);
}

int ba_calibration_read(
	ba_calibration *out, const char *path, const ba_environment *env, ba_error *err)
{
	const ba_json_options options = {
		.positions = true, .unique_keys = true, .ceiling = CEILING, .depth = 8};
	*out = (ba_calibration){0};
	BA_TRY(ba_fields_load(out, &ba_calibration_fields, path, &options, err));
	if (!env || ba_calibration_is_of(out, env))
		return 0;
	return ba_fail(err, BA_EDATA,
		"'%s' is the calibration of another machine: device %s, driver %s, host '%s'", path,
		out->device_uuid, out->driver_version, out->host_name);
}

/* increased whenever gpu/ceiling.c changes how it measures */
#define VERSION 2

static const ba_json_field ceiling_rows[] = {
	BA_FIELD_SCHEMA("schema", "bench-against.ceilings/1"),
	BA_FIELD(ba_environment, device_name, TEXT),
	BA_FIELD_EACH(ba_environment, F64, copy_gb_per_s, matrix_gflop_per_s),
};

static char *path_of(const ba_environment *env, const char *cache_root)
{
	char key[17];
	ba_calibration_key(key, env);
	return ba_xprintf("%s/ceilings/%s-%d.json", cache_root, key, VERSION);
}

int ba_ceilings_read(ba_environment *env, const char *cache_root, ba_error *err)
{
	BA_AUTO_FREE char *path = path_of(env, cache_root);
	BA_AUTO(ba_environment) ba_environment read = {0};
	if (!ba_fs_exists(path))
		return ba_fail(err, BA_ENOTFOUND, "the maximum throughputs are not measured yet");
	if (ba_fields_load(&read, BA_FIELDS(ceiling_rows), path, NULL, err) ||
		!(read.copy_gb_per_s > 0))
		return ba_fail(err, BA_ENOTFOUND, "'%s' has no usable maximum throughputs", path);
	env->copy_gb_per_s = read.copy_gb_per_s;
	env->matrix_gflop_per_s = read.matrix_gflop_per_s;
	return 0;
}

int ba_ceilings_write(const ba_environment *env, const char *cache_root, ba_error *err)
{
	BA_AUTO_FREE char *path = path_of(env, cache_root);
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	BA_TRY(ba_fs_mkdirs(dir, err));
	return ba_fields_save(path, 1, BA_FIELDS(ceiling_rows), env, err);
}
