#include "store/calibration.h"

#include "json/fields.h"

#define SCHEMA "bench-against.ceilings/1"
/* increased whenever gpu/ceiling.c changes how it measures */
#define VERSION 2

static const ba_json_field rows[] = {
	BA_FIELD_SCHEMA("schema", SCHEMA),
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
	if (ba_fields_load(&read, BA_FIELDS(rows), path, NULL, err) || !(read.copy_gb_per_s > 0))
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
	return ba_fields_save(path, 1, BA_FIELDS(rows), env, err);
}
