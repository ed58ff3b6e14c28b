#include "model/calibration.h"

BA_OWNS_HERE(ba_noise, n, BA_FREE(n->benchmark, n->engine, n->date))

BA_OWNS(ba_calibration, c,
	BA_FREE(c->target, c->device_uuid, c->device_name, c->driver_version, c->host_name),
	ba_strv_dispose(&c->findings), BA_FREE_ARRAY(ba_noise_dispose, c->noises, c->noise_count))

static const char *text(const char *s)
{
	return s ? s : "";
}

/* the host target has no device; its driver is part of this tool */
static const char *device_of(const ba_environment *env)
{
	return *text(env->device_uuid) ? env->device_uuid : "host";
}

void ba_calibration_init(ba_calibration *c, const ba_environment *env)
{
	c->target = ba_xstrdup(text(env->target));
	c->device_uuid = ba_xstrdup(device_of(env));
	c->device_name = ba_xstrdup(text(env->device_name));
	c->driver_version = ba_xstrdup(text(env->driver_version));
	c->host_name = ba_xstrdup(text(env->host_name));
}

bool ba_calibration_is_of(const ba_calibration *c, const ba_environment *env)
{
	return strcmp(text(c->target), text(env->target)) == 0 &&
	       strcmp(text(c->device_uuid), device_of(env)) == 0 &&
	       strcmp(text(c->driver_version), text(env->driver_version)) == 0 &&
	       strcmp(text(c->host_name), text(env->host_name)) == 0;
}

void ba_calibration_key(char out[17], const ba_environment *env)
{
	char hex[65];
	ba_sha256 s;
	ba_sha256_init(&s);
	ba_sha256_add_string(&s, text(env->target));
	ba_sha256_add_string(&s, device_of(env));
	ba_sha256_add_string(&s, text(env->driver_version));
	ba_sha256_add_string(&s, text(env->host_name));
	ba_sha256_hex(&s, hex);
	memcpy(out, hex, 16);
	out[16] = '\0';
}

static bool is_same(
	const ba_noise *n, const char *plan_sha256, ba_metric metric, const char *engine)
{
	return n->metric == metric && strcmp(n->plan_sha256, plan_sha256) == 0 &&
	       strcmp(text(n->engine), text(engine)) == 0;
}

const ba_noise *ba_calibration_find(
	const ba_calibration *c, const char *plan_sha256, ba_metric metric, const char *engine)
{
	return BA_FIND(c->noises, c->noise_count, x, is_same(x, plan_sha256, metric, engine));
}

void ba_calibration_put(ba_calibration *c, ba_noise *n)
{
	ba_noise *place = BA_FIND(
		c->noises, c->noise_count, x, is_same(x, n->plan_sha256, n->metric, n->engine));
	if (place) {
		ba_noise_dispose(place);
	} else {
		place = BA_APPEND(c->noises, c->noise_count);
	}
	*place = BA_MOVE(*n);
}
