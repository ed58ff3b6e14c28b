#include "store/calibration.h"

#include "json/fields.h"

#define SCHEMA "bench-against.ceilings/1"
/* increased whenever gpu/ceiling.c changes how it measures */
#define VERSION 2

static const ba_json_field rows[] = {
	BA_FIELD(ba_environment, copy_gb_per_s, F64),
	BA_FIELD(ba_environment, matrix_gflop_per_s, F64),
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
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_environment read = {0};
	const char *schema = "";
	if (!ba_fs_exists(path))
		return ba_fail(err, BA_ENOTFOUND, "the maximum throughputs are not measured yet");
	int rc = ba_json_read(&doc, path, NULL, err);
	ba_json_value root = {0};
	rc = rc ? rc : ba_json_as_object(&root, ba_json_root(doc), err);
	rc = rc ? rc : ba_json_get_string(&schema, root, "schema", err);
	rc = rc ? rc : ba_fields_read(&read, BA_FIELDS(rows), root, err);
	if (rc || strcmp(schema, SCHEMA) != 0 || !(read.copy_gb_per_s > 0))
		return ba_fail(err, BA_ENOTFOUND, "'%s' has no usable maximum throughputs", path);
	env->copy_gb_per_s = read.copy_gb_per_s;
	env->matrix_gflop_per_s = read.matrix_gflop_per_s;
	return 0;
}

int ba_ceilings_write(const ba_environment *env, const char *cache_root, ba_error *err)
{
	BA_AUTO_FREE char *path = path_of(env, cache_root);
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w;
	ba_json_writer_to_buf(&w, &text, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "schema", SCHEMA);
	ba_json_write_string(&w, "device_name", env->device_name);
	ba_fields_write(&w, BA_FIELDS(rows), env);
	ba_json_close(&w);
	(void)ba_json_writer_finish(&w, NULL); /* writing to a buffer cannot fail */
	int rc = ba_fs_mkdirs(dir, err);
	return rc ? rc : ba_fs_write_atomic(path, text.data, text.len, err);
}
