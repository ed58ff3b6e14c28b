/* Decompresses entries of a fatbin. The libraries are opened by name, so that a process
 * without such entries does not load them. */
#include <dlfcn.h>

#include "base/base.h"
#include "cubin/inflate.h"

#define ZSTD_MAGIC 0xfd2fb528u

/* The two calls as their libraries' headers have them. */
typedef size_t zstd_fn(void *to, size_t room, const void *from, size_t bytes);
typedef int lz4_fn(const char *from, char *to, int bytes, int room);

/* Never closed: the result of dlopen() is kept for the life of the process. */
static void *symbol_of(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	return handle ? dlsym(handle, name) : NULL;
}

static bool by_zstd(void *function, unsigned char *to, size_t room, const void *from, size_t bytes)
{
	zstd_fn *inflate;
	memcpy(&inflate, &function, sizeof(inflate));
	return inflate(to, room, from, bytes) == room;
}

static bool by_lz4(void *function, unsigned char *to, size_t room, const void *from, size_t bytes)
{
	lz4_fn *inflate;
	memcpy(&inflate, &function, sizeof(inflate));
	return room <= INT32_MAX && bytes <= INT32_MAX &&
	       inflate(from, (char *)to, (int)bytes, (int)room) == (int)room;
}

int ba_image_inflate(unsigned char **out, const unsigned char *data, size_t bytes, size_t raw_bytes,
	ba_error *err)
{
	static const struct {
		const char *library, *symbol;
		bool (*inflate)(void *function, unsigned char *to, size_t room, const void *from,
			size_t bytes);
	} rows[] = {{"libzstd.so.1", "ZSTD_decompress", by_zstd},
		{"liblz4.so.1", "LZ4_decompress_safe", by_lz4}};
	uint32_t magic = 0;
	if (bytes >= sizeof(magic))
		memcpy(&magic, data, sizeof(magic));
	size_t row = magic != ZSTD_MAGIC;
	void *function = symbol_of(rows[row].library, rows[row].symbol);
	if (!function)
		return ba_fail(err, BA_EINVAL,
			"its code is compressed, and %s, which decompresses it, is missing",
			rows[row].library);
	BA_AUTO_FREE unsigned char *raw = ba_xmalloc(raw_bytes + 1);
	if (raw_bytes == 0 || !rows[row].inflate(function, raw, raw_bytes, data, bytes))
		return ba_fail(err, BA_EINVAL, "its code is compressed in an unknown way");
	*out = BA_TAKE(raw);
	return 0;
}
