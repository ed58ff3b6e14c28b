#include "nvrtc_memo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the loader's choice depends on. */
static lcfg_digest environment(const char *path)
{
	struct stat st = {0};
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_text(&s, "launchcfg nvrtc 1");
	lcfg_sha256_text(&s, path ? path : getenv("LAUNCHCFG_NVRTC"));
	lcfg_sha256_text(&s, getenv("LD_LIBRARY_PATH"));
	if (stat("/etc/ld.so.cache", &st))
		st = (struct stat){0};
	lcfg_sha256_field(&s, &st.st_mtim, sizeof(st.st_mtim));
	return lcfg_sha256_end(&s);
}

/* The caller frees; NULL: there is no such file. */
static char *note(int major, int minor, const char *file)
{
	struct stat st;
	char *text = NULL;
	if (stat(file, &st))
		return NULL;
	if (asprintf(&text, "%d %d %llu %llu %llu %lld.%09ld %s\n", major, minor,
		    (unsigned long long)st.st_dev, (unsigned long long)st.st_ino,
		    (unsigned long long)st.st_size, (long long)st.st_mtim.tv_sec,
		    st.st_mtim.tv_nsec, file) < 0)
		return NULL;
	return text;
}

/* Written again from the file as it is now, the note must be the same text. */
static int still_true(int *major, int *minor, const char *text)
{
	int version[2] = {0};
	int at = 0;
	if (sscanf(text, "%d %d %*u %*u %*u %*s %n", &version[0], &version[1], &at) !=
			2 ||
		at == 0)
		return 0;
	char *file = strndup(text + at, strcspn(text + at, "\n"));
	char *now = file ? note(version[0], version[1], file) : NULL;
	int same = now && strcmp(now, text) == 0;
	free(now);
	free(file);
	if (same) {
		*major = version[0];
		*minor = version[1];
	}
	return same;
}

int lcfg_nvrtc_memo_read(int *major, int *minor, lcfg_cache *cache, const char *path)
{
	lcfg_digest name = environment(path);
	char *memo = lcfg_cache_path(cache, "nvrtc", &name);
	void *data = NULL;
	size_t size = 0;
	int known = 0;
	if (memo && lcfg_file_read(&data, &size, memo) == 0) {
		char *text = strndup(data, size);
		known = text && still_true(major, minor, text);
		free(text);
	}
	free(data);
	free(memo);
	return known;
}

void lcfg_nvrtc_memo_write(lcfg_cache *cache, const char *path, const lcfg_nvrtc *nvrtc)
{
	int major = 0;
	int minor = 0;
	lcfg_digest name = environment(path);
	char *memo = lcfg_cache_path(cache, "nvrtc", &name);
	lcfg_nvrtc_version(&major, &minor, nvrtc);
	const char *file = lcfg_nvrtc_file(nvrtc);
	char *text = file ? note(major, minor, file) : NULL;
	if (memo && text)
		lcfg_cache_publish(cache, memo, text, strlen(text));
	free(text);
	free(memo);
}
