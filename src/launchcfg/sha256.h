/* SHA-256 (FIPS 180-4). A field is hashed with its length: ("ab", "c") is not ("a", "bc"). */
#pragma once

#include "common.h"

typedef struct lcfg_digest {
	uint8_t bytes[32];
} lcfg_digest;

typedef struct lcfg_sha256 {
	uint32_t h[8];
	uint64_t total;
	uint8_t block[64];
	size_t fill;
} lcfg_sha256;

void lcfg_sha256_init(lcfg_sha256 *s);
void lcfg_sha256_put(lcfg_sha256 *s, const void *data, size_t size);
void lcfg_sha256_field(lcfg_sha256 *s, const void *data, size_t size);
/* hashes text as a field; NULL and "" differ */
void lcfg_sha256_text(lcfg_sha256 *s, const char *text);
lcfg_digest lcfg_sha256_end(lcfg_sha256 *s);
/* of data alone, without its length */
lcfg_digest lcfg_sha256_of(const void *data, size_t size);

void lcfg_digest_hex(char out[65], const lcfg_digest *digest);
