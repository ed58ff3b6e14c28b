/* An entry's bytes: header, name of the kernel, image, SHA-256 of all that. The header
 * repeats the key, so that a file under a wrong name is not used. Numbers are in the
 * machine's byte order; the magic number shows if the file has another one. */

#include "cache.h"

#define MAGIC 0x3147464355414c31u /* changes with the layout */

typedef struct header {
	uint64_t magic;
	uint64_t image_size;
	uint32_t entry_size; /* without a NUL */
	uint32_t sensitive;
	lcfg_digest key;
} header;

void *lcfg_entry_encode(size_t *size, const lcfg_digest *key, const lcfg_binary *binary)
{
	header h = {.magic = MAGIC,
		.image_size = binary->size,
		.entry_size = (uint32_t)strlen(binary->entry),
		.sensitive = binary->sensitive != 0,
		.key = *key};
	size_t body = sizeof(h) + h.entry_size + binary->size;
	char *data = malloc(body + sizeof(lcfg_digest));
	if (!data)
		return NULL;
	memcpy(data, &h, sizeof(h));
	memcpy(data + sizeof(h), binary->entry, h.entry_size);
	memcpy(data + sizeof(h) + h.entry_size, binary->image, binary->size);
	lcfg_digest sum = lcfg_sha256_of(data, body);
	memcpy(data + body, &sum, sizeof(sum));
	*size = body + sizeof(sum);
	return data;
}

int lcfg_entry_decode(lcfg_binary *out, const lcfg_digest *key, const void *data, size_t size)
{
	header h;
	if (size < sizeof(h) + sizeof(lcfg_digest))
		return -1;
	size_t body = size - sizeof(lcfg_digest);
	memcpy(&h, data, sizeof(h));
	if (h.magic != MAGIC || memcmp(&h.key, key, sizeof(*key)) != 0 || h.sensitive > 1)
		return -1;
	if (h.image_size > body || sizeof(h) + h.entry_size + h.image_size != body)
		return -1;
	lcfg_digest sum = lcfg_sha256_of(data, body);
	if (memcmp(&sum, (const char *)data + body, sizeof(sum)) != 0)
		return -1;
	lcfg_binary made = {.size = h.image_size, .sensitive = (int)h.sensitive};
	made.entry = strndup((const char *)data + sizeof(h), h.entry_size);
	made.image = calloc(1, h.image_size + 1);
	if (!made.entry || !made.image) {
		lcfg_binary_dispose(&made);
		return LCFG_ENOMEM;
	}
	memcpy(made.image, (const char *)data + sizeof(h) + h.entry_size, h.image_size);
	*out = made;
	return 0;
}
