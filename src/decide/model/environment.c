#include "model/environment.h"

BA_OWNS(ba_environment, e,
	BA_FREE(e->target, e->device_name, e->device_uuid, e->compute_capability, e->driver_version,
		e->cuda_version, e->pci_bus_id, e->ecc, e->mig, e->virtualization, e->host_name,
		e->cpu_model, e->kernel, e->governor, e->clocksource, e->flush),
	ba_strv_dispose(&e->warnings))

bool ba_environment_is_host(const ba_environment *e)
{
	return e->target && strcmp(e->target, "host") == 0;
}

bool ba_environment_is_fake(const ba_environment *e)
{
	return e->target && strcmp(e->target, "fake") == 0;
}

const char ba_test_driver_warning[] =
	"A test driver with a simulated clock produced these times: no GPU ran anything, so they say nothing about real code";

BA_OWNS(ba_origin, o,
	BA_FREE(o->name, o->host_name, o->device_name, o->device_uuid, o->driver_version,
		o->cpu_model, o->job, o->started, o->left))

BA_OWNS(ba_merged_run, m, free(m->stopped))

static char *text(const char *s)
{
	return ba_xstrdup(s ? s : "");
}

void ba_origin_init(ba_origin *out, const char *name, const ba_environment *env, uint64_t seed)
{
	*out = (ba_origin){.name = text(name),
		.host_name = text(env->host_name),
		.device_name = text(env->device_name),
		.device_uuid = text(ba_environment_is_host(env) ? NULL : env->device_uuid),
		.driver_version = text(env->driver_version),
		.cpu_model = text(env->cpu_model),
		.device = env->device_ordinal,
		.job = text(NULL),
		.started = text(NULL),
		.seed = seed};
}

void ba_origin_copy(ba_origin *out, const ba_origin *from)
{
	*out = *from;
	out->name = text(from->name);
	out->host_name = text(from->host_name);
	out->device_name = text(from->device_name);
	out->device_uuid = text(from->device_uuid);
	out->driver_version = text(from->driver_version);
	out->cpu_model = text(from->cpu_model);
	out->job = text(from->job);
	out->started = text(from->started);
	out->left = ba_xstrdup(from->left);
}

bool ba_origin_is_beside(const ba_origin *a, const ba_origin *b)
{
	if (*a->device_uuid || *b->device_uuid)
		return strcmp(a->device_uuid, b->device_uuid) == 0;
	return strcmp(a->host_name, b->host_name) == 0;
}

size_t ba_origins_set_places(ba_origin *all, size_t count)
{
	unsigned places = 0;
	for (size_t i = 0; i < count; i++) {
		size_t k = 0;
		while (k < i && !ba_origin_is_beside(&all[k], &all[i]))
			k++;
		all[i].place = k < i ? all[k].place : places++;
	}
	return places;
}

size_t ba_origins_places(const ba_origin *all, size_t count)
{
	unsigned most = 0;
	for (size_t i = 0; i < count; i++)
		if (all[i].place >= most)
			most = all[i].place + 1;
	return most;
}

char *ba_origins_place_name(const ba_origin *all, size_t count, unsigned place)
{
	const ba_origin *o = NULL;
	bool one_host = true;
	for (size_t i = 0; i < count; i++) {
		if (!o && all[i].place == place)
			o = &all[i];
		one_host = one_host && strcmp(all[i].host_name, all[0].host_name) == 0;
	}
	if (!o)
		return ba_xprintf("place %u", place);
	if (!*o->device_uuid)
		return ba_xstrdup(o->host_name);
	return one_host ? ba_xprintf("GPU %d", o->device)
			: ba_xprintf("%s GPU %d", o->host_name, o->device);
}
