#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>

#define MAGIC 0x324f4d454d47434cu /* changes with the layout */
/* The clock of a file system ticks that slowly at most. */
#define TICK_S 0.02

/* ---- bytes ---- */

typedef struct header {
	uint64_t magic;
	lcfg_memo_file file;
	lcfg_nvrtc_id id;
	uint64_t path_size; /* with its NUL */
} header;

void *lcfg_memo_encode(size_t *size, const lcfg_memo *memo)
{
	header h;
	memset(&h, 0, sizeof(h)); /* padding, too, is in the checksum */
	h.magic = MAGIC;
	h.file = memo->file;
	h.id = memo->id;
	h.path_size = strlen(memo->path) + 1;
	size_t body = sizeof(h) + h.path_size;
	char *data = malloc(body + sizeof(lcfg_digest));
	if (!data)
		return NULL;
	memcpy(data, &h, sizeof(h));
	memcpy(data + sizeof(h), memo->path, h.path_size);
	lcfg_digest sum = lcfg_sha256_of(data, body);
	memcpy(data + body, &sum, sizeof(sum));
	*size = body + sizeof(sum);
	return data;
}

int lcfg_memo_decode(lcfg_memo *out, const void *data, size_t size)
{
	header h;
	if (size < sizeof(h) + sizeof(lcfg_digest) + 1)
		return -1;
	size_t body = size - sizeof(lcfg_digest);
	const char *path = (const char *)data + sizeof(h);
	memcpy(&h, data, sizeof(h));
	if (h.magic != MAGIC || h.path_size != body - sizeof(h) || *path != '/' ||
		memchr(path, 0, h.path_size) != path + h.path_size - 1)
		return -1;
	lcfg_digest sum = lcfg_sha256_of(data, body);
	if (memcmp(&sum, (const char *)data + body, sizeof(sum)) != 0)
		return -1;
	*out = (lcfg_memo){.id = h.id, .file = h.file, .path = strdup(path)};
	return out->path ? 0 : -1;
}

static lcfg_memo_file file_of(const struct stat *st)
{
	return (lcfg_memo_file){.device = st->st_dev,
		.inode = st->st_ino,
		.size = (uint64_t)st->st_size,
		.data_s = st->st_mtim.tv_sec,
		.data_ns = st->st_mtim.tv_nsec,
		.inode_s = st->st_ctim.tv_sec,
		.inode_ns = st->st_ctim.tv_nsec};
}

static double seconds(int64_t s, int64_t ns)
{
	return (double)s + (double)ns / 1e9;
}

/* ---- the search ---- */

static void hash_file(lcfg_sha256 *s, const char *path)
{
	struct stat st;
	lcfg_memo_file file;
	memset(&file, 0, sizeof(file));
	if (stat(path, &st) == 0)
		file = file_of(&st);
	lcfg_sha256_field(s, &file, sizeof(file));
}

/* A handle of the object that this code is in, whose directories the loader uses. */
static void *own_handle(void)
{
	Dl_info info;
	void *handle = NULL;
	if (dladdr((const void *)(uintptr_t)lcfg_nvrtc_memo_read, &info) && info.dli_fname)
		handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	return handle ? handle : dlopen(NULL, RTLD_LAZY);
}

/* The loader's directories for a library; the caller frees. NULL: it cannot tell. */
static Dl_serinfo *directories(void)
{
	Dl_serinfo size;
	Dl_serinfo *list = NULL;
	void *handle = own_handle();
	if (!handle)
		return NULL;
	if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) == 0)
		list = calloc(1, size.dls_size);
	if (list && (dlinfo(handle, RTLD_DI_SERINFOSIZE, list) ||
			    dlinfo(handle, RTLD_DI_SERINFO, list))) {
		free(list);
		list = NULL;
	}
	dlclose(handle);
	return list;
}

static void hash_names(lcfg_sha256 *s, const char *dir, const char *const *names)
{
	char path[PATH_MAX];
	lcfg_sha256_text(s, dir);
	for (; *names; names++) {
		if (!strchr(*names, '/') &&
			snprintf(path, sizeof(path), "%s/%s", dir, *names) < (int)sizeof(path))
			hash_file(s, path);
	}
}

