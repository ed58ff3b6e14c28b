#include "gpu/driver.h"

#include <link.h>

typedef enum need { MUST, MAY } need;

typedef struct row {
	const char *symbol;
	int version;
	const char *exported;
	need need;
	size_t offset;
} row;

static const row rows[] = {
#define ROW(field, symbol, suffix, version, need, params) \
	{#symbol, version, #symbol #suffix, need, offsetof(ba_driver, field)},
	BA_DRIVER_TABLE(ROW)
#undef ROW
};
static const size_t row_count = BA_COUNT(rows);

/* How this library provides its functions. */
typedef struct finder {
	void *library;
	cu_get_proc_address_v2 *v2;
	cu_get_proc_address_v1 *v1;
} finder;

/* C has no cast from object to function pointer; the bytes are the same on POSIX. */
static void put_function(void *slot, void *address)
{
	memcpy(slot, &address, sizeof(address));
}

static finder finder_of(void *library)
{
	finder f = {.library = library};
	put_function(&f.v2, dlsym(library, "cuGetProcAddress_v2"));
	if (!f.v2)
		put_function(&f.v1, dlsym(library, "cuGetProcAddress"));
	return f;
}

static void *find(const finder *f, const char *symbol, int version, const char *exported)
{
	/* the stub library returns an error and leaves the address alone */
	void *address = NULL;
	int status = 0;
	if (f->v2 && !f->v2(symbol, &address, version, BA_CU_GETPROC_LEGACY_STREAM, &status))
		if (address)
			return address;
	address = NULL;
	if (f->v1 && !f->v1(symbol, &address, version, BA_CU_GETPROC_LEGACY_STREAM))
		if (address)
			return address;
	return exported ? dlsym(f->library, exported) : NULL;
}

static char *library_path(void *library)
{
	struct link_map *map = NULL;
	if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name[0])
		return ba_xstrdup(map->l_name);
	return ba_xstrdup("");
}

static int fail_to_load(ba_error *err, const char *path)
{
	const char *why = dlerror();
	if (path)
		return ba_fail(err, BA_EGPU, "driver '%s' cannot be loaded: %s", path,
			why ? why : "no reason given");
	return ba_fail(err, BA_ELIBRARY,
		"no CUDA driver: %s. "
		"Install the NVIDIA driver (in a container: start it with the GPU passed through), or use --target host, which needs no GPU",
		why ? why : "'" BA_DRIVER_SONAME "' is not there");
}

static int resolve(ba_driver *drv, ba_error *err)
{
	finder f = finder_of(drv->library);
	for (size_t i = 0; i < row_count; i++) {
		void *address = find(&f, rows[i].symbol, rows[i].version, rows[i].exported);
		if (!address && rows[i].need == MUST)
			return ba_fail(err, BA_EGPU,
				"driver '%s' has no %s: not a CUDA driver, or older than CUDA 11.0. "
				"Update the NVIDIA driver",
				drv->path[0] ? drv->path : BA_DRIVER_SONAME, rows[i].exported);
		put_function((char *)drv + rows[i].offset, address);
	}
	return 0;
}

int ba_driver_open(ba_driver *out, const char *path, ba_error *err)
{
	ba_driver drv = {0};
	drv.library = dlopen(
		path ? path : BA_DRIVER_SONAME, RTLD_NOW | (path ? RTLD_GLOBAL : RTLD_LOCAL));
	if (!drv.library)
		return fail_to_load(err, path);
	drv.path = library_path(drv.library);
	if (dlsym(drv.library, BA_DRIVER_MARK_HOST))
		drv.kind = BA_DRIVER_HOST;
	if (dlsym(drv.library, BA_DRIVER_MARK_FAKE))
		drv.kind = BA_DRIVER_FAKE;
	int rc = resolve(&drv, err);
	if (rc < 0) {
		free(drv.path);
		dlclose(drv.library);
		return rc;
	}
	*out = drv;
	return 0;
}

