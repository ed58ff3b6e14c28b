#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MARKER_TEXT "launchcfg: kernels of this source are launch-config sensitive\n"

static char *default_dir(void)
{
	char *dir = NULL;
	const char *env = getenv("LAUNCHCFG_CACHE_DIR");
	if (env && *env)
		return strdup(env);
	env = getenv("XDG_CACHE_HOME");
	int n = -1;
	if (env && *env == '/')
		n = asprintf(&dir, "%s/launchcfg", env);
	else if ((env = getenv("HOME")) && *env == '/')
		n = asprintf(&dir, "%s/.cache/launchcfg", env);
	return n < 0 ? NULL : dir;
}

/* "512M"; 0: not a size */
static uint64_t parse_size(const char *text)
{
	uint64_t n = 0;
	const char *p = text;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (n > (UINT64_MAX >> 34) / 10)
			return 0;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p == text)
		return 0;
	int shift = *p == 'K' ? 10 : *p == 'M' ? 20 : *p == 'G' ? 30 : 0;
	p += shift != 0;
	return *p ? 0 : n << shift;
}

static int choose_limit(uint64_t *out, const lcfg_cache_options *options, lcfg_error *err)
{
	const char *env = getenv("LAUNCHCFG_CACHE_LIMIT");
	*out = options ? options->max_bytes : 0;
	if (*out)
		return 0;
	*out = env && *env ? parse_size(env) : (uint64_t)1 << 30;
	if (!*out)
		return lcfg_fail(err, LCFG_EINVAL,
			"LAUNCHCFG_CACHE_LIMIT is '%s': give bytes, as in 1000000, 512M or 2G",
			env);
	return 0;
}

int lcfg_cache_open(lcfg_cache **out, const lcfg_cache_options *options, lcfg_error *err)
{
	uint64_t limit = 0;
	LCFG_TRY(choose_limit(&limit, options, err));
	lcfg_cache *cache = calloc(1, sizeof(*cache));
	LCFG_NEED(cache, err);
	int rc = 0;
	atomic_init(&cache->references, 1);
	pthread_mutex_init(&cache->lock, NULL);
	cache->max_bytes = limit;
	cache->dir = options && options->dir ? strdup(options->dir) : default_dir();
	if (!cache->dir || !*cache->dir)
		rc = lcfg_fail(
			err, LCFG_EINVAL, "no directory for the cache: set LAUNCHCFG_CACHE_DIR");
	else if (asprintf(&cache->root, "%s/v1", cache->dir) < 0)
		rc = lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	if (rc)
		lcfg_cache_free(cache);
	else
		*out = cache;
	return rc;
}

lcfg_cache *lcfg_cache_ref(lcfg_cache *cache)
{
	atomic_fetch_add(&cache->references, 1);
	return cache;
}

void lcfg_cache_free(lcfg_cache *cache)
{
	if (!cache || atomic_fetch_sub(&cache->references, 1) != 1)
		return;
	pthread_mutex_destroy(&cache->lock);
	free(cache->root);
	free(cache->dir);
	free(cache);
}

const char *lcfg_cache_dir(const lcfg_cache *cache)
{
	return cache->dir;
}

void lcfg_cache_stats_get(lcfg_cache_stats *out, lcfg_cache *cache)
{
	LCFG_HOLD(&cache->lock);
	*out = cache->stats;
}

size_t lcfg_cache_trouble(char *out, size_t size, lcfg_cache *cache)
{
	LCFG_HOLD(&cache->lock);
	return (size_t)snprintf(out, size, "%s", cache->trouble);
}

int lcfg_cache_complain(lcfg_cache *cache, const char *what, const char *kind,
	const lcfg_digest *name, lcfg_error *err)
{
	int number = errno;
	char *path = lcfg_cache_path(cache, kind, name);
	pthread_mutex_lock(&cache->lock);
	cache->stats.errors++;
	if (number != LCFG_REFUSED) /* that has its sentence */
		snprintf(cache->trouble, sizeof(cache->trouble), "%s '%s': %s", what,
			path ? path : cache->root, strerror(number));
	lcfg_fail(err, LCFG_ECACHE, "%s", cache->trouble);
	pthread_mutex_unlock(&cache->lock);
	free(path);
	return LCFG_ECACHE;
}

static void count(lcfg_cache *cache, uint64_t *counter)
{
	LCFG_HOLD(&cache->lock);
	++*counter;
}

int lcfg_cache_load(lcfg_binary *out, lcfg_cache *cache, const lcfg_digest *key)
{
	struct stat st;
	void *data = NULL;
	size_t size = 0;
	int rc = lcfg_cache_read(&data, &size, &st, cache, "entries", key);
	if (rc && errno != ENOENT)
		lcfg_cache_complain(cache, "cannot read", "entries", key, NULL);
	if (rc == 0) {
		rc = lcfg_entry_decode(out, key, data, size);
		/* without memory a good entry cannot be distinguished from a bad one */
		if (rc && rc != LCFG_ENOMEM) {
			count(cache, &cache->stats.corrupt);
			lcfg_cache_discard(cache, key,
				&(lcfg_binary){.device = st.st_dev, .inode = st.st_ino});
		}
	}
	if (rc == 0) {
		out->device = st.st_dev;
		out->inode = st.st_ino;
	}
	count(cache, rc == 0 ? &cache->stats.hits : &cache->stats.misses);
	free(data);
	return rc == 0;
}

int lcfg_cache_store(
	lcfg_cache *cache, const lcfg_digest *key, const lcfg_binary *binary, lcfg_error *err)
{
	size_t size = 0;
	void *data = lcfg_entry_encode(&size, key, binary);
	LCFG_NEED(data, err);
	int rc = lcfg_cache_publish(cache, "entries", key, data, size);
	if (rc)
		rc = lcfg_cache_complain(cache, "cannot write", "entries", key, err);
	else
		count(cache, &cache->stats.stores);
	free(data);
	return rc;
}

void lcfg_cache_discard(lcfg_cache *cache, const lcfg_digest *key, const lcfg_binary *read)
{
	if (lcfg_cache_unlink(cache, "entries", key, read->device, read->inode) && errno != ENOENT)
		lcfg_cache_complain(cache, "cannot remove", "entries", key, NULL);
}

/* A marker's content is of no interest: there is no way of misreading one that errs on
 * the unsafe side, and a half-written one is never renamed into place. */
bool lcfg_cache_marker_exists(lcfg_cache *cache, const lcfg_digest *source)
{
	char hex[65];
	int dir = lcfg_cache_dir_open(cache, "markers", source, false);
	if (dir < 0)
		return false;
	lcfg_digest_hex(hex, source);
	bool exists = faccessat(dir, hex, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	close(dir);
	return exists;
}

int lcfg_cache_marker_write(lcfg_cache *cache, const lcfg_digest *source, lcfg_error *err)
{
	if (lcfg_cache_marker_exists(cache, source) ||
		lcfg_cache_publish(cache, "markers", source, MARKER_TEXT, strlen(MARKER_TEXT)) == 0)
		return 0;
	return lcfg_cache_complain(cache, "cannot write the marker", "markers", source, err);
}