/* What a library of that name would be there, and below for certain processors. */
static void hash_directory(lcfg_sha256 *s, const char *dir, const char *const *names)
{
	char path[PATH_MAX];
	char below[PATH_MAX + 256 + 2];
	hash_names(s, dir, names);
	if (snprintf(path, sizeof(path), "%s/glibc-hwcaps", dir) >= (int)sizeof(path))
		return;
	DIR *d = opendir(path);
	for (struct dirent *e; d && (errno = 0, e = readdir(d));) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(below, sizeof(below), "%s/%s", path, e->d_name);
		hash_names(s, below, names);
	}
	if (d && errno) /* not the memo of a search that saw everything */
		lcfg_sha256_text(s, "cut short");
	if (d)
		closedir(d);
}

/* Names the memo by what decides the loader's choice. 0, or -1: cannot tell. */
static int search(lcfg_digest *out, const char *given)
{
	const char *own[2];
	const char *const *names = lcfg_nvrtc_names(own, given);
	bool searched = false;
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_text(&s, "launchcfg nvrtc 2");
	for (const char *const *name = names; *name; name++) {
		lcfg_sha256_text(&s, *name);
		if (strchr(*name, '/'))
			hash_file(&s, *name);
		else
			searched = true;
	}
	if (searched) {
		Dl_serinfo *list = directories();
		if (!list)
			return -1;
		for (unsigned i = 0; i < list->dls_cnt; i++)
			hash_directory(&s, list->dls_serpath[i].dls_name, names);
		free(list);
		hash_file(&s, "/etc/ld.so.cache");
	}
	*out = lcfg_sha256_end(&s);
	return 0;
}

/* Where the process has such a library already, the loader gives that one: it must be
 * the memo's, and its file as old as the process. */
static bool loaded_is(const char *given, const lcfg_memo *memo)
{
	const char *own[2];
	bool same = true;
	for (const char *const *name = lcfg_nvrtc_names(own, given); *name; name++) {
		struct link_map *map = NULL;
		void *handle = dlopen(*name, RTLD_LAZY | RTLD_NOLOAD);
		if (!handle)
			continue;
		char *path = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map
				     ? realpath(map->l_name, NULL)
				     : NULL;
		same = path && strcmp(path, memo->path) == 0 &&
		       seconds(memo->file.inode_s, memo->file.inode_ns) <
			       lcfg_process_start() - TICK_S;
		free(path);
		dlclose(handle);
		break;
	}
	return same;
}

/* ---- reading and writing ---- */

static bool still_true(const lcfg_memo *memo, const char *given)
{
	struct stat st;
	if (stat(memo->path, &st))
		return false;
	lcfg_memo_file now = file_of(&st);
	return memcmp(&now, &memo->file, sizeof(now)) == 0 && loaded_is(given, memo);
}

int lcfg_nvrtc_memo_read(lcfg_nvrtc_id *id, char **file, lcfg_cache *cache, const char *given)
{
	lcfg_digest name;
	lcfg_memo memo;
	void *data = NULL;
	size_t size = 0;
	if (search(&name, given) || lcfg_cache_read(&data, &size, NULL, cache, "nvrtc", &name))
		return 0;
	int rc = lcfg_memo_decode(&memo, data, size);
	free(data);
	if (rc)
		return 0;
	if (!still_true(&memo, given)) {
		free(memo.path);
		return 0;
	}
	*id = memo.id;
	*file = memo.path;
	return 1;
}

/* Is it the file in memory? One that changed since may be another. */
static bool same_as_loaded(const struct stat *st, const lcfg_nvrtc *nvrtc)
{
	return seconds(st->st_ctim.tv_sec, st->st_ctim.tv_nsec) < nvrtc->opened_at - TICK_S;
}

void lcfg_nvrtc_memo_write(lcfg_cache *cache, const char *given, const lcfg_nvrtc *nvrtc)
{
	lcfg_digest name;
	struct stat st;
	size_t size = 0;
	const char *file = lcfg_nvrtc_file(nvrtc);
	char *path = file ? realpath(file, NULL) : NULL;
	if (path && stat(path, &st) == 0 && same_as_loaded(&st, nvrtc) &&
		search(&name, given) == 0) {
		lcfg_memo memo = {nvrtc->id, file_of(&st), path};
		void *data = lcfg_memo_encode(&size, &memo);
		if (data && lcfg_cache_publish(cache, "nvrtc", &name, data, size))
			lcfg_cache_complain(cache, "cannot write", "nvrtc", &name, NULL);
		free(data);
	}
	free(path);
}
