#include <dlfcn.h>

#include "cubin/image.h"
#include "worker/inspect.h"

#define FILE_MOST ((size_t)1 << 30)
#define CUBIN_MOST ((size_t)256 << 20)

/* One module or library, from its loading to its unloading. */
typedef struct loaded {
	const void *handle, *image;
	size_t bytes;
	void *copy;   /* where the image may go away */
	bool unclear; /* options that change the code */
	bool is_library;
} loaded;

/* A process has one driver. */
static struct {
	ba_observer_start_fn *start;
	ba_observer_symbol_fn *symbol;
	void *library; /* the observer */
	loaded *items;
	size_t count, capacity;
	uint64_t launches;
	const char *met;
} seen;

/* ---- what the observer tells ---- */

/* Options that say where a log goes, or how long compiling took; the others decide
 * about the code that comes out. */
static bool changes_code(unsigned count, const int *options)
{
	static const int harmless[] = {2, 3, 4, 5, 6, 12};
	return !BA_ALL(
		options, count, option, BA_ANY(harmless, BA_COUNT(harmless), one, *one == *option));
}

/* A part of a file that stays mapped? The caller's memory may be freed. */
static bool stays(const void *image)
{
	Dl_info info;
	return dladdr(image, &info) && info.dli_fname;
}

static void read_file(loaded *l, const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (ba_fs_read(&text, path, FILE_MOST, NULL))
		return;
	l->bytes = text.len;
	l->image = l->copy = ba_buf_detach(&text);
}

static void on_loaded(const void *handle, bool is_library, const void *image, const char *path,
	unsigned option_count, const int *options, void *const *values)
{
	loaded *l = BA_PUSH(seen.items, seen.count, seen.capacity);
	*l = (loaded){.handle = handle,
		.is_library = is_library,
		.unclear = changes_code(option_count, options)};
	if (path) {
		read_file(l, path);
		return;
	}
	l->image = image;
	l->bytes = image ? ba_image_bytes(&l->image) : 0;
	if (l->bytes && !stays(l->image))
		l->image = l->copy = ba_xmemdup0(l->image, l->bytes);
}

static void on_unloaded(const void *handle)
{
	loaded *l = BA_FIND(seen.items, seen.count, one, one->handle == handle);
	if (!l)
		return;
	free(l->copy);
	*l = seen.items[--seen.count];
}

static void on_launched(void)
{
	seen.launches++;
}

static void on_met(const char *function)
{
	seen.met = function;
}

/* ---- watching ---- */

int ba_images_watch(const char *path, ba_error *err)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (!library)
		return ba_fail(err, BA_EIO, "'%s' cannot be loaded: %s", path, dlerror());
	*(void **)&seen.start = dlsym(library, BA_OBSERVER_START);
	*(void **)&seen.symbol = dlsym(library, BA_OBSERVER_SYMBOL);
	if (!seen.start || !seen.symbol)
		return ba_fail(err, BA_EIO, "'%s' is not the observer of this tool", path);
	seen.library = library;
	return 0;
}

void ba_images_start(void *driver_library)
{
	static const ba_observer_hooks hooks = {.loaded = on_loaded,
		.unloaded = on_unloaded,
		.launched = on_launched,
		.met = on_met};
	if (seen.start)
		seen.start(driver_library, &hooks);
}

void *ba_images_observer(void)
{
	return seen.library;
}

void *ba_images_symbol(const char *name, void *real)
{
	return seen.symbol ? seen.symbol(name, real) : real;
}

uint64_t ba_images_launches(void)
{
	return seen.launches;
}

const char *ba_images_met(void)
{
	return seen.met;
}

/* ---- a kernel's code ---- */

static const loaded *find_image(const ba_driver *drv, cu_module module)
{
	for (size_t i = seen.count; i-- > 0;) {
		const loaded *l = &seen.items[i];
		cu_module of_library = NULL;
		if (!l->is_library && l->handle == module)
			return l;
		if (l->is_library && drv->library_get_module &&
			drv->library_get_module(&of_library, l->handle) == 0 &&
			of_library == module)
			return l;
	}
	return NULL;
}

/* What variables hold is not in the image: it is read as other memory is. */
static int add_variables(
	ba_inspection *x, const ba_strv *names, cu_module module, const char *kernel, ba_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		ba_allocation v = {0};
		cu_result r =
			x->driver->module_get_global(&v.base, &v.bytes, module, names->items[i]);
		if (r)
			return ba_fail(err, BA_EUNSUPPORTED,
				"kernel '%s': variable '%s' of its module cannot be read", kernel,
				names->items[i]);
		*BA_PUSH(x->variables, x->variable_count, x->variable_capacity) = v;
	}
	return 0;
}

/* For a disassembler. Without the file it has nothing to read, which the host says. */
static void keep_cubin(const ba_inspection *x, ba_kernel_row *row, const ba_code *code)
{
	if (!x->folder || !code->cubin || code->cubin_bytes > CUBIN_MOST)
		return;
	BA_AUTO_FREE char *path = ba_xprintf("%s/%s.cubin", x->folder, code->sha256);
	row->symbol = code->symbol;
	if (!ba_fs_exists(path))
		ba_fs_write(path, code->cubin, code->cubin_bytes, 0600, NULL);
}

int ba_images_code(ba_inspection *x, ba_kernel_row *row, ba_error *err)
{
	cu_module module = NULL;
	BA_AUTO(ba_code) ba_code code = {0};
	ba_error why;
	cu_result r = x->driver->func_get_module(&module, row->function);
	const loaded *l = r ? NULL : find_image(x->driver, module);
	if (!l)
		return ba_fail(err, BA_EUNSUPPORTED,
			"kernel '%s' was loaded in a way that bench-against does not see",
			row->name);
	if (ba_image_code(&code, l->image, l->bytes, row->name, x->arch, &why))
		return ba_fail(err, BA_EUNSUPPORTED, "kernel '%s': %s", row->name, why.text);
	if (code.ptx && l->unclear)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the program sets options with which the driver compiles kernel '%s'",
			row->name);
	memcpy(row->code, code.sha256, sizeof(row->code));
	row->code_bytes = code.code_bytes;
	keep_cubin(x, row, &code);
	return add_variables(x, &code.variables, module, row->name, err);
}
