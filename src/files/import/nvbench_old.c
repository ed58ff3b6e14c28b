/* Reads NVBench files of 2021, which have no version, and objects instead of arrays. */
#include <math.h>

#include "import/nvbench.h"

double ba_nvbench_or_nan(const char *text)
{
	double value;
	return ba_nvbench_number(&value, text) ? value : NAN;
}

int ba_nvbench_pair(ba_buf *name, ba_buf *value, ba_pull *p, ba_error *err)
{
	const char *key;
	ba_buf_clear(name);
	ba_buf_clear(value);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "name") == 0	 ? ba_text_pull(name, p, err)
		     : strcmp(key, "value") == 0 ? ba_text_pull(value, p, err)
						 : ba_pull_skip(p, err);
	return rc;
}

/* {"NAME": {"type": ..., "value": ...}, ...}: reads the value of one member. */
static int read_old_value(ba_buf *value, const char *name, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf ignored = BA_BUF_INIT;
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, name) == 0 && ba_pull_peek(p) == BA_JSON_OBJECT
			     ? ba_nvbench_pair(&ignored, value, p, err)
			     : ba_pull_skip(p, err);
	return rc;
}

int ba_nvbench_old_axes(ba_strv *axes, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, value = BA_BUF_INIT;
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		BA_AUTO_FREE char *axis = ba_xstrdup(key);
		rc = ba_pull_peek(p) == BA_JSON_OBJECT ? ba_nvbench_pair(&name, &value, p, err)
						       : ba_text_pull(&value, p, err);
		ba_strv_printf(axes, "%s=%s", axis, value.data);
	}
	return rc;
}

/* The former names of today's tags. */
static bool is_old_name(const char *key, const char *tag)
{
	static const struct {
		const char *name, *tag;
	} rows[] = {{"Average GPU Time (Cold)", "nv/cold/time/gpu/mean"},
		{"Average CPU Time (Cold)", "nv/cold/time/cpu/mean"},
		{"Average GPU Time (Batch)", "nv/batch/time/gpu/mean"},
		{"Average GPU Time (Hot)", "nv/batch/time/gpu/mean"}};
	return BA_ANY(rows, BA_COUNT(rows), x,
		       strcmp(tag, x->tag) == 0 && strcmp(key, x->name) == 0) ||
	       (strcmp(key, tag) == 0);
}

int ba_nvbench_old_mean(double *mean, const char *tag, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf value = BA_BUF_INIT;
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		bool wanted = is_old_name(key, tag);
		rc = wanted ? read_old_value(&value, "value", p, err) : ba_pull_skip(p, err);
		if (rc == 0 && wanted)
			*mean = ba_nvbench_or_nan(value.data) * 1e9;
	}
	if (rc == 0 && *mean < 0)
		return ba_pull_fail(
			err, p, "%s is negative, which a measured value cannot be", tag);
	return rc;
}
