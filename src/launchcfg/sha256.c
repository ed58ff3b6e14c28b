#include "sha256.h"

#include "sha256_compress.h"

void lcfg_sha256_init(lcfg_sha256 *s)
{
	*s = (lcfg_sha256){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
				   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void lcfg_sha256_put(lcfg_sha256 *s, const void *data, size_t size)
{
	s->total += size;
	sha256_add(s->h, s->block, &s->fill, data, size, sha256_compress);
}

static void put_number(lcfg_sha256 *s, uint64_t n)
{
	uint8_t b[8];
	for (int i = 0; i < 8; i++)
		b[i] = (uint8_t)(n >> (56 - 8 * i));
	lcfg_sha256_put(s, b, sizeof(b));
}

void lcfg_sha256_field(lcfg_sha256 *s, const void *data, size_t size)
{
	put_number(s, size);
	if (size)
		lcfg_sha256_put(s, data, size);
}

void lcfg_sha256_text(lcfg_sha256 *s, const char *text)
{
	if (text)
		lcfg_sha256_field(s, text, strlen(text));
	else
		put_number(s, UINT64_MAX);
}

lcfg_digest lcfg_sha256_end(lcfg_sha256 *s)
{
	uint64_t bits = s->total * 8;
	lcfg_sha256_put(s, "\x80", 1);
	while (s->fill != 56)
		lcfg_sha256_put(s, "", 1);
	put_number(s, bits);
	lcfg_digest digest;
	for (int i = 0; i < 32; i++)
		digest.bytes[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
	return digest;
}

lcfg_digest lcfg_sha256_of(const void *data, size_t size)
{
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_put(&s, data, size);
	return lcfg_sha256_end(&s);
}

void lcfg_digest_hex(char out[65], const lcfg_digest *digest)
{
	for (size_t i = 0; i < 32; i++) {
		out[2 * i] = "0123456789abcdef"[digest->bytes[i] >> 4];
		out[2 * i + 1] = "0123456789abcdef"[digest->bytes[i] & 15];
	}
	out[64] = 0;
}