/* the row with result 0 is for all other results */
static const ba_driver_init_failure init_failures[] = {
	{BA_CU_STUB_LIBRARY, "stub",
		"the library is the CUDA toolkit's stub, made for linking only",
		"Take the toolkit's 'stubs' directory off LD_LIBRARY_PATH."},
	{BA_CU_NO_DEVICE, "no-device", "the driver sees no GPU",
		"Look at nvidia-smi and CUDA_VISIBLE_DEVICES; a container or VM must be given the GPU."},
	{BA_CU_SYSTEM_NOT_READY, "not-ready",
		"the system is not ready for CUDA (fabric manager or another service is not running)",
		"Start nvidia-fabricmanager, then try again."},
	{BA_CU_SYSTEM_DRIVER_MISMATCH, "mismatch",
		"kernel module and user library of the driver are of different versions",
		"Reboot, or reload the module, after a driver update."},
	{35, "old-driver", "the driver is older than this program's CUDA",
		"Update the NVIDIA driver."},
	{BA_CU_DEVICE_UNAVAILABLE, "busy-device", "another process holds the GPU exclusively",
		"Wait for it, or set the compute mode to default."},
	{0, "init-failed", "the driver does not start", "Look at 'dmesg' and nvidia-smi."},
};

const ba_driver_init_failure *ba_driver_init_failure_of(cu_result result)
{
	const ba_driver_init_failure *f = init_failures;
	while (f->result && f->result != result)
		f++;
	return f;
}

int ba_driver_init(ba_driver *drv, ba_error *err)
{
	cu_result r = drv->init(0);
	if (r) {
		const ba_driver_init_failure *why = ba_driver_init_failure_of(r);
		return ba_fail(err, BA_EGPU, "cuInit: %s (%d): %s. %s",
			ba_driver_result_name(drv, r), r, why->sentence, why->remedy);
	}
	int version = 0;
	BA_DRIVER_TRY(drv, err, "cuDriverGetVersion", driver_get_version(&version));
	drv->version = version;
	return 0;
}

void ba_driver_close(ba_driver *drv)
{
	if (drv->library && drv->kind != BA_DRIVER_REAL)
		dlclose(drv->library);
	free(drv->path);
	*drv = (ba_driver){0};
}

const char *ba_driver_result_name(const ba_driver *drv, cu_result result)
{
	const char *name = NULL;
	if (drv && drv->get_error_name && !drv->get_error_name(result, &name) && name)
		return name;
	name = ba_cu_result_name(result);
	return name ? name : "an error that this driver does not name";
}

bool ba_driver_result_is_sticky(cu_result result)
{
	/* 700..719 except those about peers and contexts in use, and the ECC errors */
	static const cu_result sticky[] = {
		214, /* ECC_UNCORRECTABLE */
		700, /* ILLEGAL_ADDRESS */
		702, /* LAUNCH_TIMEOUT */
		709, /* CONTEXT_IS_DESTROYED */
		710, /* ASSERT */
		714, /* HARDWARE_STACK_ERROR */
		715, /* ILLEGAL_INSTRUCTION */
		716, /* MISALIGNED_ADDRESS */
		717, /* INVALID_ADDRESS_SPACE */
		718, /* INVALID_PC */
		719, /* LAUNCH_FAILED */
	};
	return BA_ANY(sticky, BA_COUNT(sticky), one, *one == result);
}

int ba_driver_fail(const ba_driver *drv, ba_error *err, cu_result result, const char *call)
{
	const char *text = NULL;
	if (drv->get_error_string(result, &text) || !text)
		text = "no description";
	return ba_fail(err, BA_EGPU, "%s: %s (%d): %s%s", call, ba_driver_result_name(drv, result),
		result, text,
		ba_driver_result_is_sticky(result) ? "; the CUDA context is lost" : "");
}

void *ba_driver_symbol(const ba_driver *drv, const char *name)
{
	finder f = finder_of(drv->library);
	/* dlsym would search the library's dependencies, too */
	if (strncmp(name, "cu", 2) != 0)
		return NULL;
	return find(&f, name, drv->version && drv->version < 12000 ? drv->version : 12000, name);
}
