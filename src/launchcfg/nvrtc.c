/* Finds NVRTC, and identifies its version and build. */
#include "nvrtc.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *const *lcfg_nvrtc_names(const char **own, const char *given)
{
	static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
		"libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so", NULL};
	if (!given)
		given = getenv("LAUNCHCFG_NVRTC");
	own[0] = given;
	own[1] = NULL;
	return given && *given ? own : names;
}

double lcfg_process_start(void)
{
	char text[1024];
	unsigned long long ticks = 0;
	struct timespec now, up;
	FILE *f = fopen("/proc/self/stat", "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = 0;
	/* field 22; the second one, in parentheses, may hold anything */
	const char *p = strrchr(text, ')');
	if (!p ||
		sscanf(p + 1,
			" %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
			&ticks) != 1)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return (double)(now.tv_sec - up.tv_sec) + (double)(now.tv_nsec - up.tv_nsec) / 1e9 +
	       (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

static void open_library(lcfg_nvrtc *nvrtc, const char *const *names)
{
	for (; *names && !nvrtc->library; names++) {
		struct timespec now;
		clock_gettime(CLOCK_REALTIME, &now);
		nvrtc->opened_at = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
		void *before = dlopen(*names, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
		nvrtc->library = dlopen(*names, RTLD_LAZY | RTLD_LOCAL);
		if (before) {
			nvrtc->opened_at = lcfg_process_start();
			dlclose(before);
		}
	}
}

const char *lcfg_nvrtc_file(const lcfg_nvrtc *nvrtc)
{
	struct link_map *map = NULL;
	if (dlinfo(nvrtc->library, RTLD_DI_LINKMAP, &map) || !map || !*map->l_name)
		return NULL;
	return map->l_name;
}

typedef struct search {
	const void *inside; /* an address in the library */
	lcfg_sha256 *hash;
	int found;
} search;

static void hash_segment(search *s, const char *at, size_t size, size_t align)
{
	ElfW(Nhdr) n;
	for (size_t used = 0; size - used >= sizeof(n);) {
		memcpy(&n, at + used, sizeof(n));
		size_t name = (n.n_namesz + align - 1) & ~(align - 1);
		size_t text = (n.n_descsz + align - 1) & ~(align - 1);
		size_t room = size - used - sizeof(n);
		if (name > room || text > room - name)
			return;
		if (n.n_type == NT_GNU_BUILD_ID) {
			lcfg_sha256_field(s->hash, at + used + sizeof(n) + name, n.n_descsz);
			s->found = 1;
		}
		used += sizeof(n) + name + text;
	}
}

/* The build id of the object that holds an address. */
static int hash_notes(struct dl_phdr_info *info, size_t size, void *data)
{
	search *s = data;
	uintptr_t at = (uintptr_t)s->inside - info->dlpi_addr;
	bool here = false;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		here |= p->p_type == PT_LOAD && at >= p->p_vaddr && at - p->p_vaddr < p->p_memsz;
	}
	for (int i = 0; here && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_NOTE)
			hash_segment(s, (const char *)info->dlpi_addr + p->p_vaddr, p->p_memsz,
				p->p_align < 8 ? 4 : 8);
	}
	return here;
}

static int identify(lcfg_nvrtc *nvrtc, lcfg_error *err)
{
	lcfg_sha256 hash;
	struct stat st;
	uintptr_t inside = (uintptr_t)nvrtc->version;
	search s = {(const void *)inside, &hash, 0};
	lcfg_sha256_init(&hash);
	dl_iterate_phdr(hash_notes, &s);
	if (!s.found) {
		const char *file = lcfg_nvrtc_file(nvrtc);
		if (!file || stat(file, &st))
			return lcfg_fail(err, LCFG_ENVRTC, "cannot tell which NVRTC was loaded: %s",
				file ? file : "its file has no name");
		lcfg_sha256_field(&hash, &st.st_size, sizeof(st.st_size));
		lcfg_sha256_field(&hash, &st.st_mtim, sizeof(st.st_mtim));
	}
	nvrtc->id.build = lcfg_sha256_end(&hash);
	return 0;
}

static int find_symbols(lcfg_nvrtc *nvrtc, lcfg_error *err)
{
	static const struct {
		const char *name;
		size_t offset;
		int required;
	} table[] = {
#define NVRTC_ROW(symbol, member, required, result, params) \
	{#symbol, offsetof(lcfg_nvrtc, member), required},
		NVRTC_TABLE(NVRTC_ROW)
#undef NVRTC_ROW
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		void *address = dlsym(nvrtc->library, table[i].name);
		if (!address && table[i].required)
			return lcfg_fail(err, LCFG_ENVRTC,
				"this NVRTC has no %s: use one of CUDA 11.2 or later",
				table[i].name);
		memcpy((char *)nvrtc + table[i].offset, &address, sizeof(address));
	}
	if (nvrtc->version(&nvrtc->id.major, &nvrtc->id.minor))
		return lcfg_fail(err, LCFG_ENVRTC, "NVRTC does not report its version");
	return identify(nvrtc, err);
}

int lcfg_nvrtc_open(lcfg_nvrtc **out, const char *path, lcfg_error *err)
{
	lcfg_nvrtc *nvrtc = calloc(1, sizeof(*nvrtc));
	LCFG_NEED(nvrtc, err);
	const char *own[2];
	const char *const *names = lcfg_nvrtc_names(own, path);
	open_library(nvrtc, names);
	int rc = 0;
	if (!nvrtc->library && names == own)
		rc = lcfg_fail(err, LCFG_ENVRTC,
			"no NVRTC to compile CUDA C with: %s; install it, or set LAUNCHCFG_NVRTC",
			dlerror());
	else if (!nvrtc->library)
		rc = lcfg_fail(err, LCFG_ENVRTC,
			"no NVRTC to compile CUDA C with: not found as libnvrtc.so.13, .12, .11.2 and /usr/local/cuda/lib64; install it, or set LAUNCHCFG_NVRTC");
	rc = rc ? rc : find_symbols(nvrtc, err);
	if (rc)
		lcfg_nvrtc_free(nvrtc);
	else
		*out = nvrtc;
	return rc;
}

void lcfg_nvrtc_free(lcfg_nvrtc *nvrtc)
{
	/* the library stays loaded, as the driver does: it has exit handlers */
	free(nvrtc);
}
