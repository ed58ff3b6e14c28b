#include "driver.h"

#include <dlfcn.h>
#include <stdarg.h>

#include "cache.h"

static pthread_mutex_t nvrtc_lock = PTHREAD_MUTEX_INITIALIZER;

static int find_symbols(
	lcfg_driver *driver, const lcfg_driver_options *options, const char *where, lcfg_error *err)
{
	static const struct {
		const char *name;
		size_t offset;
		int required;
	} table[] = {
#define LCFG_DRIVER_ROW(symbol, member, required, params) \
	{#symbol, offsetof(lcfg_driver, member), required},
		LCFG_DRIVER_TABLE(LCFG_DRIVER_ROW)
#undef LCFG_DRIVER_ROW
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		void *address = options && options->symbol ? options->symbol(table[i].name)
							   : dlsym(driver->library, table[i].name);
		if (!address && table[i].required)
			return lcfg_fail(err, LCFG_EDRIVER, "%s has no %s: not a CUDA driver",
				where, table[i].name);
		/* an object pointer and a function pointer have one size in POSIX */
		memcpy((char *)driver + table[i].offset, &address, sizeof(address));
	}
	return 0;
}

static int open_symbols(lcfg_driver *driver, const lcfg_driver_options *options, lcfg_error *err)
{
	if (options && options->symbol)
		return find_symbols(driver, options, "the given driver", err);
	const char *path = options ? options->driver_path : NULL;
	if (!path)
		path = getenv("LAUNCHCFG_DRIVER");
	if (!path || !*path)
		path = "libcuda.so.1";
	driver->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!driver->library)
		return lcfg_fail(err, LCFG_EDRIVER,
			"no CUDA driver: %s; install NVIDIA's driver, or set LAUNCHCFG_DRIVER",
			dlerror());
	return find_symbols(driver, options, path, err);
}

int lcfg_driver_open(lcfg_driver **out, const lcfg_driver_options *options, lcfg_error *err)
{
	lcfg_driver *driver = calloc(1, sizeof(*driver));
	LCFG_NEED(driver, err);
	atomic_init(&driver->references, 1);
	int rc = open_symbols(driver, options, err);
	if (rc == 0 && options && options->nvrtc_path) {
		driver->nvrtc_path = strdup(options->nvrtc_path);
		if (!driver->nvrtc_path)
			rc = lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	}
	if (rc == 0 && driver->init) {
		lcfg_cu_result result = driver->init(0);
		if (result)
			rc = lcfg_driver_fail(err, driver, result, "cuInit");
	}
	if (rc)
		lcfg_driver_free(driver);
	else
		*out = driver;
	return rc;
}

lcfg_driver *lcfg_driver_ref(lcfg_driver *driver)
{
	atomic_fetch_add(&driver->references, 1);
	return driver;
}

void lcfg_driver_free(lcfg_driver *driver)
{
	if (!driver || atomic_fetch_sub(&driver->references, 1) != 1)
		return;
	lcfg_nvrtc_free(atomic_load(&driver->nvrtc));
	free(driver->nvrtc_path);
	free(driver->nvrtc_file);
	free(driver->nvrtc_told);
	/* the driver stays loaded: it has threads and exit handlers of its own */
	free(driver);
}

int lcfg_driver_fail(
	lcfg_error *err, const lcfg_driver *driver, lcfg_cu_result result, const char *fmt, ...)
{
	const char *name = NULL;
	const char *why = NULL;
	if (driver->error_name)
		driver->error_name(result, &name);
	if (driver->error_string)
		driver->error_string(result, &why);
	char what[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	lcfg_fail(err, LCFG_EDRIVER, "%s: %s (%d)%s%s", what, name ? name : "CUDA error", result,
		why ? ": " : "", why ? why : "");
	if (err)
		err->cuda = result;
	return LCFG_EDRIVER;
}

lcfg_cu_context lcfg_driver_context(const lcfg_driver *driver)
{
	lcfg_cu_context context = NULL;
	if (!driver->context_current || driver->context_current(&context))
		return NULL;
	return context;
}

int lcfg_driver_arch(int *out, const lcfg_driver *driver, lcfg_error *err)
{
	if (!driver->context_device || !driver->device_attribute)
		return lcfg_fail(err, LCFG_EUNSUPPORTED,
			"this driver cannot name the device: no cuCtxGetDevice");
	lcfg_cu_device device = 0;
	int major = 0, minor = 0;
	lcfg_cu_result result = driver->context_device(&device);
	if (!result)
		result = driver->device_attribute(&major, LCFG_CU_DEVICE_CC_MAJOR, device);
	if (!result)
		result = driver->device_attribute(&minor, LCFG_CU_DEVICE_CC_MINOR, device);
	if (result)
		return lcfg_driver_fail(err, driver, result, "compute capability");
	*out = major * 10 + minor;
	return 0;
}

int lcfg_driver_nvrtc(const lcfg_nvrtc **out, lcfg_driver *driver, lcfg_error *err)
{
	lcfg_nvrtc *nvrtc = atomic_load(&driver->nvrtc);
	if (!nvrtc) {
		LCFG_HOLD(&nvrtc_lock);
		const char *file = driver->nvrtc_file ? driver->nvrtc_file : driver->nvrtc_path;
		nvrtc = atomic_load(&driver->nvrtc);
		LCFG_TRY(nvrtc ? 0 : lcfg_nvrtc_open(&nvrtc, file, err));
		atomic_store(&driver->nvrtc, nvrtc);
	}
	*out = nvrtc;
	return 0;
}

/* Takes the memo's word, once for the driver's life. */
static bool told(lcfg_nvrtc_id *out, lcfg_driver *driver, lcfg_cache *cache)
{
	LCFG_HOLD(&nvrtc_lock);
	if (!driver->nvrtc_told) {
		lcfg_nvrtc_id *id = malloc(sizeof(*id));
		if (id && lcfg_nvrtc_memo_read(id, &driver->nvrtc_file, cache, driver->nvrtc_path))
			driver->nvrtc_told = id;
		else
			free(id);
	}
	if (driver->nvrtc_told)
		*out = *driver->nvrtc_told;
	return driver->nvrtc_told;
}

int lcfg_driver_nvrtc_id(
	lcfg_nvrtc_id *out, lcfg_driver *driver, lcfg_cache *cache, lcfg_error *err)
{
	const lcfg_nvrtc *nvrtc = atomic_load(&driver->nvrtc);
	bool opened = nvrtc != NULL;
	if (!opened && told(out, driver, cache))
		return 0;
	LCFG_TRY(lcfg_driver_nvrtc(&nvrtc, driver, err));
	if (!opened)
		lcfg_nvrtc_memo_write(cache, driver->nvrtc_path, nvrtc);
	*out = nvrtc->id;
	return 0;
}
