/*
 * A launcher as a project could have written it against the first version of launcher.h:
 * every field in its first meaning, the table in its first order. Kept as it was at that
 * version, with the header beside it: never edit it, so that it stands for libraries that
 * nobody will build again. COST is what a launch costs on the fake driver, in nanoseconds.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "bench_against/launcher.h"

#ifndef COST
#define COST 100
#endif

struct ba_launcher_session {
	int opened;
};
struct ba_launcher_kernel {
	void *module, *function;
};

static int (*cu_load)(void **module, const void *image);
static int (*cu_get)(void **function, void *module, const char *entry);
static int (*cu_unload)(void *module);
static int (*cu_launch)(void *function, unsigned gx, unsigned gy, unsigned gz,
	unsigned bx, unsigned by, unsigned bz, unsigned shared_bytes, void *stream,
	void **args, void **extra);
static void (*advance)(long long ns);
static const char *sentence = "";

static int my_open(ba_launcher_session **out, const ba_launcher_host *host)
{
	static ba_launcher_session session = {1};
	sentence = "the host is not one of version 1";
	if (host->abi < BA_LAUNCHER_ABI || host->struct_size < sizeof(*host) ||
		!host->context || host->target > BA_LAUNCHER_TARGET_HOST)
		return 1;
	*(void **)&cu_load = host->driver_symbol("cuModuleLoadData");
	*(void **)&cu_get = host->driver_symbol("cuModuleGetFunction");
	*(void **)&cu_unload = host->driver_symbol("cuModuleUnload");
	*(void **)&cu_launch = host->driver_symbol("cuLaunchKernel");
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	if (driver)
		*(void **)&advance = dlsym(driver, "ba_fake_advance_ns");
	sentence = "the driver lacks a function";
	if (!cu_load || !cu_get || !cu_unload || !cu_launch || !advance)
		return 2;
	host->log("a library of version 1");
	sentence = "";
	*out = &session;
	return 0;
}

static int my_prepare(ba_launcher_kernel **out, ba_launcher_session *s,
	const ba_launcher_kernel_desc *d)
{
	sentence = "the kernel is not one of version 1";
	if (!s->opened || d->abi < BA_LAUNCHER_ABI || d->struct_size < sizeof(*d) ||
		d->image_size == 0 || !d->path)
		return 1;
	for (uint32_t i = 0; i < d->param_count; i++)
		if (d->params[i].kind != BA_LAUNCHER_PARAM_POINTER ||
			d->params[i].size != 8)
			return 2;
	sentence = "";
	ba_launcher_kernel *k = calloc(1, sizeof(*k));
	if (!k)
		return 3;
	*out = k;
	int rc = cu_load(&k->module, d->image);
	return rc ? rc : cu_get(&k->function, k->module, d->entry);
}

static int my_launch(ba_launcher_kernel *k, const ba_launcher_config *c, void **args)
{
	advance(COST);
	return cu_launch(k->function, c->grid.x, c->grid.y, c->grid.z, c->block.x,
		c->block.y, c->block.z, c->shared_bytes, c->stream, args, NULL);
}

static void my_release(ba_launcher_kernel *k)
{
	cu_unload(k->module);
	free(k);
}

static void my_close(ba_launcher_session *s)
{
	s->opened = 0;
}

static const char *my_error(ba_launcher_session *s)
{
	(void)s;
	return sentence;
}

static const ba_launcher_path paths[] = {
	{"direct", "straight to the driver"},
	{"second", NULL},
};

/* without names of fields: their order is part of the version */
static const ba_launcher table = {
	BA_LAUNCHER_ABI,
	sizeof(ba_launcher),
	"version 1",
	paths,
	2,
	my_open,
	my_prepare,
	my_launch,
	my_release,
	my_close,
	my_error,
};

const ba_launcher *bench_against_launcher(uint32_t host_abi)
{
	return host_abi >= BA_LAUNCHER_ABI ? &table : NULL;
}
