/*
 * Files of launchcfg's cache, damaged in any way: an entry, or (first byte odd) the
 * memo of a compiler. Each is read as it is, which the checksum refuses, and again
 * under a checksum that is right: then nothing but the reader's own checks stands
 * before the memory. What it takes is written the same way again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int condition)
{
	if (!condition)
		abort();
}

/* the key under which an entry says it is, so that it is not refused for that */
static lcfg_digest key_in(const uint8_t *data, size_t size)
{
	enum { KEY_AT = 24 }; /* cache_entry.c */
	lcfg_digest key = {{0}};
	if (size >= KEY_AT + sizeof(key))
		memcpy(&key, data + KEY_AT, sizeof(key));
	return key;
}

static void read_entry(const uint8_t *data, size_t size)
{
	lcfg_digest key = key_in(data, size);
	lcfg_binary binary = {0};
	size_t again = 0;
	int rc = lcfg_entry_decode(&binary, &key, data, size);
	if (rc)
		return;
	expect(((char *)binary.image)[binary.size] == 0);
	/* a name with a NUL in it comes back shorter */
	void *bytes = lcfg_entry_encode(&again, &key, &binary);
	expect(bytes && again <= size);
	if (again == size)
		expect(memcmp(bytes, data, size) == 0);
	free(bytes);
	lcfg_binary_dispose(&binary);
}

static void read_memo(const uint8_t *data, size_t size)
{
	lcfg_memo memo;
	size_t again = 0;
	if (lcfg_memo_decode(&memo, data, size))
		return;
	expect(memo.path[0] == '/');
	void *bytes = lcfg_memo_encode(&again, &memo);
	expect(bytes && again == size && memcmp(bytes, data, size) == 0);
	free(bytes);
	free(memo.path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	void (*read)(const uint8_t *, size_t) = data[0] & 1 ? read_memo : read_entry;
	data++;
	size--;
	read(data, size);
	uint8_t *summed = malloc(size + sizeof(lcfg_digest));
	expect(summed != NULL);
	memcpy(summed, data, size);
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_put(&s, data, size);
	lcfg_digest sum = lcfg_sha256_end(&s);
	memcpy(summed + size, &sum, sizeof(sum));
	read(summed, size + sizeof(sum));
	free(summed);
	return 0;
}
