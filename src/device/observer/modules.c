/* The modules and libraries that were loaded, and their kernels. */
#include <elf.h>
#include <pthread.h>

#include "gpu/abi.h"
#include "observer/observer.h"

#define WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u

__attribute__((visibility("default"))) ba_observer_modules_fn ba_observer_modules;

enum { MODULES_MOST = 1024, KERNELS_MOST = 65536, NAMES_MOST = 3 };

typedef struct module {
	void *handle; /* NULL: it was unloaded */
	bool is_library;
	const char *kind;
	uint64_t bytes, ns;
} module;

static module modules[MODULES_MOST];
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- what is loaded ---- */

static uint64_t elf_bytes(const void *image)
{
	Elf64_Ehdr h;
	memcpy(&h, image, sizeof(h));
	uint64_t sections = h.e_shoff + (uint64_t)h.e_shnum * h.e_shentsize;
	uint64_t segments = h.e_phoff + (uint64_t)h.e_phnum * h.e_phentsize;
	return sections > segments ? sections : segments;
}

/* The driver has accepted the image, so it is one of these kinds. */
static void describe(module *m, const char *image)
{
	struct {
		uint32_t magic;
		uint16_t version, header_bytes;
		uint64_t bytes; /* of a wrapper: the address of the fatbin */
	} h;
	memcpy(&h.magic, image, sizeof(h.magic));
	if (h.magic == WRAPPER_MAGIC || h.magic == FATBIN_MAGIC)
		memcpy(&h, image, sizeof(h));
	if (h.magic == WRAPPER_MAGIC)
		memcpy(&h, (const void *)(uintptr_t)h.bytes, sizeof(h));
	bool elf = memcmp(image, ELFMAG, SELFMAG) == 0, fatbin = h.magic == FATBIN_MAGIC;
	m->kind = fatbin ? "fatbin" : elf ? "cubin" : "PTX";
	m->bytes = fatbin ? h.header_bytes + h.bytes : elf ? elf_bytes(image) : strlen(image);
}

void ba_observer_loaded(
	void *handle, bool is_library, const void *image, const char *path, uint64_t ns)
{
	struct stat info;
	module m = {.handle = handle, .is_library = is_library, .kind = "file", .ns = ns};
	if (image)
		describe(&m, image);
	else if (path && stat(path, &info) == 0)
		m.bytes = (uint64_t)info.st_size;
	pthread_mutex_lock(&lock);
	if (count < MODULES_MOST)
		modules[count++] = m;
	pthread_mutex_unlock(&lock);
}

void ba_observer_unloaded(const void *handle)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count; i++)
		if (handle ? modules[i].handle == handle : !modules[i].is_library)
			modules[i].handle = NULL;
	pthread_mutex_unlock(&lock);
}

/* ---- its kernels ---- */

/* Only on request: a driver that loads lazily may load what it is asked for. */
static void put_kernels(FILE *out, const module *m)
{
	cu_result (*how_many)(unsigned *, void *), (*list)(void **, unsigned, void *);
	cu_result (*name_of)(const char **, void *);
	unsigned n = 0;
	if (!m->handle ||
		!ba_observer_driver(&how_many,
			m->is_library ? "cuLibraryGetKernelCount" : "cuModuleGetFunctionCount") ||
		!ba_observer_driver(&list, m->is_library ? "cuLibraryEnumerateKernels"
							 : "cuModuleEnumerateFunctions") ||
		!ba_observer_driver(
			&name_of, m->is_library ? "cuKernelGetName" : "cuFuncGetName") ||
		how_many(&n, m->handle) || n > KERNELS_MOST)
		n = 0;
	void **kernels = calloc(n + 1, sizeof(*kernels));
	if (!kernels || (n && list(kernels, n, m->handle)))
		n = 0;
	fprintf(out, " %u", n);
	for (unsigned i = 0; i < n && i < NAMES_MOST; i++) {
		const char *name = NULL;
		fprintf(out, " %.1000s", name_of(&name, kernels[i]) == 0 && name ? name : "?");
	}
	free(kernels);
}

const char *ba_observer_modules(void)
{
	static char *text;
	size_t size;
	free(text);
	text = NULL;
	FILE *out = open_memstream(&text, &size);
	pthread_mutex_lock(&lock);
	for (size_t i = 0; out && i < count; i++) {
		const module *m = &modules[i];
		fprintf(out, "%" PRIu64 " %" PRIu64 " %s", m->ns, m->bytes, m->kind);
		put_kernels(out, m);
		fputc('\n', out);
	}
	pthread_mutex_unlock(&lock);
	if (out)
		fclose(out);
	return text ? text : "";
}
