#include "cubin/cubin.h"

#include <assert.h>
#include <dlfcn.h>

#define ZSTD_MAGIC 0xfd2fb528u
#define RAW_MOST ((size_t)1 << 30)
#define RATIO_MOST 4096u /* largest ratio of raw to compressed size; more means damage */

typedef struct fatbin_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes; /* that follow */
} fatbin_header;

enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };

typedef struct entry_header {
	uint16_t kind, version;
	uint32_t header_bytes;
	uint64_t bytes; /* with padding */
	uint32_t compressed_bytes, options_at;
	uint16_t minor, major;
	uint32_t arch;
	uint32_t name_at, name_bytes;
	uint64_t flags, zero;
	uint64_t raw_bytes;
} entry_header;

enum { ENTRY_VERSION = 0x101, ENTRY_HEADER_MOST = 4096 };

static_assert(sizeof(fatbin_header) == 16, "as nvcc writes it");
static_assert(sizeof(entry_header) == 64, "as nvcc writes it");

static int damaged(ba_error *err)
{
	return ba_fail(err, BA_EINVAL, "its fatbin is damaged");
}

size_t ba_fatbin_bytes(const void *data, size_t most)
{
	fatbin_header h;
	if (most < sizeof(h))
		return 0;
	memcpy(&h, data, sizeof(h));
	bool fits = h.magic == BA_FATBIN_MAGIC && h.header_bytes <= most && h.bytes < RAW_MOST &&
		    h.bytes <= most - h.header_bytes;
	return fits ? h.header_bytes + (size_t)h.bytes : 0;
}

bool ba_fatbin_begins(const void *data, size_t most)
{
	fatbin_header h;
	entry_header e;
	if (most < sizeof(h) + sizeof(e))
		return true;
	memcpy(&h, data, sizeof(h));
	memcpy(&e, (const char *)data + sizeof(h), sizeof(e));
	return h.bytes == 0 || (e.version == ENTRY_VERSION && e.header_bytes < ENTRY_HEADER_MOST);
}

int ba_fatbin_next(bool *more, ba_fatbin_entry *out, size_t *at, const unsigned char *fatbin,
	size_t bytes, ba_error *err)
{
	entry_header e;
	if (*at == 0) {
		fatbin_header h;
		memcpy(&h, fatbin, sizeof(h));
		*at = h.header_bytes;
	}
	*more = *at < bytes;
	if (!*more)
		return 0;
	if (bytes - *at < sizeof(e))
		return damaged(err);
	memcpy(&e, fatbin + *at, sizeof(e));
	if (e.header_bytes < sizeof(e) || e.header_bytes > bytes - *at ||
		e.bytes > bytes - *at - e.header_bytes || e.compressed_bytes > e.bytes)
		return damaged(err);
	*out = (ba_fatbin_entry){.kind = e.kind,
		.arch = (int)e.arch,
		.is_packed = e.flags & (FLAG_LZ4 | FLAG_ZSTD) || e.raw_bytes,
		.data = fatbin + *at + e.header_bytes,
		.bytes = (size_t)e.bytes,
		.raw_bytes = (size_t)e.raw_bytes};
	if (out->is_packed && e.compressed_bytes)
		out->bytes = e.compressed_bytes;
	*at += e.header_bytes + (size_t)e.bytes;
	return 0;
}

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

/* Decompresses to raw_bytes bytes; caller frees. The libraries are opened by name, so that a process
 * without such entries does not load them. */
static int inflate(unsigned char **out, const unsigned char *data, size_t bytes, size_t raw_bytes,
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

int ba_fatbin_unpack(const unsigned char **data, size_t *bytes, unsigned char **owned,
	const ba_fatbin_entry *entry, ba_error *err)
{
	unsigned char *raw = NULL;
	*owned = NULL;
	*data = entry->data;
	*bytes = entry->bytes;
	if (!entry->is_packed)
		return 0;
	if (entry->raw_bytes > RAW_MOST || entry->raw_bytes / RATIO_MOST > entry->bytes)
		return damaged(err);
	BA_TRY(inflate(&raw, entry->data, entry->bytes, entry->raw_bytes, err));
	*data = *owned = raw;
	*bytes = entry->raw_bytes;
	return 0;
}
