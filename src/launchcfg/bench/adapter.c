/*
 * launchcfg as a variant of bench-against: see bench_against/launcher.h. The paths are
 * the matrix {signature, dispatch} x {plain, +lcs, +lcs2} x {none, +cb}:
 *
 *   signature  a specialised dispatcher: the kernel is the config's
 *   dispatch   a lazy one: the overload is chosen by argument types at every launch
 *   +lcs       the kernel is launch-config sensitive, launched with its default config
 *   +lcs2      the same, launched with the second config: a child dispatcher's kernel
 *   +cb        one pre-launch callback
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_against/launcher.h"
#include "launchcfg/launchcfg.h"

struct ba_launcher_session {
	lcfg_driver *driver;
	lcfg_error error;
};

struct ba_launcher_kernel {
	ba_launcher_session *session;
	lcfg_dispatcher *dispatcher;
	lcfg_config *config; /* of the last launch; NULL: none yet */
	ba_launcher_config shape;
	bool typed;
	bool second; /* of two configs */
	bool callback;
	lcfg_signature sig;
	lcfg_type *types;
};

static lcfg_error open_error;

#define PATHS(base, help)                                                                 \
	{base, help}, {base "+lcs", help ", LC-S kernel, its default config"},            \
		{base "+lcs2", help ", LC-S kernel, a second config"},                    \
		{base "+cb", help ", one callback"},                                      \
		{base "+lcs+cb", help ", LC-S kernel, its default config, one callback"}, \
	{                                                                                 \
		base "+lcs2+cb", help ", LC-S kernel, a second config, one callback"      \
	}

static const ba_launcher_path paths[] = {
	PATHS("signature", "specialised for one signature"),
	PATHS("dispatch", "overload chosen by argument types"),
};

static int adapter_open(ba_launcher_session **out, const ba_launcher_host *host)
{
	ba_launcher_session *session = calloc(1, sizeof(*session));
	if (!session)
		return lcfg_fail(&open_error, LCFG_ENOMEM, "out of memory");
	lcfg_driver_options options = {.symbol = host->driver_symbol};
	int rc = lcfg_driver_open(&session->driver, &options, &open_error);
	if (rc) {
		free(session);
		return rc;
	}
	*out = session;
	return 0;
}

static int set_types(ba_launcher_kernel *kernel, const ba_launcher_kernel_desc *desc)
{
	kernel->types = calloc(desc->param_count + 1u, sizeof(*kernel->types));
	if (!kernel->types)
		return lcfg_fail(&kernel->session->error, LCFG_ENOMEM, "out of memory");
	for (uint32_t i = 0; i < desc->param_count; i++)
		kernel->types[i] = desc->params[i].kind == BA_LAUNCHER_PARAM_POINTER
					   ? LCFG_PTR
					   : LCFG_BYTES(desc->params[i].size);
	kernel->sig = (lcfg_signature){kernel->types, desc->param_count};
	return 0;
}

static bool known_path(const char *name)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (strcmp(paths[i].name, name) == 0)
			return true;
	}
	return false;
}

static void adapter_release(ba_launcher_kernel *kernel)
{
	if (!kernel)
		return;
	lcfg_config_free(kernel->config);
	lcfg_dispatcher_free(kernel->dispatcher);
	free(kernel->types);
	free(kernel);
}

static int fill(ba_launcher_kernel *kernel, const ba_launcher_kernel_desc *desc)
{
	kernel->typed = strncmp(desc->path, "dispatch", 8) == 0;
	kernel->second = strstr(desc->path, "+lcs2") != NULL;
	kernel->callback = strstr(desc->path, "+cb") != NULL;
	if (set_types(kernel, desc))
		return LCFG_ENOMEM;
	lcfg_dispatcher_desc d = {.struct_size = sizeof(d),
		.driver = kernel->session->driver,
		.name = desc->entry,
		.image = desc->image,
		.image_size = desc->image_size,
		.specialised = !kernel->typed,
		.signature = kernel->sig,
		.sensitive = strstr(desc->path, "+lcs") != NULL};
	return lcfg_dispatcher_new(&kernel->dispatcher, &d, &kernel->session->error);
}

