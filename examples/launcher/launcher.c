/* The smallest launcher: copy it, and put your own launch code where my_launch() is.
 * Build: cc -O2 -fPIC -shared -Iinclude -o liblauncher.so launcher.c */
#include <stdlib.h>
#include "bench_against/launcher.h"

typedef int load_fn(void **module, const void *image);
typedef int get_fn(void **function, void *module, const char *entry);
typedef int unload_fn(void *module);
typedef int launch_fn(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared_bytes, void *stream, void **args,
	void **extra);

static launch_fn *cu_launch;
static load_fn *cu_load;
static get_fn *cu_get;
static unload_fn *cu_unload;

struct ba_launcher_session { int unused; };
struct ba_launcher_kernel { void *module, *function; };

static int my_open(ba_launcher_session **out, const ba_launcher_host *host)
{
	*(void **)&cu_load = host->driver_symbol("cuModuleLoadData");
	*(void **)&cu_get = host->driver_symbol("cuModuleGetFunction");
	*(void **)&cu_unload = host->driver_symbol("cuModuleUnload");
	*(void **)&cu_launch = host->driver_symbol("cuLaunchKernel");
	*out = (ba_launcher_session *)calloc(1, sizeof(**out));
	return !cu_load || !cu_get || !cu_unload || !cu_launch || !*out;
}

static int my_prepare(ba_launcher_kernel **out, ba_launcher_session *s,
	const ba_launcher_kernel_desc *d)
{
	ba_launcher_kernel *k = (ba_launcher_kernel *)calloc(1, sizeof(*k));
	int rc = cu_load(&k->module, d->image);
	(void)s;
	if (rc == 0)
		rc = cu_get(&k->function, k->module, d->entry);
	*out = k;
	return rc;
}

static int my_launch(ba_launcher_kernel *k, const ba_launcher_config *c, void **args)
{
	return cu_launch(k->function, c->grid.x, c->grid.y, c->grid.z, c->block.x, c->block.y,
		c->block.z, c->shared_bytes, c->stream, args, NULL);
}

static void my_release(ba_launcher_kernel *k) { cu_unload(k->module); free(k); }
static void my_close(ba_launcher_session *s) { free(s); }
static const char *my_error(ba_launcher_session *s) { (void)s; return ""; }

static const ba_launcher_path paths[] = {{"direct", "straight to the driver"}};
static const ba_launcher table = {BA_LAUNCHER_ABI, sizeof(ba_launcher), "example", paths, 1,
	my_open, my_prepare, my_launch, my_release, my_close, my_error};

const ba_launcher *bench_against_launcher(uint32_t host_abi)
{
	return host_abi == BA_LAUNCHER_ABI ? &table : NULL;
}