static int adapter_prepare(
	ba_launcher_kernel **out, ba_launcher_session *session, const ba_launcher_kernel_desc *desc)
{
	if (!known_path(desc->path))
		return lcfg_fail(&session->error, LCFG_EINVAL, "no path '%s'", desc->path);
	ba_launcher_kernel *kernel = calloc(1, sizeof(*kernel));
	if (!kernel)
		return lcfg_fail(&session->error, LCFG_ENOMEM, "out of memory");
	kernel->session = session;
	int rc = fill(kernel, desc);
	if (rc) {
		adapter_release(kernel);
		return rc;
	}
	*out = kernel;
	return 0;
}

static int count_launch(
	const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	(void)args;
	(void)err;
	/* a store that the compiler must keep */
	++*(volatile unsigned *)data;
	return 0;
}

static unsigned callback_runs;

/* Compiles for another config first, so that it is the default and ours the second. */
static int prepare_other(ba_launcher_kernel *kernel, lcfg_shape shape, lcfg_error *err)
{
	lcfg_config *other = NULL;
	shape.block.x = shape.block.x == 32 ? 64 : 32;
	int rc = lcfg_configure(&other, kernel->dispatcher, &shape, err);
	if (rc == 0)
		rc = lcfg_prepare(other, kernel->sig, err);
	lcfg_config_free(other);
	return rc;
}

static __attribute__((noinline)) int configure(
	ba_launcher_kernel *kernel, const ba_launcher_config *config)
{
	lcfg_error *err = &kernel->session->error;
	lcfg_shape shape = {.grid = {config->grid.x, config->grid.y, config->grid.z},
		.block = {config->block.x, config->block.y, config->block.z},
		.shared_bytes = config->shared_bytes,
		.stream = config->stream};
	int rc = 0;
	if (kernel->second && !kernel->config)
		rc = prepare_other(kernel, shape, err);
	lcfg_config *made = NULL;
	if (rc == 0)
		rc = lcfg_configure(&made, kernel->dispatcher, &shape, err);
	if (rc)
		return rc;
	if (kernel->callback && !kernel->config)
		rc = lcfg_callback_add(made, count_launch, &callback_runs, err);
	lcfg_config_free(kernel->config);
	kernel->config = made;
	kernel->shape = *config;
	return rc;
}

static inline bool same_config(const ba_launcher_config *a, const ba_launcher_config *b)
{
	return a->grid.x == b->grid.x && a->grid.y == b->grid.y && a->grid.z == b->grid.z &&
	       a->block.x == b->block.x && a->block.y == b->block.y && a->block.z == b->block.z &&
	       a->shared_bytes == b->shared_bytes && a->stream == b->stream;
}

static int adapter_launch(ba_launcher_kernel *kernel, const ba_launcher_config *config, void **args)
{
	if (__builtin_expect(!kernel->config || !same_config(config, &kernel->shape), 0)) {
		int rc = configure(kernel, config);
		if (rc)
			return rc;
	}
	lcfg_error *err = &kernel->session->error;
	return kernel->typed ? lcfg_launch_typed(kernel->config, kernel->sig, args, err)
			     : lcfg_launch(kernel->config, args, err);
}

static void adapter_close(ba_launcher_session *session)
{
	if (!session)
		return;
	lcfg_driver_free(session->driver);
	free(session);
}

static const char *adapter_last_error(ba_launcher_session *session)
{
	return session ? session->error.text : open_error.text;
}

const ba_launcher *bench_against_launcher(uint32_t host_abi)
{
	static char name[64];
	static ba_launcher launcher = {
		.abi = BA_LAUNCHER_ABI,
		.struct_size = sizeof(launcher),
		.name = name,
		.paths = paths,
		.path_count = sizeof(paths) / sizeof(paths[0]),
		.open = adapter_open,
		.prepare = adapter_prepare,
		.launch = adapter_launch,
		.release = adapter_release,
		.close = adapter_close,
		.last_error = adapter_last_error,
	};
	(void)host_abi;
	snprintf(name, sizeof(name), "launchcfg %s (%s)", LCFG_VERSION, lcfg_state_name());
	return &launcher;
}
